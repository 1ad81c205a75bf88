// What the processor alone makes of a picture, beside what a device makes by each of its methods: pictures, arrays and reports.
#include "support/band_plan.hpp"
#include "support/combinations.hpp"
#include "support/fixture.hpp"
#include "support/hidden.hpp"
#include "support/matchers.hpp"
#include "support/twins.hpp"

#include "glproc/op/field.hpp"
#include "glproc/op/findings.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/op/table.hpp"
#include "glproc/ops/components.hpp"
#include "glproc/ops/morphology.hpp"

#include <map>

using namespace glproc;
using namespace glproc::test;

namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

std::unique_ptr<Operation> call_of(const OpInfo& info, const Settings& settings, const std::shared_ptr<const Image>& partner) {
    std::unique_ptr<Operation> call = info.make();
    for (const auto& [name, text] : settings) {
        call->set(name, text);
    }
    for (PictureInput* picture : call->pictures()) {
        picture->image = partner;
    }
    return call;
}

/// What a run made, one line each.
std::map<std::string, std::string> made_by(const MadeAlone& made) {
    const auto text_of = [](std::span<const std::byte> bytes) {
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    std::map<std::string, std::string> all;
    if (made.picture) {
        all["form"] = describe(*made.picture);
        all["picture"] = text_of(made.picture->bytes());
    }
    if (made.array) {
        for (const std::size_t length : made.array->shape) {
            all["shape"] += std::to_string(length) + " ";
        }
        all["type"] = std::to_string(static_cast<int>(made.array->type));
        all["array"] = text_of(made.array->bytes);
    }
    if (made.report) {
        all["report"] = made.report->text({});
        all["rows"] = csv_with_rows(*made.report);
    }
    return all;
}

std::map<std::string, std::string> made_by_device(const Operation& call, const Image& image, Context& device = gpu()) {
    const std::string name = "in.png";
    const GpuImage source = device.upload(image);
    Products made = call.run(device, ImageInput{name, image, source, true});
    MadeAlone read;
    if (made.picture) {
        read.picture = device.download(*made.picture);
    }
    if (made.array) {
        read.array = device.download(*made.array);
    }
    read.report = std::move(made.report);
    return made_by(read);
}

/// All methods that a device has.
void check_alone(const OpInfo& info, const Settings& settings, const Image& image, const std::shared_ptr<const Image>& partner) {
    const auto alone = call_of(info, settings, partner);
    REQUIRE(alone->by_processor(image.form(), false));
    const auto made = made_by(alone->make_alone("in.png", image));
    CHECK(!made.empty());
    for (const FieldInfo& field : info.fields) {
        for (const Choice& method : field.name == "method" ? field.choices : std::vector<Choice>()) {
            Settings by = settings;
            by.emplace_back("method", method.name);
            INFO("method " << method.name);
            CHECK(made_by_device(*call_of(info, by, partner), image) == made);
        }
    }
}

class IndexBytes final : public RowWriter {
  public:
    void write(std::span<const std::byte> bytes) override { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
    void finish() override {}
    const std::vector<std::byte>& bytes() const { return bytes_; }

  private:
    std::vector<std::byte> bytes_;
};

/// Spots, and noise between them.
Image spots(const Form& form) {
    return with_hidden_pixels(photo_like_image(form, 5), 3);
}

const OpInfo& named(const std::string& name) {
    return **std::ranges::find_if(operations(), [&](const OpInfo* op) { return op->name == name; });
}

const OpInfo& product_of(const OpInfo& info, Product product) {
    if (info.product == product) {
        return info;
    }
    return *std::ranges::find(info.others, product, &OpInfo::product);
}

/// Calls of an operation by its method `cpu`, none where it has no such method.
std::vector<Settings> calls_by_cpu(const OpInfo& info) {
    const auto has_cpu = [](const FieldInfo& field) {
        return (field.name == "method" || field.name == "variant") &&
               std::ranges::any_of(field.choices, [](const Choice& choice) { return choice.name == "cpu"; });
    };
    const auto field = std::ranges::find_if(info.fields, has_cpu);
    if (field == info.fields.end() || info.input != Input::image) {
        return {};
    }
    const std::map<std::string, std::vector<Settings>> others{
        {"resize", {{{"max", "20"}}}},
        {"draw", {{{"text", "a"}}}},
        {"lut", {}}, // needs a file, and is a point operation as many are
        {"morphology",
         {{{"do", "open"}, {"radius", "2"}},
          {{"do", "fill"}},
          {{"do", "clear-border"}},
          {{"do", "hitmiss"}, {"pattern", "0 0 0; - 1 -; 1 1 1"}},
          {{"do", "reconstruct"}, {"with", "b.png"}}}},
        {"distance", {{}, {{"threshold", "50%"}}, {{"threshold", "50%"}, {"signed", ""}, {"metric", "taxicab"}}}},
        {"watershed", {{}, {{"prominence", "10%"}}, {{"split", ""}}}},
        {"maxima", {{}, {{"prominence", "5%"}, {"threshold", "30%"}}}},
        {"components",
         {{},
          {{"threshold", "otsu"}, {"fill-holes", ""}},
          {{"threshold", "50%"}, {"measure", "perimeter,mean"}, {"with", "b.png"}, {"clear-border", ""}}}}};
    std::vector<Settings> calls = others.contains(info.name) ? others.at(info.name) : std::vector<Settings>{settings_in(info.example)};
    if (info.name == "components" && info.product == Product::image) {
        calls.push_back({{"output", "labels"}});
        calls.push_back({{"threshold", "triangle"}, {"overlay", "b.png"}});
    }
    for (Settings& call : calls) {
        call.emplace_back(field->name, "cpu");
    }
    return calls;
}

} // namespace

TEST_CASE("alone: components, their labels, masks and outlines") {
    const std::vector<Settings> calls{{},
                                      {{"threshold", "otsu"}, {"min-area", "3"}},
                                      {{"threshold", "40%"}, {"fill-holes", ""}, {"connectivity", "4"}},
                                      {{"threshold", "triangle"}, {"clear-border", ""}, {"measure", "area,perimeter,holes,mean,orientation"}, {"with", "b.png"}},
                                      {{"threshold", "50%"}, {"largest", "4"}, {"max-area", "500"}, {"measure", "euler,axes"}}};
    const std::vector<Form> sizes{{83, 61, 1, Depth::u8}, {1, 1, 1, Depth::u8}, {33, 2, 1, Depth::u8}};
    for (const auto& [settings, depth, channels, size, product] :
         combinations(calls, every_depth, std::vector{1, 2, 3, 4}, sizes, std::vector{Product::report, Product::image, Product::array})) {
        const Image image = spots({size.width, size.height, channels, depth});
        INFO(describe(image) << ", product " << static_cast<int>(product));
        const auto partner = std::make_shared<const Image>(spots({size.width, size.height, 3, Depth::u16}));
        const OpInfo& info = product_of(named("components"), product);
        check_alone(info, settings, image, partner);
        if (product == Product::image) {
            Settings other = settings;
            other.emplace_back("output", "labels");
            check_alone(info, other, image, partner);
            other.back() = {"overlay", "b.png"};
            check_alone(info, other, image, partner);
            other.emplace_back("numbers", "off");
            other.emplace_back("outline", "#ff800040");
            check_alone(info, other, image, std::make_shared<const Image>(spots({size.width, size.height, channels, depth})));
        }
    }
}

TEST_CASE("alone: maxima, and pictures of them") {
    const std::vector<Settings> calls{{}, {{"distance", "4"}, {"threshold", "30%"}}, {{"prominence", "5%"}, {"border", ""}}};
    const std::vector<Form> sizes{{83, 61, 1, Depth::u8}, {1, 1, 1, Depth::u8}, {33, 2, 1, Depth::u8}};
    for (const auto& [settings, depth, channels, size, product] :
         combinations(calls, every_depth, std::vector{1, 2, 3, 4}, sizes, std::vector{Product::report, Product::image})) {
        const Image image = spots({size.width, size.height, channels, depth});
        INFO(describe(image) << ", product " << static_cast<int>(product));
        check_alone(product_of(named("maxima"), product), settings, image, nullptr);
    }
}

TEST_CASE("alone: sums of integers, but not of floats, which depend on the method") {
    const std::vector<Settings> calls{{}, {{"padded", ""}}, {{"wrap", ""}}};
    for (const auto& [settings, depth, channels] : combinations(calls, std::vector{Depth::u8, Depth::u16}, std::vector{1, 2, 3, 4})) {
        const Image image = random_image({83, 61, channels, depth}, 4);
        INFO(describe(image));
        check_alone(named("integral"), settings, image, nullptr);
    }
    CHECK_FALSE(named("integral").make()->by_processor({83, 61, 1, Depth::f32}, false));
}

TEST_CASE("alone: stacks by every rule") {
    for (const auto& [by, depth, channels] :
         combinations(std::vector<std::string>{"mean", "median", "max", "stddev", "sum", "percentile:30", "clip:1.5"}, every_depth, std::vector{1, 2, 3, 4})) {
        const Image first = random_image({83, 61, channels, depth}, 1);
        const Image second = random_image({83, 61, channels, Depth::u8}, 2);
        const auto call = call_of(named("stack"), {{"by", by}}, nullptr);
        *call->joined() = {rows_of(first), rows_of(second), rows_of(second)};
        INFO(describe(first) << " " << by);
        REQUIRE(call->by_processor(first.form(), false));
        const Plan plan = call->plan(first.form());
        CHECK_THAT(image_by_processor(plan, first), IsBitwise(gpu().download(run_whole(gpu(), plan, gpu().upload(first)))));
    }
}

TEST_CASE("alone: indices of the nearest pixels") {
    for (const auto& [depth, channels, nearest, metric] :
         combinations(every_depth, std::vector{1, 3, 4}, std::vector<std::string>{"background", "foreground"},
                      std::vector<std::string>{"euclidean", "taxicab", "chessboard"})) {
        const Image image = spots({83, 61, channels, depth});
        std::map<bool, std::vector<std::byte>> indices;
        std::map<bool, Image> distances;
        for (const bool is_alone : {false, true}) {
            const auto call = call_of(named("distance"), {{"threshold", "50%"}, {"nearest", nearest}, {"metric", metric}, {"indices", "i.npy"}}, nullptr);
            IndexBytes to;
            call->arrays().front()->to = &to;
            const Plan plan = call->plan(image.form());
            REQUIRE(call->by_processor(image.form(), false));
            distances[is_alone] =
                is_alone ? image_by_processor(plan, image) : gpu().download(run_whole(gpu(), plan, gpu().upload(image)));
            indices[is_alone] = to.bytes();
        }
        INFO(describe(image) << " " << nearest << " " << metric);
        CHECK(!indices[true].empty());
        CHECK(indices[true] == indices[false]);
        CHECK_THAT(distances[true], IsBitwise(distances[false]));
    }
}

TEST_CASE("alone: by method cpu no operation runs a kernel, though a device is there") {
    const Image image = spots({83, 61, 3, Depth::u8});
    const auto partner = std::make_shared<const Image>(spots({83, 61, 3, Depth::u8}));
    const auto make = [&](const OpInfo& info, const Settings& settings) {
        auto call = call_of(info, settings, partner);
        if (info.joins) {
            *call->joined() = {rows_of(*partner), rows_of(*partner)};
        }
        return call;
    };
    int calls = 0;
    const auto check = [&](const OpInfo& info) {
        for (const Settings& settings : calls_by_cpu(info)) {
            INFO(info.name << ", product " << static_cast<int>(info.product) << ", call " << calls);
            Settings automatic = settings;
            automatic.pop_back();
            const auto right = made_by_device(*make(info, automatic), image);
            std::map<std::string, std::string> made;
            {
                const ScopedKernels none({});
                with_second_context(second_context_options(), [&](Context& bare) { made = made_by_device(*make(info, settings), image, bare); });
            }
            CHECK(!made.empty());
            CHECK(made == right);
            ++calls;
        }
    };
    for (const OpInfo* info : operations()) {
        check(*info);
        std::ranges::for_each(info->others, check);
    }
    CHECK(calls > 60);
}

TEST_CASE("alone: clear-border says how many objects are left, as a device does") {
    const Image image = spots({83, 61, 1, Depth::u8});
    want_findings(true);
    static_cast<void>(take_findings());
    for (const MorphologyMethod method : {MorphologyMethod::automatic, MorphologyMethod::cpu}) {
        const Plan plan = plan_of(Morphology{.step = MorphologyStep::clear_border, .method = method}, image.form());
        static_cast<void>(run_whole(gpu(), plan, gpu().upload(image)));
        const std::vector<std::string> by_device = take_findings();
        static_cast<void>(image_by_processor(plan, image));
        CHECK(by_device.size() == 1);
        CHECK(take_findings() == by_device);
    }
    want_findings(false);
}

TEST_CASE("alone: components in bands by method cpu, without kernels") {
    using enum ComponentMeasure;
    for (const auto& [depth, channels, rows] : combinations(every_depth, std::vector{1, 4}, std::vector{1, 7, 61})) {
        const Image image = spots({83, 61, channels, depth});
        const auto partner = std::make_shared<const Image>(spots({83, 61, 3, Depth::u16}));
        INFO(describe(image) << ", bands of " << rows);
        const Components marked{.threshold = MaskThreshold{.rule = SplitRule::otsu},
                                .fill_holes = true,
                                .measure = {area, perimeter, mean},
                                .with = {"b.png", partner},
                                .overlay = {"b.png", partner},
                                .method = ComponentsMethod::cpu};
        const Components numbered{.threshold = MaskThreshold{}, .min_area = 2, .output = ComponentsOutput::labels, .method = ComponentsMethod::cpu};
        const Morphology filled{.step = MorphologyStep::fill, .method = MorphologyMethod::cpu};
        const std::vector<SweepPlan> plans{
            picture_plan(marked, image.form()), picture_plan(numbered, image.form()),
            std::get<BySweeps>(plan(filled, image.form()).work.cutting).plan(image.form())};
        for (const SweepPlan& sweeps : plans) {
            const Image whole = gpu().download(run_sweeps(gpu(), sweeps, gpu().upload(image)).picture.value());
            ImageRows made(whole.form());
            {
                const ScopedKernels none({});
                with_second_context(second_context_options(),
                                    [&](Context& bare) { run_sweeps(bare, in_bands_of(rows, sweeps), rows_of(image), &made); });
            }
            CHECK_THAT(made.image(), IsBitwise(whole));
        }
    }
}
