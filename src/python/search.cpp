#include "api/search.hpp"
#include "python/binding.hpp"

#include <mutex>

namespace zug::python {

namespace {

// A player may be asked by one thread at a time.
class PlayerObject {
public:
    PlayerObject(const api::Game& game, std::string text, std::uint64_t seed)
        : text_(std::move(text)), player_(or_raise(api::Player::make(game, text_, seed))) {}

    const std::string& text() const { return text_; }

    api::SearchResult search(const api::State& state, const api::SearchLimits& limits) {
        const std::unique_lock lock = only_user();
        return interruptible([&](const std::atomic<bool>& stop) {
            api::SearchLimits with_stop = limits;
            with_stop.stop = &stop;
            return player_.search(state, with_stop);
        });
    }

    void forget(std::uint64_t seed) {
        const std::unique_lock lock = only_user();
        player_.forget(seed);
    }

private:
    std::unique_lock<std::mutex> only_user() {
        std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock.owns_lock()) throw Failure("this player is thinking for another thread");
        return lock;
    }

    std::string text_;
    api::Player player_;
    std::mutex mutex_;
};

struct SearchObject {
    std::optional<Move> move;
    api::SearchResult result;

    // The best line; none where the player does not search.
    const api::SearchLine* best() const { return result.lines.empty() ? nullptr : &result.lines.front(); }
};

void add_results(py::module_& module) {
    py::class_<api::SearchLine>(module, "SearchLine", "Best play from a position, as far as it was found out.")
        .def_readonly("moves", &api::SearchLine::moves)
        .def_property_readonly("value", [](const api::SearchLine& self) { return array_of(self.value); })
        .def_readonly("depth", &api::SearchLine::depth)
        .def_readonly("proven", &api::SearchLine::proven)
        .def("__repr__", [](const api::SearchLine& self) {
            return py::str("<zug.SearchLine {} {}>").format(self.moves, self.value);
        });
    py::class_<SearchObject>(module, "SearchResult", "What a search has found.")
        .def_readonly("move", &SearchObject::move)
        .def_property_readonly("lines", [](const SearchObject& self) { return self.result.lines; })
        .def_property_readonly("nodes", [](const SearchObject& self) { return self.result.nodes; })
        .def_property_readonly("seconds", [](const SearchObject& self) { return self.result.seconds; })
        .def_property_readonly("value",
                               [](const SearchObject& self) -> std::optional<py::array_t<double>> {
                                   if (self.best() == nullptr) return std::nullopt;
                                   return array_of(self.best()->value);
                               })
        .def_property_readonly("depth",
                               [](const SearchObject& self) { return self.best() == nullptr ? 0 : self.best()->depth; })
        .def_property_readonly("proven",
                               [](const SearchObject& self) { return self.best() != nullptr && self.best()->proven; })
        .def("__repr__", [](const SearchObject& self) {
            return py::str("<zug.SearchResult {}>").format(self.move ? py::cast(self.move->text) : py::none());
        });
}

} // namespace

void add_search(py::module_& module, GameClass& game) {
    add_results(module);
    py::class_<PlayerObject>(module, "Player", "A program that chooses moves.")
        .def_property_readonly("text", &PlayerObject::text)
        .def(
            "search",
            [](PlayerObject& self, const api::State& state, int depth, std::uint64_t nodes, double seconds,
               std::size_t lines) {
                const api::SearchLimits limits{.depth = depth, .nodes = nodes, .seconds = seconds, .lines = lines};
                SearchObject found{.move = {}, .result = self.search(state, limits)};
                if (found.result.move) found.move = move_of(state, *found.result.move);
                return found;
            },
            py::arg("state"), py::kw_only(), py::arg("depth") = 0, py::arg("nodes") = 0, py::arg("seconds") = 0.0,
            py::arg("lines") = 1)
        .def("forget", &PlayerObject::forget, py::arg("seed") = 1)
        .def("__repr__", [](const PlayerObject& self) { return py::str("<zug.Player {!r}>").format(self.text()); });
    game.def(
        "player",
        [](const api::Game& self, std::string text, std::uint64_t seed) {
            return std::make_unique<PlayerObject>(self, std::move(text), seed);
        },
        py::arg("text") = "auto", py::arg("seed") = 1);
}

} // namespace zug::python
