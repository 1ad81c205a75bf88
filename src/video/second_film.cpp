#include "video/second_film.hpp"

#include "cli/files/file_flags.hpp"
#include "cli/files/film_command.hpp"
#include "cli/files/second_pictures.hpp"
#include "video/grey.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace glproc::video {

SecondFilm::SecondFilm(PictureInput& input, const FilmOptions& options)
    : input_(&input), film_(input.path, options) {
    input.image = std::make_shared<const Image>(film_.info().picture_form());
}

void SecondFilm::advance(const Machine& machine) {
    const FilmInfo& info = film_.info();
    if (const std::optional<FilmFrame> frame = film_.next()) {
        Picture shown = frame_image(machine, frame->planes, info, is_grey(info.pixels));
        input_->image = std::make_shared<const Image>(machine.give(std::move(shown)));
    }
}

std::vector<SecondFilm> read_second_films(Operation& operation, const cli::Arguments& arguments,
                                          const cli::FirstProfile& frames, Notes& notes) {
    std::vector<std::pair<PictureInput*, std::string>> films;
    for (PictureInput* input : operation.pictures()) {
        if (cli::names_film(input->path)) {
            films.emplace_back(input, std::exchange(input->path, {})); // so that it is not read as a picture
        }
    }
    const Notes said = cli::read_second_pictures(operation, arguments, frames);
    notes.insert(notes.end(), said.begin(), said.end());
    FilmOptions options;
    options.max_pixels = cli::decode_options(arguments, nullptr).max_pixels;
    std::vector<SecondFilm> opened;
    for (auto& [input, path] : films) {
        input->path = std::move(path);
        opened.emplace_back(*input, options);
    }
    return opened;
}

} // namespace glproc::video
