// glproc compare of two videos.
#include "video/describe/curves.hpp"
#include "video/describe/difference.hpp"
#include "video/video_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;
using Catch::Matchers::WithinAbs;

namespace {

ProgramResult compare_videos(const TempDir& folder, const Words& words) {
    return run_glproc(folder.path(), Words{"compare"} + words);
}

/// What stands after `key` in a line, up to a blank; ffmpeg writes "psnr_y:31.20 ".
double number_after(const std::string& line, const std::string& key) {
    const std::size_t at = line.find(key);
    REQUIRE(at != std::string::npos);
    return std::strtod(line.c_str() + at + key.size(), nullptr);
}

/// The lines that a filter of ffmpeg writes, one a frame.
std::vector<std::string> lines_of_filter(const TempDir& folder, const std::string& filter) {
    ffmpeg(folder.path(),
           {"-i", "a.mkv", "-i", "b.mkv", "-lavfi", filter + "=stats_file=stats.txt", "-f", "null", "-"});
    return lines_of(read_text(folder / "stats.txt"));
}

std::vector<double> cells_of(const std::string& line) {
    std::vector<double> cells;
    std::stringstream in(line);
    for (std::string cell; std::getline(in, cell, ',');) {
        cells.push_back(std::strtod(cell.c_str(), nullptr));
    }
    return cells;
}

void make_pair(const TempDir& folder, const std::string& format, const std::string& size = "94x70") {
    const Words lossless{"-pix_fmt", format, "-c:v", "ffv1"};
    ffmpeg(folder.path(), test_picture(size, "0.2") + lossless + Words{"a.mkv"});
    ffmpeg(folder.path(),
           Words{"-i", "a.mkv", "-vf", "noise=alls=12:allf=t+u,gblur=0.6"} + lossless + Words{"b.mkv"});
}

} // namespace

TEST_CASE("compare of videos: every figure of every frame is the one of ffmpeg's filters") {
    for (const char* format : {"yuv420p", "yuv422p", "yuv444p", "gbrp", "yuv420p10le", "yuv444p12le"}) {
        INFO(format);
        const TempDir folder;
        make_pair(folder, format);
        const ProgramResult result = compare_videos(folder, {"a.mkv", "b.mkv", "--format", "csv"});
        REQUIRE(result.status == 0);
        const std::vector<std::string> rows = lines_of(result.out);
        const bool is_rgb = std::string(format) == "gbrp";
        const std::string planes = is_rgb ? "gbr" : "yuv";
        CHECK(rows.front() ==
              fmt::format("frame,seconds,psnr,psnr_{0},psnr_{1},psnr_{2},ssim,ssim_{0},ssim_{1},ssim_{2}",
                          planes[0], planes[1], planes[2]));
        const std::vector<std::string> psnr = lines_of_filter(folder, "psnr");
        const std::vector<std::string> ssim = lines_of_filter(folder, "ssim");
        for (std::size_t i = 0; i < 5; ++i) {
            const std::vector<double> cells = cells_of(rows.at(i + 1));
            REQUIRE(cells.size() == 10);
            CHECK(cells[0] == static_cast<double>(i));
            CHECK_THAT(cells[1], WithinAbs(0.04 * static_cast<double>(i), 1e-3));
            CHECK_THAT(cells[2],
                       WithinAbs(number_after(psnr[i], "psnr_avg:"), 0.0051)); // two digits are printed
            CHECK_THAT(cells[6], WithinAbs(number_after(ssim[i], "All:"), 1e-5));
            for (std::size_t p = 0; p < 3; ++p) {
                const char small = planes[p];
                const char capital = static_cast<char>(small - 'a' + 'A');
                CHECK_THAT(cells[3 + p],
                           WithinAbs(number_after(psnr[i], fmt::format("psnr_{}:", small)), 0.0051));
                CHECK_THAT(cells[7 + p], WithinAbs(number_after(ssim[i], fmt::format("{}:", capital)), 1e-5));
            }
        }
    }
}

