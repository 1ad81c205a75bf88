#include "video/commands.hpp"

#include "cli/companion.hpp"
#include "cli/files/file_flags.hpp"
#include "cli/files/video_command.hpp"
#include "cli/files/input.hpp"
#include "cli/files/replacing.hpp"
#include "cli/json.hpp"
#include "cli/terminal/printable.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/op/table.hpp"
#include "video/describe/curves.hpp"
#include "video/describe/difference.hpp"
#include "video/read/video_reader.hpp"
#include "video/settings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::video {

namespace {

using cli::Arguments;
using cli::ReportFormat;
using cli::Settings;

constexpr std::size_t all_planes = 4; ///< of PlaneFigures

VideoOptions reading_options(const Arguments& arguments) {
    refuse_untrusted(arguments);
    VideoOptions options;
    options.alpha = true;
    options.max_pixels = cli::decode_options(arguments, nullptr).max_pixels;
    return options;
}

std::string text_of(const YcbcrForm& form, bool rgb) {
    const std::string layout =
        rgb ? "RGB" : fmt::format("4:{}:{}", 4 / form.across, form.down == 2 ? 0 : 4 / form.across);
    return fmt::format("{}x{} of {} and {} bits", form.width, form.height, layout, form.bits);
}

/// Without the end of the line.
std::string json_of(const cli::Json& json) {
    std::string line = cli::json_line(json);
    line.resize(line.find_last_not_of('\n') + 1);
    return line;
}

/// Means over frames, and the worst one.
struct Summary {
    void add(const FrameDifference& difference) {
        for (std::size_t i = 0; i < difference.mse.size(); ++i) {
            sums.mse.at(i) += difference.mse.at(i);
            sums.ssim.at(i) += difference.ssim.at(i);
        }
        if (frames == 0 || difference.mse.at(all_planes) > largest_mse) {
            largest_mse = difference.mse.at(all_planes);
            worst = frames;
        }
        ++frames;
    }

    double mse(std::size_t plane) const { return sums.mse.at(plane) / static_cast<double>(frames); }
    double ssim(std::size_t plane) const { return sums.ssim.at(plane) / static_cast<double>(frames); }

    FrameDifference sums;
    std::int64_t frames = 0;
    std::int64_t worst = 0;
    double largest_mse = 0;
};

class Comparison {
  public:
    Comparison(const Arguments& arguments, const Settings& settings)
        : arguments_(arguments), settings_(settings), format_(cli::read_report_format(arguments)),
          names_{arguments.places.at(0), arguments.value("with")}, videos_{open(0), open(1)},
          progress_(cli::is_terminal(STDERR_FILENO) && !settings.quiet) {
        refuse_flags();
        check_plot();
        const VideoInfo& a = videos_[0].info();
        const VideoInfo& b = videos_[1].info();
        is_rgb_ = a.is_rgb();
        const bool is_other_rgb = b.is_rgb();
        // Where chroma lies between samples of luma makes no difference here.
        const auto shape = [](const YcbcrForm& form) {
            return std::array{form.width, form.height, form.bits, form.across, form.down};
        };
        if (shape(a.form) != shape(b.form) || is_rgb_ != is_other_rgb) {
            throw Error(ErrorCode::usage,
                        fmt::format("{} is {}, {} {}", names_[0], text_of(a.form, is_rgb_), names_[1],
                                    text_of(b.form, is_other_rgb)),
                        "frames are compared as they are stored: convert one of the videos first");
        }
        if (a.turn != b.turn) {
            throw Error(ErrorCode::usage, "one of the videos is turned for showing, the other is not",
                        "glproc video writes it upright");
        }
        warn_of_meaning();
    }

    int go() {
        Table table = frames_table();
        if (format_ == ReportFormat::csv) {
            write_csv(table, &cli::print_product);
        } else if (format_ == ReportFormat::json) {
            write_as_json(table);
        } else {
            table.rows([](std::span<const TableCell>) {});
            cli::print_product(text());
        }
        progress_.hide();
        write_plot();
        return failed() ? static_cast<int>(ErrorCode::operation) : 0;
    }

