#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "grammar/format/format.hpp"
#include "grammar/parse.hpp"

#include <algorithm>
#include <memory>

namespace zug::cli {

namespace {

struct FmtOptions {
    std::vector<std::string> files;
    bool check = false, to_stdout = false;
};

int format_one(const std::string& name, const FmtOptions& options) {
    const auto path = find_rule_file(name);
    if (!path) return path.error();
    auto text = read_file_or_pipe(*path, syntax::max_file_size + 1);
    if (!text) {
        complain(fmt::format("can't read {}: {}", *path, text.error().text));
        return exit_failed;
    }
    if (syntax::beginning(*text) == syntax::Beginning::Other) {
        complain(fmt::format("{} does not begin like a rule file", *path));
        return exit_failed;
    }
    diag::Sources sources;
    diag::Report report;
    const FileId id = sources.add(*path, std::move(*text));
    const syntax::Tree tree = syntax::parse(sources, id, report);
    write_error(diag::render(sources, report));
    if (report.has_errors()) return exit_failed;

    const std::string formatted = syntax::format(sources, id, tree);
    if (options.to_stdout) {
        write_bytes(formatted);
        return exit_fine;
    }
    if (formatted == sources.text(id)) return exit_fine;
    if (options.check) {
        complain(fmt::format("{} is not formatted", *path));
        return exit_failed;
    }
    if (const auto written = replace_file(*path, formatted); !written) {
        complain(written.error().text);
        return exit_failed;
    }
    say("{}\n", *path);
    return exit_fine;
}

int format_all(const FmtOptions& options) {
    int code = exit_fine;
    for (const auto& name : options.files) code = std::max(code, format_one(name, options));
    return code;
}

} // namespace

Run add_fmt(Command& program) {
    Command app = program.add_command("fmt", "Format rule files in place");
    auto options = std::make_shared<FmtOptions>();
    app.add_option("FILE", options->files, "Rule files, or names of those in rules/").required().type_name("");
    const Argument check =
        app.add_flag("--check", options->check, "Change nothing; exit code 1 if a file would change");
    app.add_flag("--stdout", options->to_stdout, "Print the result and leave the file as it is").excludes(check);
    add_example(app, "zug fmt --check rules/tic-tac-toe.zug");
    return [options] { return format_all(*options); };
}

} // namespace zug::cli
