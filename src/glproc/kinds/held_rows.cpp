#include "glproc/kinds/held_rows.hpp"

#include "glproc/kinds/row_copy.hpp"

#include <algorithm>
#include <utility>

namespace glproc {

namespace {

Image rows_like(const Form& form, int height) {
    return {form.width, height, form.channels, form.depth};
}

} // namespace

void HeldRows::move_to(int begin, int end) {
    for (int next = this->end(); next < begin;) { // rows that nobody asked for
        rows_ = rows_like(form(), std::min(rows_at_once(form()), begin - next));
        source_.read(rows_.bytes());
        begin_ = next;
        next = this->end();
    }
    if (begin == begin_ && end <= this->end()) {
        return;
    }
    Image rows = rows_like(form(), end - begin);
    const std::size_t kept =
        static_cast<std::size_t>(std::max(std::min(this->end(), end) - begin, 0)) * rows.row_bytes();
    if (kept > 0) {
        std::copy_n(row(begin), kept, rows.row(0));
    }
    if (kept < rows.bytes().size()) {
        source_.read(rows.bytes().subspan(kept));
    }
    rows_ = std::move(rows);
    begin_ = begin;
}

void HeldRows::finish() {
    for (int next = end(); next < form().height; next = end()) {
        move_to(next, std::min(next + rows_at_once(form()), form().height));
    }
}

} // namespace glproc
