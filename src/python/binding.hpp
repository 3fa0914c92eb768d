#pragma once
// What the parts of the module share: they bind src/api, and add nothing of their own about games.
//
// Python's global lock (GIL) is held by whoever uses a Game or its states, except in work that takes long: that is done
// on clones, which are made before the lock is given up.

#include "api/game.hpp"
#include "base/error.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace zug::python {

namespace py = pybind11;

// Becomes zug.Error.
struct Failure : std::exception {
    std::string text;
    explicit Failure(std::string of) : text(std::move(of)) {}
    const char* what() const noexcept override { return text.c_str(); }
};

template <class T>
T or_raise(tl::expected<T, Error> result) {
    if (!result) throw Failure(std::move(result.error().text));
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

// Runs work(stop) in a thread of its own without the GIL, and looks for signals meanwhile: Ctrl-C sets `stop`, and
// after the work has ended KeyboardInterrupt is raised.
template <class Work>
auto interruptible(Work&& work) {
    constexpr std::chrono::milliseconds interval{20};
    std::atomic<bool> stop = false;
    std::optional<py::error_already_set> signal;
    std::packaged_task<decltype(work(stop))()> task([&] { return work(stop); });
    auto result = task.get_future();
    {
        const py::gil_scoped_release release;
        const std::jthread thread(std::move(task));
        while (result.wait_for(interval) != std::future_status::ready) {
            const py::gil_scoped_acquire acquire;
            if (PyErr_CheckSignals() == 0) continue;
            signal.emplace();
            stop = true;
        }
    }
    if (signal) throw std::move(*signal);
    return or_raise(result.get());
}

// A copy of the numbers, which fill the shape.
template <class T>
py::array_t<T> array_of(const std::vector<T>& values, std::vector<py::ssize_t> shape) {
    return py::array_t<T>(std::move(shape), values.data());
}
inline py::array_t<double> array_of(const std::vector<double>& values) {
    return array_of(values, {static_cast<py::ssize_t>(values.size())});
}

// A legal move of a position, or an outcome of chance.
struct Move {
    std::size_t index = 0; // in the position
    std::string text;
    std::uint64_t hash = 0;
    double probability = 1;
};
Move move_of(const api::State& state, std::size_t i);

// What a method of both is about: of a game, its initial position.
inline const api::State& position_of(const api::State& state) { return state; }
inline api::State position_of(const api::Game& game) { return game.initial(); }

using StateClass = py::class_<api::State>;
using GameClass = py::class_<api::Game>;

void add_game(py::module_& module, GameClass& game);
void add_state(py::module_& module, StateClass& state);
void add_actions(GameClass& game, StateClass& state);
void add_tensors(py::module_& module, GameClass& game, StateClass& state);
void add_playouts(py::module_& module, GameClass& game, StateClass& state);
void add_search(py::module_& module, GameClass& game);
void add_solve(py::module_& module, GameClass& game, StateClass& state);

} // namespace zug::python
