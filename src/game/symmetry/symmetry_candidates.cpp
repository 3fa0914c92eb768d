#include "game/symmetry/symmetry_candidates.hpp"

#include <algorithm>
#include <set>

namespace zug::game {

namespace {

constexpr std::size_t most_candidates = 512; // from all boards together
constexpr std::uint64_t most_exchanged = 16; // values of a type whose members are exchanged

class Candidates {
public:
    using Accept = std::function<bool(const Relabelling&, const Symmetry&)>;

    Candidates(const ir::Program& program, const Accept& accept) : program_(program), accept_(accept) {
        for (const ir::Board& board : program.boards) boards_.push_back(automorphisms(board, most_candidates));
    }

    std::vector<Symmetry> run() {
        of_boards(Relabelling(program_));
        for_each_exchange([&](ir::TypeId type, std::uint32_t a, std::uint32_t b) {
            Relabelling relabelling(program_);
            relabelling.exchange(type, a, b);
            add(relabelling);
        });
        return std::move(found_);
    }

    std::vector<Symmetry> exchange_players() {
        if (program_.players.size() != 2) return {};
        Relabelling players(program_);
        players.exchange(program_.player_type, 0, 1);
        of_boards(players);
        for_each_exchange([&](ir::TypeId type, std::uint32_t a, std::uint32_t b) {
            Relabelling both = players;
            both.exchange(type, a, b);
            of_boards(both);
        });
        return std::move(found_);
    }

private:
    // With every combination of one automorphism of each board.
    void of_boards(const Relabelling& exchanges) {
        std::vector<std::size_t> choice(boards_.size(), 0);
        for (std::size_t i = 0; i < most_candidates; ++i) {
            Relabelling relabelling = exchanges;
            for (std::size_t b = 0; b < boards_.size(); ++b) relabelling.set(b, &boards_[b][choice[b]]);
            add(relabelling);
            std::size_t b = 0;
            while (b < boards_.size() && ++choice[b] == boards_[b].size()) choice[b++] = 0;
            if (b == boards_.size()) break;
        }
    }

    template <class F>
    void for_each_exchange(F&& f) const {
        for (const ir::TypeId type : exchangeable()) {
            const auto size = static_cast<std::uint32_t>(program_.types.cardinality(type));
            for (std::uint32_t a = 0; a < size; ++a)
                for (std::uint32_t b = a + 1; b < size; ++b) f(type, a, b);
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

    void add(const Relabelling& relabelling) {
        auto symmetry = relabelling.symmetry();
        if (!symmetry || known_.contains(*symmetry) || !accept_(relabelling, *symmetry)) return;
        known_.insert(*symmetry);
        found_.push_back(std::move(*symmetry));
    }

    const ir::Program& program_;
    const Accept& accept_;
    std::vector<std::vector<Automorphism>> boards_; // of each
    std::set<Symmetry> known_{Symmetry::identity(program_.total_slots())};
    std::vector<Symmetry> found_;
};

} // namespace

std::vector<Symmetry> symmetry_candidates(const ir::Program& program,
                                          const std::function<bool(const Relabelling&, const Symmetry&)>& accept) {
    return Candidates(program, accept).run();
}

std::vector<Symmetry>
player_exchange_candidates(const ir::Program& program,
                           const std::function<bool(const Relabelling&, const Symmetry&)>& accept) {
    return Candidates(program, accept).exchange_players();
}

} // namespace zug::game
