// Twins of stencils and windows: the bits of their kernels, whatever comes in and whatever lies beyond the edges.
#include "glproc/base/parallel.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/kinds/stencil.hpp"
#include "glproc/kinds/twin.hpp"
#include "glproc/kinds/window.hpp"
#include "glproc/op/workload.hpp"
#include "glproc/ops/bilateral.hpp"
#include "glproc/ops/convolve.hpp"
#include "glproc/ops/laplacian.hpp"
#include "glproc/ops/local.hpp"
#include "glproc/ops/sobel.hpp"
#include "support/combinations.hpp"
#include "support/operation_cases.hpp"
#include "support/twins.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

using namespace glproc;
using namespace glproc::test;

namespace {

struct Case {
    std::string name;
    std::function<Plan(const Form&, const Border&)> plan;
};

template <class Op>
Case case_of(std::string name, const Op& op) {
    return {std::move(name), [op](const Form& form, const Border& border) {
                Op own = op;
                own.border = border;
                return plan(own, form);
            }};
}

Kernel kernel_of(int size) {
    std::string rows;
    for (int i = 0; i < size * size; ++i) {
        rows += fmt::format("{}{}", i == 0 ? "" : i % size == 0 ? ";" : ",", i % 3 == 0 ? 0 : 0.125 * (i % 7) - 0.25);
    }
    return Kernel::from_text(rows);
}

std::vector<Case> all_cases() {
    std::vector<Case> cases{
        case_of("laplacian", Laplacian{}),
        case_of("laplacian with its sign", Laplacian{.output = LaplacianOutput::with_sign, .scale = 0.3}),
        case_of("bilateral", Bilateral{.sigma = 1.4, .range = Level{0.2}, .radius = 2}),
        case_of("bilateral of all", Bilateral{.sigma = 2, .range = Level{0.05}, .radius = 3, .alpha = AlphaMode::straight}),
        case_of("bilateral beside alpha", Bilateral{.sigma = 2, .range = Level{0.3}, .radius = 1, .alpha = AlphaMode::ignore}),
        case_of("convolve 3", Convolve{.kernel = kernel_of(3), .alpha = AlphaMode::ignore}),
        case_of("convolve 7", Convolve{.kernel = kernel_of(7), .alpha = AlphaMode::straight}),
    };
    for (const auto& output : enum_rows<GradientOutput>) {
        cases.push_back(case_of(fmt::format("sobel {}", output.name), Sobel{.output = output.value}));
        cases.push_back(case_of(fmt::format("scharr {}", output.name),
                                Sobel{.kernel = GradientOperator::scharr, .output = output.value, .scale = 0.1}));
    }
    for (const LocalMeasure measure : {LocalMeasure::stddev, LocalMeasure::variance, LocalMeasure::entropy}) {
        for (const int radius : {1, 4}) {
            cases.push_back(case_of(fmt::format("local {} {}", static_cast<int>(measure), radius),
                                    Local{.measure = measure, .radius = radius}));
        }
    }
    return cases;
}

Border border_of(BorderMode mode, const Form& form) {
    const Colour colour{0.25, 0.5, 0.75, form.channels == 4 ? 0.5 : 1};
    return mode == BorderMode::constant && form.channels >= 3 ? Border(colour) : Border(mode, 0.375);
}

} // namespace

TEST_CASE("twins of stencils and windows have the bits of kernels") {
    const std::vector<int> channels{1, 2, 3, 4};
    const std::vector<Content> contents{Content::unit, Content::any_bits, Content::denormals};
    const std::vector<Size> sizes{{131, 23}, {17, 3}, {1, 1}, {2, 40}};
    std::vector<BorderMode> borders;
    for (const auto& row : enum_rows<BorderMode>) {
        borders.push_back(row.value);
    }
    std::size_t values = 0;
    for (const auto& [one, depth, count, content, size, mode] :
         combinations(all_cases(), every_depth, channels, contents, sizes, borders)) {
        const Form form{size.width, size.height, count, depth};
        const Plan plan = one.plan(form, border_of(mode, form));
        INFO(one.name << " on " << describe(form) << ", content " << static_cast<int>(content) << ", border "
                      << static_cast<int>(mode));
        REQUIRE(plan.twin.run);
        CHECK(difference_of_machines(plan, picture_of(form, content, 12)) == "");
        values += plan.shape.result.bytes() / bytes_of(plan.shape.result.depth);
    }
    CHECK(values > 100000);
}

