// Records of earlier turn ends. All executors keep 128-bit hashes of the keys' values rather than the values
// (HistoryNode).

#include "executor/hash.hpp"
#include "reference/reference.hpp"

#include <bit>

namespace zug::run {

KeyWords Reference::key_words(const ir::HistoryKey& key, const Slots& slots, const HistoryNode* history,
                              bool between_moves, std::int64_t me) const {
    KeyWords words;
    for (auto map : key.maps) {
        const ir::StateVariable& state = program_->states[map];
        for (std::size_t i = 0; i < state.initial.size(); ++i) words.push_back(slots[state.first_slot + i]);
    }
    Asker asker(*this);
    asker.read(slots, history, between_moves);
    asker.set_me(me);
    for (auto part : key.parts) {
        const ir::Value value = asker.eval().value(part);
        switch (program_->types.kind(program_->exprs[part].type)) {
        case ir::TypeKind::Set:
            words.insert(words.end(), value.set.words(), value.set.words() + value.set.word_count());
            break;
        case ir::TypeKind::Real: words.push_back(std::bit_cast<std::uint64_t>(value.real)); break;
        default: words.push_back(static_cast<std::uint64_t>(value.scalar)); break;
        }
    }
    return words;
}

WordsHash Reference::record_hash(ir::KeyId key, const Slots& slots, const HistoryNode* history, bool between_moves,
                                 std::int64_t me) const {
    return record_hash_ ? record_hash_(key, slots, history, between_moves, me)
                        : words_hash(key_words(program_->keys[key], slots, history, between_moves, me));
}

std::shared_ptr<const HistoryNode> Reference::recorded(const Slots& slots, std::uint32_t mover,
                                                       std::shared_ptr<const HistoryNode> before) const {
    if (program_->keys.empty()) return nullptr;
    auto node = std::make_shared<HistoryNode>();
    std::uint64_t own = 0;
    for (std::size_t k = 0; k < program_->keys.size(); ++k) {
        const auto hash = record_hash(static_cast<ir::KeyId>(k), slots, before.get(), false, mover);
        node->key_hashes.insert(node->key_hashes.end(), hash.begin(), hash.end());
        own = combine_hashes(own ^ hash[0], hash[1]);
    }
    // A sum, so that it does not depend on the order of the records.
    node->path_hash = own + (before ? before->path_hash : 0);
    node->length = before ? before->length + 1 : 1;
    node->before = std::move(before);
    return node;
}

} // namespace zug::run