TEST_CASE("compare of videos: the summary, as text and JSON") {
    const TempDir folder;
    make_pair(folder, "yuv420p");
    const ProgramResult text = compare_videos(folder, {"a.mkv", "b.mkv"});
    REQUIRE(text.status == 0);
    CHECK(text.out.starts_with("a.mkv  b.mkv  5 frames\npsnr "));
    const ProgramResult json = compare_videos(folder, {"a.mkv", "b.mkv", "--json"});
    CHECK(json.out.starts_with(
        R"({"schema":"glproc.compare-video/1","input":"a.mkv","with":"b.mkv","each":[)"));
    ProgramCall call;
    call.program = "/usr/bin/ffmpeg";
    call.arguments = {
        "-nostdin", "-i",   "a.mkv", "-i", "b.mkv", "-lavfi", "[0:v]split[a][b];[a][1:v]psnr;[b][1:v]ssim",
        "-f",       "null", "-"};
    call.folder = folder.path();
    const std::string log = run_program(call).err;
    const std::string psnr = log.substr(log.find("PSNR y:"));
    const std::string summary = json.out.substr(json.out.rfind(']'));
    CHECK_THAT(number_after(summary, "\"psnr\":"), WithinAbs(number_after(psnr, " average:"), 1e-3));
    CHECK_THAT(number_after(summary, "\"psnr_u\":"), WithinAbs(number_after(psnr, " u:"), 1e-3));
    CHECK_THAT(number_after(summary, "\"ssim\":"),
               WithinAbs(number_after(log.substr(log.find("SSIM Y:")), "All:"), 1e-3));
    CHECK(summary.ends_with("}\n"));
}

TEST_CASE("compare of videos: equal ones, bounds, lengths, and what is refused") {
    const TempDir folder;
    make_pair(folder, "yuv420p");
    const ProgramResult equal = compare_videos(folder, {"a.mkv", "a.mkv"});
    CHECK(equal.out.starts_with(
        "a.mkv  a.mkv  5 frames\npsnr equal  y equal  u equal  v equal\nssim 1.000000"));
    CHECK(compare_videos(folder, {"a.mkv", "b.mkv", "--min-psnr", "10", "--min-ssim", "0.1"}).status == 0);
    const ProgramResult low = compare_videos(folder, {"a.mkv", "b.mkv", "--min-psnr", "90"});
    CHECK(low.status == 1);
    CHECK(low.err.find("less than --min-psnr 90") != std::string::npos);
    ffmpeg(folder.path(), {"-i", "b.mkv", "-frames:v", "3", "-c", "copy", "short.mkv"});
    const ProgramResult shorter = compare_videos(folder, {"a.mkv", "short.mkv"});
    CHECK(shorter.status == 0);
    CHECK(shorter.err.find("a.mkv has more frames: the first 3 of both are compared") != std::string::npos);
    ffmpeg(folder.path(), Words{"-i", "a.mkv", "-pix_fmt", "yuv444p", "-c:v", "ffv1", "full.mkv"});
    const ProgramResult other = compare_videos(folder, {"a.mkv", "full.mkv"});
    CHECK(other.status == 2);
    CHECK(other.err.starts_with(
        "glproc: error: a.mkv is 94x70 of 4:2:0 and 8 bits, full.mkv 94x70 of 4:4:4 and 8 bits\n"));
    CHECK(compare_videos(folder, {"a.mkv", "b.mkv", "--max-diff", "3"}).status == 2);
    CHECK(compare_videos(folder, {"a.mkv", "gone.mkv"}).status == 3);
}

TEST_CASE("compare of videos: alpha counts as ffmpeg counts it, and codes of other ranges are told") {
    const TempDir folder;
    for (const char* alpha : {"255", "X"}) {
        ffmpeg(folder.path(),
               test_picture("94x70", "0.2") +
                   Words{"-vf",
                         fmt::format("format=yuva420p,geq=lum='p(X,Y)':cb='p(X,Y)':cr='p(X,Y)':a={}", alpha),
                         "-c:v", "ffv1", std::string(alpha) == "X" ? "b.mkv" : "a.mkv"});
    }
    const ProgramResult csv = compare_videos(folder, {"a.mkv", "b.mkv", "--format", "csv"});
    REQUIRE(csv.status == 0);
    const std::vector<std::string> rows = lines_of(csv.out);
    CHECK(rows.front() == "frame,seconds,psnr,psnr_y,psnr_u,psnr_v,psnr_a,ssim,ssim_y,ssim_u,ssim_v,ssim_a");
    const std::vector<std::string> psnr = lines_of_filter(folder, "psnr");
    CHECK_THAT(cells_of(rows.at(1)).at(2), WithinAbs(number_after(psnr[0], "psnr_avg:"), 0.0051));
    CHECK_THAT(cells_of(rows.at(1)).at(6), WithinAbs(number_after(psnr[0], "psnr_a:"), 0.0051));
    CHECK(compare_videos(folder, {"a.mkv", "b.mkv", "--min-psnr", "40"}).status == 1);
    ffmpeg(folder.path(), {"-i", "a.mkv", "-pix_fmt", "yuv420p", "-c:v", "ffv1", "plain.mkv"});
    CHECK(compare_videos(folder, {"b.mkv", "plain.mkv"})
              .err.find("are compared without alpha, which one of them lacks") != std::string::npos);
    ffmpeg(folder.path(), {"-i", "plain.mkv", "-vf", "scale=out_range=pc", "-color_range", "pc", "-c:v",
                           "ffv1", "full.mkv"});
    CHECK(compare_videos(folder, {"plain.mkv", "full.mkv"}).err.find("differ in range (full and limited)") !=
          std::string::npos);
}

