// Connected parts and their boxes, by their definition.
#include "glproc/arrays/labels/labels.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/base/random_words.hpp"

#include "support/catch.hpp"
#include "support/fixture.hpp"

#include <algorithm>

using namespace glproc;

namespace {

using Index = std::vector<std::int64_t>;

Index index_of(std::int64_t at, const Index& shape) {
    Index index(shape.size());
    for (std::size_t axis = shape.size(); axis > 0; --axis) {
        index[axis - 1] = at % shape[axis - 1];
        at /= shape[axis - 1];
    }
    return index;
}

/// Places that a structure joins with one, by trying all of its elements.
std::vector<std::size_t> joined(std::size_t at, const LabelJob& job) {
    const Index& shape = job.source.shape;
    const Index index = index_of(static_cast<std::int64_t>(at), shape);
    const Index threes(shape.size(), 3);
    std::vector<std::size_t> places;
    for (std::size_t element = 0; element < job.structure.size(); ++element) {
        const Index step = index_of(static_cast<std::int64_t>(element), threes);
        std::int64_t place = 0;
        bool is_inside = job.structure[element] != 0;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            const std::int64_t there = index[axis] + step[axis] - 1;
            is_inside = is_inside && there >= 0 && there < shape[axis];
            place = place * shape[axis] + there;
        }
        if (is_inside) {
            places.push_back(static_cast<std::size_t>(place));
        }
    }
    return places;
}

/// Fills part after part from its first value.
std::vector<std::int32_t> naive(const LabelJob& job, const std::vector<std::uint8_t>& values) {
    std::vector<std::int32_t> labels(values.size());
    std::int32_t count = 0;
    for (std::size_t first = 0; first < values.size(); ++first) {
        std::vector<std::size_t> open;
        if (values[first] != 0 && labels[first] == 0) {
            labels[first] = ++count;
            open.push_back(first);
        }
        while (!open.empty()) {
            const std::size_t at = open.back();
            open.pop_back();
            for (const std::size_t place : joined(at, job)) {
                if (values[place] != 0 && labels[place] == 0) {
                    labels[place] = count;
                    open.push_back(place);
                }
            }
        }
    }
    return labels;
}

std::vector<std::uint8_t> noise(std::size_t count, std::uint32_t percent, std::uint32_t seed) {
    RandomWords words(seed);
    std::vector<std::uint8_t> values(count);
    for (std::uint8_t& value : values) {
        value = (words() >> 8) % 100 < percent ? 3 : 0;
    }
    return values;
}

/// Elements in pairs about the middle.
std::vector<std::uint8_t> symmetric(std::size_t axes, std::uint32_t seed) {
    std::size_t size = 1;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        size *= 3;
    }
    std::vector<std::uint8_t> structure = noise(size, 40, seed);
    for (std::size_t i = 0; i < size / 2; ++i) {
        structure[size - 1 - i] = structure[i];
    }
    return structure;
}

/// For as long as it lives, so many threads.
struct ThreadCount {
    explicit ThreadCount(std::size_t count) { limit_threads(count); }
    ~ThreadCount() { limit_threads(0); }
};

} // namespace

TEST_CASE("labels number parts by their first values") {
    const ThreadCount threads(4);
    const std::vector<Index> shapes{{1},      {97},       {1, 1},       {13, 1},    {1, 31},
                                    {23, 29}, {5, 7, 11}, {3, 4, 3, 5}, {400, 331}, {170, 11, 90}};
    std::uint32_t seed = 1;
    for (const Index& shape : shapes) {
        for (const std::uint32_t percent : {0U, 20U, 50U, 80U, 100U}) {
            LabelJob job{{Number::u8, shape}, symmetric(shape.size(), ++seed)};
            const std::vector<std::uint8_t> values =
                noise(static_cast<std::size_t>(job.source.count()), percent, ++seed);
            std::vector<std::int32_t> labels(values.size(), -1);
            std::vector<std::int64_t> wide(values.size(), -1);
            const std::int64_t count =
                job.run_on_cpu(std::as_bytes(std::span(values)), std::as_writable_bytes(std::span(labels)));
            job.result = Number::i64;
            CHECK(job.run_on_cpu(std::as_bytes(std::span(values)), std::as_writable_bytes(std::span(wide))) ==
                  count);
            CAPTURE(shape, percent, job.structure);
            CHECK(count == *std::max_element(labels.begin(), labels.end()));
            CHECK((labels == naive(job, values)));
            CHECK(std::equal(labels.begin(), labels.end(), wide.begin()));
        }
    }
}

