#include "api/playouts.hpp"
#include "python/binding.hpp"

namespace zug::python {

namespace {

api::PlayoutResults playouts_of(const api::State& self, const api::PlayoutOptions& options) {
    const api::State own = self.in(self.game().clone());
    return interruptible([&](const std::atomic<bool>& stop) {
        api::PlayoutOptions with_stop = options;
        with_stop.stop = &stop;
        return api::playouts(own, with_stop);
    });
}

template <class Self>
void add_playouts_method(py::class_<Self>& owner) {
    owner.def(
        "playouts",
        [](const Self& self, std::uint64_t games, std::uint32_t threads, std::uint64_t seed, std::uint32_t most_plies,
           bool each, bool utilities) {
            api::PlayoutOptions options{.games = games, .threads = threads, .seed = seed};
            options.most_plies = most_plies;
            options.each = each;
            options.utilities = utilities;
            if (each && !utilities) throw Failure("`each` is about utilities");
            if (most_plies == 0) throw Failure("most_plies must be above 0");
            return playouts_of(position_of(self), options);
        },
        py::arg("games"), py::kw_only(), py::arg("threads") = 0, py::arg("seed") = 1,
        py::arg("most_plies") = api::PlayoutOptions().most_plies, py::arg("each") = false, py::arg("utilities") = true);
}

} // namespace

void add_playouts(py::module_& module, GameClass& game, StateClass& state) {
    using Results = api::PlayoutResults;
    py::class_<Results>(module, "Playouts", "The results of random games.")
        .def_readonly("games", &Results::games)
        .def_readonly("plies", &Results::plies)
        .def_readonly("cut", &Results::cut)
        .def_property_readonly("mean", [](const Results& self) { return array_of(self.mean); })
        .def_property_readonly("deviation", [](const Results& self) { return array_of(self.deviation); })
        .def_property_readonly("mean_length",
                               [](const Results& self) {
                                   const double games = static_cast<double>(self.games);
                                   return self.games == 0 ? 0.0 : static_cast<double>(self.plies) / games;
                               })
        .def_property_readonly("utilities",
                               [](const Results& self) {
                                   const auto rows = static_cast<py::ssize_t>(self.lengths.size());
                                   return array_of(self.utilities, {rows, static_cast<py::ssize_t>(self.mean.size())});
                               })
        .def_property_readonly("lengths", [](const Results& self) {
            return array_of(self.lengths, {static_cast<py::ssize_t>(self.lengths.size())});
        });
    add_playouts_method<api::Game>(game);
    add_playouts_method<api::State>(state);
}

} // namespace zug::python