  private:
    /// Codes alone are compared.
    void warn_of_meaning() const {
        const VideoInfo& a = videos_[0].info();
        const VideoInfo& b = videos_[1].info();
        const auto warn = [&](bool differ, const std::string& what) {
            if (differ && !settings_.silent) {
                cli::print_warning(fmt::format("{} and {} {}", names_[0], names_[1], what));
            }
        };
        warn(a.code.range != b.code.range,
             "differ in range (full and limited): equal codes are not equal colours");
        warn((a.tagged && b.tagged && a.code.matrix != b.code.matrix) ||
                 a.has_usual_colours() != b.has_usual_colours(),
             "differ in matrix or transfer function: equal codes are not equal colours");
        warn(videos_[0].has_alpha() != videos_[1].has_alpha(),
             "are compared without alpha, which one of them lacks");
    }

    bool has_alpha() const { return videos_[0].has_alpha() && videos_[1].has_alpha(); }

    /// Of PlaneFigures: those that there are.
    std::vector<std::size_t> planes() const {
        return has_alpha() ? std::vector<std::size_t>{0, 1, 2, 3} : std::vector<std::size_t>{0, 1, 2};
    }

    /// All together first.
    std::vector<std::size_t> figures() const {
        std::vector<std::size_t> all = planes();
        all.insert(all.begin(), all_planes);
        return all;
    }

    void check_plot() const {
        if (!arguments_.has(cli::video_plot_flag)) {
            return;
        }
        const std::string& path = arguments_.value(cli::video_plot_flag);
        if (cli::end_of_name(path) != "svg") {
            throw Error(ErrorCode::usage, fmt::format("{}: --plot writes SVG", path),
                        "a name that ends in .svg");
        }
        cli::OutputPlace(path).refuse_inputs(cli::video_plot_flag, {names_[0], names_[1]});
        cli::check_place(cli::OutputPlace(path), arguments_, "drawing");
    }

    void write_plot() const {
        if (arguments_.has(cli::video_plot_flag)) {
            const std::string drawing = draw_curves(curves_, fmt::format("{} and {}", names_[0], names_[1]));
            cli::OutputPlace(arguments_.value(cli::video_plot_flag)).write(std::as_bytes(std::span(drawing)));
        }
    }

    VideoReader open(std::size_t i) const { return VideoReader(names_.at(i), reading_options(arguments_)); }

    void refuse_flags() const {
        for (const char* flag : {"map", "map-gain", "map-style", "max-diff"}) {
            if (arguments_.has(flag)) {
                throw Error(ErrorCode::usage, fmt::format("--{} is for images, and these are videos", flag));
            }
        }
    }

    /// As ffmpeg calls the planes.
    std::string_view plane_name(std::size_t plane) const {
        return std::string_view(is_rgb_ ? "gbra" : "yuva").substr(plane, 1);
    }

    /// "psnr_y"; of all planes "psnr".
    std::string column(std::string_view figure, std::size_t plane) const {
        return fmt::format("{}{}{}", figure, plane == all_planes ? "" : "_", plane_name(plane));
    }

    Table frames_table() {
        Table table{{{"frame", ColumnType::whole}, {"seconds", ColumnType::real, "s"}}, {}};
        for (const char* figure : {"psnr", "ssim"}) {
            for (const std::size_t i : figures()) {
                table.columns.push_back({column(figure, i), ColumnType::real});
            }
        }
        table.rows = [this](const TakeRow& take) {
            for (std::optional<FrameDifference> difference = next(); difference; difference = next()) {
                std::vector<TableCell> cells{summary_.frames, seconds_};
                for (const std::size_t i : figures()) {
                    cells.emplace_back(psnr_cell(difference->mse.at(i)));
                }
                for (const std::size_t i : figures()) {
                    cells.emplace_back(difference->ssim.at(i));
                }
                take(cells);
                summary_.add(*difference);
                if (arguments_.has(cli::video_plot_flag)) {
                    curves_.psnr.push_back(psnr_of(difference->mse.at(all_planes), bits()));
                    curves_.ssim.push_back(difference->ssim.at(all_planes));
                }
            }
        };
        return table;
    }

    /// JSON knows no infinity.
    double psnr_cell(double mse) const {
        const double psnr = psnr_of(mse, bits());
        return std::isinf(psnr) && format_ == ReportFormat::json ? std::numeric_limits<double>::quiet_NaN()
                                                                 : psnr;
    }

    int bits() const { return videos_[0].info().form.bits; }

