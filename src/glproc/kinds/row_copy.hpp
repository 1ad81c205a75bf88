// Operations that only copy pixels: row by row on the processor, because nothing is computed.
#pragma once

#include "glproc/image/colour.hpp"
#include "glproc/op/plan.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace glproc {

/// How many rows are worth a call of a codec.
int rows_at_once(const Form& form);

/// Reads all rows of the picture and writes all of the result.
using RowCopy = std::function<void(RowReader& source, RowWriter& to, const TileProgress& progress)>;

/// Pictures of any size, in little memory; on the GPU only where they came from there. `name` is for errors.
Plan row_copy_plan(const Form& form, const Form& result, std::string name, RowCopy copy);

/// Rows with the channels and the depth of `form`: in colour if it is, opaque if they had no alpha.
Image in_form(Image rows, const Form& form);

/// The form that holds pictures of all these forms and the background, without its size: in colour if one is, and so on.
Form common_form(const std::vector<Form>& forms, const std::optional<Colour>& background);

/// A row of one colour.
std::vector<std::byte> row_in(const Colour& colour, const Form& form);

/// Copies rows of the same channels and depth into an image, the first pixel to x, y.
void put_rows(const Image& rows, int x, int y, Image& to);

} // namespace glproc
