// A .cube file as a parameter.
#pragma once

#include "glproc/math/cube.hpp"
#include "glproc/op/field.hpp"

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

namespace glproc {

/// Throws Error(input).
Cube read_cube(const std::filesystem::path& path);

/// A table, or the file that holds it, which is read when it is first needed. Copies share it.
class CubeFile {
  public:
    CubeFile() = default;
    CubeFile(std::string path) : shared_(std::make_shared<Shared>()) { shared_->path = std::move(path); }
    CubeFile(Cube cube) : shared_(std::make_shared<Shared>()) { shared_->cube = std::move(cube); }

    std::string path() const { return shared_ ? shared_->path : std::string(); }

    /// Throws the errors of read_cube(); Error(usage) if there is neither.
    const Cube& table() const;

  private:
    struct Shared {
        std::string path;
        std::mutex mutex;
        Cube cube; ///< of size 0 until it is read
    };
    std::shared_ptr<Shared> shared_;
};

template <>
struct FieldText<CubeFile> {
    static CubeFile parse(const FieldContext&, std::string_view text) { return std::string(text); }
    static std::string print(const CubeFile& file) { return file.path(); }
    static std::string range(const Limit&) { return "a .cube file"; }
};

template <>
struct ValueKind<CubeFile> {
    static constexpr FieldKind kind = FieldKind::file;
    static constexpr int values = 1;
};

} // namespace glproc
