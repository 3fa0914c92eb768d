// Files to program: read, parse, follow imports, check, verify.

#include "lang/load.hpp"

#include "grammar/parse.hpp"
#include "ir/verify.hpp"
#include "lang/checker.hpp"
#include "lang/prelude.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

namespace zug::lang {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_files = 256;

class Loader {
public:
    Loader(Loaded& loaded, const Overrides& overrides) : loaded_(loaded), overrides_(overrides) {}

    void file(const std::string& name) {
        std::string text;
        const std::string why = read(name, text);
        const FileId id = loaded_.sources.add(name, std::move(text));
        if (!why.empty()) {
            loaded_.report.add(Message::CannotRead, {.file = id}, {name, why});
            return;
        }
        add(id, name);
        finish();
    }

    void text(const std::string& name, const std::string& text) {
        add(loaded_.sources.add(name, text.substr(0, syntax::max_file_size + 1)), name);
        finish();
    }

private:
    // Empty if all went well. A file that is too long is read no further than shows it.
    static std::string read(const std::string& name, std::string& text) {
        std::error_code code;
        if (fs::is_directory(name, code)) return "it is a folder";
        errno = 0;
        std::ifstream in(name, std::ios::binary);
        if (!in) return errno != 0 ? std::strerror(errno) : "it can't be opened";
        text.resize(syntax::max_file_size + 1);
        in.read(text.data(), static_cast<std::streamsize>(text.size()));
        text.resize(static_cast<std::size_t>(in.gcount()));
        text.shrink_to_fit();
        return in.bad() ? "it can't be read" : "";
    }

    static std::string identity(const std::string& name) {
        std::error_code code;
        const fs::path path = fs::weakly_canonical(name, code);
        return code ? name : path.string();
    }

    void add(FileId id, const std::string& name) {
        under_way_.push_back(identity(name));
        seen_.insert(under_way_.back());
        auto tree = std::make_unique<syntax::Tree>(syntax::parse(loaded_.sources, id, loaded_.report));
        const syntax::Tree& t = *tree;
        if (valid(t.root))
            for (NodeId declaration : t.children(t.root))
                if (valid(declaration) && t[declaration].kind == Kind::Import) import(t[declaration], name);
        trees_.push_back(std::move(tree));
        under_way_.pop_back();
    }

    // Each file once, however often it is imported; what an import needs comes before it.
    void import(const syntax::Node& node, const std::string& from) {
        const std::string name = (fs::path(from).parent_path() / node.text).lexically_normal().string();
        const std::string key = identity(name);
        if (std::ranges::find(under_way_, key) != under_way_.end()) {
            loaded_.report.add(Message::CyclicImport, node.span, {node.text});
            return;
        }
        if (seen_.contains(key)) return;
        if (seen_.size() >= max_files) {
            loaded_.report.add(Message::TooManyFiles, node.span, {std::to_string(max_files)});
            return;
        }
        std::string text;
        if (const std::string why = read(name, text); !why.empty()) {
            loaded_.report.add(Message::CannotImport, node.span, {node.text, why});
            return;
        }
        add(loaded_.sources.add(name, std::move(text)), name);
    }

    void finish() {
        const FileId id = loaded_.sources.add("prelude.zug", std::string(prelude_text()));
        const syntax::Tree prelude = syntax::parse(loaded_.sources, id, loaded_.report);
        std::vector<SourceTree> files{{&prelude, true}};
        for (const auto& tree : trees_) files.push_back({tree.get(), false});
        auto program = std::make_shared<ir::Program>();
        Checker(loaded_.sources, loaded_.report, *program, overrides_).check(files);
        if (loaded_.report.has_errors()) return;
        for (const auto& finding : ir::verify(*program)) loaded_.report.add(Message::BadProgram, {}, {finding});
        if (!loaded_.report.has_errors()) loaded_.program = std::move(program);
    }

    Loaded& loaded_;
    const Overrides& overrides_;
    std::vector<std::unique_ptr<syntax::Tree>> trees_;
    std::vector<std::string> under_way_;
    std::set<std::string> seen_;
};

} // namespace

Loaded load_file(const std::string& file, const Overrides& overrides) {
    Loaded loaded;
    Loader(loaded, overrides).file(file);
    return loaded;
}

Loaded load_text(const std::string& name, const std::string& text, const Overrides& overrides) {
    Loaded loaded;
    Loader(loaded, overrides).text(name, text);
    return loaded;
}

} // namespace zug::lang
