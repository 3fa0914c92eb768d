#include "cli/family.hpp"

#include "base/text.hpp"

namespace zug::cli {

namespace {

constexpr std::size_t most_instances = 10'000;

// Expands a define to one define for each value of its range. An error: what is wrong with the range.
tl::expected<std::vector<std::string>, std::string> values_of(const std::string& define) {
    const auto equals = define.find('='), dots = define.find("..");
    if (equals == std::string::npos || dots == std::string::npos || dots < equals) return std::vector{define};
    const std::string_view text = define;
    const auto low = number_in<long>(text.substr(equals + 1, dots - equals - 1));
    const auto high = number_in<long>(text.substr(dots + 2));
    if (!low || !high) return tl::unexpected(std::string("a range has the form 3..5, with whole numbers"));
    if (*low > *high) return tl::unexpected(std::string("the range is empty"));
    std::vector<std::string> values;
    for (long value = *low; value <= *high && values.size() <= most_instances; ++value)
        values.push_back(fmt::format("{}{}", text.substr(0, equals + 1), value));
    return values;
}

} // namespace

tl::expected<std::vector<GameOptions>, int> instances_of(const std::vector<std::string>& files,
                                                         const GameOptions& shared) {
    if (const auto given = parse_defines(shared.defines); !given) return tl::unexpected(given.error());
    std::vector<std::vector<std::string>> products{{}};
    for (const std::string& define : shared.defines) {
        const auto values = values_of(define);
        if (!values || values->size() * products.size() * files.size() > most_instances) {
            complain(fmt::format("-D {}: {}", define, values ? "too many instances" : values.error()));
            return tl::unexpected(exit_usage);
        }
        std::vector<std::vector<std::string>> longer;
        for (const auto& product : products)
            for (const std::string& value : *values) {
                longer.push_back(product);
                longer.back().push_back(value);
            }
        products = std::move(longer);
    }
    std::vector<GameOptions> instances;
    for (const std::string& file : files)
        for (const auto& product : products) {
            GameOptions instance = shared;
            instance.file = file;
            instance.defines = product;
            instances.push_back(std::move(instance));
        }
    return instances;
}

std::string title_of(const GameOptions& instance) {
    std::string title = instance.file;
    for (const std::string& define : instance.defines) title += " " + define;
    return title;
}

} // namespace zug::cli
