#include "native/request.hpp"

#include "base/archive.hpp"

namespace zug::native {
namespace {

template <class Io, class Bytecode, class Number, class Change>
void request(Io& io, Bytecode& code, Number& state_words, Change& move_count_change) {
    io.value(state_words);
    io.value(move_count_change);
    io.value(code.main_width);
    io.value(code.turn_reg);
    io.value(code.turned_reg);
    io.value(code.instrs);
    io.value(code.tables);
    io.value(code.shapes);
    io.value(code.drawings);
    io.list(code.questions, [&](auto& question) { io.list(question.vars, [&](auto& var) { io.value(var.second); }); });
    io.value(code.constants);
    io.value(code.routines);
}

} // namespace

Bytes write_request(const run::Bytecode& code, std::uint32_t state_words, std::int32_t move_count_change) {
    archive::Writer writer;
    request(writer, code, state_words, move_count_change);
    return std::move(writer.bytes);
}

std::optional<Request> read_request(std::span<const std::uint8_t> bytes) {
    archive::Reader reader(bytes);
    std::optional<Request> result(std::in_place);
    request(reader, result->code, result->state_words, result->move_count_change);
    if (!reader.done()) result.reset();
    return result;
}

} // namespace zug::native
