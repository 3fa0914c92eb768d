// The order in which moves are tried: deferred moves come last, and no move is lost or tried twice.

#include "base/random.hpp"
#include "search/alpha_beta/moves_under_way.hpp"
#include "search/core/order.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace {

using zug::Random;
using zug::search::Frame;
using zug::search::MoveOrder;
using zug::search::MovesUnderWay;
using zug::search::Ranked;

// A frame whose moves, by id, have ranks that fall.
Frame frame_of(std::size_t moves) {
    Frame frame;
    for (std::size_t i = 0; i < moves; ++i) frame.order.push_back({1000 - i, i, static_cast<std::uint32_t>(i)});
    return frame;
}

} // namespace

TEST_CASE("deferred moves are tried after the others, in the order in which they were deferred") {
    Frame frame = frame_of(5);
    std::vector<std::uint64_t> tried;
    for (std::size_t i = 0; i < frame.order.size(); ++i) {
        MoveOrder::pick(frame, i);
        while (i > 0 && i + frame.deferred < 4 && frame.order[i].id % 2 == 1) MoveOrder::defer(frame, i);
        tried.push_back(frame.order[i].id);
    }
    CHECK(tried == std::vector<std::uint64_t>{0, 2, 4, 1, 3});
    CHECK(frame.order[3].deferred == 1);
    CHECK(frame.order[4].deferred == 3);
}

TEST_CASE("whichever moves are deferred, each is tried once, and knows its number in the order") {
    Random random(7);
    for (int round = 0; round < 1000; ++round) {
        Frame frame = frame_of(1 + random.below(40));
        const std::size_t moves = frame.order.size();
        std::vector<std::uint64_t> tried;
        for (std::size_t i = 0; i < moves; ++i) {
            MoveOrder::pick(frame, i);
            while (i > 0 && i + 1 + frame.deferred < moves && random.below(3) == 0) MoveOrder::defer(frame, i);
            const Ranked& move = frame.order[i];
            CHECK(MoveOrder::number(frame, i) == move.id);
            tried.push_back(move.id);
        }
        std::ranges::sort(tried);
        for (std::size_t i = 0; i < moves; ++i) CHECK(tried[i] == i);
    }
}

TEST_CASE("a move is under way from when a thread enters it until it leaves") {
    const auto moves = std::make_unique<MovesUnderWay>();
    const std::uint64_t work = MovesUnderWay::work(1, 2, 3);
    CHECK_FALSE(moves->contains(work));
    moves->enter(work);
    CHECK(moves->contains(work));
    CHECK_FALSE(moves->contains(MovesUnderWay::work(1, 2, 4)));
    CHECK_FALSE(moves->contains(MovesUnderWay::work(1, 3, 3)));
    CHECK_FALSE(moves->contains(MovesUnderWay::work(2, 2, 3)));
    moves->leave(MovesUnderWay::work(1, 2, 4)); // it doesn't end what another thread does
    CHECK(moves->contains(work));
    moves->leave(work);
    CHECK_FALSE(moves->contains(work));
}
