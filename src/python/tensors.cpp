// Positions as arrays of NumPy, which are written in place.

#include "api/observation.hpp"
#include "python/binding.hpp"

namespace zug::python {

namespace {

using Tensor = py::array_t<float, py::array::c_style>;

py::ssize_t width_of(const api::Game& game) { return static_cast<py::ssize_t>(game.observer().size()); }

void write(const api::State& state, float* out) {
    const api::Observer& observer = state.game().observer();
    observer.write(state, {out, observer.size()});
}

// The caller's array, which must fit, or a new one.
Tensor target(const py::object& given, const std::vector<py::ssize_t>& shape) {
    if (given.is_none()) return Tensor(shape);
    const bool fits = py::isinstance<Tensor>(given);
    Tensor out = fits ? py::reinterpret_borrow<Tensor>(given) : Tensor();
    if (!fits || !out.writeable() || !std::equal(shape.begin(), shape.end(), out.shape(), out.shape() + out.ndim()))
        throw Failure("`out` must be a writable C-contiguous array of float32 of shape " +
                      py::str(py::cast(shape)).cast<std::string>());
    return out;
}

Tensor tensor(const api::State& state, const py::object& out) {
    Tensor result = target(out, {width_of(state.game())});
    write(state, result.mutable_data());
    return result;
}

Tensor tensors(const api::Game& game, const py::sequence& states, const py::object& out) {
    const py::ssize_t width = width_of(game);
    Tensor result = target(out, {static_cast<py::ssize_t>(states.size()), width});
    for (std::size_t i = 0; i < states.size(); ++i) {
        const auto& state = states[i].cast<const api::State&>();
        if (state.inner() != game.inner()) throw Failure("one of the states belongs to another Game");
        write(state, result.mutable_data() + static_cast<py::ssize_t>(i) * width);
    }
    return result;
}

} // namespace

void add_tensors(py::module_& module, GameClass& game, StateClass& state) {
    py::class_<api::Block>(module, "Block", "A part of a tensor: the planes of one state variable.")
        .def_readonly("name", &api::Block::name)
        .def_readonly("values", &api::Block::values)
        .def_property_readonly("shape", [](const api::Block& self) { return py::tuple(py::cast(self.shape)); })
        .def_readonly("offset", &api::Block::offset)
        .def_readonly("scaled", &api::Block::scaled)
        .def_property_readonly("size", &api::Block::size)
        .def("__repr__", [](const api::Block& self) {
            return py::str("<zug.Block {!r} {}>").format(self.name, py::tuple(py::cast(self.shape)));
        });
    game.def_property_readonly("tensor_blocks", [](const api::Game& self) { return self.observer().blocks(); })
        .def_property_readonly("tensor_size", [](const api::Game& self) { return self.observer().size(); })
        .def("tensors", &tensors, py::arg("states"), py::arg("out") = py::none());
    state.def("tensor", &tensor, py::arg("out") = py::none());
}

} // namespace zug::python
