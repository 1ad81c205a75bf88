// What the files of Engine share.
#pragma once

#include "glproc/base/clock.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/transfer_curve.hpp"
#include "glproc/image/image.hpp"
#include "view/document.hpp"
#include "view/engine/preview.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace glproc::view {

inline double megapixels(const Form& form) {
    return 1e-6 * form.width * form.height;
}

/// The step as an operation, with the other pictures that it reads; `halved`: how often the picture was
/// halved that it is for.
std::unique_ptr<Operation> loaded_operation_of(const Step& step, Pictures& pictures, int halved = 0);

/// The steps that run: those that are on and have their files.
Steps active(const Steps& steps);

/// Something newer is wanted.
struct Outdated {};

/// Null where there is none.
inline std::shared_ptr<const std::vector<std::byte>> shared_icc(const std::vector<std::byte>& icc) {
    return icc.empty() ? nullptr : std::make_shared<const std::vector<std::byte>>(icc);
}

/// A text of one line, for someone who sees fields where the command line has flags.
inline std::string text_of(const Error& error) {
    const std::string text = without_dashes(error.what());
    const std::string_view hint = error.hint();
    const bool is_for_terminals =
        hint.empty() || hint.find("--") != std::string_view::npos || hint.starts_with("glproc ");
    return is_for_terminals ? text : fmt::format("{} ({})", text, hint);
}

} // namespace glproc::view
