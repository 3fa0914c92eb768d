#include "solve/storage/packed_keys.hpp"

#include <boost/sort/spreadsort/integer_sort.hpp>

#include <algorithm>

namespace zug::solve {

void pack_differences(std::span<const Key> keys, std::vector<std::uint8_t>& out) {
    for (std::size_t i = 1; i < keys.size(); ++i) {
        std::uint64_t difference = keys[i] - keys[i - 1];
        for (; difference >= 0x80; difference >>= 7) out.push_back(static_cast<std::uint8_t>(difference | 0x80));
        out.push_back(static_cast<std::uint8_t>(difference));
    }
}

bool unpack_differences(Key first, std::span<const std::uint8_t> bytes, std::span<Key> keys, std::size_t& used) {
    std::size_t at = 0;
    Key key = keys[0] = first;
    for (std::size_t i = 1; i < keys.size(); ++i) {
        std::uint64_t difference = 0;
        for (unsigned shift = 0;; shift += 7) {
            if (at == bytes.size() || shift > 63) return false;
            const std::uint8_t byte = bytes[at++];
            difference |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
            if (byte < 0x80) break;
        }
        keys[i] = key += difference;
    }
    used = at;
    return true;
}

void sort(std::vector<KeyQuery>& queries) {
    boost::sort::spreadsort::integer_sort(
        queries.begin(), queries.end(), [](const KeyQuery& query, unsigned shift) { return query.key >> shift; },
        [](const KeyQuery& a, const KeyQuery& b) { return a.key < b.key; });
}

PackedKeys::PackedKeys(std::span<const Key> ascending) {
    KeyPacker packer;
    for (const Key key : ascending) packer.add(key);
    *this = packer.finish();
}

std::span<const std::uint8_t> PackedKeys::differences(std::size_t number, Buffer& buffer) const {
    const std::uint64_t from = starts_[number];
    const std::uint64_t to = number + 1 < starts_.size() ? starts_[number + 1] : differences_;
    if (!in_file()) return {bytes_.data() + from, to - from};
    section_.file->read(section_.offset + from, buffer.data(), to - from);
    return {buffer.data(), to - from};
}

std::span<const Key> PackedKeys::block(std::size_t number, std::array<Key, block_keys>& buffer) const {
    const std::span keys(buffer.data(), std::min(block_keys, size_ - number * block_keys));
    Buffer bytes;
    std::size_t used = 0;
    unpack_differences(firsts_[number], differences(number, bytes), keys, used);
    return keys;
}

std::size_t PackedKeys::block_of(Key key, std::size_t from) const {
    if (from + 1 >= firsts_.size() || key < firsts_[from + 1]) return from;
    const auto after = std::upper_bound(firsts_.begin() + static_cast<std::ptrdiff_t>(from), firsts_.end(), key);
    return static_cast<std::size_t>(after - firsts_.begin()) - 1;
}

void PackedKeys::move_to(const std::shared_ptr<WorkFile>& file) {
    if (in_file()) return;
    section_ = {file, file->size()};
    file->append(bytes_.data(), bytes_.size());
    file->append(firsts_.data(), firsts_.size() * sizeof(Key));
    file->append(starts_.data(), starts_.size() * sizeof(std::uint64_t));
    file->flush();
    bytes_ = {};
}

bool PackedKeys::restore(const Work& work, const KeysState& state) {
    section_ = {work.file(state.file), state.offset};
    const std::uint64_t count = (state.keys + block_keys - 1) / block_keys;
    const std::uint64_t index_bytes = count * (sizeof(Key) + sizeof(std::uint64_t));
    if (!in_file() || state.offset + state.bytes + index_bytes > section_.file->size()) return false;
    size_ = state.keys;
    differences_ = state.bytes;
    firsts_.resize(count);
    starts_.resize(count);
    const std::uint64_t index = state.offset + state.bytes;
    section_.file->read(index, firsts_.data(), count * sizeof(Key));
    section_.file->read(index + count * sizeof(Key), starts_.data(), count * sizeof(std::uint64_t));
    return true;
}

KeyPacker::KeyPacker(std::shared_ptr<WorkFile> file) {
    if (file == nullptr) return;
    const std::uint64_t offset = file->size();
    keys_.section_ = {std::move(file), offset};
}

void KeyPacker::close_block() {
    keys_.firsts_.push_back(block_[0]);
    keys_.starts_.push_back(keys_.differences_);
    const std::span keys(block_.data(), count_);
    if (keys_.in_file()) {
        differences_.clear();
        pack_differences(keys, differences_);
        keys_.section_.file->append(differences_.data(), differences_.size());
        keys_.differences_ += differences_.size();
    } else {
        pack_differences(keys, keys_.bytes_);
        keys_.differences_ = keys_.bytes_.size();
    }
    keys_.size_ += count_;
    count_ = 0;
}

PackedKeys KeyPacker::finish() {
    if (count_ != 0) close_block();
    if (keys_.in_file()) {
        WorkFile& file = *keys_.section_.file;
        file.append(keys_.firsts_.data(), keys_.firsts_.size() * sizeof(Key));
        file.append(keys_.starts_.data(), keys_.starts_.size() * sizeof(std::uint64_t));
        file.flush();
    }
    keys_.bytes_.shrink_to_fit();
    return std::move(keys_);
}

} // namespace zug::solve
