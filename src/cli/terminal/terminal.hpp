// What the program's own standard streams are, and how it speaks on them.
#pragma once

#include <string>
#include <string_view>

namespace glproc::cli {

/// Opens what the caller has closed of descriptors 0 to 2, so that no file of ours takes their place. Reading
/// finds nothing there, writing fails.
void claim_standard_streams();

bool is_terminal(int descriptor);

/// Whether stderr is a terminal that knows escapes, for a line that is drawn again: not with TERM=dumb.
bool redraws();

/// Columns for text on stdout: COLUMNS, else the terminal's, else 80.
int text_columns();

/// Columns for the bars of a report: 40 where stdout is no terminal, else what the terminal leaves for them.
int bar_columns();

/// All of `text` to stdout. Throws Error(output).
void print_product(std::string_view text);

/// "glproc: error: <what>" and "  hint: <hint>", further lines of either indented.
void print_error(std::string_view what, std::string_view hint = {});

/// "glproc: warning: <text>".
void print_warning(std::string_view text);

/// "glproc: note: <text>".
void print_note(std::string_view text);

/// `text` to stderr as it is. Failures to write it are ignored.
void print_stderr(std::string_view text);

} // namespace glproc::cli
