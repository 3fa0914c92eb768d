#pragma once
// The declarations of all files of a load, less those that an extending file replaces. Internal to src/lang.

#include "lang/core/part.hpp"

#include <map>

namespace zug::lang {

class Assembly : CheckerPart {
public:
    explicit Assembly(Context& context) : CheckerPart(context) {}

    const std::vector<Item>& items() const { return items_; }
    unsigned top_level() const { return top_level_; } // of the game's own file; files that it extends are below
    // Collects the declarations that count, in order. Throws GiveUp after errors.
    void assemble(const std::vector<SourceTree>& files);
    // The declarations of a kind, those of the game's own file first.
    std::vector<Item> own_first(Kind kind) const;
    // The `position` that the one in `tree` replaces, of the nearest extended file that has one.
    std::optional<Item> replaced_position(const syntax::Tree* tree) const;

private:
    bool begins_line(NodeId id) const;
    void add_item(const Item& item);
    void add_to_rule(const Item& more);
    void add_phase(const Item& phase);
    void drop_replaced_wholes();

    std::vector<Item> items_;
    std::vector<Item> positions_;                       // the `position` of each file that has one, replaced or not
    std::map<std::string, std::size_t> item_positions_; // in items_, by name space and name
    unsigned top_level_ = 0;                            // of the game's own file
};

} // namespace zug::lang
