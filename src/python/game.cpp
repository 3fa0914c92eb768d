#include "python/binding.hpp"

namespace zug::python {

namespace {

api::LoadOptions options_of(std::map<std::string, std::string> parameters, std::string executor,
                            std::vector<std::string> folders) {
    return {std::move(parameters), std::move(executor), std::move(folders)};
}

py::str repr(const api::Game& game) { return py::str("<zug.Game {!r}>").format(game.title()); }

} // namespace

void add_game(py::module_& module, GameClass& game) {
    module.def(
        "load",
        [](const std::string& file, std::map<std::string, std::string> parameters, std::string executor,
           std::vector<std::string> folders) {
            const auto options = options_of(std::move(parameters), std::move(executor), std::move(folders));
            return interruptible([&](const std::atomic<bool>&) { return api::Game::load(file, options); });
        },
        py::arg("file"), py::arg("parameters"), py::arg("executor"), py::arg("folders"));
    module.def(
        "loads",
        [](const std::string& text, std::map<std::string, std::string> parameters, std::string executor,
           std::vector<std::string> folders) {
            const auto options = options_of(std::move(parameters), std::move(executor), std::move(folders));
            return interruptible([&](const std::atomic<bool>&) { return api::Game::load_text(text, options); });
        },
        py::arg("text"), py::arg("parameters"), py::arg("executor"), py::arg("folders"));
    module.def(
        "games", [] { return or_raise(api::library()); }, "The names of the games that come with Zug.");

    game.def_property_readonly("name", &api::Game::name)
        .def_property_readonly("title", &api::Game::title)
        .def_property_readonly("parameters", &api::Game::parameters)
        .def_property_readonly("players", &api::Game::players)
        .def_property_readonly("has_chance", &api::Game::has_chance)
        .def_property_readonly("is_zero_sum", &api::Game::is_zero_sum)
        .def_property_readonly("lowest_utility", &api::Game::lowest_utility)
        .def_property_readonly("highest_utility", &api::Game::highest_utility)
        .def_property_readonly("executor", &api::Game::executor)
        .def("initial", &api::Game::initial)
        .def(
            "position", [](const api::Game& self, std::string_view text) { return or_raise(self.position(text)); },
            py::arg("text"))
        .def("__repr__", &repr);
}

} // namespace zug::python
