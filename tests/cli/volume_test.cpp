// --volume: the images of a file as planes of volumes, from the file to the file.
#include "cli/hyperstack.hpp"
#include "glproc/image/stack_descriptions.hpp"

#include <algorithm>
#include <cstdint>

using namespace glproc;
using namespace glproc::test;

namespace {

/// The largest of an image and those at these steps from it, as far as they are there.
std::uint8_t largest(int image, const std::vector<int>& others, int pixel) {
    int most = stack_value(image, pixel);
    for (const int other : others) {
        most = std::max(most, stack_value(other, pixel));
    }
    return static_cast<std::uint8_t>(most);
}

const std::vector<std::string> dilate{"dilate", "h.tif", "out.tif", "--radius", "0,0,1"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// 20 images, more than fit into a window of a megabyte.
Bytes wide_stack() {
    constexpr int width = 700;
    constexpr int height = 90;
    std::vector<TiffPage> pages;
    for (int z = 0; z < 20; ++z) {
        Bytes pixels;
        for (int p = 0; p < width * height; ++p) {
            pixels.push_back(
                static_cast<std::byte>(p * 7 / (z + 3) % 253 < 40 ? 0 : (p * 31 + z * 57) % 256));
        }
        pages.push_back({width, height, 8, 1, pixels});
    }
    return handmade_tiff(pages);
}

const std::string slices_text = "ImageJ=1.53t\nimages=24\nslices=24\nunit=um\nspacing=2.0\n";

} // namespace

TEST_CASE("volume: planes lie along z for each channel and time, and the file goes on telling that") {
    const StackFolder folder;
    write_file(folder / "h.tif", hyperstack(imagej_text));
    folder.must(with(dilate, {"--volume"}));
    const std::vector<Image> made = folder.images("out.tif");
    REQUIRE(made.size() == 24);
    for (int i = 0; i < 24; ++i) { // t 3, z 4, c 2
        const int z = i / 2 % 4;
        std::vector<int> others;
        if (z > 0) {
            others.push_back(i - 2);
        }
        if (z < 3) {
            others.push_back(i + 2);
        }
        for (int p = 0; p < stack_width * stack_height; ++p) {
            CHECK(made[static_cast<std::size_t>(i)].values<std::uint8_t>()[static_cast<std::size_t>(p)] ==
                  largest(i, others, p));
        }
    }
    const auto stack = stack_axes(made.front().metadata(), made.front().form(), 24);
    REQUIRE(stack);
    CHECK(text_of(stack->axes) == "t 3, z 4, c 2");
    CHECK(stack->spacing == 0.5);
}

TEST_CASE("volume: along another axis, or through all images") {
    const StackFolder folder;
    write_file(folder / "h.tif", hyperstack(imagej_text));
    folder.must(with(dilate, {"--volume=t"}));
    CHECK(folder.images("out.tif")[9].values<std::uint8_t>()[5] == largest(9, {1, 17}, 5));
    folder.must(with(dilate, {"--volume=pages"}));
    CHECK(folder.images("out.tif")[9].values<std::uint8_t>()[5] == largest(9, {8, 10}, 5));
    folder.must({"dilate", "h.tif#t=1,c=0", "part.tif", "--radius", "0,0,1", "--volume"});
    const std::vector<Image> part = folder.images("part.tif");
    REQUIRE(part.size() == 4);
    CHECK(part[1].values<std::uint8_t>()[5] == largest(10, {8, 12}, 5));
    CHECK(stack_axes(part.front().metadata(), part.front().form(), 4)->axes ==
          std::vector<StackAxis>{{'z', 4}});
    write_file(folder / "plain.tif", hyperstack("")); // tells nothing, so that all images are slices
    folder.must({"dilate", "plain.tif", "out.tif", "--radius", "0,0,1", "--volume"});
    CHECK(folder.images("out.tif")[9].values<std::uint8_t>()[5] == largest(9, {8, 10}, 5));
}

TEST_CASE("volume: in little memory the same bits, and among several files") {
    const StackFolder folder;
    write_file(folder / "wide.tif", wide_stack());
    for (const std::vector<std::string>& call : {std::vector<std::string>{"blur", "--sigma", "2"},
                                                 {"median", "--radius", "1"},
                                                 {"opening", "--radius", "2"},
                                                 {"distance"},
                                                 {"sobel"}}) {
        const auto make = [&](const std::string& out, const std::vector<std::string>& more) {
            folder.must(with({call.front(), "wide.tif", out, "--volume", "--force"},
                             with({call.begin() + 1, call.end()}, more)));
        };
        make("all.tif", {});
        make("few.tif", {"--memory", "1"});
        make("out/", {});
        const std::vector<Image> all = folder.images("all.tif");
        for (const std::string name : {"few.tif", "out/wide.tif"}) {
            const std::vector<Image> same = folder.images(name);
            REQUIRE(same.size() == all.size());
            for (std::size_t i = 0; i < all.size(); ++i) {
                CHECK(std::ranges::equal(all[i].bytes(), same[i].bytes()));
            }
        }
    }
}

TEST_CASE("volume: a table of objects in space, in pixels and in units") {
    const StackFolder folder;
    write_file(folder / "s.tif", hyperstack(slices_text));
    const ProgramResult table = folder.call(
        {"components", "s.tif", "--volume", "--threshold", "otsu", "--largest", "1", "--format", "csv"});
    CHECK(table.out.starts_with("label,volume,left,top,front,width,height,depth,x,y,z\n1,"));
    folder.must(
        {"components", "s.tif", "labels.tif", "--volume", "--threshold", "otsu", "--output", "labels"});
    CHECK(folder.images("labels.tif").size() == 24);
    const ProgramResult json = folder.call({"components", "s.tif#2..5", "--volume", "--json"});
    CHECK(json.out.find("\"width\":8,\"height\":6,\"depth\":4,\"count\":1") != std::string::npos);
    const ProgramResult unknown = folder.call({"components", "s.tif", "--volume", "--units"});
    CHECK(unknown.status == 2); // the width of its pixels is not told
    CHECK(unknown.err.find("does not tell how large its pixels and steps are") != std::string::npos);
}

TEST_CASE("volume: of a file that ends too early the whole planes are kept, if asked for") {
    const StackFolder folder;
    Bytes file = hyperstack(slices_text);
    write_file(folder / "s.tif", file);
    folder.must({"dilate", "s.tif#1..23", "whole.tif", "--radius", "0,0,1", "--volume"});
    file.resize(file.size() - 100);
    write_file(folder / "cut.tif", file);
    CHECK(folder.call({"dilate", "cut.tif", "o.tif", "--radius", "0,0,1", "--volume"}).status == 3);
    const ProgramResult kept =
        folder.call({"dilate", "cut.tif", "o.tif", "--radius", "0,0,1", "--volume", "--keep-partial"});
    INFO(kept.err);
    CHECK(kept.status == 0);
}

TEST_CASE("volume: calls that name none") {
    const StackFolder folder;
    write_file(folder / "h.tif", hyperstack(imagej_text));
    const auto says = [&](const std::vector<std::string>& words, const std::string& what) {
        const ProgramResult result = folder.call(words);
        INFO(result.err);
        CHECK(result.status == 2);
        CHECK(result.err.find(what) != std::string::npos);
    };
    says({"blur", "h.tif#3", "o.tif", "--sigma", "1", "--volume"}, "--volume takes a file of several images");
    says({"blur", "h.tif", "o.tif", "--sigma", "1,2", "--volume"}, "a volume has three axes");
    says({"blur", "h.tif", "o.tif", "--sigma", "1,2,3"}, "more than two values");
    says({"box", "h.tif", "o.tif", "--radius", "1,1,2.5", "--volume"}, "not a whole number");
    says({"blur", "h.tif", "o.tif", "--sigma", "1", "--units"}, "no effect without --volume");
    says({"blur", "h.tif", "o.tif", "--sigma", "1", "--volume=q"}, "one of: pages, z, c, t");
    says({"blur", "h.tif", "o.png", "--sigma", "1", "--volume"}, "holds one image");
    says({"levels", "h.tif", "o.tif", "--volume"}, "unknown flag '--volume'");
    says({"components", "h.tif", "--volume"}, "name one: h.tif#t=0,c=0");
    says({"components", "h.tif", "--volume=t"}, "name one: h.tif#z=0,c=0");
    says({"blur", "h.tif", "o.tif", "--sigma", "1", "--volume=t", "--units"}, "how far slices are apart");
    says({"box", "h.tif", "o.tif", "--radius", "2000", "--volume"}, "0 to 1000");
    says({"components", "h.tif", "o.npy", "--volume"}, "to a TIFF");
    says({"components", "h.tif", "o.tif", "--volume", "--json"}, "a report or an image");
    write_file(folder / "s.tif", hyperstack("ImageJ=1.53t\nimages=24\nframes=24\n"));
    says({"blur", "s.tif", "o.tif", "--sigma", "1", "--volume"}, "s.tif has no axis z: t 24");
    CHECK_FALSE(std::filesystem::exists(folder / "o.tif"));
}
