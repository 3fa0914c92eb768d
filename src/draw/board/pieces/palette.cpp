#include "draw/board/pieces/palette.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace zug::draw::board {

namespace {

constexpr Ink white{"#fffdf8", "#2b2725", "#2b2725"}, black{"#33302e", "#0e0d0c", "#f4efe6"},
    red{"#c9372c", "#6f1a13", "#ffffff"}, blue{"#2f6fb7", "#153c67", "#ffffff"}, green{"#2f8f55", "#14492a", "#ffffff"},
    yellow{"#f4c430", "#7a5c05", "#3a2c00"}, violet{"#8455b5", "#452769", "#ffffff"},
    orange{"#ea7f24", "#84420a", "#2b1500"}, cyan{"#2aa5b5", "#0f5059", "#ffffff"},
    pink{"#eb94b8", "#8a3357", "#3d0c22"}, brown{"#8a5a35", "#472c17", "#ffffff"},
    grey{"#9b9b98", "#4a4a48", "#1d1d1c"}, pale{"#ecd6a8", "#6d5324", "#4a370f"}, deep{"#5f3b24", "#2c190d", "#f2e2d0"};

struct Word {
    std::string_view word;
    Ink ink;
};

constexpr std::array words{
    Word{"white", white},   Word{"light", white},   Word{"black", black},    Word{"dark", black},
    Word{"red", red},       Word{"blue", blue},     Word{"green", green},    Word{"yellow", yellow},
    Word{"violet", violet}, Word{"purple", violet}, Word{"magenta", violet}, Word{"orange", orange},
    Word{"cyan", cyan},     Word{"pink", pink},     Word{"brown", brown},    Word{"grey", grey},
    Word{"gray", grey},     Word{"pale", pale},     Word{"amber", orange},   Word{"gold", yellow}};

// For players whose file says nothing, in this order.
constexpr std::array unnamed{white,  black, red,  blue,  green, yellow, violet,
                             orange, cyan,  pink, brown, grey,  pale,   deep};

constexpr std::array tiles{
    Ink{"#efe6d8", "#cdbfa8", "#4b4137"}, Ink{"#ecdcbd", "#c9b48a", "#4b4137"}, Ink{"#f2b179", "#c07f45", "#3a2207"},
    Ink{"#f0955f", "#bb6430", "#371803"}, Ink{"#ee7a59", "#b04c2f", "#2e0f05"}, Ink{"#d8492b", "#94290f", "#ffffff"},
    Ink{"#edcf72", "#b1943a", "#3f3205"}, Ink{"#edc850", "#ae8b22", "#3b2e02"}, Ink{"#e8bd2e", "#a57f0d", "#332700"},
    Ink{"#3f9d6d", "#1f5f3e", "#ffffff"}, Ink{"#2f6fb7", "#153c67", "#ffffff"}, Ink{"#6a4aa3", "#3a2465", "#ffffff"}};

constexpr Theme day{.paper = "#fdfcf9",
                    .text = "#1f2328",
                    .faint_text = "#5a626c",
                    .light = "#f1e3c9",
                    .dark = "#bd9268",
                    .middle = "#d9bb92",
                    .edge = "#7b5c3c",
                    .wood = "#eacb92",
                    .line = "#5b4326",
                    .hole = "#cfae7b",
                    .moved = "#f5d327",
                    .ring = "#e8590c",
                    .target = "#1f7a4d",
                    .panel = "#f4f1ea",
                    .panel_edge = "#ddd6c8",
                    .tray = "#f1ece1",
                    .note_light = "#6b4e2e",
                    .note_dark = "#fff6e6"};

constexpr Theme night{.paper = "#14171c",
                      .text = "#e8eaed",
                      .faint_text = "#a6adb8",
                      .light = "#a4aebd",
                      .dark = "#627086",
                      .middle = "#8290a3",
                      .edge = "#2a323d",
                      .wood = "#a58c62",
                      .line = "#2b2113",
                      .hole = "#7d693f",
                      .moved = "#e3c11d",
                      .ring = "#ff8a3d",
                      .target = "#0d4a2c",
                      .panel = "#1d222a",
                      .panel_edge = "#343c48",
                      .tray = "#77859a",
                      .note_light = "#1d2733",
                      .note_dark = "#f1f5fa"};

// The colour that the file's glyphs give a player, alone or with a piece.
std::optional<Ink> glyph_ink(const ir::Program& program, std::int64_t player) {
    for (const ir::Glyph& glyph : program.glyphs) {
        if (glyph.colour.empty() || glyph.value == ir::none) continue;
        const ir::Type& type = program.types[glyph.type];
        if (type.kind == ir::TypeKind::Player && glyph.value == player) return ink_named(glyph.colour);
        if (type.kind == ir::TypeKind::Tuple && program.types.kind(type.parts[0]) == ir::TypeKind::Player &&
            program.types.project(glyph.type, glyph.value, 0) == player)
            return ink_named(glyph.colour);
    }
    return std::nullopt;
}

} // namespace

std::optional<Ink> ink_named(std::string_view word) {
    std::string small(word);
    for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const auto found = std::ranges::find(words, std::string_view(small), &Word::word);
    return found == words.end() ? std::nullopt : std::optional(found->ink);
}

std::vector<Ink> player_inks(const ir::Program& program) {
    std::vector<std::optional<Ink>> inks;
    for (const std::string& name : program.players) inks.push_back(ink_named(name));
    const auto is_free = [&](const Ink& ink) { return std::ranges::find(inks, std::optional(ink)) == inks.end(); };
    for (std::size_t player = 0; player < inks.size(); ++player)
        if (const auto ink = glyph_ink(program, static_cast<std::int64_t>(player));
            !inks[player] && ink && is_free(*ink))
            inks[player] = ink;
    std::vector<Ink> all;
    for (auto& ink : inks) {
        if (!ink) {
            const auto next = std::ranges::find_if(unnamed, is_free);
            ink = next == unnamed.end() ? unnamed.back() : *next;
        }
        all.push_back(*ink);
    }
    return all;
}

Ink plain_ink() { return pale; }

Ink tile_ink(std::uint64_t rank) { return tiles[std::min<std::uint64_t>(rank, tiles.size() - 1)]; }

const Theme& theme(bool dark) { return dark ? night : day; }

} // namespace zug::draw::board
