#include "draw/terminal/track.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace zug::draw::terminal {

namespace {

constexpr int cell = 4; // columns

class TrackWriter {
public:
    TrackWriter(const board::View& view, ir::StateId id, const Screen& screen)
        : view_(view), id_(id), screen_(screen), signs_(signs_of(view, view.program().player_type, screen)) {
        for (const std::string& name : view.program().players) head_ = std::max(head_, columns_of(name));
    }

    Characters there_and_back(const Meeting& meeting);
    Characters side_by_side();

private:
    const ir::Type& places() const { return view_.program().types[view_.state(id_).indices[1]]; }
    std::int64_t men(std::size_t player, std::int64_t place) const {
        const auto length = static_cast<std::uint64_t>(places().hi - places().lo + 1);
        return view_.value(id_, player * length + static_cast<std::uint64_t>(place - places().lo));
    }
    const std::string& name(std::size_t player) const { return view_.program().players[player]; }
    int x_of(std::size_t column) const { return head_ + cell * static_cast<int>(column + 1); } // where it ends
    void write_end(int x, int y, const std::string& text, std::string_view colour);
    void write_row(const std::vector<std::int64_t>& row, const Meeting& meeting, int top);
    void write_others(const Meeting& meeting);

    const board::View& view_;
    ir::StateId id_;
    const Screen& screen_;
    std::vector<Sign> signs_; // by player
    int head_ = 0;
    Characters page_;
};

void TrackWriter::write_end(int x, int y, const std::string& text, std::string_view colour) {
    page_.write({x - columns_of(text), y}, text, colour);
}

// Above the men the numbers of the first player, below those of the second.
void TrackWriter::write_row(const std::vector<std::int64_t>& row, const Meeting& meeting, int top) {
    page_.write({0, top}, name(0), faint_colour);
    page_.write({0, top + 2}, name(1), faint_colour);
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::int64_t place = row[i], mirrored = meeting.sum - place;
        write_end(x_of(i), top, std::to_string(place), faint_colour);
        write_end(x_of(i), top + 2, std::to_string(mirrored), faint_colour);
        const std::int64_t first = men(0, place), second = men(1, mirrored);
        const Sign& sign = signs_[first > 0 ? 0 : 1];
        if (first == 0 && second == 0)
            write_end(x_of(i), top + 1, std::string(empty_sign(screen_)), faint_colour);
        else
            write_end(x_of(i), top + 1, std::to_string(first > 0 ? first : second) + sign.text, sign.colour);
    }
}

// The men on places where nobody meets them.
void TrackWriter::write_others(const Meeting& meeting) {
    for (std::size_t player = 0; player < 2; ++player) {
        std::string text;
        for (std::int64_t place = places().lo; place <= places().hi; ++place) {
            const bool shown = place >= meeting.first && place <= meeting.sum - meeting.first;
            if (!shown && men(player, place) > 0)
                text += (text.empty() ? "" : ", ") + std::to_string(place) + ": " + std::to_string(men(player, place)) +
                        signs_[player].text;
        }
        if (!text.empty()) page_.write({0, page_.bottom()}, name(player) + " " + text, signs_[player].colour);
    }
}

Characters TrackWriter::there_and_back(const Meeting& meeting) {
    std::vector<std::int64_t> there, back;
    const std::int64_t last = meeting.sum - meeting.first, half = (meeting.first + last) / 2;
    for (std::int64_t place = half + 1; place <= last; ++place) back.push_back(place);
    for (std::int64_t place = half; place >= meeting.first; --place) there.push_back(place);
    write_row(back, meeting, 0);
    write_row(there, meeting, 4);
    write_others(meeting);
    return std::move(page_);
}

// All places if they fit, else those where somebody is.
Characters TrackWriter::side_by_side() {
    const auto shown_at_most = (screen_.width - static_cast<std::size_t>(head_)) / cell;
    const bool all = static_cast<std::size_t>(places().hi - places().lo + 1) <= shown_at_most;
    const std::size_t players = view_.program().players.size();
    std::size_t column = 0;
    for (std::size_t player = 0; player < players; ++player)
        page_.write({0, 1 + static_cast<int>(player)}, name(player));
    for (std::int64_t place = places().lo; place <= places().hi; ++place) {
        bool is_empty = true;
        for (std::size_t player = 0; player < players; ++player) is_empty &= men(player, place) == 0;
        if (is_empty && !all) continue;
        const int x = x_of(column++);
        write_end(x, 0, std::to_string(place), faint_colour);
        for (std::size_t player = 0; player < players; ++player) {
            const std::int64_t count = men(player, place);
            const int y = 1 + static_cast<int>(player);
            if (count == 0)
                write_end(x, y, std::string(empty_sign(screen_)), faint_colour);
            else
                write_end(x, y, std::to_string(count), signs_[player].colour);
        }
    }
    return std::move(page_);
}

} // namespace

Characters track_of(const board::View& view, ir::StateId id, const Meeting* meeting, const Screen& screen) {
    TrackWriter writer(view, id, screen);
    return meeting != nullptr ? writer.there_and_back(*meeting) : writer.side_by_side();
}

} // namespace zug::draw::terminal
