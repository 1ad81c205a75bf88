#include "cli/files/run_input.hpp"

#include "cli/pipe/pipe.hpp"
#include "cli/words/own_files.hpp"
#include "cli/words/thesaurus.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/files/npy.hpp"
#include "glproc/op/picture_facts.hpp"
#include "job/confined/decoder_process.hpp"
#include "job/first_profile.hpp"
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

namespace glproc::cli {

namespace {

/// Whether a picture goes by its rows, where its format lets it: one that may not fit a texture, or that is
/// large enough to be worth reading, moving and writing at the same time. Smaller ones are decoded as a whole
/// while the driver starts, and JPEGs by a GPU, which needs all of them.
bool is_large_source(const RowSource& source) {
    constexpr int texture_size = 16384; // what OpenGL 4.3 promises
    const std::size_t bytes = std::size_t{source.metadata.jpeg ? 256U : 32U} << 20U;
    return source.form.width > texture_size || source.form.height > texture_size || source.form.bytes() > bytes;
}

} // namespace

namespace {

/// compare A B DIFF writes DIFF elsewhere. Throws Error(input) where that may be meant.
void refuse_missing_map(const std::string& path, const std::vector<std::string>& inputs, const Command& command) {
    std::error_code unknown;
    if (inputs.size() == 2 && find_flag(command.flags, "--map") != nullptr && looks_like_file(path) && !std::filesystem::exists(path, unknown)) {
        throw Error(ErrorCode::input, path + ": no such file",
                    fmt::format("glproc {} {} {} --map {}", command.name, shell_word(inputs[0]), shell_word(inputs[1]),
                                shell_word(path)));
    }
}

} // namespace

namespace {

/// In a chain an image meets the colours that its step gets; see PictureInput::fitted.
void fit_at_its_step(PictureInput& picture, const std::string& name) {
    picture.fitted = [raw = picture.image, name](PictureFacts& facts) {
        const FirstProfile first(facts.path.empty() ? "-" : facts.path, facts.icc, facts.curve);
        if (facts.are_numbers && raw->metadata().format) {
            facts.notes.push_back(name + ": meets numbers at its step, with which its colours are mixed as they are");
        }
        return first.suits(raw->form(), raw->metadata())
                   ? raw
                   : std::make_shared<const Image>(first.fitted(Image(*raw), name, facts.notes));
    };
}

/// `first` is null where they are fitted at their steps alone.
Notes read_pictures(Operation& operation, const Arguments& arguments, const FirstProfile* first, bool has_steps) {
    const std::vector<std::string> inputs = arguments.inputs();
    bool reads_stdin = std::find(inputs.begin(), inputs.end(), "-") != inputs.end() ||
                       (arguments.has("files-from") && arguments.value("files-from") == "-");
    Notes said;
    for (PictureInput* picture : operation.pictures()) {
        if (picture->path == "-" && std::exchange(reads_stdin, true)) {
            throw Error(ErrorCode::usage, "stdin can be read only once", "name a file instead of one -");
        }
        const NamedPage named = named_page(picture->path);
        refuse_missing_map(named.path, inputs, *arguments.command);
        const std::string name = input_name(picture->path);
        const DecodeOptions options = decode_options(arguments, &said);
        const std::vector<std::byte> file = named.page != 0 ? start_for_pages(named.path) : read_input(named.path, "image");
        Image image = named.page != 0 ? read_page(named, file, name, read_budget(arguments), options)
                      : is_npy(file)  ? image_of(parse_npy(file, name), name)
                                      : decode_within(read_budget(arguments), file, name, options);
        picture->image = std::make_shared<const Image>(std::move(image));
        if (picture->holds_numbers) {
            continue;
        }
        if (has_steps) {
            fit_at_its_step(*picture, name);
        }
        if (first != nullptr && !first->suits(picture->image->form(), picture->image->metadata())) {
            picture->image = std::make_shared<const Image>(first->fitted(Image(*picture->image), name, said));
        }
    }
    return said;
}

} // namespace

Notes read_second_pictures(Operation& operation, const Arguments& arguments, const std::optional<std::string>& first) {
    if (operation.pictures().empty()) {
        return {};
    }
    const bool has_steps = arguments.command->op == &pipe_info();
    if (first && has_steps) {
        return read_pictures(operation, arguments, nullptr, true);
    }
    const FirstProfile profile = first ? FirstProfile(*first, read_reading(arguments)) : FirstProfile::srgb();
    return read_pictures(operation, arguments, &profile, has_steps);
}

Notes read_second_pictures(Operation& operation, const Arguments& arguments, const FirstProfile& first) {
    return read_pictures(operation, arguments, &first, false);
}

void tell_joined_facts(Operation& operation, const std::vector<std::string>& inputs, const Arguments& arguments) {
    std::error_code ignored;
    const std::vector<PictureFacts*> wanted = operation.joined_facts();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        wanted[i]->path = inputs[i] == "-" ? "" : inputs[i];
        const NamedPage named = named_page(inputs[i]);
        const bool is_file = std::filesystem::is_regular_file(named.path, ignored);
        if (!is_file || read_budget(arguments).any()) { // which has a process of its own for what it reads
            continue;
        }
        try {
            wanted[i]->exif = (named.page != 0 ? inspect_once(named.path) : inspect(std::filesystem::path(named.path))).metadata.exif;
        } catch (const Error&) { // NOLINT(bugprone-empty-catch): decoding will say it
        }
    }
}