    /// Of the next two frames; nothing where a video has none.
    std::optional<FrameDifference> next() {
        std::array<std::optional<FrameData>, 2> frames;
        for (std::size_t i = 0; i < frames.size(); ++i) {
            frames.at(i) = videos_.at(i).next(std::move(memory_.at(i)));
        }
        if (!frames[0] || !frames[1]) {
            end(frames[0].has_value(), frames[1].has_value());
            return std::nullopt;
        }
        seconds_ = frames[0]->seconds;
        show_progress();
        FrameDifference difference = difference_of(
            frames[0]->planes, frames[1]->planes, videos_[0].info().form,
            has_alpha() ? &frames[0]->alpha : nullptr, has_alpha() ? &frames[1]->alpha : nullptr);
        for (std::size_t i = 0; i < frames.size(); ++i) {
            memory_.at(i) = std::move(frames.at(i)->planes);
        }
        return difference;
    }

    void show_progress() {
        progress_.show(counted(summary_.frames, "frame"), 0, 1);
        if (const auto all = videos_[0].info().frames; all && *all > 0) {
            progress_.advance(
                std::min(1.0, static_cast<double>(summary_.frames) / static_cast<double>(*all)));
        }
    }

    void end(bool first_goes_on, bool second_goes_on) const {
        if (summary_.frames == 0) {
            throw Error(ErrorCode::input, "one of the videos has no frames");
        }
        if ((first_goes_on || second_goes_on) && !settings_.silent) {
            cli::print_warning(fmt::format("{} has more frames: the first {} of both {} compared",
                                           names_.at(first_goes_on ? 0 : 1), summary_.frames,
                                           summary_.frames == 1 ? "is" : "are"));
        }
    }

    static std::string decibels(double psnr) {
        return std::isinf(psnr) ? "equal" : fmt::format("{:.3f} dB", psnr);
    }

    std::string text() const {
        std::string psnr = fmt::format("psnr {}", decibels(psnr_of(summary_.mse(all_planes), bits())));
        std::string ssim = fmt::format("ssim {:.6f}", summary_.ssim(all_planes));
        for (const std::size_t i : planes()) {
            psnr += fmt::format("  {} {}", plane_name(i), decibels(psnr_of(summary_.mse(i), bits())));
            ssim += fmt::format("  {} {:.6f}", plane_name(i), summary_.ssim(i));
        }
        return fmt::format("{}  {}  {}\n{}\n{}\nworst frame {}: psnr {}\n", cli::printable_name(names_[0]),
                           cli::printable_name(names_[1]), counted(summary_.frames, "frame"), psnr, ssim,
                           summary_.worst, decibels(psnr_of(summary_.largest_mse, bits())));
    }

    /// Frames as they come, then what is known at the end.
    void write_as_json(const Table& table) {
        cli::print_product(fmt::format(R"({{"schema":"glproc.compare-video/1","input":{},"with":{},"each":)",
                                       json_of(names_[0]), json_of(names_[1])));
        write_json(table, &cli::print_product);
        cli::Json facts = cli::Json::object({{"frames", summary_.frames}});
        for (const bool is_psnr : {true, false}) {
            for (const std::size_t i : figures()) {
                facts.add(column(is_psnr ? "psnr" : "ssim", i),
                          cli::json_number(is_psnr ? psnr_of(summary_.mse(i), bits()) : summary_.ssim(i)));
            }
        }
        facts.add("worst_frame", summary_.worst);
        cli::print_product(fmt::format(",{}\n", std::string_view(json_of(facts)).substr(1)));
    }

    /// Says which bound the mean of all frames exceeds.
    bool failed() const {
        const auto bound = [&](const char* flag, double value, const char* unit) {
            const bool is_worse = arguments_.has(flag) &&
                                  !(value >= parse_number({flag, unit, {-1, 1000}}, arguments_.value(flag)));
            if (is_worse) {
                cli::print_error(fmt::format("the videos have {:.6g}{}, less than --{} {}", value, unit, flag,
                                             arguments_.value(flag)));
            }
            return is_worse;
        };
        const bool low = bound("min-psnr", psnr_of(summary_.mse(all_planes), bits()), " dB");
        return bound("min-ssim", summary_.ssim(all_planes), "") || low;
    }

    const Arguments& arguments_;
    const Settings& settings_;
    ReportFormat format_;
    std::array<std::string, 2> names_;
    std::array<VideoReader, 2> videos_;
    cli::Progress progress_;
    bool is_rgb_ = false;
    std::array<Planes, 2> memory_;
    double seconds_ = 0; ///< when the frame begins
    Summary summary_;
    DifferenceCurves curves_; ///< for --plot
};

} // namespace

int compare_videos(const Arguments& arguments, const Settings& settings) {
    return Comparison(arguments, settings).go();
}

} // namespace glproc::video
