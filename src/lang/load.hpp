#pragma once
// From a rule file to a checked program: parse, follow `extends` and imports, check, fold, verify.

#include "diag/diagnostic.hpp"
#include "ir/program.hpp"
#include "lang/core/overrides.hpp"

#include <memory>
#include <string>

namespace zug::lang {

using Folders = std::vector<std::string>; // where `import` and `extends` look for what isn't beside the file

struct Loaded {
    std::shared_ptr<const ir::Program> program; // empty if the report has errors
    diag::Sources sources;
    diag::Report report;
};

// Reads `file`. A file that can't be read is a diagnostic too.
Loaded load_file(const std::string& file, const Overrides& overrides = {}, const Folders& search = {});
// The same for text already in memory; its own folder is the one that `name` stands in.
Loaded load_text(const std::string& name, const std::string& text, const Overrides& overrides = {},
                 const Folders& search = {});

} // namespace zug::lang
