#include "glproc/op/cube_file.hpp"

namespace glproc {

const Cube& CubeFile::table() const {
    if (!shared_) {
        throw Error(ErrorCode::usage, "there is no table", "lut takes a .cube file");
    }
    const std::lock_guard lock(shared_->mutex);
    if (shared_->cube.size == 0) {
        shared_->cube = read_cube(shared_->path);
    }
    return shared_->cube;
}

} // namespace glproc
