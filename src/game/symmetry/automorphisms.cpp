#include "game/symmetry/automorphisms.hpp"

#include <algorithm>
#include <optional>

namespace zug::game {

namespace {

constexpr std::uint32_t most_nodes = 20'000; // of a search
constexpr std::int32_t open = -1;            // no image yet; in a direction's table: no neighbour

// A partial injective map.
struct PartialMap {
    std::vector<std::int32_t> of;
    std::vector<char> taken; // by image

    PartialMap(std::size_t size, std::size_t images) : of(size, open), taken(images, 0) {}
    bool put(std::size_t i, std::int32_t image) {
        const auto at = static_cast<std::size_t>(image);
        if (of[i] != open || taken[at] != 0) return of[i] == image;
        of[i] = image;
        taken[at] = 1;
        return true;
    }
    std::optional<std::size_t> first_open() const {
        const auto at = std::ranges::find(of, open);
        return at == of.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - of.begin()));
    }
    std::vector<std::uint32_t> all() const { return {of.begin(), of.end()}; }
};

// Finds the automorphisms of a board with directions.
class ByDirections {
public:
    ByDirections(const ir::Board& board, std::size_t most) : most_(most), sites_(board.sites.size()) {
        for (std::uint32_t d = 0; d < board.dir_count; ++d)
            tables_.push_back(board.steps[static_cast<ir::StepId>(d)].to);
        directions_ = tables_.size();
        for (std::size_t d = 0; d < directions_; ++d) {
            if (!board.steps[static_cast<ir::StepId>(d)].injective) continue;
            auto back = converse(tables_[d]);
            if (std::ranges::find(tables_, back) == tables_.end()) tables_.push_back(std::move(back));
        }
    }

    std::vector<Automorphism> run() {
        search(PartialMap(sites_, sites_), PartialMap(directions_, tables_.size()));
        return std::move(found_);
    }

private:
    static std::vector<std::int32_t> converse(const std::vector<std::int32_t>& table) {
        std::vector<std::int32_t> converse(table.size(), open);
        for (std::size_t v = 0; v < table.size(); ++v)
            if (table[v] != open) converse[static_cast<std::size_t>(table[v])] = static_cast<std::int32_t>(v);
        return converse;
    }

    // Takes both by value, so that backtracking restores them.
    void search(PartialMap sites, PartialMap directions) {
        if (found_.size() >= most_ || ++nodes_ > most_nodes || !spread(sites, directions)) return;
        for (std::size_t v = 0; v < sites_; ++v)
            for (std::size_t d = 0; d < directions_; ++d)
                if (sites.of[v] != open && directions.of[d] == open && tables_[d][v] != open)
                    return try_all(sites, directions, directions, d);
        if (const auto v = sites.first_open()) return try_all(sites, directions, sites, *v);
        while (const auto d = directions.first_open()) { // a direction without steps: any free image will do
            const auto free = std::ranges::find(directions.taken, 0) - directions.taken.begin();
            directions.put(
                *d, static_cast<std::int32_t>(directions.taken[*d] == 0 ? static_cast<std::ptrdiff_t>(*d) : free));
        }
        const bool proper = std::ranges::all_of(
            directions.of, [&](std::int32_t d) { return static_cast<std::size_t>(d) < directions_; });
        found_.push_back({sites.all(), proper ? directions.all() : std::vector<std::uint32_t>()});
    }

    // Tries all images of i, itself first. `images` is `sites` or `directions`.
    void try_all(PartialMap& sites, PartialMap& directions, PartialMap& images, std::size_t i) {
        const auto attempt = [&](std::size_t image) {
            if (images.taken[image] != 0) return;
            images.of[i] = static_cast<std::int32_t>(image);
            images.taken[image] = 1;
            search(sites, directions);
            images.of[i] = open;
            images.taken[image] = 0;
        };
        attempt(i);
        for (std::size_t image = 0; image < images.taken.size(); ++image)
            if (image != i) attempt(image);
    }

    // Propagates the images that there are. False: a contradiction.
    bool spread(PartialMap& sites, const PartialMap& directions) const {
        std::vector<std::size_t> work;
        for (std::size_t v = 0; v < sites_; ++v)
            if (sites.of[v] != open) work.push_back(v);
        while (!work.empty()) {
            const std::size_t v = work.back();
            work.pop_back();
            for (std::size_t d = 0; d < directions_; ++d) {
                if (directions.of[d] == open) continue;
                const std::int32_t to = tables_[d][v];
                const auto& table = tables_[static_cast<std::size_t>(directions.of[d])];
                const std::int32_t image = table[static_cast<std::size_t>(sites.of[v])];
                if ((to == open) != (image == open)) return false;
                if (to == open) continue;
                const bool known = sites.of[static_cast<std::size_t>(to)] != open;
                if (!sites.put(static_cast<std::size_t>(to), image)) return false;
                if (!known) work.push_back(static_cast<std::size_t>(to));
            }
        }
        return true;
    }

    std::size_t most_, sites_, directions_ = 0;
    std::vector<std::vector<std::int32_t>> tables_; // of the directions, then of their converses
    std::vector<Automorphism> found_;
    std::uint32_t nodes_ = 0;
};

// Finds the automorphisms of a graph.
class ByEdges {
public:
    ByEdges(const ir::Board& board, std::size_t most)
        : most_(most), sites_(board.sites.size()), edges_(sites_ * sites_, 0), images_(sites_, sites_) {
        for (const ir::StepId edge : board.edges)
            for (std::size_t v = 0; v < sites_; ++v)
                if (const std::int32_t to = board.steps[edge].to[v]; to != open)
                    edges_[v * sites_ + static_cast<std::size_t>(to)] = 1;
    }

    std::vector<Automorphism> run() {
        search(0);
        return std::move(found_);
    }

private:
    void search(std::size_t v) {
        if (found_.size() >= most_ || ++nodes_ > most_nodes) return;
        if (v == sites_) {
            found_.push_back({images_.all(), {}});
            return;
        }
        for (std::size_t i = 0; i < sites_; ++i) {
            const std::size_t image = (v + i) % sites_; // the identity is found first
            if (images_.taken[image] != 0 || !fits(v, image)) continue;
            images_.of[v] = static_cast<std::int32_t>(image);
            images_.taken[image] = 1;
            search(v + 1);
            images_.of[v] = open;
            images_.taken[image] = 0;
        }
    }

    bool fits(std::size_t v, std::size_t image) const {
        for (std::size_t u = 0; u < v; ++u) {
            const auto other = static_cast<std::size_t>(images_.of[u]);
            if (edges_[u * sites_ + v] != edges_[other * sites_ + image]) return false;
            if (edges_[v * sites_ + u] != edges_[image * sites_ + other]) return false;
        }
        return edges_[v * sites_ + v] == edges_[image * sites_ + image];
    }

    std::size_t most_, sites_;
    std::vector<char> edges_; // by two sites
    PartialMap images_;
    std::vector<Automorphism> found_;
    std::uint32_t nodes_ = 0;
};

} // namespace

std::vector<Automorphism> automorphisms(const ir::Board& board, std::size_t most) {
    return board.shape == ir::BoardShape::Graph ? ByEdges(board, most).run() : ByDirections(board, most).run();
}

} // namespace zug::game
