#include "api/solve.hpp"
#include "python/binding.hpp"

namespace zug::python {

namespace {

// A database keeps the game that it belongs to.
class DatabaseObject {
public:
    DatabaseObject(const api::Game& game, const std::string& folder)
        : game_(game), database_(or_raise(api::Database::open(game, folder))) {}

    std::uint64_t positions() const { return database_.positions(); }
    api::Standing look_up(const api::State& state) {
        check(state);
        return or_raise(database_.look_up(state));
    }
    std::vector<std::pair<Move, api::Standing>> moves(const api::State& state) {
        check(state);
        std::vector<std::pair<Move, api::Standing>> all;
        for (api::MoveStanding& move : or_raise(database_.moves(state)))
            all.emplace_back(move_of(state, move.move), std::move(move.standing));
        return all;
    }

private:
    void check(const api::State& state) const {
        if (state.inner() != game_.inner()) throw Failure("this state belongs to another Game than the database");
    }

    api::Game game_;
    api::Database database_;
};

api::Solution solution_of(const api::State& self, const api::SolveOptions& options) {
    const api::State own = self.in(self.game().clone());
    return interruptible([&](const std::atomic<bool>& stop) {
        api::SolveOptions with_stop = options;
        with_stop.stop = &stop;
        return api::solve(own, with_stop);
    });
}

template <class Self>
void add_solve_method(py::class_<Self>& owner) {
    owner.def(
        "solve",
        [](const Self& self, std::string folder, std::uint32_t threads, std::uint64_t memory, bool symmetries) {
            api::SolveOptions options{.folder = std::move(folder), .threads = threads, .memory = memory};
            options.symmetries = symmetries;
            return solution_of(position_of(self), options);
        },
        py::arg("folder") = "", py::kw_only(), py::arg("threads") = 0, py::arg("memory") = 0,
        py::arg("symmetries") = true);
}

} // namespace

void add_solve(py::module_& module, GameClass& game, StateClass& state) {
    py::class_<api::Standing>(module, "Standing", "What a position is worth.")
        .def_property_readonly("value", [](const api::Standing& self) { return array_of(self.value); })
        .def_readonly("remoteness", &api::Standing::remoteness)
        .def_readonly("repetition", &api::Standing::repetition)
        .def("__repr__", [](const api::Standing& self) {
            return py::str("<zug.Standing {} in {}>").format(self.value, self.remoteness);
        });
    py::class_<api::Solution>(module, "Solution", "A game that has been solved.")
        .def_property_readonly("value", [](const api::Solution& self) { return array_of(self.start.value); })
        .def_property_readonly("remoteness", [](const api::Solution& self) { return self.start.remoteness; })
        .def_property_readonly("repetition", [](const api::Solution& self) { return self.start.repetition; })
        .def_readonly("error", &api::Solution::error)
        .def_readonly("positions", &api::Solution::positions)
        .def_readonly("with_symmetry", &api::Solution::with_symmetry)
        .def_readonly("file", &api::Solution::file)
        .def_readonly("notes", &api::Solution::notes)
        .def("__repr__", [](const api::Solution& self) {
            return py::str("<zug.Solution {} of {} positions>").format(self.start.value, self.positions);
        });
    add_solve_method<api::Game>(game);
    add_solve_method<api::State>(state);
    py::class_<DatabaseObject>(module, "Database", "The value of every position of a game.")
        .def_property_readonly("positions", &DatabaseObject::positions)
        .def("look_up", &DatabaseObject::look_up, py::arg("state"))
        .def("moves", &DatabaseObject::moves, py::arg("state"));
    game.def(
        "database",
        [](const api::Game& self, const std::string& folder) { return std::make_unique<DatabaseObject>(self, folder); },
        py::arg("folder"));
}

} // namespace zug::python
