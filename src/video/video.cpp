// glproc-video, which glproc starts for `glproc video`.
#include "cli/companion.hpp"
#include "video/film_run.hpp"

int main(int argc, char** argv) {
    return glproc::cli::run_companion("video", argc, argv, glproc::video::run_film);
}
