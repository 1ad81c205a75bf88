#include "cli/files/joined_inputs.hpp"

#include "cli/files/input.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/files/row_store.hpp"
#include "glproc/files/series.hpp"
#include "glproc/kinds/row_copy.hpp"
#include "job/budget.hpp"
#include "job/confined/decoder_process.hpp"
#include "job/first_profile.hpp"
#include "job/page_files.hpp"
#include "job/pages.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

constexpr std::size_t store_bytes = std::size_t{256}
                                    << 20U; // of all pictures that are decoded at once, in memory

/// Rows that were decoded, for as long as anyone has the source.
RowSource kept_rows(const Image& image, std::size_t memory_bytes) {
    const auto store = std::make_shared<RowStore>(image.form(), memory_bytes);
    store->write(image.bytes());
    store->finish();
    RowSource rows = store->down();
    rows.metadata = image.metadata();
    rows.open = [store, open = std::move(rows.open)] { return open(); };
    return rows;
}

/// A reader, and the rows that it reads.
class KeptReader final : public RowReader {
  public:
    explicit KeptReader(const RowSource& rows) : rows_(rows), reader_(rows_.open()) {}

    const Form& form() const override { return reader_->form(); }
    const Metadata& metadata() const override { return reader_->metadata(); }
    void read(std::span<std::byte> rows) override { reader_->read(rows); }

  private:
    RowSource rows_;
    std::unique_ptr<RowReader> reader_;
};

/// The same rows of a file that is only open while it is read: a process has some thousand files.
RowSource opened_late(RowSource rows, const std::string& name, DecodeOptions options) {
    options.notes = nullptr; // they are said
    rows.open = [name, options, form = rows.form] {
        const std::optional<RowSource> again = open_rows(std::filesystem::path(name), options);
        if (!again || again->form != form) {
            throw Error(ErrorCode::input, name + ": another file has taken its place");
        }
        return std::make_unique<KeptReader>(*again);
    };
    return rows;
}

/// A file whose format does not come in rows: decoded when it is opened, and for as long as it is read.
RowSource decoded_late(const std::string& name, DecodeOptions options, std::size_t memory_bytes) {
    const std::size_t before = options.notes->size();
    const PictureInfo info = inspect(std::filesystem::path(name), options);
    if (info.frames > 1 && options.notes->size() == before) {
        options.notes->push_back(fmt::format("{}: has {} images; the first one is used", name, info.frames));
    }
    options.notes = nullptr; // they are said
    return {.form = info.form, .metadata = info.metadata, .open = [name, options, memory_bytes, form = info.form] {
                try {
                    Image image = decode_within({}, read_input(name, "image"), input_name(name), options);
                    if (image.width() != form.width || image.height() != form.height ||
                        image.channels() > form.channels || image.depth() > form.depth) {
                        throw Error(ErrorCode::input, fmt::format("{}: the image is not what its header says", name));
                    }
                    image = in_form(std::move(image), form); // a GIF may have turned out to be opaque
                    return std::make_unique<KeptReader>(kept_rows(image, memory_bytes));
                } catch (const Error& error) {
                    throw with_way_on(error, options);
                }
            }};
}

/// Inputs that become one, opened one after another.
class Opener {
  public:
    /// Of so many.
    Opener(const Arguments& arguments, std::size_t count)
        : arguments_(arguments), budget_(read_budget(arguments)),
          memory_bytes_((budget_.memory > 0 ? std::min(store_bytes, static_cast<std::size_t>(budget_.memory)) : store_bytes) / count) {}

    /// `is_late`: it need not be decoded before others are read.
    RowSource open(const std::string& name, bool is_late, Notes& notes) {
        try {
            const NamedPage named = named_page(name);
            return named.page == 0 ? open_file(name, is_late, notes)
                                   : kept_rows(read_page(named, start_for_pages(named.path), name, budget_, decode_options(arguments_, &notes)),
                                               memory_bytes_);
        } catch (const Error& error) {
            throw with_way_on(error, decode_options(arguments_, nullptr));
        }
    }

  private:
    RowSource open_file(const std::string& name, bool is_late, Notes& notes) {
        const DecodeOptions options = decode_options(arguments_, &notes);
        const bool is_trusted = !budget_.any() && !options.keep_partial;
        std::optional<RowSource> rows = is_trusted ? open_rows(std::filesystem::path(name), options) : std::nullopt;
        std::error_code ignored;
        if (is_late && is_trusted && std::filesystem::is_regular_file(name, ignored)) {
            return rows ? opened_late(std::move(*rows), name, options) : decoded_late(name, options, memory_bytes_);
        }
        return rows ? std::move(*rows)
                    : kept_rows(decode_within(budget_, read_input(name, "image"), input_name(name), options),
                                memory_bytes_);
    }

