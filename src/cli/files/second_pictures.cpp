#include "cli/files/second_pictures.hpp"

#include "cli/files/input.hpp"
#include "cli/pipe/pipe.hpp"
#include "cli/words/own_files.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/shell_word.hpp"
#include "job/pages.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

/// compare A B DIFF writes DIFF elsewhere. Throws Error(input) where that may be meant.
void refuse_missing_map(const std::string& path, const std::vector<std::string>& inputs,
                        const Command& command) {
    std::error_code unknown;
    if (inputs.size() == 2 && find_flag(command.flags, "--map") != nullptr && looks_like_file(path) &&
        !std::filesystem::exists(path, unknown)) {
        throw Error(ErrorCode::input, path + ": no such file",
                    fmt::format("glproc {} {} {} --map {}", command.name, shell_word(inputs[0]),
                                shell_word(inputs[1]), shell_word(path)));
    }
}

Notes read_pictures(Operation& operation, const Arguments& arguments, const FirstProfile* first,
                    bool meet_at_steps) {
    const std::vector<std::string> inputs = arguments.inputs();
    for (const PictureInput* picture : operation.pictures()) {
        refuse_missing_map(named_page(picture->path).path, inputs, *arguments.command);
    }
    const bool lists_stdin = arguments.has("files-from") && arguments.value("files-from") == "-";
    const bool reads_stdin = lists_stdin || std::find(inputs.begin(), inputs.end(), "-") != inputs.end();
    return read_second_images(operation, read_reading(arguments), first, {reads_stdin, meet_at_steps});
}

} // namespace

Notes read_second_pictures(Operation& operation, const Arguments& arguments,
                           const std::optional<std::string>& first) {
    if (operation.pictures().empty()) {
        return {};
    }
    const bool has_steps = arguments.command->op == &pipe_info();
    if (first && has_steps) {
        return read_pictures(operation, arguments, nullptr, true);
    }
    const FirstProfile profile = first ? FirstProfile(*first, read_reading(arguments)) : FirstProfile::srgb();
    return read_pictures(operation, arguments, &profile, has_steps);
}

Notes read_second_pictures(Operation& operation, const Arguments& arguments, const FirstProfile& first) {
    return read_pictures(operation, arguments, &first, false);
}

} // namespace glproc::cli
