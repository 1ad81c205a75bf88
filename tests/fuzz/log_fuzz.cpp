// The JSON log of a call on many pictures, which --resume reads: what is broken is a usage error or done
// again, and what is appended counts the next time.
#include "cli/json.hpp"
#include "cli/many/picture_log.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/scratch.hpp"

#include <string_view>

using namespace glproc;

namespace {

/// As the seeds have them; the output is a file that is always there, and of no bytes.
const cli::Errand errand{"in.png", "/proc/self/status"};
constexpr cli::FileState input{6, 1'767'225'600'000'000'000};

/// What can be read can be written, and is then the same.
void check_json(std::string_view text) {
    const auto json = cli::parse_json_object(text);
    if (!json) {
        return;
    }
    const std::string line = cli::json_line(*json);
    const auto again = cli::parse_json_object(line);
    fuzz::require(again && cli::json_line(*again) == line, "JSON is read as it was written");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::filesystem::path scratch = fuzz::scratch_folder();
    static const std::string path = scratch / "log";
    static const cli::Arguments arguments =
        cli::parse_arguments({"blur", "in.png", "out.png", "--sigma", "2", "--log", path, "--resume"});
    const fuzz::Cost cost(size, 0);
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check_json(text);
    fuzz::write_scratch(path, data, size);
    fuzz::expect_only({ErrorCode::usage}, [&] {
        {
            cli::PictureLog log(arguments, {errand});
            const bool may_be = text.find("1767225600000000000") != std::string_view::npos;
            fuzz::require(may_be || !log.is_done(errand, input), "only what the log says was done");
            log.append(errand, input, cli::PictureFate::done);
        }
        fuzz::require(cli::PictureLog(arguments, {errand}).is_done(errand, input),
                      "what was appended counts, whatever was torn before");
    });
    return 0;
}
