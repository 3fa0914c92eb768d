#include "lang/core/name_index.hpp"

namespace zug::lang {

NameIndex::Entry& NameIndex::entry(Span name) {
    Entry& found = entries_[{name.file, name.begin}];
    found.name = name;
    return found;
}

void NameIndex::add_use(Span name, Span declaration) {
    if (name.end > name.begin) entry(name).declaration = declaration;
}

void NameIndex::add_local(Span name, std::string type) {
    if (name.end <= name.begin) return;
    Entry& found = entry(name);
    found.declaration = name;
    found.local = true;
    if (found.type.empty()) found.type = std::move(type);
}

void NameIndex::add_type(Span name, const std::string& type) {
    if (name.end <= name.begin) return;
    Entry& found = entry(name);
    if (found.type.empty()) found.type = type;
}

const NameIndex::Entry* NameIndex::find(FileId file, std::uint32_t offset) const {
    auto next = entries_.upper_bound({file, offset});
    if (next == entries_.begin()) return nullptr;
    const Entry& before = std::prev(next)->second;
    return before.name.file == file && offset <= before.name.end ? &before : nullptr;
}

std::vector<NameIndex::Entry> NameIndex::uses_of(Span declaration) const {
    std::vector<Entry> result;
    if (declaration.begin == declaration.end) return result;
    for (const auto& [key, entry] : entries_)
        if (entry.declaration == declaration) result.push_back(entry);
    return result;
}

std::vector<NameIndex::Entry> NameIndex::in(Span part) const {
    std::vector<Entry> result;
    for (auto at = entries_.lower_bound({part.file, part.begin});
         at != entries_.end() && at->first < Key{part.file, part.end}; ++at)
        result.push_back(at->second);
    return result;
}

std::vector<NameIndex::Entry> NameIndex::all() const {
    std::vector<Entry> result;
    for (const auto& [key, entry] : entries_) result.push_back(entry);
    return result;
}

} // namespace zug::lang
