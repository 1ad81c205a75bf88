#include "job/picture/joined_inputs.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/files/row_store.hpp"
#include "glproc/files/series.hpp"
#include "glproc/kinds/row_copy.hpp"
#include "glproc/op/picture_facts.hpp"
#include "job/confined/decoder_process.hpp"
#include "job/first_profile.hpp"
#include "job/page_files.hpp"
#include "job/pages.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace glproc::job {

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
    void read(std::span<std::byte> rows) override {
        try {
            reader_->read(rows);
        } catch (const Error& error) {
            throw with_way_on(error, {}); // what is kept in part comes as a whole
        }
    }

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
    return {.form = info.form,
            .metadata = info.metadata,
            .open = [name, options, memory_bytes, form = info.form] {
                try {
                    Image image = decode_within({}, read_input(name, "image"), input_name(name), options);
                    if (image.width() != form.width || image.height() != form.height ||
                        image.channels() > form.channels || image.depth() > form.depth) {
                        throw Error(ErrorCode::input,
                                    fmt::format("{}: the image is not what its header says", name));
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
    Opener(const Reading& reading, const std::string& first, const std::vector<std::string>& others)
        : reading_(reading),
          memory_bytes_((reading.budget.memory > 0
                             ? std::min(store_bytes, static_cast<std::size_t>(reading.budget.memory))
                             : store_bytes) /
                        (others.size() + 1)) {
        note_page(first);
        std::ranges::for_each(others, [this](const std::string& name) { note_page(name); });
    }

    /// `is_late`: it need not be decoded before others are read.
    RowSource open(const std::string& name, bool is_late, Notes& notes) {
        try {
            const NamedPage named = named_page(name);
            return named.page == 0 ? open_file(name, is_late, notes) : open_named(named, name, notes);
        } catch (const Error& error) {
            throw with_way_on(error, reading_.options);
        }
    }

  private:
    void note_page(const std::string& name) {
        if (const NamedPage named = named_page(name); named.page != 0) {
            pages_[named.path].push_back(named.page);
        }
    }

    RowSource open_named(const NamedPage& named, const std::string& name, Notes& notes) {
        const DecodeOptions options = reading_.with(notes);
        std::optional<RowSource> rows = open_page(named, pages_[named.path], reading_.budget, options);
        if (rows) {
            RowSource page{rows->form, rows->metadata, {}};
            page.open = [rows = std::move(*rows)] { return std::make_unique<KeptReader>(rows); };
            return page;
        }
        return kept_rows(read_page(named, start_for_pages(named.path), name, reading_.budget, options),
                         memory_bytes_);
    }

    RowSource open_file(const std::string& name, bool is_late, Notes& notes) {
        const DecodeOptions options = reading_.with(notes);
        const bool is_trusted = !reading_.budget.any() && !options.keep_partial;
        std::optional<RowSource> rows =
            is_trusted ? open_rows(std::filesystem::path(name), options) : std::nullopt;
        std::error_code ignored;
        if (is_late && is_trusted && std::filesystem::is_regular_file(name, ignored)) {
            return rows ? opened_late(std::move(*rows), name, options)
                        : decoded_late(name, options, memory_bytes_);
        }
        return rows ? std::move(*rows)
                    : kept_rows(decode_within(reading_.budget, read_input(name, "image"), input_name(name),
                                              options),
                                memory_bytes_);
    }

    const Reading& reading_;
    std::size_t memory_bytes_;
    std::map<std::string, std::vector<int>> pages_; ///< of each file that are named
};

} // namespace

void tell_joined_facts(Operation& operation, const std::vector<std::string>& inputs, const Reading& reading) {
    std::error_code ignored;
    const std::vector<PictureFacts*> wanted = operation.joined_facts();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        wanted[i]->path = inputs[i] == "-" ? "" : inputs[i];
        const NamedPage named = named_page(inputs[i]);
        const bool is_file = std::filesystem::is_regular_file(named.path, ignored);
        if (!is_file || reading.budget.any()) { // which has a process of its own for what it reads
            continue;
        }
        try {
            wanted[i]->exif =
                (named.page != 0 ? inspect_once(named.path) : inspect(std::filesystem::path(named.path)))
                    .metadata.exif;
        } catch (const Error&) { // NOLINT(bugprone-empty-catch): decoding will say it
        }
    }
}

std::vector<RowSource> open_joined(const std::string& first, const std::vector<std::string>& others,
                                   const Reading& reading, bool joins_any, Notes& notes) {
    Opener opener(reading, first, others);
    Notes said; // where the first is decoded
    const Form form = joins_any ? Form{} : opener.open(first, false, said).form;
    const FirstProfile profile(first, reading);
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

} // namespace glproc::job
