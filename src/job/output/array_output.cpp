#include "job/output/array_output.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/npy.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

namespace glproc::job {

ArrayOutput::ArrayOutput(std::optional<ArrayFormat> told, OutputPlace place)
    : place_(std::move(place)), format_(told.value_or(ArrayFormat::npy)) {
    if (!told && !place_.is_stdout() && !names_npy(place_.path())) {
        const std::string extension = std::filesystem::path(place_.path()).extension();
        throw Error(
            ErrorCode::usage,
            extension.empty()
                ? fmt::format("{}: no extension tells the output format (known: npy)", place_.path())
                : fmt::format("{}: unknown output format '{}' (known: npy)", place_.path(), extension),
            "end the name in .npy, or add --to raw for the elements alone");
    }
}

void ArrayOutput::write(const Array& array) const {
    if (format_ == ArrayFormat::npy) {
        place_.write(format_npy(array));
    } else {
        place_.write(array.bytes);
    }
}

std::unique_ptr<RowWriter> ArrayOutput::open(const ArrayForm& form) const {
    std::unique_ptr<RowWriter> writer = place_.open();
    if (format_ == ArrayFormat::npy) {
        writer->write(npy_header(form));
    }
    return writer;
}

} // namespace glproc::job
