// Barriers derived from uses. No GPU.
#include "glproc/gl/sync.hpp"

#include "support/catch.hpp"

#include <set>

#include <glad/gl.h>

using namespace glproc;

namespace {

constexpr std::array all_uses{Use::image, Use::sampler, Use::storage, Use::texture_transfer,
                              Use::buffer_transfer};

/// A shader's access in a command of its own.
void shader(BarrierTracker& tracker, LastAccess& last, bool reads, bool writes) {
    tracker.next_command();
    tracker.note(reads, writes, last);
}

} // namespace

TEST_CASE("each use has its own barrier bit") {
    CHECK(BarrierTracker::bit(Use::image) == GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    CHECK(BarrierTracker::bit(Use::sampler) == GL_TEXTURE_FETCH_BARRIER_BIT);
    CHECK(BarrierTracker::bit(Use::storage) == GL_SHADER_STORAGE_BARRIER_BIT);
    CHECK(BarrierTracker::bit(Use::texture_transfer) ==
          (GL_TEXTURE_UPDATE_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT));
    CHECK(BarrierTracker::bit(Use::buffer_transfer) == GL_BUFFER_UPDATE_BARRIER_BIT);
    std::set<unsigned> bits;
    for (const Use use : all_uses) {
        bits.insert(BarrierTracker::bit(use));
    }
    CHECK(bits.size() == use_count);
    CHECK(all_uses.size() == use_count);
}

TEST_CASE("a resource that no shader touched needs no barrier") {
    BarrierTracker tracker;
    const LastAccess last;
    tracker.next_command();
    for (const Use use : all_uses) {
        CHECK_FALSE(tracker.needs(use, false, last));
        CHECK_FALSE(tracker.needs(use, true, last));
    }
}

TEST_CASE("what a shader wrote needs a barrier before it is read or written again, by any use") {
    BarrierTracker tracker;
    LastAccess last;
    shader(tracker, last, false, true);
    tracker.next_command();
    for (const Use use : all_uses) {
        CHECK(tracker.needs(use, false, last));
        CHECK(tracker.needs(use, true, last));
    }
}

TEST_CASE("what a shader read needs a barrier before it is written, and none before it is read again") {
    BarrierTracker tracker;
    LastAccess last;
    shader(tracker, last, true, false);
    tracker.next_command();
    for (const Use use : all_uses) {
        CHECK_FALSE(tracker.needs(use, false, last));
        CHECK(tracker.needs(use, true, last));
    }
}

TEST_CASE("a bit that was issued serves its own use alone") {
    BarrierTracker tracker;
    LastAccess last;
    shader(tracker, last, false, true);
    tracker.next_command();
    tracker.issued(Use::image);
    for (const Use use : all_uses) {
        CHECK(tracker.needs(use, false, last) == (use != Use::image));
    }
}

TEST_CASE("a bit that was issued does not serve what the same command or a later one writes") {
    BarrierTracker tracker;
    LastAccess last;
    shader(tracker, last, false, true);
    tracker.next_command();
    tracker.issued(Use::storage);
    tracker.note(true, true, last); // this command updates the resource after its own barrier
    tracker.next_command();
    CHECK(tracker.needs(Use::storage, false, last));
    tracker.issued(Use::storage);
    CHECK_FALSE(tracker.needs(Use::storage, false, last));
    tracker.next_command();
    CHECK_FALSE(tracker.needs(Use::storage, false, last));
    tracker.note(false, true, last);
    tracker.next_command();
    CHECK(tracker.needs(Use::storage, true, last));
}

TEST_CASE("one barrier serves every resource written before it") {
    BarrierTracker tracker;
    LastAccess first;
    LastAccess second;
    shader(tracker, first, false, true);
    shader(tracker, second, false, true);
    tracker.next_command();
    tracker.issued(Use::sampler);
    CHECK_FALSE(tracker.needs(Use::sampler, false, first));
    CHECK_FALSE(tracker.needs(Use::sampler, false, second));
    LastAccess third;
    shader(tracker, third, false, true);
    CHECK_FALSE(tracker.needs(Use::sampler, false, first));
    tracker.next_command();
    CHECK(tracker.needs(Use::sampler, false, third));
}
