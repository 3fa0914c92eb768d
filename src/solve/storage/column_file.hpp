#pragma once
// A column of values of a tier's positions, in the order of their keys: in memory, or in a file.

#include "solve/storage/packed_keys.hpp"

namespace zug::solve {

// Where the column is, for a checkpoint.
struct ColumnState {
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
    // With a file: nothing else may be appended to it before the column is complete.
    void append(std::span<const Value> values) {
        size_ += values.size();
        if (in_file()) {
            section_.file->append(values.data(), values.size_bytes());
            section_.file->flush();
        } else {
            values_.insert(values_.end(), values.begin(), values.end());
        }
    }
    // The values of a block; read into the buffer if they are in a file.
    std::span<const Value> block(std::size_t number, std::array<Value, block_keys>& buffer) const {
        const std::size_t from = number * block_keys, count = std::min(block_keys, size_ - from);
        if (!in_file()) return std::span(values_).subspan(from, count);
        section_.file->read(section_.offset + from * sizeof(Value), buffer.data(), count * sizeof(Value));
        return {buffer.data(), count};
    }
    // A range of values: in memory where they stand, else read into the buffer.
    std::span<const Value> read(std::uint64_t from, std::size_t count, std::vector<Value>& buffer) const {
        if (!in_file()) return std::span(values_).subspan(from, count);
        buffer.resize(count);
        section_.file->read(section_.offset + from * sizeof(Value), buffer.data(), count * sizeof(Value));
        return buffer;
    }
    // Writes the column to the file and frees its memory; does nothing if it is in a file already.
    void move_to(std::shared_ptr<WorkFile> file) {
        if (in_file()) return;
        ColumnFile moved(std::move(file));
        moved.append(values_);
        *this = std::move(moved);
    }
    bool in_file() const { return section_.file != nullptr; }
    ColumnState state() const { return {section_.file->name(), section_.offset, size_}; }
    bool restore(const Work& work, const ColumnState& state) {
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
