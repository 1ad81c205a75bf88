// --over: the slices, channels or times of one file become one image each, and the file goes on telling its
// axes.
#include "cli/hyperstack.hpp"
#include "glproc/image/stack_descriptions.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

using namespace glproc;
using namespace glproc::test;

TEST_CASE("stack --over: the brightest of each axis, image by image") {
    const StackFolder folder;
    write_file(folder / "h.tif", hyperstack(imagej_text));
    const std::array<int, 3> sizes{3, 4, 2}; // t, z, c
    const std::array<int, 3> steps{8, 2, 1};
    for (const int axis : {0, 1, 2}) {
        const std::string name(1, "tzc"[axis]);
        folder.must({"stack", "h.tif", "o.tif", "--over", name, "--by", "max", "-y"});
        const std::vector<Image> made = folder.images("o.tif");
        REQUIRE(static_cast<int>(made.size()) == 24 / sizes.at(axis));
        std::size_t group = 0;
        for (int first = 0; first < 24; ++first) {
            if (first / steps.at(axis) % sizes.at(axis) != 0) {
                continue;
            }
            bool is_same = true;
            for (int p = 0; p < stack_width * stack_height; ++p) {
                int most = 0;
                for (int i = 0; i < sizes.at(axis); ++i) {
                    most = std::max(most, stack_value(first + i * steps.at(axis), p));
                }
                is_same =
                    is_same && std::to_integer<int>(made[group].bytes()[static_cast<std::size_t>(p)]) == most;
            }
            CHECK(is_same);
            ++group;
        }
    }
}

TEST_CASE("stack --over: what is left of the axes is told, and pixel sizes stay") {
    const StackFolder folder;
    const auto told = [&](const std::string& text, const std::string& over) {
        write_file(folder / "h.tif", hyperstack(text));
        folder.must({"stack", "h.tif", "o.tif", "--over", over, "-y"});
        const std::vector<Image> made = folder.images("o.tif");
        const auto stack =
            stack_axes(made.front().metadata(), made.front().form(), static_cast<int>(made.size()));
        REQUIRE(stack);
        return *stack;
    };
    const StackAxes slices = told(imagej_text, "t");
    CHECK(slices.axes == std::vector<StackAxis>{{'z', 4}, {'c', 2}});
    CHECK(slices.spacing == 0.5);
    CHECK(slices.interval == 0);
    CHECK(told(imagej_text, "z").interval == 2);
    const StackAxes times =
        told("<OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image><Pixels "
             "DimensionOrder=\"XYZCT\" SizeZ=\"4\" SizeC=\"2\" SizeT=\"3\" PhysicalSizeX=\"0.2\" "
             "PhysicalSizeZ=\"1\"><Channel Name=\"red\"/><Channel Name=\"blue\"/></Pixels></Image></OME>",
             "z");
    CHECK(times.axes == std::vector<StackAxis>{{'t', 3}, {'c', 2}});
    CHECK(times.channels == std::vector<std::string>{"red", "blue"});
    CHECK(times.pixel_width == 0.2);
    CHECK(times.spacing == 0);
    CHECK(told("{\"shape\": [3, 4, 2, 6, 8], \"axes\": \"TZCYX\"}", "c").axes ==
          std::vector<StackAxis>{{'t', 3}, {'z', 4}});
}

TEST_CASE("stack --over: other operations that join images take it, too") {
    const StackFolder folder;
    write_file(folder / "h.tif", hyperstack(imagej_text));
    folder.must({"append", "h.tif", "o.tif", "--over", "z"});
    CHECK(folder.images("o.tif").size() == 6);
    folder.must({"montage", "h.tif", "m.tif", "--over", "t"});
    CHECK(folder.images("m.tif").size() == 8);
    folder.must({"convert", "h.tif#1..4", "four.tif"});
    folder.must({"stack", "four.tif", "one.png", "--by", "mean"});
    CHECK(load(folder / "one.png").width() == stack_width);
}

