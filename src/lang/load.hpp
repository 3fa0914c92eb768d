#pragma once
// Loads a rule file: reads it and the files it extends or imports, parses, checks and verifies them. All that is wrong
// with the files is in the report of the result; nothing throws.

#include "diag/diagnostic.hpp"
#include "ir/program.hpp"
#include "lang/core/name_index.hpp"
#include "lang/core/overrides.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace zug::lang {

// Where `import` and `extends` look for files that are not beside the one that names them. Only files in these folders,
// and in that of the game's own file, are read: whoever wrote the rules may not see the rest of this machine.
using Folders = std::vector<std::string>;

// What an editor adds to a load.
struct Editor {
    // The text of a file that is open in it, by a path as the files name it, which wins over that on disk. May be
    // empty.
    std::function<std::optional<std::string>(const std::string& path)> open_text;
    NameIndex* index = nullptr; // filled, also for files with errors
};

struct Loaded {
    std::shared_ptr<const ir::Program> program; // empty if the report has errors
    diag::Sources sources;
    diag::Report report;
};

// Reads `file`, which may be a pipe. A file that can't be read is a diagnostic too. Nothing is quoted of a file that
// does not begin like a rule file.
Loaded load_file(const std::string& file, const Overrides& overrides = {}, const Folders& search = {});
// The same for a text in memory. Imports are looked for in the folder of `name`.
Loaded load_text(const std::string& name, const std::string& text, const Overrides& overrides = {},
                 const Folders& search = {}, const Editor& editor = {});

} // namespace zug::lang
