#pragma once
// The main lines of the trees in smart game format, whatever the game is.

#include "base/error.hpp"

#include <tl/expected.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace zug::records {

struct SgfValue {
    std::string text; // without escapes
    std::size_t offset = 0;
};

struct SgfProperty {
    std::string name;
    std::vector<SgfValue> values; // at least one
};

using SgfNode = std::vector<SgfProperty>;

struct SgfLine {
    std::size_t offset = 0;
    std::vector<SgfNode> nodes; // at least one

    // The first value of a property of the first node.
    const SgfValue* about(std::string_view name) const;
};

class SgfTrees {
public:
    explicit SgfTrees(std::string_view text) : text_(text) {}

    // The main line of the next tree; none: the text has ended. After an error nothing more comes.
    std::optional<tl::expected<SgfLine, Error>> next();

private:
    tl::expected<SgfLine, Error> line();
    tl::expected<SgfProperty, Error> property();
    tl::expected<SgfValue, Error> value();
    void skip_blanks();
    bool at_end() const { return at_ >= text_.size(); }

    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace zug::records
