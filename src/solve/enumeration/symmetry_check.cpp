#include "solve/enumeration/symmetry_check.hpp"

#include "solve/storage/key_set.hpp"

#include <algorithm>
#include <cmath>

namespace zug::solve {

namespace {
constexpr std::size_t few = 4096;         // images; if there are more, one is checked for each position
constexpr std::uint64_t least_share = 64; // of many positions, at least one in so many is checked
} // namespace

void SymmetryCheck::Look::take(Walker& walker, std::span<const Key> keys) {
    kind = walker.kind();
    mover = walker.mover();
    payoffs.clear();
    successors.clear();
    if (kind == game::NodeKind::Terminal) {
        payoffs.resize(walker.game().players());
        if (!walker.payoffs(payoffs)) kind = game::NodeKind::Fault;
    }
    for (std::size_t i = 0; i < keys.size(); ++i)
        successors.emplace_back(keys[i], kind == game::NodeKind::Chance ? walker.probability(i) : 1);
    std::ranges::sort(successors);
}

bool SymmetryCheck::Look::operator==(const Look& other) const {
    return kind == other.kind && mover == other.mover && payoffs == other.payoffs &&
           std::ranges::equal(successors, other.successors, [](const auto& a, const auto& b) {
               return a.first == b.first && std::abs(a.second - b.second) < 1e-9;
           });
}

bool SymmetryCheck::holds(Walker& walker, Key key, std::span<const Key> successors, std::size_t beside) {
    const std::uint64_t hash = key_hash(key), share = std::min<std::uint64_t>(beside / few + 1, least_share);
    if (hash % share != 0) return true;
    walker.images(images_);
    std::erase(images_, key);
    if (images_.empty()) return true;
    if (beside * walker.symmetries() > few) images_ = {images_[hash / least_share % images_.size()]};
    own_.take(walker, successors);
    for (const Key image : images_) {
        successors_.clear();
        walker.expand(image, successors_);
        other_.take(walker, successors_);
        if (!(own_ == other_)) return false;
    }
    return true;
}

} // namespace zug::solve
