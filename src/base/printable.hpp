#pragma once
// Texts of strangers on a terminal. Control characters may move the cursor, erase what was said or type for the user,
// and characters that turn the direction of writing make a text read as another one (N. Boucher and R. Anderson,
// Trojan Source: invisible vulnerabilities, 2021).

#include <string>
#include <string_view>
#include <vector>

namespace zug {

// The control character at text[at]: its number of bytes, and 0 if there is none. Line ends, tabs and carriage returns
// are none.
std::size_t control_length(std::string_view text, std::size_t at);
// The text with `?` for every control character. `colours`: the sequences that set a colour stay.
std::string printable(std::string_view text, bool colours = false);
// The text, or, of one that is longer than `most` bytes, its beginning and its end.
std::string shortened(std::string_view text, std::size_t most);
// A word that was given, as a message shows it: a longer one than fits in a line says no more than its ends.
inline std::string echoed(std::string_view word) { return shortened(word, 60); }
// The names with commas between them; of many, the first ones and the last.
std::string listed(const std::vector<std::string>& names);

} // namespace zug
