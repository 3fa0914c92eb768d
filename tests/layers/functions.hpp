#pragma once
// Finds the functions and lambdas of a C++ source. It knows no types and expands no macros: good enough for sources as
// clang-format lays them out, whose macros are named in capitals and open no brace.

#include <string>
#include <string_view>
#include <vector>

namespace zug::test {

struct Function {
    std::string name; // "Graph::fold", "operator==", the title of a test case; for a lambda, "lambda in " its function
    int first_line = 0; // of its declaration; 1 is the first of the source
    int lines = 0;      // up to its closing brace; 0: it has no body here
    int parameters = 0;
    bool is_outside_class = false; // a member's definition, which its class declares elsewhere
};

// In the order in which they end.
std::vector<Function> functions_of(std::string_view source);

} // namespace zug::test
