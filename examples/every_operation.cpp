// Every operation called once: the lines of C++ on the pages of the operations. Tests run it.
#include "glproc/glproc.hpp"

#include <cstdio>
#include <fstream>
#include <memory>

namespace {

int filters(glproc::Context& gpu, const glproc::GpuImage& photo) {
    int count = 0;
    {
        glproc::GpuImage soft = glproc::Blur{.sigma = 2}(gpu, photo);
        count += soft.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage mean = glproc::Box{.radius = 5}(gpu, photo);
        count += mean.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage clean = glproc::Median{.radius = 2}(gpu, photo);
        count += clean.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage smooth = glproc::Bilateral{.sigma = 3}(gpu, photo);
        count += smooth.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage smooth = glproc::Guided{.radius = 8, .eps = 0.01}(gpu, photo);
        count += smooth.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage clean = glproc::Denoise{.strength = 0.05}(gpu, photo);
        count += clean.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage opened =
            glproc::Morphology{.step = glproc::MorphologyStep::open, .radius = 3}(gpu, photo);
        count += opened.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage flat = glproc::Background{.radius = 50}(gpu, photo);
        count += flat.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage contrast =
            glproc::Local{.measure = glproc::LocalMeasure::stddev, .radius = 3}(gpu, photo);
        count += contrast.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage sharp = glproc::Unsharp{.sigma = 2, .amount = 0.8}(gpu, photo);
        count += sharp.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage edges = glproc::Sobel{}(gpu, photo);
        count += edges.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage detail = glproc::Laplacian{}(gpu, photo);
        count += detail.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage lines = glproc::Canny{.low = 50, .high = 150}(gpu, photo);
        count += lines.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage soft = glproc::Convolve{.kernel = {3, 1, {1, 2, 1}}, .scale = 0.25}(gpu, photo);
        count += soft.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage grain = glproc::Noise{.sigma = 0.05}(gpu, photo);
        count += grain.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage clear = glproc::Levels{.black = 0.1, .white = 0.9}(gpu, photo);
        count += clear.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage toned =
            glproc::Curve{.points = {{0, 0}, {0.25, 0.15}, {0.75, 0.85}, {1, 1}}}(gpu, photo);
        count += toned.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage bright = glproc::Adjust{.exposure = 0.5}(gpu, photo);
        count += bright.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage sepia =
            glproc::Matrix{.matrix = {.393, .769, .189, .349, .686, .168, .272, .534, .131}}(gpu, photo);
        count += sepia.width() > 0 ? 1 : 0;
    }
    return count;
}

int tones_and_shapes(glproc::Context& gpu, const glproc::GpuImage& photo, const glproc::Image& other) {
    int count = 0;
    {
        glproc::GpuImage grey = glproc::Gray{}(gpu, photo);
        count += grey.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage negative = glproc::Invert{}(gpu, photo);
        count += negative.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage flat = glproc::Posterize{.levels = 4}(gpu, photo);
        count += flat.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage mask = glproc::Threshold{.rule = glproc::SplitRule::otsu}(gpu, photo);
        count += mask.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage graded = glproc::Lut{.cube = glproc::CubeFile("look.cube")}(gpu, photo);
        count += graded.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage grey = glproc::Convert{.gray = true}(gpu, photo);
        count += grey.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage spread = glproc::Equalize{}(gpu, photo);
        count += spread.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage vivid = glproc::Clahe{}(gpu, photo);
        count += vivid.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage alike =
            glproc::Match{.with = {"other", std::make_shared<const glproc::Image>(other)}}(gpu, photo);
        count += alike.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage neutral = glproc::Balance{.how = glproc::BalanceMethod::gray_world}(gpu, photo);
        count += neutral.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage dark = glproc::Vignette{.amount = 0.6}(gpu, photo);
        count += dark.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage lab = glproc::Color{.to = glproc::ColourSpace::lab}(gpu, photo);
        count += lab.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage bgr = glproc::Channels{.order = glproc::ChannelOrder{"bgr"}}(gpu, photo);
        count += bgr.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage srgb = glproc::Profile{.to = glproc::IccChoice::Kind::srgb}(gpu, photo);
        count += srgb.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage small = glproc::Resize{.size = {.width = 800}}(gpu, photo);
        count += small.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage small = glproc::Thumbnail{.box = {256, 256}}(gpu, photo);
        count += small.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage part = glproc::Crop{.rect = glproc::Rect{4, 2, 12, 8}}(gpu, photo);
        count += part.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage tight = glproc::Trim{.tolerance = 0.05}(gpu, photo);
        count += tight.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage framed = glproc::Pad{.margin = glproc::Margin{10, 20, 10, 20}}(gpu, photo);
        count += framed.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage mirrored = glproc::Flip{.axis = glproc::FlipAxis::x}(gpu, photo);
        count += mirrored.width() > 0 ? 1 : 0;
    }
    return count;
}

int objects_and_figures(glproc::Context& gpu, const glproc::GpuImage& photo, const glproc::Image& other) {
    int count = 0;
    const glproc::GpuImage red = glproc::Gray{}(gpu, photo);
    const glproc::Image green = gpu.download(red), blue = green;
    const glproc::GpuArray values = glproc::Integral{.wrap = true}(gpu, glproc::Gray{}(gpu, photo));
    const glproc::Image first = gpu.download(photo), &second = other;
    {
        glproc::GpuImage turned = glproc::Rotate{.angle = 90}(gpu, photo);
        count += turned.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage page =
            glproc::Warp{.points = std::vector<double>{10, 5, 90, 0, 100, 80, 0, 70}}(gpu, photo);
        count += page.width() > 0 ? 1 : 0;
    }
    {
        std::vector<glproc::ComponentSums> objects = glproc::Components{.min_area = 50}(gpu, photo);
        count += objects.size() < 1u << 20 ? 1 : 0;
    }
    {
        glproc::Outlines outlines = glproc::Contours{.simplify = true}(first);
        count += outlines.outlines.size() < 1u << 20 ? 1 : 0;
    }
    {
        glproc::GpuImage depth = glproc::Distance{.threshold = 0.5}(gpu, photo);
        count += depth.width() > 0 ? 1 : 0;
    }
    {
        std::vector<glproc::Maximum> peaks = glproc::Maxima{.distance = 5, .threshold = 0.5}(gpu, photo);
        count += peaks.size() < 1u << 20 ? 1 : 0;
    }
    {
        std::vector<glproc::Spot> found = glproc::Spots{.radius = {2, 8}, .threshold = 0.1}(first);
        count += found.size() < 1u << 20 ? 1 : 0;
    }
    {
        glproc::GpuImage lines = glproc::Skeleton{}(gpu, photo);
        count += lines.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage apart = glproc::Watershed{.split = true}(gpu, photo);
        count += apart.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage marked = glproc::Blend{
            .with = {"logo", std::make_shared<const glproc::Image>(other)}, .opacity = 0.5}(gpu, photo);
        count += marked.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage noted =
            glproc::Draw{{.text = "hello", .gravity = glproc::Gravity::south}}(gpu, photo);
        count += noted.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage both = glproc::Append{.gap = 10, .more = {glproc::rows_of(other)}}(gpu, photo);
        count += both.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage sheet =
            glproc::Montage{.tile = {.columns = 3}, .more = {glproc::rows_of(other)}}(gpu, photo);
        count += sheet.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage whole =
            glproc::Merge{.more = {glproc::rows_of(green), glproc::rows_of(blue)}}(gpu, red);
        count += whole.width() > 0 ? 1 : 0;
    }
    {
        glproc::GpuImage grey = glproc::Channels{.extract = glproc::ImageChannel::red}(gpu, photo);
        count += grey.width() > 0 ? 1 : 0;
    }
    {
        glproc::SweepPlan median = glproc::sweeps(
            {.by = {.measure = glproc::StackMeasure::median}, .more = {glproc::rows_of(other)}},
            photo.form());
        glproc::GpuImage clean = glproc::run_sweeps(gpu, median, photo).picture.value();
        count += clean.width() > 0 ? 1 : 0;
    }
    {
        glproc::Difference difference = glproc::compare(first, second);
        count += difference.mse >= 0 ? 1 : 0;
    }
    {
        std::vector<glproc::ChannelStats> figures = glproc::Stats{.percentiles = {1, 99}}(gpu, photo);
        count += figures.size() < 1u << 20 ? 1 : 0;
    }
    {
        std::vector<glproc::ChannelCounts> counts = glproc::Histogram{.bins = 64}(gpu, photo);
        count += counts.size() < 1u << 20 ? 1 : 0;
    }
    {
        glproc::GpuArray sums = glproc::Integral{.padded = true}(gpu, photo);
        count += sums.count() > 0 ? 1 : 0;
    }
    {
        glproc::GpuArray sums = glproc::Scan{.exclusive = true}(gpu, values);
        count += sums.count() > 0 ? 1 : 0;
    }
    return count;
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s IN\n", argv[0]);
        return 2;
    }
    std::ofstream("look.cube") << "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n";
    glproc::Context gpu;
    const glproc::GpuImage photo =
        glproc::Resize{.size = {.width = 160}}(gpu, gpu.upload(glproc::load(argv[1])));
    const glproc::Image other = gpu.download(glproc::Flip{}(gpu, photo));
    const int count =
        filters(gpu, photo) + tones_and_shapes(gpu, photo, other) + objects_and_figures(gpu, photo, other);
    std::printf("%d operations\n", count);
    return count == 60 ? 0 : 1;
} catch (const glproc::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return static_cast<int>(error.code());
}
