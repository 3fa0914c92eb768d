// Files to program: read, parse, follow `extends` and imports, check, verify.

#include "lang/load.hpp"

#include "base/file.hpp"
#include "grammar/parse.hpp"
#include "ir/verify.hpp"
#include "lang/checker.hpp"
#include "lang/prelude.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

namespace zug::lang {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_files = 256;

class Loader {
public:
    Loader(Loaded& loaded, const Overrides& overrides, const Folders& search, Editor editor = {})
        : loaded_(loaded), overrides_(overrides), search_(search), editor_(std::move(editor)) {}

    void file(const std::string& name) {
        allow_folder_of(name);
        auto text = read_file_or_pipe(name, most_read);
        const bool rules = text && syntax::beginning(*text) != syntax::Beginning::Other;
        const FileId id = loaded_.sources.add(name, rules ? std::move(*text) : "");
        if (!text) {
            loaded_.report.add(Message::CannotRead, {.file = id}, {name, text.error().text});
        } else if (!rules) {
            loaded_.report.add(Message::NotRules, {.file = id}, {name});
        } else {
            add(id, name, false);
            finish();
        }
    }

    void text(const std::string& name, const std::string& text) {
        allow_folder_of(name);
        add(loaded_.sources.add(name, text.substr(0, most_read)), name, false);
        finish();
    }

private:
    // Of a file that is too long, one byte more than the parser accepts.
    static constexpr std::size_t most_read = syntax::max_file_size + 1;

    void allow_folder_of(const std::string& name) {
        const fs::path folder = fs::path(name).parent_path();
        allowed_.push_back(identity(folder.empty() ? "." : folder.string()));
        for (const auto& other : search_) allowed_.push_back(identity(other));
    }

    // Whether a file that the rules name may be read, after links have been followed.
    bool is_allowed(const std::string& name) const {
        const fs::path file = identity(name);
        return std::ranges::any_of(
            allowed_, [&](const fs::path& folder) { return std::ranges::mismatch(folder, file).in1 == folder.end(); });
    }

    tl::expected<std::string, Error> open_text(const std::string& name) const {
        std::optional<std::string> text;
        if (editor_.open_text) text = editor_.open_text(name);
        return text ? tl::expected<std::string, Error>(text->substr(0, most_read)) : failure("it is not open");
    }

    // The text of a file that the rules name, or why it can't be read.
    tl::expected<std::string, Error> read_named(const std::string& name) const {
        if (!is_allowed(name))
            return failure("it is not in the folder of this game, nor among those that come with Zug; `--import-from` "
                           "allows another folder");
        auto text = open_text(name);
        if (!text) text = read_file(name, most_read);
        if (text && syntax::beginning(*text) != syntax::Beginning::Rules)
            return failure("it does not begin like a rule file");
        return text;
    }

    static std::string identity(const std::string& name) {
        std::error_code code;
        const fs::path path = fs::weakly_canonical(name, code);
        return code ? name : path.string();
    }

    // Adds a file, after those it extends (one level below it) and those it imports.
    void add(FileId id, const std::string& name, bool imported) {
        under_way_.push_back(identity(name));
        seen_.insert(under_way_.back());
        auto tree = std::make_unique<syntax::Tree>(syntax::parse(loaded_.sources, id, loaded_.report));
        extends(*tree, name, imported);
        for (NodeId declaration : declarations(*tree))
            if (const auto& node = (*tree)[declaration]; node.kind == Kind::Import) {
                const std::string wanted = find(node.text, name);
                // A file is added once, however often it is imported.
                if (!is_under_way(node, wanted) && !seen_.contains(identity(wanted))) needed(node, wanted, "imported");
            }
        trees_.push_back({std::move(tree), level_});
        under_way_.pop_back();
    }

    void extends(const syntax::Tree& tree, const std::string& from, bool imported) {
        bool first = true;
        for (NodeId declaration : declarations(tree)) {
            const auto& node = tree[declaration];
            if (node.kind != Kind::Extends) continue;
            if (imported || !first) {
                loaded_.report.add(imported ? Message::ExtendsHere : Message::ExtendsTwice, node.span);
                continue;
            }
            first = false;
            extends_.push_back(node.text);
            const std::size_t errors = loaded_.report.error_count();
            if (const std::string name = find(node.text, from); !is_under_way(node, name))
                needed(node, name, "extended");
            incomplete_ |= loaded_.report.error_count() > errors;
            ++level_;
        }
    }

