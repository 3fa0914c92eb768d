#include "native/codegen/link.hpp"

#include <algorithm>
#include <cstring>
#include <elf.h>

namespace zug::codegen {
namespace {

// An ELF64 object for this machine, as LLVM writes it. It is trusted to be well-formed.
class Object {
public:
    explicit Object(std::span<const std::uint8_t> bytes) : bytes_(bytes), header_(at<Elf64_Ehdr>(0)) {
        for (std::size_t s = 0; s < header_.e_shnum; ++s)
            sections_.push_back(at<Elf64_Shdr>(header_.e_shoff + s * sizeof(Elf64_Shdr)));
    }
    const std::vector<Elf64_Shdr>& sections() const { return sections_; }
    std::span<const std::uint8_t> content(const Elf64_Shdr& section) const {
        return bytes_.subspan(section.sh_offset, section.sh_size);
    }
    template <class T>
    T entry(const Elf64_Shdr& table, std::size_t k) const {
        return at<T>(table.sh_offset + k * sizeof(T));
    }
    template <class T>
    std::size_t entries(const Elf64_Shdr& table) const {
        return table.sh_size / sizeof(T);
    }
    std::string_view name(const Elf64_Shdr& symbols, const Elf64_Sym& symbol) const {
        const auto text = content(sections_[symbols.sh_link]).subspan(symbol.st_name);
        return reinterpret_cast<const char*>(text.data());
    }

private:
    template <class T>
    T at(std::size_t offset) const {
        T result;
        std::memcpy(&result, bytes_.data() + offset, sizeof result);
        return result;
    }
    std::span<const std::uint8_t> bytes_;
    Elf64_Ehdr header_;
    std::vector<Elf64_Shdr> sections_;
};

bool is_loaded(const Elf64_Shdr& section) {
    return (section.sh_flags & SHF_ALLOC) != 0 && section.sh_type == SHT_PROGBITS;
}

void add_to(native::Bytes& code, std::size_t at, std::int64_t value) {
    const auto displacement = static_cast<std::int32_t>(value);
    std::memcpy(code.data() + at, &displacement, sizeof displacement);
}

} // namespace

std::uint32_t Linker::append(std::size_t size, std::size_t alignment) {
    const std::size_t at = (code_.size() + alignment - 1) / alignment * alignment;
    code_.resize(at + size, 0);
    return static_cast<std::uint32_t>(at);
}

// The offset of a jump through the import's slot: calls have 32-bit displacements, which may not reach the import
// itself.
std::uint32_t Linker::import_stub(std::size_t import) {
    if (stubs_[import] == 0) {
        stubs_[import] = append(8, 16);
        code_[stubs_[import]] = 0xFF; // jmp [rip + displacement]
        code_[stubs_[import] + 1] = 0x25;
        slots_.push_back({stubs_[import] + 2, import});
    }
    return stubs_[import];
}

bool Linker::add(std::span<const std::uint8_t> bytes,
                 const std::function<void(std::string_view, std::uint32_t)>& symbol, std::string& why) {
    const Object object(bytes);
    std::vector<std::uint32_t> offsets(object.sections().size(), 0);
    for (std::size_t s = 0; s < object.sections().size(); ++s) {
        const Elf64_Shdr& section = object.sections()[s];
        if (!is_loaded(section)) continue;
        offsets[s] = append(section.sh_size, std::max<std::size_t>(section.sh_addralign, 1));
        std::ranges::copy(object.content(section), code_.begin() + offsets[s]);
    }
    const auto offset_of = [&](const Elf64_Shdr& table, const Elf64_Sym& found) -> std::optional<std::int64_t> {
        if (found.st_shndx != SHN_UNDEF && found.st_shndx < offsets.size() &&
            is_loaded(object.sections()[found.st_shndx]))
            return static_cast<std::int64_t>(offsets[found.st_shndx] + found.st_value);
        const auto import = std::ranges::find(native::import_names, object.name(table, found));
        if (import == native::import_names.end()) return std::nullopt;
        return import_stub(static_cast<std::size_t>(import - native::import_names.begin()));
    };
    for (const Elf64_Shdr& section : object.sections()) {
        if (section.sh_type == SHT_SYMTAB)
            for (std::size_t k = 0; k < object.entries<Elf64_Sym>(section); ++k) {
                const auto found = object.entry<Elf64_Sym>(section, k);
                if (ELF64_ST_TYPE(found.st_info) == STT_FUNC && ELF64_ST_BIND(found.st_info) == STB_GLOBAL)
                    symbol(object.name(section, found),
                           offsets[found.st_shndx] + static_cast<std::uint32_t>(found.st_value));
            }
        if (section.sh_type != SHT_RELA || !is_loaded(object.sections()[section.sh_info])) continue;
        const Elf64_Shdr& symbols = object.sections()[section.sh_link];
        for (std::size_t k = 0; k < object.entries<Elf64_Rela>(section); ++k) {
            const auto relocation = object.entry<Elf64_Rela>(section, k);
            const auto type = ELF64_R_TYPE(relocation.r_info);
            const auto found = object.entry<Elf64_Sym>(symbols, ELF64_R_SYM(relocation.r_info));
            const auto target = offset_of(symbols, found);
            if (!target || (type != R_X86_64_PC32 && type != R_X86_64_PLT32)) {
                why = "a relocation of kind " + std::to_string(type) + " to `" +
                      std::string(object.name(symbols, found)) + "`";
                return false;
            }
            const std::size_t at = offsets[section.sh_info] + relocation.r_offset;
            add_to(code_, at, *target + relocation.r_addend - static_cast<std::int64_t>(at));
        }
    }
    return true;
}

void Linker::finish(native::Image& image) {
    image.imports = append(native::import_names.size() * sizeof(void*), sizeof(void*));
    for (const Slot& slot : slots_) {
        const auto target = static_cast<std::int64_t>(image.imports + slot.import * sizeof(void*));
        add_to(code_, slot.at, target - (static_cast<std::int64_t>(slot.at) + 4));
    }
    image.code = std::move(code_);
}

} // namespace zug::codegen
