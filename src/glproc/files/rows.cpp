#include "glproc/files/rows.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/admission.hpp"
#include "glproc/files/codecs/codecs.hpp"
#include "glproc/files/output.hpp"
#include "glproc/files/page_reader.hpp"
#include "glproc/files/series/parts.hpp"

#include <array>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

namespace glproc {
namespace {

using codecs::Output;
using codecs::Source;

/// What every reader of a source needs.
struct Opened {
    std::string name;
    std::shared_ptr<const OpenFile> file;
    Source source{};
    Format format{};
};

/// That `rows` are whole rows and not more than `left`, which then are fewer.
void count_rows(std::size_t bytes, const Form& form, std::size_t& left) {
    if (bytes % form.row_bytes() != 0 || bytes / form.row_bytes() > left)
        throw Error(ErrorCode::operation, "these are not rows of the image");
    left -= bytes / form.row_bytes();
}

/// Runs `work`; where memory runs out, the error says so as decode() does.
template <class Work>
auto with_memory(const Opened& opened, Work work) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        throw Error(ErrorCode::operation, opened.name + ": not enough memory for this image");
    }
}

/// A codec's reader together with what it reads from.
class OwningReader final : public RowReader {
  public:
    explicit OwningReader(std::shared_ptr<const Opened> opened)
        : opened_(std::move(opened)),
          rows_(with_memory(*opened_, [this] { return codecs::rows_of(opened_->format, opened_->source); })),
          left_(rows_ == nullptr ? 0 : static_cast<std::size_t>(rows_->form().height)) {}

    /// Whether there is a picture that can be read in rows.
    bool works() const { return rows_ != nullptr && orientation_of(metadata().exif) == 1; }

    const Form& form() const override { return rows_->form(); }
    const Metadata& metadata() const override { return rows_->metadata(); }
    void read(std::span<std::byte> rows) override {
        count_rows(rows.size(), form(), left_);
        if (!rows.empty())
            with_memory(*opened_, [&] { rows_->read(rows); });
    }

  private:
    std::shared_ptr<const Opened> opened_;
    std::unique_ptr<RowReader> rows_;
    std::size_t left_;
};

std::optional<RowSource> open_source(const std::shared_ptr<Opened>& opened) {
    opened->source.name = opened->name;
    opened->source.file = opened->file.get();
    std::array<std::byte, 16> start{};
    const auto format = sniff(std::span(start).first(opened->source.read_at(0, start)));
    if (!format)
        return std::nullopt;
    check_admitted(*format, Parsing::pixels, opened->name);
    if (*format == Format::png && codecs::begins_as_apng(opened->source))
        return std::nullopt; // decode() knows which of its images is shown
    opened->format = *format;
    const OwningReader first(opened);
    if (!first.works())
        return std::nullopt;
    opened->source.notes = nullptr; // all notes have been given
    Metadata metadata = first.metadata();
    metadata.format = *format;
    return RowSource{first.form(), std::move(metadata),
                     [opened] { return std::make_unique<OwningReader>(opened); }};
}

std::optional<RowSource> open_source(std::shared_ptr<const OpenFile> file, std::span<const std::byte> bytes, std::string_view name,
                                     const DecodeOptions& options) {
    return open_source(std::make_shared<Opened>(Opened{
        .name = std::string(name),
        .file = std::move(file),
        .source = {.bytes = bytes, .name = {}, .max_pixels = options.max_pixels, .notes = options.notes, .alone = options.alone, .box = options.box}}));
}

codecs::TiffDirectories pages_in(const Source& source) {
#ifdef GLPROC_WITH_TIFF
    return codecs::tiff_directories(source);
#else
    codecs::fail(source, "TIFF is not built in");
#endif
}

/// A codec's writer together with what it writes to.
class OwningWriter final : public RowWriter {
  public:
    OwningWriter(std::unique_ptr<Output> output, std::unique_ptr<RowWriter> rows, const Form& form)
        : output_(std::move(output)), rows_(std::move(rows)), form_(form),
          left_(static_cast<std::size_t>(form.height)) {}

    void write(std::span<const std::byte> rows) override {
        count_rows(rows.size(), form_, left_);
        if (!rows.empty())
            rows_->write(rows);
    }
    void finish() override {
        if (left_ != 0)
            throw Error(ErrorCode::operation, "rows of the image are missing");
        rows_->finish();
    }

  private:
    std::unique_ptr<Output> output_;
    std::unique_ptr<RowWriter> rows_;
    Form form_;
    std::size_t left_;
};

