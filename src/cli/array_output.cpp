#include "cli/array_output.hpp"

#include "glproc/image/array.hpp"

namespace glproc::cli {

ArrayOutput::ArrayOutput(const Arguments& arguments, std::string path) : place_(std::move(path)) {
    if (arguments.has("to")) {
        format_ = FieldText<ArrayFormat>::parse({"to", "", {}}, arguments.value("to"));
    } else if (!place_.is_stdout()) {
        format_ = names_npy(place_.path()) ? ArrayFormat::npy : ArrayFormat::raw;
    }
    place_.check(arguments, "array");
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

} // namespace glproc::cli
