// Distances by their definition: the nearest of all zeros.
#include "glproc/arrays/distances/distances.hpp"
#include "glproc/arrays/labels/labels.hpp"
#include "glproc/base/parallel.hpp"
#include "glproc/base/random_words.hpp"
#include "glproc/op/proof.hpp"

#include "support/catch.hpp"
#include "support/environment.hpp"
#include "support/fixture.hpp"

#include <algorithm>
#include <cmath>

using namespace glproc;

namespace {

using Index = std::vector<std::int64_t>;

Index index_of(std::size_t place, const Index& shape) {
    auto at = static_cast<std::int64_t>(place);
    Index index(shape.size());
    for (std::size_t axis = shape.size(); axis > 0; --axis) {
        index[axis - 1] = at % shape[axis - 1];
        at /= shape[axis - 1];
    }
    return index;
}

std::vector<std::uint8_t> mostly_values(const Index& shape, std::uint32_t one_in, std::uint32_t seed) {
    std::size_t count = 1;
    for (const std::int64_t length : shape) {
        count *= static_cast<std::size_t>(length);
    }
    std::vector<std::uint8_t> values(count);
    RandomWords words(seed);
    for (std::uint8_t& value : values) {
        value = (words() >> 8) % one_in == 0 ? 0 : 200;
    }
    values[count / 3] = 0;
    return values;
}

double squared(const Index& a, const Index& b, const std::vector<double>& sampling) {
    double sum = 0;
    for (std::size_t axis = 0; axis < a.size(); ++axis) {
        const double apart = static_cast<double>(a[axis] - b[axis]) * sampling[axis];
        sum += apart * apart;
    }
    return sum;
}

struct ThreadCount {
    explicit ThreadCount(std::size_t count) { limit_threads(count); }
    ~ThreadCount() { limit_threads(0); }
};

const std::vector<Index> shapes{{1},      {61},       {1, 1},       {1, 40},    {37, 1},
                                {23, 31}, {7, 9, 11}, {3, 4, 5, 6}, {41, 3, 18}};

} // namespace

TEST_CASE("euclidean distances are those of the nearest 0") {
    const ThreadCount threads(3);
    std::uint32_t seed = 1;
    for (const Index& shape : shapes) {
        for (const double scale : {1.0, 0.7, -1.3, 1e-200}) {
            std::vector<double> sampling;
            for (std::size_t axis = 0; axis < shape.size(); ++axis) {
                sampling.push_back(scale * static_cast<double>(axis + 1));
            }
            ++seed;
            const std::vector<std::uint8_t> values = mostly_values(shape, 3 + seed % 40, seed);
            const DistanceJob job{shape, sampling, values};
            std::vector<std::int32_t> features(values.size() * shape.size());
            std::vector<double> distances(values.size());
            euclidean_on_cpu(job, features, distances, true);
            std::vector<std::int32_t> scratch(features.size());
            std::vector<double> alone(values.size());
            euclidean_on_cpu(job, scratch, alone, false);
            CAPTURE(shape, sampling);
            CHECK((alone == distances));
            for (std::size_t i = 0; i < values.size() && scale > 0; ++i) {
                const Index index = index_of(i, shape);
                double least = HUGE_VAL;
                for (std::size_t other = 0; other < values.size(); ++other) {
                    if (values[other] == 0) {
                        least = std::min(least, squared(index, index_of(other, shape), sampling));
                    }
                }
                Index nearest;
                std::size_t at = 0;
                for (std::size_t axis = 0; axis < shape.size(); ++axis) {
                    nearest.push_back(features[axis * values.size() + i]);
                    at =
                        at * static_cast<std::size_t>(shape[axis]) + static_cast<std::size_t>(nearest.back());
                }
                const bool is_right = values[at] == 0 &&
                                      std::sqrt(squared(index, nearest, sampling)) == distances[i] &&
                                      std::abs(distances[i] - std::sqrt(least)) <= 1e-12 * distances[i];
                if (!is_right) {
                    FAIL("at " << i << ": " << distances[i] << " instead of " << std::sqrt(least));
                }
            }
        }
    }
}

TEST_CASE("of zeros that are equally near along an axis the first counts") {
    const std::vector<std::uint8_t> values{0, 1, 1, 1, 0};
    for (const Index& shape : {Index{5}, Index{1, 5}, Index{5, 1}}) {
        std::vector<std::int32_t> features(5 * shape.size());
        euclidean_on_cpu({shape, std::vector<double>(shape.size(), 1.0), values}, features, {}, true);
        const std::size_t along = shape.size() == 2 && shape[1] == 5 ? 5 : 0;
        CHECK(features[along + 2] == 0);
        CHECK(features[along + 3] == 4);
    }
}

