// Moves and outcomes by fixed numbers.

#include "python/binding.hpp"

#include <algorithm>

namespace zug::python {

namespace {

// More numbers than that are for dictionaries, not for arrays.
constexpr std::int64_t most_in_mask = 100'000'000;

} // namespace

void add_actions(GameClass& game, StateClass& state) {
    game.def_property_readonly("num_actions", &api::Game::action_count)
        .def_property_readonly("num_outcomes", &api::Game::outcome_count)
        .def("action_text", &api::Game::action_text, py::arg("action"))
        .def("outcome_text", &api::Game::outcome_text, py::arg("outcome"));
    state.def("legal_actions", &api::State::actions)
        .def("action_text", &api::State::action_text, py::arg("action"))
        .def(
            "act", [](api::State& self, std::int64_t action) { or_raise(self.act(action)); }, py::arg("action"))
        .def_property_readonly("begun",
                               [](const api::State& self) {
                                   const auto begun = self.begun();
                                   return std::vector<std::int64_t>(begun.begin(), begun.end());
                               })
        .def("chance_outcomes",
             [](const api::State& self) {
                 std::vector<std::pair<std::int64_t, double>> outcomes;
                 if (self.kind() != api::Kind::Chance) return outcomes;
                 const auto numbers = self.actions();
                 const auto probabilities = self.action_probabilities();
                 for (std::size_t i = 0; i < numbers.size(); ++i) outcomes.emplace_back(numbers[i], probabilities[i]);
                 return outcomes;
             })
        .def("action_mask", [](const api::State& self) {
            const std::int64_t count = self.game().action_count();
            if (count > most_in_mask)
                throw Failure("a mask of " + std::to_string(count) + " actions is too large; use legal_actions()");
            py::array_t<std::int8_t> mask(count);
            std::fill_n(mask.mutable_data(), count, std::int8_t{0});
            if (self.kind() == api::Kind::Decision)
                for (const std::int64_t action : self.actions()) mask.mutable_data()[action] = 1;
            return mask;
        });
}

} // namespace zug::python
