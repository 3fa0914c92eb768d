#include "solve/symmetry/symmetry_candidates.hpp"

#include "solve/symmetry/automorphisms.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace zug::solve {

namespace {

constexpr std::size_t most_candidates = 512;   // from all boards together
constexpr std::uint64_t most_exchanged = 16;   // values of a type whose members are exchanged
constexpr std::uint64_t most_values = 1 << 12; // of a type that is relabelled

using Images = std::vector<std::uint32_t>; // by ordinal; empty: the identity

// A relabelling of sites, directions and members of types, and the symmetry of positions that follows from it.
class Relabelling {
public:
    explicit Relabelling(const ir::Program& program)
        : program_(program), boards_(program.boards.size(), nullptr), exchanged_(none_id<ir::TypeId>) {}

    void set(std::size_t board, const Automorphism* automorphism) { boards_[board] = automorphism; }
    void exchange(ir::TypeId type, std::uint32_t a, std::uint32_t b) {
        exchanged_ = type;
        a_ = a;
        b_ = b;
    }

    // Empty: a type is too large, a direction has no image, or the start is not mapped to itself. The symmetry leaves
    // out slots that no rule changes; the start is compared with them.
    std::optional<Symmetry> symmetry(std::span<const std::uint32_t> start) {
        Symmetry all = Symmetry::identity(program_.total_slots()), changing = all;
        for (const ir::StateVariable& state : program_.states) {
            add(state, all);
            if (state.assigned) add(state, changing);
        }
        if (none_ || !std::ranges::equal(all.apply(start), start)) return std::nullopt;
        return changing;
    }

private:
    void add(const ir::StateVariable& state, Symmetry& symmetry) {
        const bool set = program_.types.kind(state.value) == ir::TypeKind::Set;
        const Images indices = images_of(state.indices);
        const Images values = images_of({set ? program_.types.inner(state.value) : state.value});
        if (none_) return;
        const bool same = std::ranges::is_sorted(values); // the identity
        const auto image = [](const Images& images, std::uint32_t i) { return images.empty() ? i : images[i]; };
        const auto size =
            set ? static_cast<std::uint32_t>(program_.types.cardinality(program_.types.inner(state.value))) : 1;
        for (std::uint32_t i = 0; i < state.initial.size(); ++i) {
            const std::uint32_t slot = state.first_slot + i, image_slot = image(indices, i / size) * size;
            symmetry.to[slot] = state.first_slot + image_slot + (set ? image(values, i % size) : 0);
            if (!set && !same) symmetry.values[slot] = values;
        }
    }

    // The images of tuples of the types' values; the first type's ordinal is the most significant.
    Images images_of(const std::vector<ir::TypeId>& types) {
        if (std::ranges::none_of(types, [&](ir::TypeId type) { return is_changed(type); })) return {};
        Images images{0};
        for (const ir::TypeId type : types) {
            const std::uint64_t size = program_.types.cardinality(type);
            if (size * images.size() > most_values) {
                none_ = true;
                return {};
            }
            Images longer;
            for (const std::uint32_t high : images)
                for (std::uint32_t low = 0; low < size; ++low)
                    longer.push_back(high * static_cast<std::uint32_t>(size) + image_of(type, low));
            images = std::move(longer);
        }
        return images;
    }

    bool is_changed(ir::TypeId id) const {
        const ir::Type& type = program_.types[id];
        if (id == exchanged_) return true;
        if (type.kind == ir::TypeKind::Site || type.kind == ir::TypeKind::Dir) return boards_[type.ref] != nullptr;
        return std::ranges::any_of(type.parts, [&](ir::TypeId part) { return is_changed(part); });
    }

    std::uint32_t image_of(ir::TypeId id, std::uint32_t ordinal) {
        const ir::Type& type = program_.types[id];
        if (id == exchanged_) return ordinal == a_ ? b_ : ordinal == b_ ? a_ : ordinal;
        if (!is_changed(id)) return ordinal;
        switch (type.kind) {
        case ir::TypeKind::Site: return boards_[type.ref]->sites[ordinal];
        case ir::TypeKind::Dir: {
            const auto& directions = boards_[type.ref]->directions;
            none_ = none_ || directions.empty();
            return directions.empty() ? ordinal : directions[ordinal];
        }
        case ir::TypeKind::Optional: return ordinal == 0 ? 0 : image_of(type.parts.front(), ordinal - 1) + 1;
        case ir::TypeKind::Tuple: {
            auto& images = tuples_[id];
            if (images.empty()) images = images_of(type.parts);
            return none_ ? ordinal : images[ordinal];
        }
        default: return ordinal;
        }
    }

    const ir::Program& program_;
    std::vector<const Automorphism*> boards_; // null: the identity
    ir::TypeId exchanged_;
    std::uint32_t a_ = 0, b_ = 0;
    std::map<ir::TypeId, Images> tuples_;
    bool none_ = false; // a type is too large, or a direction has no image
};

class Candidates {
public:
    Candidates(const ir::Program& program, std::span<const std::uint32_t> start) : program_(program), start_(start) {}

    std::vector<Symmetry> run() {
        of_boards();
        for (const ir::TypeId type : exchangeable()) {
            const auto size = static_cast<std::uint32_t>(program_.types.cardinality(type));
            for (std::uint32_t a = 0; a < size; ++a)
                for (std::uint32_t b = a + 1; b < size; ++b) {
                    Relabelling relabelling(program_);
                    relabelling.exchange(type, a, b);
                    add(relabelling);
                }
        }
        return std::move(found_);
    }

private:
    // Every combination of one automorphism of each board.
    void of_boards() {
        std::vector<std::vector<Automorphism>> choices;
        for (const ir::Board& board : program_.boards) choices.push_back(automorphisms(board, most_candidates));
        std::vector<std::size_t> choice(choices.size(), 0);
        for (std::size_t i = 0; i < most_candidates; ++i) {
            Relabelling relabelling(program_);
            for (std::size_t b = 0; b < choices.size(); ++b) relabelling.set(b, &choices[b][choice[b]]);
            add(relabelling);
            std::size_t b = 0;
            while (b < choices.size() && ++choice[b] == choices[b].size()) choice[b++] = 0;
            if (b == choices.size()) break;
        }
    }

    // The types whose members may be exchanged: enumerations, and ranges that index variables.
    std::set<ir::TypeId> exchangeable() const {
        std::set<ir::TypeId> types;
        for (const ir::StateVariable& state : program_.states) {
            for (const ir::TypeId index : state.indices) note(index, true, types);
            note(state.value, false, types);
        }
        return types;
    }
    void note(ir::TypeId id, bool index, std::set<ir::TypeId>& types) const {
        const ir::Type& type = program_.types[id];
        const bool range = type.kind == ir::TypeKind::Int && index;
        if ((range || type.kind == ir::TypeKind::Enum) && program_.types.cardinality(id) <= most_exchanged)
            types.insert(id);
        for (const ir::TypeId part : type.parts) note(part, index || type.kind == ir::TypeKind::Set, types);
    }

    void add(Relabelling& relabelling) {
        const auto symmetry = relabelling.symmetry(start_);
        if (!symmetry || *symmetry == Symmetry::identity(start_.size()) || !known_.insert(*symmetry).second) return;
        found_.push_back(*symmetry);
    }

    const ir::Program& program_;
    std::span<const std::uint32_t> start_;
    std::set<Symmetry> known_;
    std::vector<Symmetry> found_;
};

} // namespace

std::vector<Symmetry> symmetry_candidates(const ir::Program& program, std::span<const std::uint32_t> start) {
    return Candidates(program, start).run();
}

} // namespace zug::solve