    const Arguments& arguments_;
    Budget budget_;
    std::size_t memory_bytes_;
};

/// Of those that are whole.
SeriesInfo images_in(const std::string& path, const Arguments& arguments) {
    constexpr SeriesKind any{};
    if (!may_hold_series(path)) {
        return {.kind = any, .count = 1};
    }
    return inspect_series_within(read_budget(arguments), read_input(path, "image"), input_name(path))
        .value_or(SeriesInfo{.kind = any, .count = 1});
}

void warn_of_damage(const std::string& in, const std::string& damage, int kept, const Arguments& arguments) {
    if (!arguments.has("quiet") || arguments.times.at("quiet") < 2) {
        print_warning(fmt::format("{}: {}; {}", input_name(in), damage, images_kept(kept)));
    }
}

/// Where all images of a file are wanted, those that are not whole are missed.
void miss_broken_images(const std::string& in, const SeriesInfo& images, const Arguments& arguments) {
    if (images.damage.empty()) {
        return;
    }
    if (!arguments.has("keep-partial")) {
        throw Error(ErrorCode::input, fmt::format("{}: {}", input_name(in), images.damage),
                    "--keep-partial keeps the images before that");
    }
    warn_of_damage(in, images.damage, images.count, arguments);
}

} // namespace

std::vector<std::string> all_pages(const std::string& in, const Arguments& arguments) {
    if (named_pages(in).first != 0) {
        return {in};
    }
    const SeriesInfo images = images_in(in, arguments);
    const int count = images.count;
    check_count(count, arguments, input_name(in));
    if (const OpInfo* op = arguments.command->op; op != nullptr && op->joins) { // before any name is made
        check_joined(op->name, static_cast<std::size_t>(count), op->most_joined);
    }
    miss_broken_images(in, images, arguments);
    return count < 2 ? std::vector{in} : each_page(fmt::format("{}#1..{}", in, count));
}

std::vector<std::string> named_in(const std::string& place, const Arguments& arguments) {
    const NamedPages named = named_pages(place);
    if (!named.is_row()) {
        return {place};
    }
    const SeriesInfo images = images_in(named.path, arguments);
    const NamedPages there = pages_within(named, place, images, arguments.has("keep-partial"));
    if (there.last < named.last) {
        warn_of_damage(place, images.damage, there.count(), arguments);
    }
    check_count(there.count(), arguments, place);
    return there.is_row() ? each_page(fmt::format("{}#{}..{}", there.path, there.first, there.last)) : std::vector{first_page(place)};
}

std::vector<RowSource> open_joined(const std::string& first, const std::vector<std::string>& others,
                                   const Arguments& arguments, Notes& notes) {
    if (others.empty()) {
        throw Error(ErrorCode::usage, fmt::format("{} takes several images", arguments.command->name),
                    fmt::format("name them before the output: {}", arguments.command->example_call()));
    }
    const bool joins_any = arguments.command->op->joins_any;
    Opener opener(arguments, others.size() + 1);
    Notes said; // where the first is decoded
    const Form form = joins_any ? Form{} : opener.open(first, false, said).form;
    const FirstProfile profile(first, read_reading(arguments));
    std::vector<RowSource> opened;
    for (const std::string& name : others) {
        RowSource rows = opener.open(name, joins_any, notes);
        const Form& other = joins_any ? form : rows.form;
        if (other.width != form.width || other.height != form.height || other.channels != form.channels) {
            throw Error(ErrorCode::usage,
                        fmt::format("{} is {}x{} with {}, {} is {}x{} with {}", name, other.width,
                                    other.height, counted(other.channels, "channel"), first, form.width,
                                    form.height, form.channels),
                        "resize, crop or convert it first");
        }
        if ((other.depth == Depth::f32) != (form.depth == Depth::f32)) {
            throw Error(ErrorCode::usage,
                        fmt::format("{} has {}, {} has {}", name,
                                    other.depth == Depth::f32 ? "floats" : "integers", first,
                                    form.depth == Depth::f32 ? "floats" : "integers"),
                        "first convert one of them: --depth");
        }
        opened.push_back(profile.fitted(std::move(rows), name, notes));
    }
    return opened;
}

} // namespace glproc::cli