TEST_CASE("anything but 0 is labelled, whatever its type") {
    const std::vector<double> values{0.0, -0.0, 0.25, -3e300, 0.0, 5e-324};
    const LabelJob job{{Number::f64, {6}}, {1, 0, 1}};
    std::vector<std::int32_t> labels(6);
    CHECK(job.run_on_cpu(std::as_bytes(std::span(values)), std::as_writable_bytes(std::span(labels))) == 2);
    CHECK(labels == std::vector<std::int32_t>{0, 0, 1, 1, 0, 2});
}

TEST_CASE("boxes are the least that hold their labels") {
    const ThreadCount threads(3);
    for (const Index& shape : {Index{7}, Index{40, 9}, Index{130, 7, 200}}) {
        const VolumeForm form{Number::i16, shape};
        RandomWords words(5);
        const auto next = [&] { return words() >> 8; };
        std::vector<std::int16_t> labels(static_cast<std::size_t>(form.count()));
        for (std::int16_t& label : labels) {
            const bool is_rare = next() % 5000 == 0;
            label = static_cast<std::int16_t>(is_rare ? next() % 12 : next() % 3 * 20 - 20);
        }
        constexpr std::int64_t count = 10;
        Index expected(static_cast<std::size_t>(count) * 2 * shape.size());
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const Index index = index_of(static_cast<std::int64_t>(i), shape);
            for (std::size_t axis = 0; labels[i] >= 1 && labels[i] <= count && axis < shape.size(); ++axis) {
                std::int64_t* const range =
                    &expected[(static_cast<std::size_t>(labels[i] - 1) * shape.size() + axis) * 2];
                range[0] = range[1] == 0 ? index[axis] : std::min(range[0], index[axis]);
                range[1] = std::max(range[1], index[axis] + 1);
            }
        }
        CAPTURE(shape);
        CHECK((boxes_on_cpu(form, std::as_bytes(std::span(labels)), count) == expected));
    }
}

TEST_CASE("labels by the GPU are those of the processor") {
    const std::vector<Index> shapes{{1}, {5000}, {1, 1}, {97, 131}, {1, 700}, {700, 1}, {17, 19, 23}, {5, 1, 4097}, {5, 6, 7, 8}};
    for (const Index& shape : shapes) {
        std::size_t places = 1;
        for (std::size_t axis = 0; axis < shape.size(); ++axis) {
            places *= 3;
        }
        // All neighbours; those that share a side; none; a diagonal.
        for (const int kind : {0, 1, 2, 3}) {
            LabelJob job{{Number::f32, shape}, std::vector<std::uint8_t>(places, kind == 0 ? 1 : 0)};
            for (std::size_t step = 1; kind == 1 && step < places; step *= 3) {
                job.structure[places / 2 - step] = job.structure[places / 2 + step] = 1;
            }
            if (kind == 3) {
                job.structure.front() = job.structure.back() = 1;
            }
            for (const std::uint32_t percent : {0U, 40U, 60U, 97U, 100U}) {
                std::vector<float> values(static_cast<std::size_t>(job.source.count()));
                RandomWords words(percent);
                for (float& value : values) {
                    value = (words() >> 16U) % 100 < percent ? 0.5F : -0.0F;
                }
                const auto source = std::as_bytes(std::span(values));
                std::vector<std::int32_t> expected(values.size());
                std::vector<std::int32_t> got(values.size(), -7);
                CAPTURE(shape, kind, percent);
                REQUIRE(fits(test::gpu(), job));
                CHECK(run_job(test::gpu(), job, source, std::as_writable_bytes(std::span(got))) ==
                      job.run_on_cpu(source, std::as_writable_bytes(std::span(expected))));
                CHECK(got == expected);
            }
        }
    }
    CHECK_FALSE(
        fits(test::gpu(), LabelJob{{Number::u8, {2, 2, 2, 2, 2}}, std::vector<std::uint8_t>(243, 1)}));
}
