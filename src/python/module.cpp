#include "python/binding.hpp"

namespace zug::python {

namespace {

void add_error(py::module_& module) {
    static py::handle error; // lives as long as the interpreter
    error =
        PyErr_NewExceptionWithDoc("zug.Error",
                                  "What Zug has to say against its input: rule files (with all diagnostics), moves, "
                                  "positions, players; and faults of rules.",
                                  PyExc_ValueError, nullptr);
    module.attr("Error") = error;
    py::register_exception_translator([](std::exception_ptr raised) {
        try {
            if (raised) std::rethrow_exception(raised);
        } catch (const Failure& failure) {
            // Texts of rule files may hold what is not UTF-8.
            const py::object text = py::reinterpret_steal<py::object>(
                PyUnicode_DecodeUTF8(failure.text.data(), static_cast<py::ssize_t>(failure.text.size()), "replace"));
            PyErr_SetObject(error.ptr(), text.ptr());
        }
    });
}

} // namespace

} // namespace zug::python

PYBIND11_MODULE(_zug, module) {
    using namespace zug::python;
    module.attr("__version__") = ZUG_VERSION;
    add_error(module);
    GameClass game(module, "Game", "A game, as rules describe it.");
    StateClass state(module, "State", "A position of a game.");
    add_state(module, state);
    add_game(module, game);
    add_actions(game, state);
    add_tensors(module, game, state);
    add_playouts(module, game, state);
    add_search(module, game);
    add_solve(module, game, state);
}