template <class Open>
std::unique_ptr<RowWriter> open_writer(codecs::RowJob job, Open open) {
    const Form form = job.form;
    std::unique_ptr<Output> output;
    auto rows = codecs::row_writer(std::move(job), [&]() -> Output& {
        output = open();
        return *output;
    });
    if (rows == nullptr)
        return nullptr;
    return std::make_unique<OwningWriter>(std::move(output), std::move(rows), form);
}

class ConvertingReader final : public RowReader {
  public:
    ConvertingReader(std::unique_ptr<RowReader> rows, Depth depth)
        : rows_(std::move(rows)), form_(rows_->form()) {
        form_.depth = depth;
    }

    const Form& form() const override { return form_; }
    const Metadata& metadata() const override { return rows_->metadata(); }
    void read(std::span<std::byte> rows) override {
        stored_.resize(rows.size() / form_.row_bytes() * rows_->form().row_bytes());
        rows_->read(stored_);
        convert_depth(stored_, rows_->form().depth, rows, form_.depth);
    }

  private:
    std::unique_ptr<RowReader> rows_;
    Form form_;
    std::vector<std::byte> stored_;
};

class ConvertingWriter final : public RowWriter {
  public:
    ConvertingWriter(std::unique_ptr<RowWriter> rows, Depth from, Depth to)
        : rows_(std::move(rows)), from_(from), to_(to) {}

    void write(std::span<const std::byte> rows) override {
        converted_.resize(rows.size() / bytes_of(from_) * bytes_of(to_));
        convert_depth(rows, from_, converted_, to_);
        rows_->write(converted_);
    }
    void finish() override { rows_->finish(); }

  private:
    std::unique_ptr<RowWriter> rows_;
    Depth from_;
    Depth to_;
    std::vector<std::byte> converted_;
};

} // namespace

std::optional<RowSource> open_rows(const std::filesystem::path& path, const DecodeOptions& options) {
    struct stat status {};
    if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
        return std::nullopt; // opening a pipe would take data from it
    return open_rows(std::make_shared<const OpenFile>(path), path.native(), options);
}

std::vector<std::optional<RowSource>> open_pages(const std::shared_ptr<const OpenFile>& file, std::string_view name,
                                                 const std::vector<int>& numbers, const DecodeOptions& options) {
    const Source whole{.bytes = {}, .name = name, .max_pixels = options.max_pixels, .file = file.get()};
    const codecs::TiffDirectories pages = pages_in(whole);
    std::vector<std::optional<RowSource>> opened;
    for (const int number : numbers) {
        const std::string page = fmt::format("{}#{}", name, number);
        if (number < 1 || static_cast<std::size_t>(number) > pages.places.size())
            throw Error(ErrorCode::input,
                        no_such_image(page, number,
                                      {.count = static_cast<int>(pages.places.size()), .damage = pages.damage}));
        Source source = whole;
        source.notes = options.notes;
        source.page = pages.places[static_cast<std::size_t>(number) - 1];
        opened.push_back(open_source(std::make_shared<Opened>(Opened{.name = page, .file = file, .source = source})));
    }
    return opened;
}

std::optional<RowSource> open_rows(int descriptor, std::string_view name, const DecodeOptions& options) {
    return open_rows(std::make_shared<const OpenFile>(descriptor, name), name, options);
}

std::optional<RowSource> open_rows(std::shared_ptr<const OpenFile> file, std::string_view name, const DecodeOptions& options) {
    return file->regular() ? open_source(std::move(file), {}, name, options) : std::nullopt;
}

std::optional<RowSource> open_rows(std::span<const std::byte> bytes, std::string_view name,
                                   const DecodeOptions& options) {
    return open_source(nullptr, bytes, name, options);
}

std::unique_ptr<RowWriter> write_rows(const std::filesystem::path& path, const Form& form,
                                      const Metadata& metadata, const EncodeOptions& options) {
    return open_writer({form, metadata, path.native(), {}, options},
                       [&] { return codecs::file_output(path); });
}

std::unique_ptr<RowWriter> write_rows(int descriptor, std::string_view name, const Form& form,
                                      const Metadata& metadata, const EncodeOptions& options) {
    return open_writer({form, metadata, std::string(name), {}, options},
                       [&] { return codecs::descriptor_output(descriptor, std::string(name)); });
}

RowSource with_depth(RowSource source, Depth depth) {
    if (source.form.depth == depth)
        return source;
    source.form.depth = depth;
    source.open = [open = std::move(source.open), depth] {
        return std::make_unique<ConvertingReader>(open(), depth);
    };
    return source;
}

std::unique_ptr<RowWriter> with_depth(std::unique_ptr<RowWriter> writer, const Form& form, Depth depth) {
    if (form.depth == depth)
        return writer;
    return std::make_unique<ConvertingWriter>(std::move(writer), depth, form.depth);
}

} // namespace glproc
