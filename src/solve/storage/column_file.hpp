#pragma once
// What is found of a tier's positions, in the order of their keys: in memory, or in a file.

#include "solve/storage/packed_keys.hpp"

namespace zug::solve {

// Where a row is, for a checkpoint.
struct RowState {
    std::string file;
    std::uint64_t offset = 0, size = 0;
};

template <class Value>
class ColumnFile {
public:
    explicit ColumnFile(std::shared_ptr<WorkFile> file = nullptr) {
        if (file == nullptr) return;
        const std::uint64_t offset = file->size();
        section_ = {std::move(file), offset};
    }

    std::size_t size() const { return size_; }
    // Where it is in a file, one that nothing else is appended to before the row is complete.
    void append(std::span<const Value> values) {
        size_ += values.size();
        if (in_file()) {
            section_.file->append(values.data(), values.size_bytes());
            section_.file->flush();
        } else {
            values_.insert(values_.end(), values.begin(), values.end());
        }
    }
    // The values of a block, in room where they are in a file.
    std::span<const Value> block(std::size_t number, std::array<Value, block_keys>& room) const {
        const std::size_t from = number * block_keys, count = std::min(block_keys, size_ - from);
        if (!in_file()) return std::span(values_).subspan(from, count);
        section_.file->read(section_.offset + from * sizeof(Value), room.data(), count * sizeof(Value));
        return {room.data(), count};
    }
    // Any values from one on: in memory where they stand, else in the room.
    std::span<const Value> read(std::uint64_t from, std::size_t count, std::vector<Value>& room) const {
        if (!in_file()) return std::span(values_).subspan(from, count);
        room.resize(count);
        section_.file->read(section_.offset + from * sizeof(Value), room.data(), count * sizeof(Value));
        return room;
    }
    // Frees the memory of what is in a file from now on. Nothing is done where it is in one already.
    void move_to(std::shared_ptr<WorkFile> file) {
        if (in_file()) return;
        ColumnFile moved(std::move(file));
        moved.append(values_);
        *this = std::move(moved);
    }
    bool in_file() const { return section_.file != nullptr; }
    RowState state() const { return {section_.file->name(), section_.offset, size_}; }
    bool restore(const Work& work, const RowState& state) {
        section_ = {work.file(state.file), state.offset};
        size_ = state.size;
        return in_file() && state.offset + size_ * sizeof(Value) <= section_.file->size();
    }

private:
    std::size_t size_ = 0;
    std::vector<Value> values_;
    Section section_;
};

} // namespace zug::solve
