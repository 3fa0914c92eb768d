#pragma once
// Arrays in a checkpoint file, written one after the other in pieces, so that no further memory is needed, and read
// back into arrays of the same sizes. Writer and reader have the same operation, so one visit() serves both.
//
// Errors are recorded in IoError, as those of all such files.

#include "solve/storage/scratch.hpp"

#include <vector>

namespace zug::solve {

inline constexpr std::size_t array_piece = 1 << 16; // numbers

class ArrayWriter {
public:
    ArrayWriter(WorkFile& file, Scratch& scratch) : file_(file), scratch_(scratch) {}

    template <class T>
    void operator()(const Array<T>& array) {
        for (std::size_t from = 0; from < array.size(); from += array_piece) put(array.slice(from, array_piece));
    }
    template <class T>
    void operator()(const std::vector<T>& numbers) {
        put(std::span<const T>(numbers));
    }

private:
    template <class T>
    void put(std::span<const T> numbers) {
        file_.append(numbers.data(), numbers.size_bytes());
        scratch_.look(Scratch::pages(numbers.size_bytes()));
    }

    WorkFile& file_;
    Scratch& scratch_;
};

class ArrayReader {
public:
    // From this offset in the file. Null: there is no such file.
    ArrayReader(std::shared_ptr<WorkFile> file, std::uint64_t offset, Scratch& scratch)
        : file_(std::move(file)), at_(offset), scratch_(scratch) {}

    template <class T>
    void operator()(Array<T>& array) {
        if (!has(array.size() * sizeof(T))) return;
        for (std::size_t from = 0; from < array.size(); from += array_piece) take(array.slice(from, array_piece));
    }
    template <class T>
    void operator()(std::vector<T>& numbers) {
        if (has(numbers.size() * sizeof(T))) take(std::span<T>(numbers));
    }
    // Whether the file had exactly as many bytes as were read:
    bool good() const { return good_; }
    // no fewer, and no more.
    bool done() const { return good_ && at_ == file_->size(); }

private:
    bool has(std::uint64_t bytes) {
        good_ = good_ && file_ != nullptr && !scratch_.work().io_error().any() && at_ + bytes <= file_->size();
        return good_;
    }
    template <class T>
    void take(std::span<T> numbers) {
        file_->read(at_, numbers.data(), numbers.size_bytes());
        at_ += numbers.size_bytes();
        scratch_.look(Scratch::pages(numbers.size_bytes()));
    }

    std::shared_ptr<WorkFile> file_;
    std::uint64_t at_;
    Scratch& scratch_;
    bool good_ = true;
};

} // namespace zug::solve
