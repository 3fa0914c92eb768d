#pragma once
// From a rule file to a checked program: parse, resolve imports, check, fold, verify.

#include "diag/diagnostic.hpp"
#include "ir/program.hpp"

#include <map>
#include <memory>
#include <string>

namespace zug::lang {

using Overrides = std::map<std::string, std::string>; // -D name=value

struct Loaded {
    std::shared_ptr<const ir::Program> program; // empty if the report has errors
    diag::Sources sources;
    diag::Report report;
};

// Reads `file`. A file that can't be read is a diagnostic too.
Loaded load_file(const std::string& file, const Overrides& overrides = {});
// The same for text already in memory; imports are looked up relative to the current folder.
Loaded load_text(const std::string& name, const std::string& text, const Overrides& overrides = {});

} // namespace zug::lang