TEST_CASE("stack --over: what cannot be done is said before anything is written") {
    const StackFolder folder;
    write_file(folder / "h.tif", hyperstack(imagej_text));
    write_file(folder / "plain.tif", hyperstack("a text"));
    const auto refused = [&](const std::vector<std::string>& words, const std::string& what) {
        const ProgramResult done = folder.call(words);
        INFO(done.err);
        CHECK(done.status == 2);
        CHECK(done.err.find(what) != std::string::npos);
        CHECK_FALSE(std::filesystem::exists(folder / "o.png"));
    };
    refused({"stack", "h.tif", "o.png", "--over", "z"}, "6 images are made, and o.png holds one");
    refused({"stack", "plain.tif", "o.png", "--over", "z"}, "does not tell which of its 24 images");
    refused({"stack", "h.tif", "plain.tif", "o.png", "--over", "z"}, "one file");
    refused({"stack", "h.tif", "o.png", "--over", "y"}, "one of: pages, z, c, t");
    folder.must({"stack", "h.tif", "t.tif", "--over", "t"});
    refused({"stack", "t.tif", "o.png", "--over", "t"}, "has no axis t: z 4, c 2");
    folder.must({"stack", "h.tif", "o.png", "--over", "pages"});
}

TEST_CASE("stack axes: images are named by slice, channel and time, counted from 0") {
    const StackFolder folder;
    write_file(folder / "h.tif", hyperstack(imagej_text));
    const auto is_image = [](const Image& image, int number) {
        for (int p = 0; p < stack_width * stack_height; ++p) {
            if (std::to_integer<int>(image.bytes()[static_cast<std::size_t>(p)]) != stack_value(number, p)) {
                return false;
            }
        }
        return true;
    };
    folder.must({"convert", "h.tif#t=1,z=2,c=1", "one.tif"});
    const Image one = load(folder / "one.tif");
    CHECK(is_image(one, 8 + 4 + 1));
    CHECK(find_text(one.metadata(), description_text)->find("unit=um") != std::string::npos);
    folder.must({"convert", "h.tif#c=1,z=1..2", "part.tif"});
    const std::vector<Image> part = folder.images("part.tif");
    REQUIRE(part.size() == 6);
    for (int i = 0; i < 6; ++i) {
        CHECK(is_image(part.at(static_cast<std::size_t>(i)), i / 2 * 8 + (i % 2 + 1) * 2 + 1));
    }
    const auto stack = stack_axes(part.front().metadata(), part.front().form(), 6);
    REQUIRE(stack);
    CHECK(stack->axes == std::vector<StackAxis>{{'t', 3}, {'z', 2}});
    CHECK(stack->spacing == 0.5);
    folder.must({"convert", "h.tif#1,5", "far.tif"}); // every other slice
    const std::vector<Image> far = folder.images("far.tif");
    CHECK(stack_axes(far.front().metadata(), far.front().form(), 2)->spacing == 1);
    folder.must({"stack", "h.tif", "upper.tif", "--over", "Z"});
    folder.must({"stack", "h.tif#c=0,t=0", "o.png", "--by", "max"});
    folder.must({"stack", "h.tif#1,3,5,7", "same.png", "--by", "max"});
    CHECK(same_pixels(load(folder / "o.png"), load(folder / "same.png")));
    folder.must(
        {"blend", "h.tif#t=0,z=0,c=0", "both.png", "--with", "h.tif#t=0,z=0,c=1", "--mode", "screen"});
    folder.must(
        {"pipe", "h.tif#t=0,z=0,c=0", "chain.png", "invert", "then", "blend", "--with", "h.tif#t=0,z=0,c=1"});
    folder.must({"draw", "h.tif#1", "text.png", "--text", "h.tif#z=9"}); // a text is no name
    folder.must({"info", "h.tif#z=3"});
    const ProgramResult odd = folder.call({"convert", "h.tif#1..3", "odd.tif"});
    CHECK(odd.status == 0);
    CHECK(odd.err.find("leaves out the axes of ImageJ, which counted other images") != std::string::npos);
    CHECK(folder.call({"convert", "h.tif#z=1,z=2", "no.tif"}).err.find("names no image") !=
          std::string::npos);
    for (const std::string place : {"h.tif#z=4", "h.tif#z=2..1", "h.tif#z=-1", "h.tif#z=", "h.tif#c=dapi",
                                    "h.tif#c=far,red", "h.tif#t=x"}) {
        const ProgramResult done = folder.call({"convert", place, "no.png"});
        CHECK(done.status == 2);
        CHECK(done.err.find(place + ": " + place.substr(6, 1) + " is 0 to ") != std::string::npos);
    }
}

