// The command line: words, one a line, up to the point where files would be opened.
#include "cli/arguments.hpp"
#include "cli/configure.hpp"
#include "cli/help/help.hpp"
#include "cli/settings.hpp"
#include "fuzz/fuzz.hpp"

#include <sstream>
#include <string>
#include <vector>

using namespace glproc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
    std::vector<std::string> words;
    for (std::string word; std::getline(lines, word);) {
        words.push_back(word);
    }
    // Kernels and tables may be named as files.
    fuzz::expect_only({ErrorCode::usage, ErrorCode::input}, [&] {
        const cli::Arguments arguments = cli::parse_arguments(words);
        if (arguments.command == nullptr) {
            return;
        }
        fuzz::require(!cli::command_help(*arguments.command, 80, cli::HelpDetail::all).empty(),
                      "every command has a help text");
        cli::require_places(arguments);
        static_cast<void>(cli::read_settings(arguments));
        if (arguments.command->op != nullptr) {
            static_cast<void>(cli::configure(arguments));
        }
    });
    return 0;
}