RunInput::RunInput(const Arguments& arguments, std::string name, const OpInfo& op, const Operation& operation,
                   Stages& stages)
    : op_(op), operation_(operation), stages_(stages), name_(std::move(name)), path_(named_pages(name_).path), file_(path_),
      decoding_(decode_options(arguments, &notes_)), budget_(read_budget(arguments)), arrays_(arguments) {
    decoding_.page = named_pages(name_).first;
    if (decoding_.page == 0) {
        decoding_.box = operation_.box();
    }
}

std::optional<RowSource> RunInput::open_in_rows(PictureOutput* picture, bool alone) {
    static_cast<void>(named_page(name_)); // not several
    if (op_.input != Input::image || budget_.any() || decoding_.keep_partial || decoding_.page != 0) {
        return {};
    }
    std::optional<RowSource> source;
    try {
        source = name_ == "-"       ? open_rows(STDIN_FILENO, input_name(name_), decoding_)
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
    return picture != nullptr ? picture->take_input(name_, std::move(*source), operation_) : std::move(*source);
}

/// What is wrong with such a picture is said later.
bool RunInput::needs_no_device(const RowSource& source, PictureOutput* picture) const {
    try {
        return picture != nullptr ? glproc::needs_no_device(picture->plan_for(name_, source.form, source.metadata, operation_))
                                  : operation_.by_processor(source.form, false);
    } catch (const Error&) {
        return false;
    }
}

std::vector<std::byte> RunInput::read() {
    const std::string_view what = op_.input == Input::image ? "image" : "array";
    notes_.clear(); // of rows that were opened before
    std::vector<std::byte> bytes = stages_.run(Stage::decode, [&] {
        return decoding_.page != 0 ? start_for_pages(path_) : file_.read(what);
    });
    look_at(bytes);
    return bytes;
}

Source RunInput::decode(const std::vector<std::byte>& bytes, PictureOutput* picture) {
    return stages_.run(Stage::decode, [&]() -> Source {
        return op_.input == Input::image ? Source(decode_picture(bytes, picture))
                                         : arrays_.read_vector(name_, bytes);
    });
}

std::optional<gpu_codecs::JpegScan> RunInput::scan(const std::vector<std::byte>& bytes, PictureOutput* picture) {
    if (op_.input != Input::image || picture == nullptr || budget_.any() || decoding_.page != 0 || (name_ == "-" && has_second_picture(bytes))) {
        return {};
    }
    return stages_.run(Stage::decode, [&]() -> std::optional<gpu_codecs::JpegScan> {
        std::optional<gpu_codecs::JpegScan> scan = gpu_codecs::read_jpeg_scan(bytes, input_name(name_), decoding_);
        try {
            if (scan && picture->takes_as_it_is(name_, scan->form, scan->metadata, operation_)) {
                return scan;
            }
        } catch (const Error&) { // NOLINT(bugprone-empty-catch): said once it is known that the file is sound
        }
        return {};
    });
}

std::optional<Form> RunInput::form_of(const std::vector<std::byte>& bytes) const {
    if (op_.input != Input::image || decoding_.page != 0 ||
        budget_.any()) { // a header is not read here that the decoder may not survive
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
    if (begins_as_film(bytes)) {
        throw Error(ErrorCode::input, input_name(name_) + ": a video, not an image",
                    "use glproc video; with --frame it saves one frame as an image");
    }
    Image pixels = decoding_.page != 0 ? read_page(named_page(name_), bytes, input_name(name_), budget_, decoding_)
                                       : decode_within(budget_, bytes, input_name(name_), decoding_);
    return picture != nullptr ? picture->take_input(name_, std::move(pixels), operation_) : std::move(pixels);
}

} // namespace glproc::cli
