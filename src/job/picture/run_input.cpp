#include "job/picture/run_input.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/inspect.hpp"
#include "job/confined/decoder_process.hpp"
#include "job/page_files.hpp"
#include "job/pages.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::job {

namespace {

/// Whether a picture goes by its rows, where its format lets it: one that may not fit a texture, or that is
/// large enough to be worth reading, moving and writing at the same time. Smaller ones are decoded as a whole
/// while the driver starts, and JPEGs by a GPU, which needs all of them.
bool is_large_source(const RowSource& source) {
    constexpr int texture_size = 16384; // what OpenGL 4.3 promises
    const std::size_t bytes = std::size_t{source.metadata.jpeg ? 256U : 32U} << 20U;
    return source.form.width > texture_size || source.form.height > texture_size ||
           source.form.bytes() > bytes;
}

} // namespace

RunInput::RunInput(const Call& call, std::string name)
    : call_(call), name_(std::move(name)), path_(named_pages(name_).path), file_(path_),
      decoding_(call.reading.with(notes_)) {
    const NamedPages named = named_pages(name_);
    decoding_.page = named.is_named() ? named.numbers.front() : 0;
    if (decoding_.page == 0) {
        decoding_.box = call_.operation.box();
    }
}

std::optional<RowSource> RunInput::open_in_rows(PictureOutput* picture, bool alone) {
    static_cast<void>(named_page(name_)); // not several
    if (call_.op.input != Input::image || call_.reading.budget.any() || decoding_.keep_partial ||
        decoding_.page != 0) {
        return {};
    }
    std::optional<RowSource> source;
    try {
        source = name_ == "-"     ? open_rows(STDIN_FILENO, input_name(name_), decoding_)
                 : file_.opened() ? open_rows(file_.opened(), path_, decoding_)
                                  : std::nullopt;
    } catch (const Error& error) {
        throw with_way_on(error, decoding_);
    }
    is_large_ = source && is_large_source(*source);
    if (!source || (!is_large_ && !(alone && needs_no_device(*source, picture)))) {
        notes_.clear();
        return {};
    }
    return picture != nullptr ? picture->take_input(name_, std::move(*source), call_.operation)
                              : std::move(*source);
}

/// What is wrong with such a picture is said later.
bool RunInput::needs_no_device(const RowSource& source, PictureOutput* picture) const {
    try {
        return picture != nullptr ? glproc::needs_no_device(picture->plan_for(
                                        name_, source.form, source.metadata, call_.operation))
                                  : call_.operation.by_processor(source.form, false);
    } catch (const Error&) {
        return false;
    }
}

std::vector<std::byte> RunInput::read() {
    const std::string_view what = call_.op.input == Input::image ? "image" : "array";
    notes_.clear(); // of rows that were opened before
    std::vector<std::byte> bytes = call_.stages.run(
        Stage::decode, [&] { return decoding_.page != 0 ? start_for_pages(path_) : file_.read(what); });
    look_at(bytes);
    return bytes;
}

Source RunInput::decode(const std::vector<std::byte>& bytes, PictureOutput* picture) {
    return call_.stages.run(Stage::decode, [&]() -> Source {
        return call_.op.input == Input::image ? Source(decode_picture(bytes, picture))
                                              : call_.arrays.read_vector(name_, bytes);
    });
}

std::optional<gpu_codecs::JpegScan> RunInput::scan(const std::vector<std::byte>& bytes,
                                                   PictureOutput* picture) {
    if (call_.op.input != Input::image || picture == nullptr || call_.reading.budget.any() ||
        decoding_.page != 0 || (name_ == "-" && has_second_picture(bytes))) {
        return {};
    }
    return call_.stages.run(Stage::decode, [&]() -> std::optional<gpu_codecs::JpegScan> {
        std::optional<gpu_codecs::JpegScan> scan =
            gpu_codecs::read_jpeg_scan(bytes, input_name(name_), decoding_);
        try {
            if (scan && picture->takes_as_it_is(name_, scan->form, scan->metadata, call_.operation)) {
                return scan;
            }
        } catch (const Error&) { // NOLINT(bugprone-empty-catch): said once it is known that the file is sound
        }
        return {};
    });
}

std::optional<Form> RunInput::form_of(const std::vector<std::byte>& bytes) const {
    if (call_.op.input != Input::image || decoding_.page != 0 ||
        call_.reading.budget.any()) { // a header is not read here that the decoder may not survive
        return {};
    }
    try {
        return inspect(bytes, input_name(name_)).form;
    } catch (const Error&) { // decoding will say it
        return {};
    }
}

Image RunInput::decode_picture(const std::vector<std::byte>& bytes, PictureOutput* picture) {
    if (name_ == "-" && has_second_picture(bytes)) {
        throw Error(ErrorCode::input, "stdin: holds more than one image, and only one is read");
    }
    if (begins_as_video(bytes)) {
        throw Error(ErrorCode::input, input_name(name_) + ": a video, not an image",
                    "use glproc video; with --frame it saves one frame as an image");
    }
    Image pixels =
        decoding_.page != 0
            ? read_page(named_page(name_), bytes, input_name(name_), call_.reading.budget, decoding_)
            : decode_within(call_.reading.budget, bytes, input_name(name_), decoding_);
    return picture != nullptr ? picture->take_input(name_, std::move(pixels), call_.operation)
                              : std::move(pixels);
}

} // namespace glproc::job
