// A control for a parameter of any operation, made from its description.
#pragma once

#include "glproc/ops/histogram.hpp"
#include "view/document.hpp"
#include "view/tools/tool.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace glproc::view {

/// A parameter that a file is to be chosen for.
struct WantedFile {
    int step = 0; ///< its id
    std::string field;
};

/// How the parameters of a step are shown.
struct FieldsShown {
    std::optional<Held>& held; ///< what the pointer does in the picture, on request
    std::optional<WantedFile>& file;
    const std::vector<ChannelCounts>* counts =
        nullptr;               ///< of what the step gets, behind a curve; may be null
    bool has_advanced = false; ///< whether those are shown that few people need
};

/// Shows the parameters of the step and applies what a person changes.
void show_fields(Document& document, std::size_t at, const FieldsShown& shown);

/// The handle in the picture for a parameter of the step; nothing where none has one.
std::optional<Held> handle_of(const Step& step);

/// Whether few people need the parameter: a fold hides it, unless it has a value.
bool is_advanced(const OpInfo& op, const FieldInfo& field);

} // namespace glproc::view
