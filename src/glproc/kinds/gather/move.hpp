// Moves pixels to other places, bit for bit: shared by crop, pad, flip and quarter turns.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/image/rows.hpp"
#include "glproc/kinds/filter.hpp"
#include "glproc/op/tiles.hpp"

namespace glproc {

/// How axes are exchanged.
enum class TurnMethod {
    automatic,
    shared,    ///< through shared memory, by groups
    registers, ///< each invocation turns a square of as many pixels as a texel has
};

/// Which pixel of the source a pixel of the result is. The source's column follows the result's column, or
/// its row if the axes are exchanged. The source's row follows the other.
struct Move {
    Int2 first = {0, 0}; ///< the source's pixel at the result's first; may lie outside
    Int2 step = {1, 1};  ///< 1, or -1 where the source is read backwards
    bool exchanged = false;
    Border border = BorderMode::constant; ///< the pixels outside the source
    TurnMethod turn = TurnMethod::automatic;

    /// The source's pixel for one of the result.
    Int2 at(int x, int y) const {
        return {first[0] + step[0] * (exchanged ? y : x), first[1] + step[1] * (exchanged ? x : y)};
    }
};

/// The smallest rectangle of the source that holds everything of it that a rectangle of the result shows. At
/// least a pixel, even if nothing of it shows.
Rect source_of(const Move& move, const Form& source, const Rect& result);

/// The same for pixels `from` … `from` + `count` − 1 of a line of `n`.
struct Span {
    int first = 0;
    int count = 0;
};
Span source_of(BorderMode border, int from, int count, int n);

/// `result` of the moved picture, made from the part `rect` of the source, which holds what source_of() says.
GpuImage run_move(Context& gpu, const Move& move, const Form& source, const GpuImage& part, const Rect& rect,
                  const Rect& result);

/// The same of a whole picture by the processor. Rows are read and written in their order; the caller calls
/// finish().
void move_rows(const Move& move, const Form& result, RowReader& source, RowWriter& to);
/// Whether that keeps the whole picture in memory.
bool holds_picture(const Move& move, const Form& form, const Form& result);

} // namespace glproc
