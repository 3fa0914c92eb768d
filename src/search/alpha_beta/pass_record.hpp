#pragma once
// Whether null moves are to be trusted in this game and phase of it: some of their cut-offs are verified by a search of
// the same depth without the pass (after Tabibi and Netanyahu, "Verified null-move pruning", 2002, who verify all).
// Where more than a few are wrong, as in games with zugzwang, few are tried, and each is verified, until it is right
// again.

#include <cstdint>

namespace zug::search {

class PassRecord {
public:
    // Whether a pass is to be tried now.
    bool tries() { return trusts() || ++asked_ % seldom == 0; }
    // Whether the cut-off that it has given is to be verified.
    bool verifies() { return !trusts() || verified_ < enough || ++asked_ % often == 0; }
    void learn(bool confirmed) {
        ++verified_;
        refuted_ += confirmed ? 0 : 1;
    }
    // Before another search: what earlier ones found counts for less.
    void age() {
        verified_ /= 2;
        refuted_ /= 2;
    }
    bool trusts() const { return refuted_ * wrong_in <= verified_ + enough; }
    std::uint64_t verified() const { return verified_; }
    std::uint64_t refuted() const { return refuted_; }

private:
    static constexpr std::uint64_t wrong_in = 64, enough = 128, often = 8, seldom = 32;

    std::uint64_t verified_ = 0, refuted_ = 0, asked_ = 0;
};

} // namespace zug::search
