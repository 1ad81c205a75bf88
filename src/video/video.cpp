// glproc-video, which glproc starts for `glproc video`, and for `glproc info` of videos.
#include "cli/companion.hpp"
#include "video/film_describe.hpp"
#include "video/film_run.hpp"

#include <string_view>

int main(int argc, char** argv) {
    if (argc > 1 && std::string_view(argv[1]) == glproc::cli::describe_word) {
        return glproc::cli::run_companion("info", argc - 1, argv + 1, glproc::video::describe_films);
    }
    return glproc::cli::run_companion("video", argc, argv, glproc::video::run_film);
}
