#include "cli/files/joined_inputs.hpp"

#include "cli/confined/budget.hpp"
#include "cli/confined/decoder_process.hpp"
#include "cli/files/first_profile.hpp"
#include "cli/files/input.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/files/row_store.hpp"
#include "glproc/kinds/row_copy.hpp"

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
RowSource opened_late(RowSource rows, const std::string& name, const DecodeOptions& options) {
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
RowSource decoded_late(const std::string& name, const DecodeOptions& options, std::size_t memory_bytes) {
    const PictureInfo info = inspect(std::filesystem::path(name), options);
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
                    throw with_way_on(error);
                }
            }};
}

/// `is_late`: it need not be decoded before others are read.
RowSource open_one(const std::string& name, const Arguments& arguments, std::size_t memory_bytes, bool is_late) {
    const DecodeOptions options = decode_options(arguments, nullptr);
    const Budget budget = read_budget(arguments);
    const bool is_trusted = !budget.any() && !options.keep_partial;
    try {
        std::optional<RowSource> rows =
            is_trusted ? open_rows(std::filesystem::path(name), options) : std::nullopt;
        std::error_code ignored;
        if (is_late && is_trusted && std::filesystem::is_regular_file(name, ignored)) {
            return rows ? opened_late(std::move(*rows), name, options) : decoded_late(name, options, memory_bytes);
        }
        return rows ? std::move(*rows)
                    : kept_rows(decode_within(budget, read_input(name, "image"), input_name(name), options),
                                memory_bytes);
    } catch (const Error& error) {
        throw with_way_on(error);
    }
}

} // namespace

std::vector<RowSource> open_joined(const std::string& first, const std::vector<std::string>& others,
                                   const Arguments& arguments, Notes& notes) {
    if (others.empty()) {
        throw Error(ErrorCode::usage, fmt::format("{} takes several images", arguments.command->name),
                    fmt::format("name them before the output: {}", arguments.command->example_call()));
    }
    const std::size_t memory_bytes = store_bytes / others.size();
    const bool joins_any = arguments.command->op->joins_any;
    const Form form = joins_any ? Form{} : open_one(first, arguments, memory_bytes, false).form;
    const FirstProfile profile(first, arguments);
    std::vector<RowSource> opened;
    for (const std::string& name : others) {
        opened.push_back(profile.take(open_one(name, arguments, memory_bytes, joins_any), name, notes));
        const auto add_light = [&] { opened.back() = profile.in_light(std::move(opened.back()), sniff(peek_input(name))); };
        if (joins_any) {
            add_light();
            continue;
        }
        const Form& other = opened.back().form;
        if (other.width != form.width || other.height != form.height || other.channels != form.channels) {
            throw Error(ErrorCode::usage,
                        fmt::format("{} is {}x{} with {} channels, {} is {}x{} with {}", name, other.width,
                                    other.height, other.channels, first, form.width, form.height,
                                    form.channels),
                        "resize, crop or convert it first");
        }
        if ((other.depth == Depth::f32) != (form.depth == Depth::f32)) {
            throw Error(ErrorCode::usage,
                        fmt::format("{} has {}, {} has {}", name,
                                    other.depth == Depth::f32 ? "floats" : "integers", first,
                                    form.depth == Depth::f32 ? "floats" : "integers"),
                        "glproc convert --depth makes one of the other");
        }
        add_light();
    }
    return opened;
}

} // namespace glproc::cli
