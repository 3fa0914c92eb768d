#pragma once
// Types of the language as the writer of random rule files sees them: which expressions may be used for which.

#include <cstddef>
#include <string>
#include <vector>

namespace zug::random_rules {

enum class Sort { Bool, Int, Real, Enum, Player, Site, Dir, Tuple, Path };

struct Type {
    Sort sort = Sort::Int;
    int low = 0, high = 0;        // Int: a range where the type is written out; expressions may leave it
    std::size_t number = 0;       // Enum: which; Site, Path: of which board
    bool part = false;            // Enum: its sub-type where the type is written out; expressions may leave it
    bool optional = false;        // or none
    bool set = false;             // a set of such values; never optional
    std::vector<Type> parts = {}; // Tuple

    Type one() const; // the type of a member
    Type all() const; // sets of it
};

// Whether a value of one may be used where one of the other is expected, apart from ranges and none.
bool alike(const Type& a, const Type& b);

inline const Type truth_type{.sort = Sort::Bool};
inline const Type number_type{.sort = Sort::Int, .low = -9, .high = 9};
inline const Type real_type{.sort = Sort::Real};
inline const Type player_type{.sort = Sort::Player};
inline const Type dir_type{.sort = Sort::Dir};

// The texts concatenated. A braced list is evaluated from left to right, the arguments of a call are not, and
// equal seeds have to give equal files.
std::string cat(std::initializer_list<std::string> parts);

} // namespace zug::random_rules