    static std::vector<NodeId> declarations(const syntax::Tree& tree) {
        std::vector<NodeId> result;
        if (valid(tree.root))
            for (NodeId declaration : tree.children(tree.root))
                if (valid(declaration)) result.push_back(declaration);
        return result;
    }

    // The path of the file of that name: beside the one that names it, or in one of the folders to search, with or
    // without its ending. If there is none, the first path that was tried, for the message.
    std::string find(const std::string& name, const std::string& from) const {
        const fs::path beside = fs::path(from).parent_path() / name;
        std::vector<fs::path> candidates{beside};
        for (const auto& folder : search_) candidates.push_back(fs::path(folder) / name);
        for (const auto& candidate : candidates)
            for (const auto& path : {candidate, fs::path(candidate) += ".zug"}) {
                std::error_code code;
                if (fs::exists(path, code) && !fs::is_directory(path, code)) return path.lexically_normal().string();
            }
        return beside.lexically_normal().string();
    }

    bool is_under_way(const syntax::Node& node, const std::string& name) {
        if (std::ranges::find(under_way_, identity(name)) == under_way_.end()) return false;
        loaded_.report.add(Message::CyclicImport, node.span, {node.text});
        return true;
    }

    // Adds a file that another one imports or extends.
    void needed(const syntax::Node& node, const std::string& name, const std::string& how) {
        if (seen_.size() >= max_files) {
            loaded_.report.add(Message::TooManyFiles, node.span, {std::to_string(max_files)});
            return;
        }
        auto text = read_named(name);
        if (!text) {
            loaded_.report.add(Message::CannotImport, node.span, {node.text, how, text.error().text});
            return;
        }
        add(loaded_.sources.add(name, std::move(*text)), name, how == "imported");
    }

    void finish() {
        if (incomplete_) return; // without the file it extends, most names would be unknown
        const FileId id = loaded_.sources.add("prelude.zug", std::string(prelude_text()));
        const syntax::Tree prelude = syntax::parse(loaded_.sources, id, loaded_.report);
        std::vector<SourceTree> files{{.tree = &prelude, .prelude = true}};
        for (const auto& [tree, level] : trees_) files.push_back({.tree = tree.get(), .level = level});
        auto program = new_program();
        Checker(loaded_.sources, loaded_.report, *program, overrides_, editor_.index).check(files, true);
        if (loaded_.report.has_errors()) return;
        if (!program->looks.empty()) program = without_traces_of_looks(files, std::move(program->looks));
        if (program->title.empty()) program->title = program->source.name;
        for (const auto& finding : ir::verify(*program)) loaded_.report.add(Message::BadProgram, {}, {finding});
        if (!loaded_.report.has_errors()) loaded_.program = std::move(program);
    }

    std::shared_ptr<ir::Program> new_program() const {
        auto program = std::make_shared<ir::Program>();
        program->extends = extends_;
        program->source = {fs::path(loaded_.sources.name(FileId{0})).stem().string()};
        return program;
    }

    // The program of files without errors, which is the same whether they say how the game looks or not.
    std::shared_ptr<ir::Program> without_traces_of_looks(const std::vector<SourceTree>& files, ir::Looks looks) {
        auto program = new_program();
        diag::Report silence;
        Checker(loaded_.sources, silence, *program, overrides_, nullptr).check(files, false);
        program->looks = std::move(looks);
        return program;
    }

    Loaded& loaded_;
    const Overrides& overrides_;
    const Folders& search_;
    const Editor editor_;
    std::vector<fs::path> allowed_;                                         // folders, as the system names them
    std::vector<std::pair<std::unique_ptr<syntax::Tree>, unsigned>> trees_; // each with its level
    unsigned level_ = 0;
    bool incomplete_ = false;
    std::vector<std::string> extends_;
    std::vector<std::string> under_way_;
    std::set<std::string> seen_;
};

} // namespace

Loaded load_file(const std::string& file, const Overrides& overrides, const Folders& search) {
    Loaded loaded;
    Loader(loaded, overrides, search).file(file);
    return loaded;
}

Loaded load_text(const std::string& name, const std::string& text, const Overrides& overrides, const Folders& search,
                 const Editor& editor) {
    Loaded loaded;
    Loader(loaded, overrides, search, editor).text(name, text);
    return loaded;
}

} // namespace zug::lang
