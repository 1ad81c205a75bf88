// The shader loader: files end at a zero byte. The first is the kernel, the others are lib/0.glsl, lib/1.glsl
// …
#include "fuzz/fuzz.hpp"
#include "glproc/shader/loader.hpp"
#include "glproc/shader/variants.hpp"

#include <map>
#include <optional>
#include <string>

using namespace glproc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string all(reinterpret_cast<const char*>(data), size);
    std::map<std::string, std::string, std::less<>> files;
    std::size_t begin = 0;
    for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
        end = all.find('\0', begin);
        const std::string name =
            files.empty() ? "fuzz.comp" : "lib/" + std::to_string(files.size() - 1) + ".glsl";
        files[name] = all.substr(begin, end - begin);
    }
    const auto read = [&](std::string_view name) -> std::optional<std::string> {
        const auto found = files.find(name);
        return found == files.end() ? std::nullopt : std::optional(found->second);
    };
    fuzz::expect_only({ErrorCode::operation}, [&] {
        const ShaderSource source = load_shader("fuzz.comp", {{"AXIS", "1"}}, read);
        fuzz::require(!source.files.empty(), "the kernel is one of the files");
        static_cast<void>(rewrite_log(all, source.files));
    });
    fuzz::expect_only({ErrorCode::operation}, [&] {
        fuzz::require(all_variants(files["fuzz.comp"]).size() <= max_variants, "not too many variants");
    });
    return 0;
}
