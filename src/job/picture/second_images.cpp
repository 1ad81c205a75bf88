#include "job/picture/second_images.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/npy.hpp"
#include "glproc/op/picture_facts.hpp"
#include "job/confined/decoder_process.hpp"
#include "job/input_file.hpp"
#include "job/page_files.hpp"
#include "job/pages.hpp"

#include <memory>
#include <utility>

namespace glproc::job {

namespace {

/// In a chain an image meets the colours that its step gets; see PictureInput::fitted.
void fit_at_its_step(PictureInput& picture, const std::string& name) {
    picture.fitted = [raw = picture.image, name](PictureFacts& facts) {
        const FirstProfile first(facts.path.empty() ? "-" : facts.path, facts.icc, facts.curve);
        if (facts.are_numbers && raw->metadata().format) {
            facts.notes.push_back(
                name + ": meets numbers at its step, with which its colours are mixed as they are");
        }
        return first.suits(raw->form(), raw->metadata())
                   ? raw
                   : std::make_shared<const Image>(first.fitted(Image(*raw), name, facts.notes));
    };
}

} // namespace

Notes read_second_images(Operation& operation, const Reading& reading, const FirstProfile* first,
                         SecondRules rules) {
    Notes said;
    for (PictureInput* picture : operation.pictures()) {
        if (picture->path == "-" && std::exchange(rules.stdin_is_taken, true)) {
            throw Error(ErrorCode::usage, "stdin can be read only once", "name a file instead of one -");
        }
        const NamedPage named = named_page(picture->path);
        const std::string name = input_name(picture->path);
        const DecodeOptions options = reading.with(said);
        const std::vector<std::byte> file =
            named.page != 0 ? start_for_pages(named.path) : read_input(named.path, "image");
        Image image = named.page != 0 ? read_page(named, file, name, reading.budget, options)
                      : is_npy(file)  ? image_of(parse_npy(file, name), name)
                                      : decode_within(reading.budget, file, name, options);
        picture->image = std::make_shared<const Image>(std::move(image));
        if (picture->holds_numbers) {
            continue;
        }
        if (rules.meet_at_steps) {
            fit_at_its_step(*picture, name);
        }
        if (first != nullptr && !first->suits(picture->image->form(), picture->image->metadata())) {
            picture->image = std::make_shared<const Image>(first->fitted(Image(*picture->image), name, said));
        }
    }
    return said;
}

} // namespace glproc::job
