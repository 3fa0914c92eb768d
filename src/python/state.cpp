#include "python/binding.hpp"

#include <algorithm>

namespace zug::python {

Move move_of(const api::State& state, std::size_t i) {
    return {i, state.texts()[i], state.move_hash(i), state.probability(i)};
}

namespace {

std::vector<Move> legal_moves(const api::State& state) {
    std::vector<Move> moves;
    for (std::size_t i = 0; i < state.moves(); ++i) moves.push_back(move_of(state, i));
    return moves;
}

// A move of another position may have the same text or number: its hash tells.
void apply(api::State& state, const Move& move) {
    const auto own = state.find(move.hash);
    if (!own) throw Failure("the move `" + move.text + "` is not legal in this position");
    or_raise(state.play(*own));
}

void apply_text(api::State& state, std::string_view line) { or_raise(state.play(line)); }

std::optional<std::uint32_t> current_player(const api::State& state) {
    if (state.kind() != api::Kind::Decision) return std::nullopt;
    return state.player();
}

void add_move(py::module_& module) {
    py::class_<Move>(module, "Move", "A legal move of a position, or an outcome of chance.")
        .def_readonly("text", &Move::text)
        .def_readonly("hash", &Move::hash)
        .def_readonly("index", &Move::index)
        .def_readonly("probability", &Move::probability)
        .def("__str__", [](const Move& self) { return self.text; })
        .def("__repr__", [](const Move& self) { return py::str("<zug.Move {!r}>").format(self.text); })
        .def("__hash__", [](const Move& self) { return static_cast<py::ssize_t>(self.hash >> 1U); })
        .def("__eq__", [](const Move& self, const py::object& other) {
            return py::isinstance<Move>(other) && other.cast<const Move&>().hash == self.hash;
        });
}

} // namespace

void add_state(py::module_& module, StateClass& state) {
    add_move(module);
    state.def_property_readonly("is_terminal", [](const api::State& s) { return s.kind() == api::Kind::Terminal; })
        .def_property_readonly("is_chance", [](const api::State& s) { return s.kind() == api::Kind::Chance; })
        .def_property_readonly("current_player", &current_player)
        .def_property_readonly("legal_moves", &legal_moves)
        .def_property_readonly("utilities", [](const api::State& self) { return array_of(self.utilities()); })
        .def_property_readonly("evaluation", [](const api::State& self) { return array_of(self.evaluation()); })
        .def_property_readonly("hash", &api::State::hash)
        .def_property_readonly("text", &api::State::text)
        .def_property_readonly("board", &api::State::board)
        .def_property_readonly("game", &api::State::game)
        .def("apply", &apply, py::arg("move"))
        .def("apply", &apply_text, py::arg("move"))
        .def(
            "after",
            [](const api::State& self, const Move& move) {
                api::State copy = self;
                apply(copy, move);
                return copy;
            },
            py::arg("move"))
        .def(
            "after",
            [](const api::State& self, std::string_view move) {
                api::State copy = self;
                apply_text(copy, move);
                return copy;
            },
            py::arg("move"))
        .def("copy", [](const api::State& self) { return self; })
        .def("__copy__", [](const api::State& self) { return self; })
        .def("__deepcopy__", [](const api::State& self, const py::dict&) { return self; })
        .def(
            "__eq__",
            [](const api::State& self, const api::State& other) {
                return self.hash() == other.hash() && std::ranges::equal(self.begun(), other.begun()) &&
                       self.text() == other.text() && self.game().title() == other.game().title();
            },
            py::is_operator())
        .def("__str__", &api::State::board)
        .def("__repr__", [](const api::State& self) { return py::str("<zug.State {!r}>").format(self.text()); });
}

} // namespace zug::python
