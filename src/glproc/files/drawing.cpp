#include "glproc/files/drawing.hpp"

#include "glproc/files/module_file.hpp"

namespace glproc {

const modules::Draughtsman& draughtsman() {
    return use_module<modules::Draughtsman>(draw_module, ErrorCode::operation, "drawing");
}

} // namespace glproc
