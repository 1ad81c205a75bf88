// Which image of a file is which slice, channel and time: as ImageJ, OME-XML and tifffile tell it.
#include "glproc/image/stack_descriptions.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <numeric>

using namespace glproc;

namespace {

using Axes = std::vector<StackAxis>;

constexpr Form grey{8, 6, 1, Depth::u8};

Metadata described_as(const std::string& text) {
    return {.density = Density{5, 4, Density::Unit::none}, .texts = {{std::string(description_text), text}}};
}

std::optional<StackAxes> axes_in(const std::string& text, int images, const Form& form = grey) {
    return stack_axes(described_as(text), form, images);
}

std::string ome(const std::string& pixels, const std::string& content = "") {
    return "<?xml version=\"1.0\"?><OME "
           "xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image><Pixels " +
           pixels + ">" + content + "</Pixels></Image></OME>";
}

const std::string of_24 = R"(DimensionOrder="XYZCT" SizeX="8" SizeY="6" SizeZ="4" SizeC="2" SizeT="3")";

} // namespace

TEST_CASE("stack_axes: ImageJ's images come channel by channel, slice by slice, time by time") {
    const std::string lines = "ImageJ=1.53t\nimages=24\nchannels=2\nslices=4\nframes=3\nspacing=0.5\nunit="
                              "\\u00B5m\nfinterval=2.0\n";
    const auto stack = axes_in(lines, 24);
    REQUIRE(stack);
    CHECK(stack->axes == Axes{{'t', 3}, {'z', 4}, {'c', 2}});
    CHECK(stack->unit == "µm");
    CHECK(stack->pixel_width == Approx(0.2));
    CHECK(stack->pixel_height == Approx(0.25));
    CHECK(stack->spacing == 0.5);
    CHECK(stack->interval == 2);
    CHECK_FALSE(axes_in(lines, 23));
    CHECK(axes_in("ImageJ=1.53t\nimages=6\n", 6)->axes == Axes{{'z', 6}});
    CHECK(axes_in("ImageJ=1.53t\nimages=6\nframes=6\n", 6)->axes == Axes{{'t', 6}});
    CHECK(axes_in(lines, 1)->axes.empty()); // one of them
}

