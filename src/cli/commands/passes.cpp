// `zug info --passes` and `--dump-after`: what each pass of the compiler did and its cost, or the output of one pass.

#include "cli/reports/ir.hpp"

#include <algorithm>

namespace zug::cli {

namespace {

using run::Pass;
using run::PassInfo;

double milliseconds(const run::PassStatistics& statistics) {
    return std::chrono::duration<double, std::milli>(statistics.time).count();
}

std::string did(const PassInfo& pass, const run::Passes& passes) {
    if (!passes.on(pass.pass)) return "switched off";
    const run::PassStatistics& statistics = passes[pass.pass];
    std::string text = fmt::format("{} {}", statistics.changes, pass.changes);
    if (statistics.nodes_in > 0) text += fmt::format(", {} -> {} nodes", statistics.nodes_in, statistics.nodes_out);
    return text;
}

void print_passes(const run::Passes& passes) {
    say("{:<22} {:<13} {:<44} {:>9}\n", "pass", "stage", "did", "ms");
    double whole = 0;
    for (const PassInfo& pass : run::pass_table()) {
        const double time = milliseconds(passes[pass.pass]);
        whole += time;
        say("{:<22} {:<13} {:<44} {:>9.3f}\n", pass.name, name_of(pass.stage), did(pass, passes), time);
    }
    say("{:<22} {:<13} {:<44} {:>9.3f}\n", "all", "", "", whole);
}

Json json_of_passes(const run::Passes& passes) {
    Json rows = Json::array();
    for (const PassInfo& pass : run::pass_table()) {
        const run::PassStatistics& statistics = passes[pass.pass];
        rows.push_back({{"name", pass.name},
                        {"stage", name_of(pass.stage)},
                        {"required", pass.need == run::PassNeed::Required},
                        {"needs", pass.needs},
                        {"establishes", pass.establishes},
                        {"function", pass.function},
                        {"on", passes.on(pass.pass)},
                        {"runs", statistics.runs},
                        {"changes", statistics.changes},
                        {"changed", pass.changes},
                        {"nodes_in", statistics.nodes_in},
                        {"nodes_out", statistics.nodes_out},
                        {"milliseconds", milliseconds(statistics)}});
    }
    return rows;
}

// The name of the routine at an instruction, with the offset if the instruction is not its first.
std::string routine_at(const run::Disassembly& disassembly, std::size_t entry) {
    const run::Disassembly::Routine* routine = nullptr;
    std::size_t begin = 0;
    for (const auto& candidate : disassembly.routines) {
        if (candidate.rows.empty() || candidate.rows[0].instr > entry) continue;
        if (routine != nullptr && candidate.rows[0].instr < begin) continue;
        routine = &candidate;
        begin = candidate.rows[0].instr;
    }
    if (routine == nullptr) return fmt::format("instruction {}", entry);
    return begin == entry ? routine->name : fmt::format("{}, from instruction {} on", routine->name, entry - begin);
}

int show_dump(const run::Passes& passes, const run::Disassembly& disassembly, bool json) {
    Json rows = Json::array();
    for (const run::Passes::Dump& dump : passes.dumped()) {
        const std::string name = dump.entry ? routine_at(disassembly, *dump.entry) : "";
        if (json)
            rows.push_back({{"routine", name}, {"text", dump.text}});
        else if (name.empty())
            say("{}", dump.text);
        else
            say("{}\n{}\n", name, dump.text);
    }
    if (json) print_json(rows);
    return exit_fine;
}

// Passes whose output is instructions: it is shown as the byte code of the whole program.
bool leaves_byte_code(Pass pass) { return pass == Pass::Emit || info(pass).stage == run::PassStage::Routines; }

} // namespace

std::string why_no_pass(const std::string& name) { return run::pass_named(name) ? "" : run::unknown_pass(name); }

std::string why_not_without(const std::string& name) {
    const auto pass = run::pass_named(name);
    if (!pass) return run::unknown_pass(name);
    const PassInfo& row = info(*pass);
    if (row.need == run::PassNeed::Optional) return "";
    return fmt::format("the pass `{}` is required: no other pass ensures that {}", name, row.establishes);
}

run::PassOptions pass_options(const CompileOptions& options) {
    run::PassOptions result;
    for (const std::string& name : options.without) result.switch_off(*run::pass_named(name));
    result.timed = options.passes;
    if (!options.dump_after.empty()) result.dump_after = run::pass_named(options.dump_after);
    return result;
}

int show_passes(const lang::Loaded& loaded, const CompileOptions& options) {
    run::PassOptions asked = pass_options(options);
    if (asked.dump_after && leaves_byte_code(*asked.dump_after)) return show_byte_code(loaded, options);
    run::DebugInfo debug_info;
    run::Passes passes(asked);
    const auto compiled = compile_for(loaded, passes, debug_info);
    if (!compiled) return exit_failed;
    const run::Disassembly disassembly = run::disassemble(*compiled);
    if (asked.dump_after == Pass::StateLayout) {
        for (const auto& part : disassembly.frame)
            passes.dump(std::nullopt,
                        fmt::format("{:6} {:>4}  {:<20} {}\n", part.reg,
                                    part.words == 1 ? "" : fmt::format("x{}", part.words), part.name, part.about));
    }
    if (asked.dump_after) return show_dump(passes, disassembly, options.json);
    if (options.json)
        print_json(json_of_passes(passes));
    else
        print_passes(passes);
    return exit_fine;
}

} // namespace zug::cli
