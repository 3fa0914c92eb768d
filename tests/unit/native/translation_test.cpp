// Every opcode has machine code, or is on a translator's list of those that it refuses. A routine for each opcode of
// bytecode/opcodes.def goes through zug-codegen: one that a translator does not know would leave all routines that use
// it to the interpreter, unnoticed, and fails here.

#include "bytecode/operand_kinds.hpp"
#include "native/compile_service.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

using namespace zug;
using run::Instr;
using run::Opcode;
using run::Operand;
using run::Operation;
using run::OpSignature;
using run::OpWidth;

namespace {

constexpr std::uint16_t main_width = 2;
constexpr std::uint32_t state_words = 16;
constexpr std::int32_t few = 3; // the number of sets or words in a row, a distance, an offset, a length
constexpr run::Reg first_field = 1000, kept = 6000, drawn_set = 6100, mask = 6200;

std::string name_of(const OpSignature& s) {
    static constexpr std::string_view suffixes[] = {"", "_1", "_M", "_N"};
    return std::string(s.name) + std::string(suffixes[static_cast<std::size_t>(s.width)]);
}

// Byte code with a routine for each opcode, in their order: the instruction, and what it needs to be a valid one.
class Sample {
public:
    // `other_width`: of the sets of instructions that name their width, in words.
    explicit Sample(std::uint16_t other_width = 3) : other_width_(other_width) {
        code_.main_width = main_width;
        code_.turn_reg = 1;
        code_.turned_reg = 2;
        for (std::size_t op = 0; op < run::signature::table.size(); ++op) add(static_cast<Opcode>(op));
    }
    const run::Bytecode& code() const { return code_; }

private:
    std::uint16_t width_of(const OpSignature& s) const {
        switch (s.width) {
        case OpWidth::Main: return main_width;
        case OpWidth::Any: return other_width_;
        default: return 1;
        }
    }

    void add(Opcode op) {
        const OpSignature& s = run::signature_of(op);
        const auto entry = static_cast<run::Entry>(code_.instrs.size());
        Instr i{.op = op, .w = width_of(s)};
        run::Reg next = first_field;
        for (const auto& [kind, field] : {std::pair{s.d, &i.d}, {s.a, &i.a}, {s.b, &i.b}, {s.c, &i.c}}) {
            *field = run::is_register(kind) ? next : static_cast<run::Reg>(number(kind, s, entry));
            next += first_field;
        }
        i.imm = number(s.imm, s, entry);
        code_.instrs.push_back(i);
        code_.instrs.push_back({.op = Opcode::Return});
        code_.routines.push_back({.entry = entry, .results = {}, .seldom = {}});
    }

    // A field that is not a register. Jumps lead to the Return behind the instruction.
    std::int32_t number(Operand kind, const OpSignature& s, run::Entry entry) {
        const std::uint16_t width = width_of(s);
        switch (kind) {
        case Operand::WordTable: return add_to(code_.tables.words, word_table(s.operation, width));
        case Operand::Labels: return add_to(code_.tables.words, {entry + 1});
        case Operand::SetTable:
            return add_to(code_.tables.sets, std::vector<std::uint64_t>(std::size_t{width} * 64 * width, 5));
        case Operand::Shifts: return add_to(code_.tables.shifts, {.shifts = {{1, mask}, {-8, mask}}});
        case Operand::Rays: return add_to(code_.tables.rays, ray_table(width));
        case Operand::Shape: return add_to(code_.shapes, {.words = width, .kept = {kept}, .target = entry + 1});
        case Operand::Question: return add_to(code_.questions, {});
        case Operand::Drawing: return add_to(code_.drawings, {.parts = {drawing_part(width, entry)}});
        case Operand::Number: return few;
        case Operand::Bits: return width * 64;
        case Operand::Label: return static_cast<std::int32_t>(entry + 1);
        case Operand::Turn: return 1;
        default: return 0;
        }
    }

    template <class T>
    static std::int32_t add_to(std::vector<T>& list, T item) {
        list.push_back(std::move(item));
        return static_cast<std::int32_t>(list.size() - 1);
    }

    // Distances of runs, or by bit another bit: the mirrored one, or the one before where there would be too many
    // distances.
    static std::vector<std::int64_t> word_table(Operation operation, std::uint16_t width) {
        if (operation == Operation::Runs) return {1, 8};
        std::vector<std::int64_t> table(std::size_t{width} * 64);
        if (width <= few)
            std::iota(table.rbegin(), table.rend(), 0);
        else
            std::iota(table.begin(), table.end(), -1);
        return table;
    }