TEST_CASE("the angle of a gradient that is NaN is NaN") {
    Image image = random_image({6, 5, 1, Depth::f32}, 3);
    image.values<float>()[14] = std::numeric_limits<float>::quiet_NaN(); // of pixel 2,2
    const Image angle = whole(Sobel{.output = GradientOutput::angle}, image);
    for (int y = 0; y < 5; ++y) {
        for (int x = 0; x < 6; ++x) {
            const bool sees_it = std::abs(x - 2) <= 1 && std::abs(y - 2) <= 1 && !(x == 2 && y == 2);
            INFO(x << "," << y);
            CHECK(std::isnan(angle.at(x, y, 0)) == sees_it);
        }
    }
}

namespace {

/// How many rows a twin has read before it wrote their results, at most.
struct Lead {
    int read = 0;
    int written = 0;
    int most = 0;
};

class CountedReader final : public RowReader {
  public:
    CountedReader(const Image& image, Lead& lead) : rows_(rows_of(image)), reader_(rows_.open()), lead_(lead) {}
    const Form& form() const override { return rows_.form; }
    const Metadata& metadata() const override { return rows_.metadata; }
    void read(std::span<std::byte> rows) override {
        reader_->read(rows);
        lead_.read += static_cast<int>(rows.size() / form().row_bytes());
        lead_.most = std::max(lead_.most, lead_.read - lead_.written);
    }

  private:
    RowSource rows_;
    std::unique_ptr<RowReader> reader_;
    Lead& lead_;
};

class CountedWriter final : public RowWriter {
  public:
    CountedWriter(const Form& form, Lead& lead) : form_(form), lead_(lead) {}
    void write(std::span<const std::byte> rows) override { lead_.written += static_cast<int>(rows.size() / form_.row_bytes()); }
    void finish() override {}

  private:
    Form form_;
    Lead& lead_;
};

} // namespace

TEST_CASE("stencils and windows hold no more rows than they see, unless the picture repeats") {
    const Image image = random_image({9, 3000, 3, Depth::u8}, 8);
    limit_threads(1);
    for (const BorderMode mode : {BorderMode::clamp, BorderMode::wrap}) {
        const std::vector<Plan> plans{plan(Sobel{.border = mode}, image.form()), plan(Bilateral{.sigma = 1, .border = mode}, image.form()),
                                      plan(Local{.measure = LocalMeasure::stddev, .radius = 3, .border = mode}, image.form())};
        for (const Plan& plan : plans) {
            Lead lead;
            CountedReader reader(image, lead);
            CountedWriter writer(plan.shape.result, lead);
            plan.twin.run(reader, writer);
            INFO("plan " << &plan - plans.data() << ", border " << static_cast<int>(mode));
            CHECK(plan.twin.holds_picture == (mode == BorderMode::wrap));
            CHECK(lead.written == 3000);
            CHECK((lead.most == 3000) == (mode == BorderMode::wrap));
        }
    }
    limit_threads(0);
}

TEST_CASE("stencils and windows of the caller's own have no twin") {
    register_glsl("own_stencil_of_test.glsl", "float stencil(int lane) {\n    return near(lane, 1, 0);\n}\n");
    const Form form{5, 4, 3, Depth::u8};
    const Stencil own{.name = "own", .glsl = "own_stencil_of_test.glsl", .params = {0}};
    CHECK_FALSE(stencil_plan(form, own).twin.run);
    Stencil on_cpu = own;
    on_cpu.method = StencilMethod::cpu;
    CHECK_THROWS_AS(stencil_plan(form, on_cpu), Error);
    CHECK_THROWS_AS(window_plan(form, {.name = "own", .glsl = "own_window_of_test.glsl", .method = WindowMethod::cpu}), Error);
}
