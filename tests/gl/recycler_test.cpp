// Storage that is used again.
#include "glproc/gl/recycler.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"
#include "support/inputs.hpp"
#include "support/matchers.hpp"

#include <optional>
#include <set>
#include <stdexcept>
#include <thread>

using namespace glproc;
using namespace glproc::test;

namespace {

/// Numbers instead of objects of OpenGL; memory for `most` of them.
struct Counted {
    using Size = int;
    static inline unsigned next = 1;
    static inline std::size_t most = 1000;
    static inline std::set<unsigned> alive;

    static unsigned make(Size, std::string_view) {
        if (alive.size() >= most) {
            throw std::runtime_error("no memory");
        }
        alive.insert(next);
        return next++;
    }
    static void destroy(unsigned id) { CHECK(alive.erase(id) == 1); }
    static std::size_t bytes(Size size) { return static_cast<std::size_t>(size); }
};

} // namespace

TEST_CASE("storage of the same size is used again, of another size it is not") {
    Recycler<Counted> recycler;
    recycler.most_bytes = 100;
    const unsigned first = recycler.take(10, "a").get()->id;
    CHECK(recycler.take(11, "b").get()->id != first);
    const auto again = recycler.take(10, "c");
    CHECK(again.get()->id == first);
    CHECK(recycler.take(10, "d").get()->id != first);
}

TEST_CASE("no more storage is kept than allowed, and the oldest goes first") {
    {
        Recycler<Counted> recycler;
        recycler.most_bytes = 25;
        const unsigned oldest = recycler.take(10, "a").get()->id;
        const unsigned newer = [&] {
            const auto hold = recycler.take(10, "b");
            return recycler.take(11, "c").get()->id;
        }();
        CHECK(Counted::alive.count(oldest) + Counted::alive.count(newer) == Counted::alive.size());
        recycler.take(26, "larger than all that may be kept");
        CHECK(Counted::alive.empty());
    }
    CHECK(Counted::alive.empty());
}

TEST_CASE("free storage goes where memory is short, and what is used stays") {
    Recycler<Counted> recycler;
    recycler.most_bytes = 100;
    Counted::most = 2;
    const auto used = recycler.take(1, "used");
    recycler.take(2, "free");
    const auto more = recycler.take(3, "more");
    CHECK(Counted::alive == std::set<unsigned>{used.get()->id, more.get()->id});
    CHECK_THROWS_AS(recycler.take(4, "too many"), std::runtime_error);
    Counted::most = 1000;
}

TEST_CASE("an image that is gone leaves its storage to the next, whose content is its own") {
    Context& context = gpu();
    const Image one = random_image({300, 20, 4, Depth::u8}, 1);
    const Image two = random_image({300, 20, 4, Depth::u8}, 2);
    unsigned id = 0;
    {
        const GpuImage image = context.upload(one);
        id = image.texture().id();
    }
    const GpuImage image = context.upload(two);
    CHECK(image.texture().id() == id);
    CHECK_THAT(context.download(image), IsBitwise(two));
}

TEST_CASE("a buffer that was cleared keeps what its next user writes") {
    Context& context = gpu();
    const std::vector<std::uint32_t> values(100000, 7);
    for (int i = 0; i < 20; ++i) {
        context.make_buffer(400000, "cleared").fill(0);
        Buffer buffer = context.make_buffer(400000, "written");
        buffer.write(values);
        CHECK(buffer.read<std::uint32_t>(100000) == values);
    }
}

TEST_CASE("storage that outlives its context owns nothing, and is given back by no one") {
    {
        Recycler<Counted>::Owner left;
        Recycler<Counted> recycler;
        left = recycler.take(10, "left");
        const auto moved = std::make_unique<Recycler<Counted>::Owner>(std::move(left));
        {
            Recycler<Counted> other;
            left = other.take(11, "other's");
        }
        CHECK(Counted::alive.size() == 2);
    }
    CHECK(Counted::alive.size() == 1); // that of the context that was gone: OpenGL took it along
    Counted::alive.clear();

    std::optional<GpuImage> image;
    std::optional<Buffer> buffer;
    with_second_context(second_context_options(), [&](Context& own) {
        image.emplace(own.upload(random_image({30, 20, 4, Depth::u8}, 1)));
        buffer.emplace(own.make_buffer(100, "left"));
    });
    image.reset();
    buffer.reset();
    CHECK_NOTHROW(gpu().finish());
}

TEST_CASE("storage given back on another thread waits for its own") {
    Recycler<Counted> recycler;
    recycler.most_bytes = 100;
    std::optional<Recycler<Counted>::Owner> owner(recycler.take(10, "a"));
    const unsigned id = owner->get()->id;
    std::thread([&] { owner.reset(); }).join();
    CHECK(Counted::alive.count(id) == 1); // nothing is destroyed over there
    CHECK(recycler.take(10, "b").get()->id == id);
}
