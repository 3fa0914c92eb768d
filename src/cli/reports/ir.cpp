#include "cli/reports/ir.hpp"

#include "diag/diagnostic.hpp"

#include <algorithm>

namespace zug::cli {

namespace {

constexpr std::size_t text_width = 84; // of an instruction; its line and column follow

// The line and column of an instruction's source, or an empty string.
std::string origin_text(const lang::Loaded& loaded, const run::DebugInfo& debug_info, std::size_t instr) {
    const Span& span = debug_info.origins[instr].span;
    if (span.end == 0) return "";
    const diag::Location location = diag::location(loaded.sources.text(span.file), span.begin);
    return fmt::format("{}:{}", location.line, location.column);
}

// The number of characters: a name may have fewer than it has bytes.
std::size_t columns(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

} // namespace

void print(const run::Disassembly& disassembly, const lang::Loaded& loaded, const run::DebugInfo& debug_info) {
    say("frame: {} bytes of state, {} words with what routines work on, {} constant words\n",
        disassembly.state_words * 8, disassembly.frame_words, disassembly.constants);
    for (const auto& part : disassembly.frame)
        say("{:6} {:>4}  {:<20} {}\n", part.reg, part.words == 1 ? "" : fmt::format("x{}", part.words), part.name,
            part.about);
    for (const auto& routine : disassembly.routines) {
        say("\n{}\n", routine.name);
        for (const auto& row : routine.rows) {
            std::string line =
                fmt::format("{:>5} {:<14} {}", row.label.empty() ? "" : row.label + ":", row.op, row.text);
            const std::string origin = origin_text(loaded, debug_info, row.instr);
            const std::size_t used = columns(line);
            if (!origin.empty())
                line += fmt::format("{:>{}} {}", ";", used < text_width ? text_width - used : 2, origin);
            say("{}\n", line);
        }
        for (const auto& result : routine.results) say("      {}\n", result);
    }
    if (!disassembly.tables.empty()) say("\n");
    for (const auto& table : disassembly.tables) say("{}\n", table);
}

Json json_of(const run::Disassembly& disassembly, const lang::Loaded& loaded, const run::DebugInfo& debug_info) {
    Json frame = Json::array(), routines = Json::array();
    for (const auto& part : disassembly.frame)
        frame.push_back({{"word", part.reg}, {"words", part.words}, {"name", part.name}, {"about", part.about}});
    for (const auto& routine : disassembly.routines) {
        Json rows = Json::array();
        for (const auto& row : routine.rows) {
            Json item = {{"op", row.op}, {"text", row.text}};
            if (!row.label.empty()) item["label"] = row.label;
            if (const std::string origin = origin_text(loaded, debug_info, row.instr); !origin.empty())
                item["from"] = origin;
            rows.push_back(std::move(item));
        }
        routines.push_back({{"name", routine.name}, {"instructions", rows}, {"results", routine.results}});
    }
    return {{"state_bytes", disassembly.state_words * 8},
            {"frame_words", disassembly.frame_words},
            {"constant_words", disassembly.constants},
            {"frame", frame},
            {"routines", routines},
            {"tables", disassembly.tables}};
}

std::unique_ptr<run::Compiled> compile_for(const lang::Loaded& loaded, run::Passes& passes,
                                           run::DebugInfo& debug_info) {
    std::string why;
    auto compiled = run::compile(loaded.program, why, &debug_info, &passes);
    if (!compiled)
        complain(
            fmt::format("there is no byte code: {} can't be compiled, so the reference executor plays the game", why));
    return compiled;
}

int show_byte_code(const lang::Loaded& loaded, const CompileOptions& options) {
    run::DebugInfo debug_info;
    run::Passes passes(pass_options(options));
    const auto compiled = compile_for(loaded, passes, debug_info);
    if (!compiled) return exit_failed;
    const run::Disassembly disassembly = run::disassemble(*compiled);
    if (options.json)
        print_json(json_of(disassembly, loaded, debug_info));
    else
        print(disassembly, loaded, debug_info);
    return exit_fine;
}

} // namespace zug::cli
