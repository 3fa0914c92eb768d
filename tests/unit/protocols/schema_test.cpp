// The schema of the protocol of `zug engine`, and the requests that the program takes.

#include "protocols/engine.hpp"
#include "schema.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace zug::protocols;
using nlohmann::json;

TEST_CASE("the schema has the commands of the program, with the same members") {
    const json schema = json::parse(engine_schema());
    std::set<std::string> in_schema;
    for (const json& one : schema["$defs"]["request"]["oneOf"])
        in_schema.insert(one["$ref"].get<std::string>().substr(std::string("#/$defs/").size()));
    std::set<std::string> in_program;
    for (const CommandForm& form : engine_commands()) {
        CAPTURE(form.name);
        const std::string name(form.name);
        in_program.insert(name);
        REQUIRE(schema["$defs"].contains(name));
        const json& command = schema["$defs"][name];
        CHECK(command["properties"]["command"]["const"] == name);
        CHECK(command["properties"]["protocol"]["$ref"] == "#/$defs/protocol");
        std::set<std::string> members{"protocol", "id", "command"}, required{"id", "command"};
        for (const Member& member : form.members) {
            members.emplace(member.name);
            if (member.required) required.emplace(member.name);
        }
        std::set<std::string> described;
        for (const auto& property : command["properties"].items()) described.insert(property.key());
        CHECK(described == members);
        CHECK(command["required"].get<std::set<std::string>>() == required);
    }
    CHECK(in_schema == in_program);
    CHECK(schema["$defs"]["protocol"]["const"] == engine_protocol);
}

TEST_CASE("the program takes the requests that fit the schema, and no others") {
    const json schema = json::parse(engine_schema());
    const std::vector<std::string> values{
        R"("b2")", R"(["b2","a1"])",   R"([])", R"([1])",           "0",  "7",    "-1",     "1.5",
        "1e999",   "9007199254740993", "true",  R"({"width":"4"})", "{}", "null", R"([[]])"};
    int good = 0, bad = 0;
    for (const CommandForm& form : engine_commands())
        for (const std::string member : {"file", "text", "parameters", "seed", "position", "moves", "plies", "player",
                                         "time", "depth", "nodes", "infinite", "lines", "divide", "protocol", "id"})
            for (const std::string& value : values) {
                std::string line = R"({"command":")" + std::string(form.name) + '"';
                if (member != "id") line += R"(,"id":1)";
                line += ",\"" + member + "\":" + value + "}";
                CAPTURE(line);
                const json request = json::parse(line, nullptr, false);
                const bool fits =
                    !request.is_discarded() && zug::test::misfit(schema, schema["$defs"]["request"], request).empty();
                CHECK(parse_request(line).has_value() == fits);
                ++(fits ? good : bad);
            }
    CHECK(good > 50);
    CHECK(bad > 500);
}
