#include "glproc/files/drawing.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/module_file.hpp"

#include <fmt/format.h>

namespace glproc {

const modules::Draughtsman& draughtsman() {
    const LoadedModule& module = loaded_module("draw");
    if (module.symbol == nullptr) {
        throw Error(ErrorCode::operation, "drawing needs Pango and Cairo, which cannot be loaded",
                    fmt::format("install libpango-1.0-0 and libpangocairo-1.0-0 ({})", module.problem));
    }
    return *static_cast<const modules::Draughtsman*>(module.symbol);
}

} // namespace glproc