TEST_CASE("stack_axes: OME-XML tells the order of the images") {
    const std::string sizes = of_24 + " PhysicalSizeX='0.2' PhysicalSizeY=\"0.25\" PhysicalSizeZ=\"0.5\" "
                                      "TimeIncrement=\"500\" TimeIncrementUnit=\"ms\"";
    const auto stack =
        axes_in(ome(sizes, "<Channel ID=\"a\" Name=\"DAPI\"/><Channel Name=\"a&lt;b\" ID=\"b\"/>"), 24);
    REQUIRE(stack);
    CHECK(stack->axes == Axes{{'t', 3}, {'c', 2}, {'z', 4}});
    CHECK(stack->channels == std::vector<std::string>{"DAPI", "a<b"});
    CHECK(stack->unit == "µm");
    CHECK(stack->pixel_width == 0.2);
    CHECK(stack->pixel_height == 0.25);
    CHECK(stack->spacing == 0.5);
    CHECK(stack->interval == 0.5);
    const auto units = axes_in(
        ome(of_24 +
                R"( PhysicalSizeX="500" PhysicalSizeXUnit="nm" PhysicalSizeY="1" PhysicalSizeZ="2" PhysicalSizeZUnit="furlong")",
            R"(<Channel Name="&#945;-tub &#x3b2;&#0;&amp;"/><Channel Name="b"/>)"),
        24);
    REQUIRE(units);
    CHECK(units->unit == "nm");
    CHECK(units->pixel_height == Approx(1000));
    CHECK(units->spacing == 0);
    CHECK(units->channels.front() == "α-tub β&#0;&");
    const auto colour =
        axes_in(ome(R"(DimensionOrder="XYCTZ" SizeZ="2" SizeC="3" SizeT="1")"), 2, {8, 6, 3, Depth::u8});
    REQUIRE(colour); // three samples of one channel
    CHECK(colour->axes == Axes{{'z', 2}});
}

TEST_CASE("stack_axes: images elsewhere, or in an order of their own, have no axes") {
    CHECK(axes_in(ome(of_24, "<TiffData IFD=\"0\" PlaneCount=\"24\"/>"), 24));
    CHECK(axes_in(ome(of_24, "<TiffData/>"), 24));
    CHECK(axes_in(ome(of_24, "<TiffData IFD=\"5\" FirstZ=\"1\" FirstC=\"1\"/>"), 24));
    CHECK_FALSE(axes_in(ome(of_24, "<TiffData IFD=\"5\" FirstZ=\"2\" FirstC=\"1\"/>"), 24));
    CHECK_FALSE(axes_in(ome(of_24, "<TiffData IFD=\"5\" FirstZ=\"9\"/>"), 24));
    CHECK_FALSE(axes_in(ome(of_24), 12)); // the others are in other files
    CHECK_FALSE(axes_in(ome(of_24) + ome(of_24), 24));
    CHECK_FALSE(axes_in(ome(R"(DimensionOrder="XYZZT" SizeZ="4" SizeC="2" SizeT="3")"), 24));
    CHECK_FALSE(axes_in(ome(R"(DimensionOrder="XYZCT" SizeZ="-4" SizeC="-2" SizeT="3")"), 24));
    CHECK_FALSE(axes_in(ome(R"(DimensionOrder="XYZCT" SizeZ="4000000" SizeC="4000000" SizeT="1e300")"), 24));
    CHECK_FALSE(axes_in("<OME openmicroscopy.org <Pixels", 24));
    CHECK_FALSE(axes_in("", 24));
}

TEST_CASE("stack_axes: tifffile's shape with its axes") {
    CHECK(axes_in(R"({"axes": "TZCYX", "shape": [3, 4, 2, 6, 8]})", 24)->axes ==
          Axes{{'t', 3}, {'z', 4}, {'c', 2}});
    CHECK(axes_in(R"({"shape": [4, 6, 8, 3], "axes": "ZYXS"})", 4)->axes == Axes{{'z', 4}});
    CHECK_FALSE(axes_in(R"({"shape": [3, 4, 2, 6, 8]})", 24));
    CHECK_FALSE(axes_in(R"({"shape": [24, 6, 8], "axes": "QYX"})", 24));
    CHECK_FALSE(axes_in(R"({"shape": [3, 4], "axes": "TZCYX"})", 24));
    CHECK_FALSE(axes_in(R"({"shape": [8, 6, 8], "axes": "YXZ"})", 8));
    CHECK_FALSE(axes_in("{", 24));
}

TEST_CASE("stack_axes: each image belongs to one group over an axis") {
    const StackAxes stack{
        .axes = {{'t', 3}, {'c', 2}, {'z', 4}}, .spacing = 0.5, .interval = 2, .channels = {"a", "b"}};
    for (const StackAxis& axis : stack.axes) {
        const auto groups = images_over(stack, axis.name);
        CHECK(static_cast<int>(groups.size()) == 24 / axis.size);
        std::vector<int> all;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            CHECK(static_cast<int>(groups[i].size()) == axis.size);
            all.insert(all.end(), groups[i].begin(), groups[i].end());
            for (std::size_t k = 0; k < groups[i].size(); ++k) { // t, c and z of each image by division
                const int image = groups[i][k] - 1;
                const std::array<int, 3> places{image / 8, image / 4 % 2, image % 4};
                const std::array<int, 3> left = axis.name == 't'   ? std::array{0, places[1], places[2]}
                                                : axis.name == 'c' ? std::array{places[0], 0, places[2]}
                                                                   : std::array{places[0], places[1], 0};
                const int c = axis.name == 'c' ? 1 : 2;
                const int z = axis.name == 'z' ? 1 : 4;
                CHECK((left[0] * c + left[1]) * z + left[2] == static_cast<int>(i));
                CHECK(places.at(axis.name == 't' ? 0 : axis.name == 'c' ? 1 : 2) == static_cast<int>(k));
            }
        }
        std::ranges::sort(all);
        std::vector<int> every(24);
        std::iota(every.begin(), every.end(), 1);
        CHECK(all == every);
    }
    CHECK(without_axis(stack, 'z').axes == Axes{{'t', 3}, {'c', 2}});
    CHECK(without_axis(stack, 'z').spacing == 0);
    CHECK(without_axis(stack, 'c').channels.empty());
    CHECK(without_axis(stack, 't').interval == 0);
}

TEST_CASE("stack_axes: a part of a stack has what is left of the axes") {
    const StackAxes stack{
        .axes = {{'t', 3}, {'c', 2}, {'z', 4}}, .spacing = 0.5, .interval = 2, .channels = {"a", "b"}};
    const auto channel = part_of(stack, {5, 6, 7, 8, 13, 14, 15, 16, 21, 22, 23, 24});
    REQUIRE(channel);
    CHECK(channel->axes == Axes{{'t', 3}, {'z', 4}});
    CHECK(channel->channels == std::vector<std::string>{"b"});
    const auto times = part_of(stack, {1, 17}); // the first and the last time
    REQUIRE(times);
    CHECK(times->axes == Axes{{'t', 2}});
    CHECK(times->interval == 4);
    CHECK(times->spacing == 0);
    CHECK(part_of(stack, {1, 2, 4})->spacing == 0); // no one spacing
    CHECK_FALSE(part_of(stack, {1, 2, 5}));
    CHECK(part_of(stack, {7})->axes.empty());
}

TEST_CASE("stack_axes: what is written is read again") {
    StackAxes stack{.axes = {{'t', 3}, {'c', 2}, {'z', 4}},
                    .pixel_width = 0.2,
                    .pixel_height = 0.25,
                    .spacing = 0.5,
                    .interval = 1.0 / 3,
                    .unit = "µm",
                    .channels = {"DAPI", "<\"a\" & 'b'>"},
                    .told = 24};
    for (const Form& form : {grey, Form{8, 6, 3, Depth::u16}, Form{8, 6, 1, Depth::f32}}) {
        CHECK(axes_in(ome_xml(stack, form), 24, form) == stack);
    }
    stack = {.axes = {{'t', 3}, {'z', 4}, {'c', 2}}, .told = 24};
    CHECK(axes_in("ImageJ=1.11a\n" + imagej_lines(stack), 24) == stack);
}
