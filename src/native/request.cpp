#include "native/request.hpp"

#include <cstring>
#include <type_traits>

namespace zug::native {
namespace {

// Reader and Writer have the same operations, so that one description of the format serves both.
class Writer {
public:
    template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void value(const T& v) { raw(&v, sizeof(T)); }
    template <class T>
    void plain(const std::vector<T>& list) {
        static_assert(std::has_unique_object_representations_v<T>, "padding would be written");
        value(static_cast<std::uint64_t>(list.size()));
        raw(list.data(), list.size() * sizeof(T));
    }
    template <class T, class F>
    void list(const std::vector<T>& items, F&& each) {
        value(static_cast<std::uint64_t>(items.size()));
        for (const T& item : items) each(item);
    }
    Bytes bytes;

private:
    void raw(const void* from, std::size_t size) {
        if (size == 0) return;
        bytes.resize(bytes.size() + size);
        std::memcpy(bytes.data() + bytes.size() - size, from, size);
    }
};

class Reader {
public:
    explicit Reader(std::span<const std::uint8_t> bytes) : rest_(bytes) {}
    template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
    void value(T& v) { raw(&v, sizeof(T)); }
    template <class T>
    void plain(std::vector<T>& list) {
        list.resize(count(sizeof(T)));
        raw(list.data(), list.size() * sizeof(T));
    }
    template <class T, class F>
    void list(std::vector<T>& items, F&& each) {
        items.resize(count(1));
        for (T& item : items) each(item);
    }
    bool done() const { return good_ && rest_.empty(); }

private:
    // Of items that take at least `size` bytes each.
    std::size_t count(std::size_t size) {
        std::uint64_t n = 0;
        value(n);
        if (n > rest_.size() / size) good_ = false;
        return good_ ? n : 0;
    }
    void raw(void* to, std::size_t size) {
        good_ = good_ && size <= rest_.size();
        if (!good_ || size == 0) return;
        std::memcpy(to, rest_.data(), size);
        rest_ = rest_.subspan(size);
    }
    std::span<const std::uint8_t> rest_;
    bool good_ = true;
};

template <class Io, class Code, class Number, class Trend>
void request(Io& io, Code& code, Number& state_words, Trend& trend) {
    io.value(state_words);
    io.value(trend);
    io.value(code.main_width);
    io.value(code.turn_reg);
    io.value(code.turned_reg);
    io.plain(code.instrs);
    io.list(code.tables.words, [&](auto& table) { io.plain(table); });
    io.list(code.tables.sets, [&](auto& table) { io.plain(table); });
    io.list(code.tables.shifts, [&](auto& list) {
        io.value(list.masked);
        io.list(list.shifts, [&](auto& shift) {
            io.value(shift.distance);
            io.value(shift.mask);
        });
    });
    io.list(code.tables.rays, [&](auto& rays) {
        io.value(rays.count);
        io.value(rays.up);
        io.plain(rays.rows);
    });
    io.list(code.shapes, [&](auto& shape) {
        io.value(shape.words);
        io.plain(shape.kept);
        io.value(shape.target);
    });
    io.list(code.drawings, [&](auto& drawing) {
        io.list(drawing.parts, [&](auto& part) {
            io.value(part.set);
            io.value(part.words);
            io.value(part.bits);
            io.value(part.target);
            io.value(part.weight);
            io.list(part.given, [&](auto& given) {
                io.value(given.reg);
                io.value(given.from_member);
                io.value(given.number);
                io.value(given.bits);
            });
        });
        io.value(drawing.first);
        io.value(drawing.records);
    });
    io.list(code.questions, [&](auto& question) { io.list(question.vars, [&](auto& var) { io.value(var.second); }); });
    io.list(code.constants, [&](auto& constant) {
        io.value(constant.first);
        io.value(constant.second);
    });
    io.list(code.routines, [&](auto& routine) {
        io.value(routine.entry);
        io.list(routine.results, [&](auto& result) {
            io.value(result.first);
            io.value(result.second);
        });
        io.plain(routine.seldom);
    });
}

} // namespace

Bytes write_request(const run::Code& code, std::uint32_t state_words, std::int32_t trend) {
    Writer writer;
    request(writer, code, state_words, trend);
    return std::move(writer.bytes);
}

std::optional<Request> read_request(std::span<const std::uint8_t> bytes) {
    Reader reader(bytes);
    std::optional<Request> result(std::in_place);
    request(reader, result->code, result->state_words, result->trend);
    if (!reader.done()) result.reset();
    return result;
}

} // namespace zug::native
