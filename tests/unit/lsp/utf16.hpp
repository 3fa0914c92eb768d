#pragma once
// A text as editors keep it, in units of UTF-16, and random changes of it: what the server's text is compared with.

#include "base/random.hpp"
#include "lsp/text/json.hpp"

#include <string>

namespace zug::test {

class Utf16Text {
public:
    explicit Utf16Text(const std::string& utf8);

    // Replaces a random part by a text, and gives the change as `didChange` has it.
    lsp::Json change(Random& random, const std::string& text);
    std::string utf8() const;
    std::size_t size() const { return units_.size(); }

private:
    lsp::Json position(std::size_t unit) const;
    std::size_t random_place(Random& random, std::size_t from, std::size_t most) const;

    std::u16string units_;
};

// Up to so many pieces of text: letters, marks, line ends of each kind, characters of two to four bytes.
std::string strange_text(Random& random, std::uint32_t most);

} // namespace zug::test
