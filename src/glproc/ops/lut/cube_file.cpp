#include "glproc/ops/lut/cube_file.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/file.hpp"

#include <cstdint>

#include <fmt/format.h>

namespace glproc {

Cube read_cube(const std::filesystem::path& path) {
    constexpr std::uint64_t most_bytes = std::uint64_t{1}
                                         << 30; // the largest table with 64 characters an entry
    if (const OpenFile file(path); file.regular() && file.size() > most_bytes) {
        throw Error(ErrorCode::input,
                    fmt::format("{}: {} bytes are more than any .cube file has", path.string(), file.size()));
    }
    return parse_cube(read_file(path), path.string());
}

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