    // Along rows of eight sites, up and down.
    static run::RayTable ray_table(std::uint16_t width) {
        run::RayTable table{
            .count = 2, .up = 1, .rows = std::vector<std::uint64_t>(std::size_t{width} * 64 * 2 * width)};
        for (std::size_t site = 0; site < std::size_t{width} * 64; ++site)
            for (const std::size_t direction : {0U, 1U}) {
                const std::uint64_t row = std::uint64_t{0xFF} << (site % 64 / 8 * 8);
                const std::uint64_t below = (std::uint64_t{1} << (site % 64)) - 1;
                table.rows[(site * 2 + direction) * width + site / 64] =
                    row & (direction == 0 ? ~(below | std::uint64_t{1} << (site % 64)) : below);
            }
        return table;
    }

    static run::Drawing::Part drawing_part(std::uint16_t width, run::Entry entry) {
        return {.set = drawn_set, .words = width, .bits = width * 64U, .target = entry + 1, .weight = 0, .given = {}};
    }

    run::Bytecode code_;
    std::uint16_t other_width_;
};

// The last image that the service makes, which is the baseline JIT's or LLVM's.
std::optional<native::Image> translate(const run::Bytecode& code, bool baseline) {
    const auto request = native::write_request(code, state_words, native::no_prediction);
    const native::Key key = native::key_of(request);
    std::optional<native::Image> image;
    native::run_compile_service(native::codegen_program(), request,
                                {.key = key, .cache = {}, .background = false, .baseline_only = baseline}, -1,
                                [&](auto bytes) { image = native::read_image(bytes, key); });
    return image;
}

// What the translators refuse, in the order of opcodes.def.
//
// LLVM: Between on sets of several words, which the value graph does not make (ValueGraph::squares_between).
constexpr std::string_view refused_by_llvm = "Between_M Between_N ";
// Of sets of eighty words, those with a value for each word.
constexpr std::string_view refused_of_eighty_words =
    "ShlAnd_N ShrAnd_N Runs_N FloodTo_N FloodFrom_N Rays_N Between_M Between_N Image_N Gather_N GatherAt_N "
    "WordsAbove_N BytesAbove_N CountRays_N CountImage_N LastMember_N Draw_N Undraw_N TakeFirst_N EmitRecord_N ";
// The baseline JIT: what becomes vectors (WordsAbove of long rows, too) or floating-point numbers.
constexpr std::string_view refused_by_baseline = "Between_M Between_N AddReal SubReal MulReal DivReal NegReal MinReal "
                                                 "MaxReal EqReal LtReal ToReal ";

// The opcodes without code, by name.
std::string refused(const native::Image& image) {
    std::string names;
    for (std::size_t op = 0; op < image.offsets.size(); ++op)
        if (image.offsets[op] == native::no_code) names += name_of(run::signature::table[op]) + " ";
    return names;
}

} // namespace

TEST_CASE("LLVM translates every opcode but those on its list") {
    if (native::codegen_program().empty()) return; // Zug was built without LLVM
    const Sample sample;
    const auto image = translate(sample.code(), false);
    REQUIRE(image);
    REQUIRE(image->offsets.size() == run::signature::table.size());
    CHECK(refused(*image) == refused_by_llvm);
}

TEST_CASE("LLVM translates sets of many words") {
    if (native::codegen_program().empty()) return;
    for (const std::uint16_t width : {std::uint16_t{17}, std::uint16_t{32}, std::uint16_t{80}}) {
        CAPTURE(width);
        const Sample sample(width);
        const auto image = translate(sample.code(), false);
        REQUIRE(image);
        CHECK(refused(*image) == (width <= 64 ? refused_by_llvm : refused_of_eighty_words));
    }
}

TEST_CASE("the baseline JIT translates every opcode but those on its list") {
    const Sample sample;
    const auto image = native::codegen_program().empty() ? std::nullopt : translate(sample.code(), true);
    if (!image) return; // Zug was built without LLVM or asmjit
    REQUIRE(image->offsets.size() == run::signature::table.size());
    CHECK(refused(*image) == refused_by_baseline);
}