TEST_CASE("stack axes: ImageJ and tifffile may write one directory for all images") {
    const StackFolder folder;
    write_file(folder / "h.tif", hyperstack(imagej_text));
    const auto of_one = [](const std::string& text, int images) {
        TiffPage page{stack_width, stack_height, 8, 1, {}, {tiff_text(270, text)}};
        for (int i = 0; i < images; ++i) {
            for (int p = 0; p < stack_width * stack_height; ++p) {
                page.pixels.push_back(static_cast<std::byte>(stack_value(i, p)));
            }
        }
        return handmade_tiff({page});
    };
    write_file(folder / "one.tif", of_one(imagej_text, 24));
    write_file(folder / "shaped.tif",
               of_one("{\"axes\": \"TZCYX\", \"truncated\": true, \"shape\": [3, 4, 2, 6, 8]}", 24));
    write_file(folder / "last.tif", of_one("{\"axes\": \"TZCYX\", \"shape\": [3, 4, 2, 6, 8], \"truncated\": true}", 24));
    for (const std::string name : {"one.tif", "shaped.tif", "last.tif"}) {
        INFO(name);
        const std::vector<Image> images = folder.images(name);
        REQUIRE(images.size() == 24);
        for (int i = 0; i < 24; ++i) {
            CHECK(std::to_integer<int>(images.at(static_cast<std::size_t>(i)).bytes()[5]) ==
                  stack_value(i, 5));
        }
        folder.must({"stack", name, "over.tif", "--over", "z", "--by", "max"});
        folder.must({"stack", "h.tif", "same.tif", "--over", "z", "--by", "max"});
        const std::vector<Image> over = folder.images("over.tif");
        const std::vector<Image> same = folder.images("same.tif");
        REQUIRE(over.size() == 6);
        for (std::size_t i = 0; i < 6; ++i) {
            CHECK(same_pixels(over.at(i), same.at(i)));
        }
        folder.must({"convert", name + "#t=1,z=2,c=1", "part.tif"});
        CHECK(std::to_integer<int>(load(folder / "part.tif").bytes()[0]) == stack_value(8 + 4 + 1, 0));
        folder.must({"invert", name, "all.tif"});
        CHECK(folder.images("all.tif").size() == 24);
        CHECK(find_text(folder.images("all.tif").front().metadata(), description_text)->find("truncated") ==
              std::string::npos);
        CHECK(folder.call({"info", name}).out.find("24") != std::string::npos);
    }
    write_file(folder / "short.tif", of_one(imagej_text, 23)); // or a text that another file had
    const ProgramResult done = folder.call({"convert", "short.tif", "first.tif"});
    CHECK(done.status == 0);
    CHECK(done.err.find("holds 24 slices of ImageJ behind one directory; the first one is used") !=
          std::string::npos);
}

TEST_CASE("stack axes: names of channels may have commas, and a wrong list says so") {
    const StackFolder folder;
    std::string ome =
        "<?xml version=\"1.0\"?><OME xmlns=\"http://www.openmicroscopy.org/Schemas/OME/2016-06\"><Image "
        "ID=\"Image:0\"><Pixels "
        "ID=\"Pixels:0\" DimensionOrder=\"XYCZT\" Type=\"uint8\" SizeX=\"8\" SizeY=\"6\" SizeZ=\"4\" "
        "SizeC=\"2\" SizeT=\"3\">"
        "<Channel ID=\"Channel:0:0\" Name=\"Cy5, long\"/><Channel ID=\"Channel:0:1\" "
        "Name=\"DAPI\"/><TiffData/></Pixels></Image></OME>";
    write_file(folder / "o.tif", hyperstack(ome));
    folder.must({"convert", "o.tif#c=Cy5, long,t=1,z=2", "one.tif"});
    CHECK(std::to_integer<int>(load(folder / "one.tif").bytes()[0]) == stack_value(8 + 4, 0));
    for (const std::string place : {"o.tif#1,,2", "o.tif#1..", "o.tif#,"}) {
        const ProgramResult done = folder.call({"convert", place, "no.png"});
        CHECK(done.status == 2);
        CHECK(done.err.find(place + ": names no image") != std::string::npos);
    }
    CHECK(folder.call({"stack", "o.tif", "max.tif", "--over", "z", "-qq"}).err.empty());
}
