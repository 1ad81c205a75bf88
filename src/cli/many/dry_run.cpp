#include "cli/many/dry_run.hpp"

#include "cli/files/call.hpp"
#include "cli/files/output_flags.hpp"
#include "cli/many/input_list.hpp"
#include "cli/terminal/printable.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/words/own_files.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/file.hpp"
#include "job/pages.hpp"
#include "job/stream/series_run.hpp"

#include <filesystem>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::cli {

namespace fs = std::filesystem;

namespace {

/// Whether all pictures of a file fit into the output.
void check_pages(const Call& call, const std::string& in, PictureOutput& output) {
    if (in != "-") {
        InputFile file(named_pages(in).path);
        static_cast<void>(begin_series(call, in, file, output));
    }
}

/// Throws Error as the work would before it begins. A folder that would be made is not there to be checked.
void check_errand(const Arguments& arguments, const Call& call, const Errand& errand) {
    refuse_special(errand.in, errand.found);
    const std::string in = file_of(errand.in);
    std::error_code unknown;
    if (in != "-" && (!fs::exists(in, unknown) || fs::is_regular_file(in, unknown))) {
        static_cast<void>(OpenFile(in));
    }
    const fs::path out(errand.out);
    if (call.is_batch && out.has_parent_path() && !fs::is_directory(out.parent_path(), unknown)) {
        return;
    }
    if (call.op.product != Product::image) {
        static_cast<void>(outputs_of(arguments, errand.out, call.is_batch));
        return;
    }
    PictureOutput output = picture_output(
        arguments, errand.out, call.is_batch ? FormatFlags::apply_where_they_can : FormatFlags::must_apply);
    check_pages(call, errand.in, output);
}

} // namespace

int tell_errands(const Arguments& arguments, const Call& call, const std::vector<Errand>& errands,
                 const PictureLog* log) {
    std::string text;
    int status = 0;
    const auto shown = [](const std::string& name) {
        return is_terminal(STDOUT_FILENO) ? printable_name(name) : name;
    };
    for (const Errand& errand : errands) {
        std::error_code missing;
        const bool is_there = !errand.out.empty() && fs::exists(fs::symlink_status(errand.out, missing));
        const bool is_skipped = (is_there && call.is_batch && arguments.has("no-clobber")) ||
                                (log != nullptr && log->is_done(errand, state_of(errand.in)));
        try {
            if (!is_skipped) {
                check_errand(arguments, call, errand);
            }
        } catch (const Error& error) {
            print_error(error.what(), with_own_files(error.hint(), {errand.in, errand.out}));
            status = status == 0 ? static_cast<int>(error.code()) : status;
            continue;
        }
        text += errand.out.empty() ? shown(errand.in)
                                   : fmt::format("{} -> {}", shown(errand.in), shown(errand.out));
        text += is_skipped ? " (skipped)\n" : is_there ? " (replaced)\n" : "\n";
    }
    print_product(text);
    return status;
}

} // namespace glproc::cli
