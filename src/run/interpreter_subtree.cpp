#include "run/interpreter_subtree.hpp"

#include "run/ordered.hpp"

#include <algorithm>

namespace zug::run {

// By byte code it is no faster than move by move: connect four by 14 instead of 16 million nodes a second, both under
// load. What a node does besides its moves is some fifty instructions, which C++ does in less.
std::unique_ptr<Subtree> Interpreter::subtree() {
    use_routines();
    const Entry entry = compiled_->subtree.entry;
    if (entry == no_entry || routines_ == nullptr || routines_[entry] == nullptr) return nullptr;
    return std::make_unique<InterpreterSubtree>(*this);
}

InterpreterSubtree::InterpreterSubtree(Interpreter& host) : host_(host), code_(host.compiled_->subtree) {}

void InterpreterSubtree::begin(Ply& root, const Task& task) {
    if (task.plies > room_) {
        const auto blocks = static_cast<std::size_t>(task.plies) + 1;
        words_ = std::make_unique<std::uint64_t[]>(Control::words + blocks * code_.stride);
        room_ = task.plies;
    }
    host_.need_words(root);
    std::copy_n(root.words.get(), WalkCode::state_at + host_.state_words_, block(0));
    block(0)[code_.window_at] = word_of(task.window.alpha);
    block(0)[code_.window_at + 1] = word_of(task.window.beta);
    word(Control::here) = reinterpret_cast<std::uintptr_t>(block(0));
    word(Control::resume) = static_cast<std::uint64_t>(SubtreeCode::resumes * root.mover + SubtreeCode::enter);
    word(Control::plies) = word(Control::remaining) = word(Control::nearest) = static_cast<std::uint64_t>(task.plies);
    word(Control::known) = 0;
    for (std::uint32_t p = 0; p < 2; ++p) {
        const double sign = p == 0 ? 1 : -1;
        word(Control::even + p) = word_of(sign * task.even);
        word(Control::ceiling + p) = word_of(p == 0 ? task.greatest : -task.least);
        word(Control::floor + p) = word_of(p == 0 ? task.least : -task.greatest);
    }
}

Subtree::Event InterpreterSubtree::go_on(std::uint64_t& nodes) {
    host_.use_routines();
    word(Control::nodes) = nodes;
    host_.frame_[code_.control] = reinterpret_cast<std::uintptr_t>(words_.get());
    host_.run(code_.entry);
    nodes = word(Control::nodes);
    switch (number(Control::event)) {
    case SubtreeCode::paused: put_back(); return Event::Paused;
    case SubtreeCode::raised: return Event::Raised;
    case SubtreeCode::ended: return Event::Ended;
    case SubtreeCode::stuck: return Event::Stuck;
    default: return Event::Done;
    }
}

// A move that was taken when no more nodes could be entered is the first of those left again.
void InterpreterSubtree::put_back() {
    const auto number = static_cast<std::uint32_t>(word(Control::drawn));
    const auto bit = static_cast<std::uint32_t>(word(Control::drawn + 1));
    block(ply())[host_.compiled_->walk.sets[number] + bit / 64] |= std::uint64_t{1} << bit % 64;
}

int InterpreterSubtree::ply() const {
    const auto* const here = reinterpret_cast<const std::uint64_t*>(word(Control::here));
    return static_cast<int>((here - block(0)) / code_.stride);
}

int InterpreterSubtree::remaining() const { return static_cast<int>(number(Control::remaining)) + 1; }

Window InterpreterSubtree::window() const {
    const std::uint64_t* const at = block(ply()) + code_.window_at;
    return {real_of(at[0]), real_of(at[1])};
}

std::uint64_t InterpreterSubtree::move_id() const {
    const std::uint64_t* const drawn = to_leaf() ? &word(Control::drawn) : block(ply() + 1);
    return host_.code_of(host_.pick_of(drawn, host_.compiled_->walk.cases, host_.records));
}

void InterpreterSubtree::put_down(Ply& ply) const {
    host_.make_words(ply);
    std::copy_n(block(this->ply()), WalkCode::state_at + host_.state_words_, ply.words.get());
    const bool over = number(Control::event) == SubtreeCode::ended;
    host_.judge(ply, over ? static_cast<std::int32_t>(number(Control::value)) : WalkCode::open);
}

void InterpreterSubtree::close(const Claim& claim) {
    word(Control::value) = word_of(claim.value);
    word(Control::lower) = claim.lower;
    word(Control::upper) = claim.upper;
}

Claim InterpreterSubtree::claim() const {
    return {real_of(word(Control::value)), static_cast<Reason>(word(Control::lower)),
            static_cast<Reason>(word(Control::upper))};
}

int InterpreterSubtree::deepest() const { return static_cast<int>(number(Control::plies) - number(Control::nearest)); }

} // namespace zug::run
