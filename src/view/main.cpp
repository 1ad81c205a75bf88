// glproc-view: the window of glproc.
#include "cli/companion.hpp"
#include "view/run.hpp"

int main(int argc, char** argv) {
    return glproc::cli::run_companion("view", argc, argv, glproc::view::run_view);
}
