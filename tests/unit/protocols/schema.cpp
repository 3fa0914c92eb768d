#include "schema.hpp"

#include <algorithm>
#include <map>

namespace zug::test {

namespace {

using Json = nlohmann::json;

bool is_type(const std::string& type, const Json& value) {
    if (type == "integer") return value.is_number_integer();
    return type == value.type_name();
}

class Check {
public:
    Check(const Json& root, const Json& schema, const Json& value) : root_(root), schema_(schema), value_(value) {}

    std::string run() const {
        static const std::map<std::string, std::string (Check::*)(const Json&) const> keywords{
            {"$ref", &Check::ref},
            {"const", &Check::constant},
            {"enum", &Check::one_of_values},
            {"type", &Check::type},
            {"minimum", &Check::minimum},
            {"exclusiveMinimum", &Check::above},
            {"maximum", &Check::maximum},
            {"items", &Check::items},
            {"properties", &Check::properties},
            {"required", &Check::required},
            {"oneOf", &Check::one_of},
            {"anyOf", &Check::any_of},
            {"maxProperties", &Check::most},
            {"description", &Check::fine},
            {"title", &Check::fine},
            {"$schema", &Check::fine},
            {"$id", &Check::fine},
            {"$defs", &Check::fine},
            {"additionalProperties", &Check::additional}};
        for (const auto& [keyword, argument] : schema_.items()) {
            const auto found = keywords.find(keyword);
            if (found == keywords.end()) return "an unknown keyword: " + keyword;
            if (std::string why = (this->*found->second)(argument); !why.empty()) return why;
        }
        return "";
    }

private:
    std::string fits(const Json& schema, const Json& value) const { return Check(root_, schema, value).run(); }
    std::string unless(bool good, const std::string& what) const {
        return good ? "" : value_.dump() + " is not " + what;
    }
    std::string fine(const Json&) const { return ""; }
    std::string ref(const Json& path) const {
        return fits(root_.at(Json::json_pointer(path.get<std::string>().substr(1))), value_);
    }
    std::string constant(const Json& other) const { return unless(value_ == other, other.dump()); }
    std::string one_of_values(const Json& values) const {
        return unless(std::ranges::find(values, value_) != values.end(), "one of " + values.dump());
    }
    std::string type(const Json& types) const {
        const Json list = types.is_array() ? types : Json::array({types});
        const auto good = [&](const Json& one) { return is_type(one.get<std::string>(), value_); };
        return unless(std::ranges::any_of(list, good), "of type " + types.dump());
    }
    std::string minimum(const Json& low) const { return unless(value_ >= low, "at least " + low.dump()); }
    std::string above(const Json& low) const { return unless(value_ > low, "above " + low.dump()); }
    std::string maximum(const Json& high) const { return unless(value_ <= high, "at most " + high.dump()); }
    std::string most(const Json& count) const { return unless(value_.size() <= count, "of so many members"); }
    std::string items(const Json& schema) const {
        if (value_.is_array())
            for (const Json& item : value_)
                if (std::string why = fits(schema, item); !why.empty()) return why;
        return "";
    }
    std::string properties(const Json& schemas) const {
        for (const auto& [name, schema] : schemas.items())
            if (value_.is_object() && value_.contains(name))
                if (std::string why = fits(schema, value_[name]); !why.empty()) return name + ": " + why;
        return "";
    }
    std::string additional(const Json& schema) const {
        if (!value_.is_object()) return "";
        for (const auto& [name, value] : value_.items()) {
            if (schema_.contains("properties") && schema_["properties"].contains(name)) continue;
            if (schema == false) return "there is no property " + name;
            if (std::string why = fits(schema, value); !why.empty()) return name + ": " + why;
        }
        return "";
    }
    std::string required(const Json& names) const {
        for (const Json& name : names)
            if (value_.is_object() && !value_.contains(name.get<std::string>())) return "without " + name.dump();
        return "";
    }
    // How many of the schemas it fits, and why it does not fit the others.
    std::pair<int, std::string> fitting(const Json& schemas) const {
        std::pair<int, std::string> found;
        for (const Json& schema : schemas) {
            const std::string why = fits(schema, value_);
            if (why.empty()) ++found.first;
            found.second += why + "; ";
        }
        return found;
    }
    std::string one_of(const Json& schemas) const {
        const auto [count, why] = fitting(schemas);
        return count == 1 ? "" : "not one of: " + why;
    }
    std::string any_of(const Json& schemas) const {
        const auto [count, why] = fitting(schemas);
        return count > 0 ? "" : "none of: " + why;
    }

    const Json& root_;
    const Json& schema_;
    const Json& value_;
};

} // namespace

std::string misfit(const Json& root, const Json& schema, const Json& value) { return Check(root, schema, value).run(); }

} // namespace zug::test
