// How high the histogram's columns are drawn.
#include "view/panels/scopes.hpp"

#include "support/catch.hpp"

using namespace glproc;
using namespace glproc::view;

namespace {

double top_of(std::vector<std::uint64_t> counts) {
    ChannelCounts channel;
    channel.counts = std::move(counts);
    return top_count({channel});
}

} // namespace

TEST_CASE(
    "histogram panel: clipped are black in luma, and white in any channel, with what lies beyond the range") {
    const auto counted = [](HistogramChannel channel, std::vector<std::uint64_t> counts,
                            std::uint64_t outside = 0) {
        return ChannelCounts{channel, std::move(counts), outside, 0};
    };
    CHECK(clipped_in({counted(HistogramChannel::luma, {5, 0, 7}), counted(HistogramChannel::red, {9, 0, 0}),
                      counted(HistogramChannel::green, {9, 0, 2}),
                      counted(HistogramChannel::blue, {9, 0, 0}, 4)}) == ClippedCounts{5, {0, 2, 4}});
    CHECK(clipped_in({}) == ClippedCounts{});
}

TEST_CASE("histogram panel: the largest count has all the room, unless a few tower above the others") {
    CHECK(top_of({10, 20, 30, 40, 50, 60, 70, 80}) == 80);
    CHECK(top_of({1000, 20, 30, 40, 50, 60, 70, 900}) == 75); // half as much again as the fifth, 50
    CHECK(top_of({7}) == 7);
    CHECK(top_of({0, 0, 0}) == 1);
    CHECK(top_of({}) == 1);
}