TEST_CASE("steps to the nearest 0 are counted") {
    std::uint32_t seed = 7;
    for (const Index& shape : shapes) {
        for (const bool is_chessboard : {false, true}) {
            std::size_t size = 1;
            for (std::size_t axis = 0; axis < shape.size(); ++axis) {
                size *= 3;
            }
            std::vector<std::uint8_t> steps(size / 2);
            for (std::size_t i = 0; i < steps.size(); ++i) {
                std::int64_t apart = 0;
                for (const std::int64_t digit : index_of(i, Index(shape.size(), 3))) {
                    apart += std::abs(digit - 1);
                }
                steps[i] = is_chessboard || apart == 1 ? 1 : 0;
            }
            const std::vector<std::uint8_t> values = mostly_values(shape, 30, ++seed);
            const DistanceJob job{shape, std::vector<double>(shape.size(), 1.0), values};
            std::vector<std::int32_t> distances(values.size());
            std::vector<std::int32_t> features(values.size());
            for (std::size_t i = 0; i < features.size(); ++i) {
                features[i] = static_cast<std::int32_t>(i);
            }
            chamfer_on_cpu(job, steps, distances, features);
            std::vector<std::int32_t> alone(values.size());
            chamfer_on_cpu(job, steps, alone, {});
            CAPTURE(shape, is_chessboard);
            CHECK((alone == distances));
            std::vector<std::int64_t> zeros;
            for (std::size_t i = 0; i < values.size(); ++i) {
                if (values[i] == 0) {
                    zeros.push_back(static_cast<std::int64_t>(i));
                }
            }
            std::vector<std::uint32_t> brute(values.size());
            std::vector<std::int32_t> places(values.size());
            brute_force_on_cpu(job, is_chessboard ? Metric::chessboard : Metric::taxicab, zeros,
                               std::as_writable_bytes(std::span(brute)), places);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const Index index = index_of(i, shape);
                std::int64_t least = 1 << 30;
                std::int64_t of_feature = -1;
                for (const std::int64_t zero : zeros) {
                    std::int64_t sum = 0;
                    std::int64_t most = 0;
                    const Index there = index_of(static_cast<std::size_t>(zero), shape);
                    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
                        sum += std::abs(index[axis] - there[axis]);
                        most = std::max(most, std::abs(index[axis] - there[axis]));
                    }
                    const std::int64_t apart = is_chessboard ? most : sum;
                    least = std::min(least, apart);
                    of_feature = features[i] == zero ? apart : of_feature;
                }
                if (distances[i] != least || of_feature != least ||
                    brute[i] != static_cast<std::uint32_t>(least)) {
                    FAIL("at " << i << ": " << distances[i] << ", " << of_feature << " and " << brute[i]
                               << " instead of " << least);
                }
            }
        }
    }
}

TEST_CASE("where no way leads to a 0 the distance in steps is -1") {
    const std::vector<std::uint8_t> values{1, 1, 0, 1};
    std::vector<std::int32_t> distances(4);
    chamfer_on_cpu({{2, 2}, {1, 1}, values}, std::vector<std::uint8_t>{0, 0, 0, 1}, distances, {});
    CHECK(distances == std::vector<std::int32_t>{-1, -1, 0, 1});
}

TEST_CASE("comparing with borders takes the last of those equally near") {
    const std::vector<std::uint8_t> values{0, 1, 1, 1, 0};
    std::vector<double> distances(5);
    std::vector<std::int32_t> features(5);
    const std::vector<std::int64_t> borders{0, 4};
    brute_force_on_cpu({{5}, {2.0}, values}, Metric::euclidean, borders,
                       std::as_writable_bytes(std::span(distances)), features);
    CHECK(distances == std::vector<double>{0, 2, 4, 2, 0});
    CHECK(features == std::vector<std::int32_t>{0, 0, 4, 4, 4});
}

TEST_CASE("euclidean distances by the GPU have the bits of the processor's") {
    std::vector<Index> all = shapes;
    all.insert(all.end(), {{5000}, {300, 7}, {7, 300}, {2, 3, 500}, {3, 3, 3, 3, 3}});
    for (const Index& shape : all) {
        for (const std::uint32_t one_in : {2U, 50U, 4000000000U}) {
            const std::vector<std::uint8_t> values = mostly_values(shape, one_in, 5);
            const DistanceJob job{shape, std::vector<double>(shape.size(), 1.0), values};
            std::vector<std::int32_t> features(values.size() * shape.size());
            std::vector<double> expected(values.size());
            std::vector<double> got(values.size(), -1.0);
            std::vector<double> alone(values.size(), -1.0);
            const EuclideanJob distances{{Number::u8, shape}, job.sampling};
            const auto source = std::as_bytes(std::span(values));
            CAPTURE(shape, one_in);
            REQUIRE(fits(test::gpu(), distances));
            euclidean_on_cpu(job, features, expected, false);
            CHECK(run_job(test::gpu(), distances, source, std::as_writable_bytes(std::span(got))));
            CHECK(got == expected);
            distances.run_on_cpu(source, std::as_writable_bytes(std::span(alone)));
            CHECK(alone == expected);
        }
    }
    CHECK_FALSE(fits(test::gpu(), EuclideanJob{{Number::u8, {2, 3}}, {1.0, 2.0}}));
    CHECK_FALSE(
        fits(test::gpu(), EuclideanJob{{Number::u8, {40000, 40000}}, {1.0, 1.0}})); // squares beyond 32 bits
}

TEST_CASE("a driver that computes distances or labels wrongly is found out") {
    for (const char* kernel : {"kernel:arrays/distances/first.comp", "kernel:arrays/labels/labels.comp"}) {
        const test::ScopedVariable fault("GLPROC_FAULT", kernel);
        ContextOptions options = test::second_context_options();
        options.self_check = true;
        options.debug = false;
        bool found = false;
        test::with_second_context(options, [&](Context& second) {
            const std::vector<std::uint8_t> values = mostly_values({40, 40}, 3, 1);
            std::vector<double> distances(1600);
            std::vector<std::int32_t> labels(1600);
            try {
                const VolumeForm form{Number::u8, {40, 40}};
                const auto source = std::as_bytes(std::span(values));
                run_job(second, EuclideanJob{form, {1.0, 1.0}}, source,
                        std::as_writable_bytes(std::span(distances)));
                run_job(second, LabelJob{form, std::vector<std::uint8_t>(9, 1)}, source,
                        std::as_writable_bytes(std::span(labels)));
            } catch (const WrongKernel&) {
                found = true;
            }
        });
        CAPTURE(kernel);
        CHECK(found);
    }
}