TEST_CASE("compare of videos: colours beneath alpha 0 do not count") {
    const TempDir folder;
    for (const char* format : {"yuva420p", "yuva444p16le", "gbrap"}) {
        const auto video = [&](const std::string& name, const char* hidden) {
            ffmpeg(folder.path(),
                   test_picture("94x70", "0.1") +
                       Words{"-vf",
                             fmt::format(
                                 "format=rgba,geq=r='if(lt(X,40),{0},r(X,Y))':g='if(lt(X,40),{0},g(X,Y))'"
                                 ":b='if(lt(X,40),{0},b(X,Y))':a='if(lt(X,40),0,255)',format={1}",
                                 hidden, format),
                             "-c:v", "ffv1", "-y", name});
        };
        video("a.mkv", "0");
        video("b.mkv", "200");
        INFO(format);
        CHECK(compare_videos(folder, {"a.mkv", "b.mkv", "--min-psnr", "200"}).status == 0);
    }
}

TEST_CASE("compare of videos: planes too small for a window have no SSIM") {
    const TempDir folder;
    make_pair(folder, "yuv444p", "7x20");
    const ProgramResult csv = compare_videos(folder, {"a.mkv", "b.mkv", "--format", "csv"});
    CHECK(csv.status == 0);
    CHECK(lines_of(csv.out).at(1).ends_with(",,,,"));
}

TEST_CASE("compare of videos: the chart has a point of each figure for each frame") {
    const TempDir folder;
    make_pair(folder, "yuv420p");
    REQUIRE(compare_videos(folder, {"a.mkv", "b.mkv", "--plot", "chart.svg"}).status == 0);
    const std::string chart = read_text(folder / "chart.svg");
    CHECK(chart.starts_with("<svg "));
    CHECK(chart.ends_with("</svg>\n"));
    std::size_t curves = 0;
    std::size_t points = 0;
    for (std::size_t at = chart.find("<polyline"); at != std::string::npos;
         at = chart.find("<polyline", at + 1)) {
        const std::string curve = chart.substr(at, chart.find("/>", at) - at);
        points += static_cast<std::size_t>(std::count(curve.begin(), curve.end(), ','));
        ++curves;
    }
    CHECK(curves == 2);
    CHECK(points == 10);
    CHECK(compare_videos(folder, {"a.mkv", "a.mkv", "--plot", "equal.svg"}).status ==
          0); // without end, above
    CHECK(compare_videos(folder, {"a.mkv", "b.mkv", "--plot", "chart.png"}).status == 2);
    CHECK(compare_videos(folder, {"a.mkv", "b.mkv", "--plot", "b.mkv"}).status != 0);
    ffmpeg(folder.path(), {"-i", "a.mkv", "-frames:v", "1", "a.png"});
    CHECK(compare_videos(folder, {"a.png", "a.png", "--plot", "chart.svg"})
              .err.starts_with("glproc: error: --plot is for videos"));
}

TEST_CASE("compare of videos: a chart of more frames than columns shows the least and the largest of each") {
    video::DifferenceCurves curves;
    for (int i = 0; i < 5000; ++i) {
        curves.psnr.push_back(i == 2500 ? 20 : 40 + i % 2);
        curves.ssim.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    const std::string chart = video::draw_curves(curves, "a<b & c");
    CHECK(chart.find("a&lt;b &amp; c") != std::string::npos);
    const std::string curve = chart.substr(chart.find("<polyline"));
    const std::string line = curve.substr(0, curve.find("/>"));
    CHECK(std::count(line.begin(), line.end(), ',') < 2000);
    CHECK(line.find(",246.0 ") != std::string::npos); // the lowest value, at the bottom of the axis
}
