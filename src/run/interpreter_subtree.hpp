#pragma once
// Subtree by SubtreeCode, in the frame of an interpreter and in memory of its own.

#include "run/interpreter.hpp"
#include "run/subtree.hpp"

#include <memory>

namespace zug::run {

class InterpreterSubtree final : public Subtree {
public:
    explicit InterpreterSubtree(Interpreter& host);

    void begin(Ply& root, const Task& task) override;
    Event go_on(std::uint64_t& nodes) override;
    int ply() const override;
    int remaining() const override;
    Window window() const override;
    std::uint64_t move_id() const override;
    bool to_leaf() const override { return word(Control::leaf) != 0; }
    void put_down(Ply& ply) const override;
    void close(const Claim& claim) override;
    Claim claim() const override;
    int deepest() const override;

private:
    using Control = SubtreeCode::Control;
    std::uint64_t& word(std::uint32_t at) const { return words_[at]; }
    std::int64_t number(std::uint32_t at) const { return static_cast<std::int64_t>(words_[at]); }
    std::uint64_t* block(int ply) const {
        return words_.get() + Control::words + static_cast<std::size_t>(ply) * code_.stride;
    }
    void put_back();

    Interpreter& host_;
    const SubtreeCode& code_;
    std::unique_ptr<std::uint64_t[]> words_;
    int room_ = -1; // plies
};

} // namespace zug::run
