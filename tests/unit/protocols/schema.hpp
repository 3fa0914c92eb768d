#pragma once
// JSON Schema, as far as engine.schema.json makes use of it.

#include <nlohmann/json.hpp>

#include <string>

namespace zug::test {

// Where and why a value does not fit a schema, a part of the document `root`; empty: it fits. Keywords that are not
// known are an error, too.
std::string misfit(const nlohmann::json& root, const nlohmann::json& schema, const nlohmann::json& value);

} // namespace zug::test
