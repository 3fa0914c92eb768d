// Any bytes: the parser must end, quickly and without a crash, with diagnostics that can be shown. If it finds no
// error, the text laid out must read back to the same tree, and laying it out again must change nothing (asserts in
// format.cpp check that nothing had to be given up on the way).

#include "grammar/parse.hpp"
#include "grammar/ast/dump.hpp"
#include "grammar/format/format.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <cstdint>

namespace {

struct Parsed {
    explicit Parsed(std::string text) {
        file = sources.add("fuzz.zug", std::move(text));
        tree = zug::syntax::parse(sources, file, report);
    }
    zug::diag::Sources sources;
    zug::FileId file{};
    zug::diag::Report report;
    zug::syntax::Tree tree;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using zug::fuzz::require;
    const Parsed first(std::string(reinterpret_cast<const char*>(data), size));
    const auto said = zug::diag::render(first.sources, first.report);
    const bool leaks = said.find("zug6syntax") != std::string::npos;
    require(!leaks || first.sources.text(first.file).find("zug6syntax") != std::string::npos,
            "what is expected has a name");
    require(said.size() < 100'000, "the diagnostics are bounded");
    require(said.empty() == !first.report.has_errors(), "what is wrong is said");
    const auto dumped = zug::syntax::dump(first.tree);
    const auto formatted = zug::syntax::format(first.sources, first.file, first.tree);
    if (first.report.has_errors()) return 0;
    const Parsed second(formatted);
    require(!second.report.has_errors(), "a formatted text has no errors");
    require(zug::syntax::dump(second.tree) == dumped, "a formatted text has the same tree");
    require(zug::syntax::format(second.sources, second.file, second.tree) == formatted,
            "formatting twice changes nothing");
    return 0;
}
