// glproc-video, which glproc starts for `glproc video`, and for `glproc compare` of videos.
#include "cli/companion.hpp"
#include "video/compare_films.hpp"
#include "video/film_run.hpp"

#include <string_view>

int main(int argc, char** argv) {
    using namespace glproc;
    if (argc > 1 && std::string_view(argv[1]) == cli::compare_films_word) {
        return cli::run_companion(cli::compare_command, argc - 1, argv + 1, video::compare_films);
    }
    return cli::run_companion("video", argc, argv, video::run_film);
}
