#include "glproc/kinds/twin.hpp"

#include "glproc/base/error.hpp"

namespace glproc {

bool have_all(const Defines& defines, std::string_view wanted) {
    while (!wanted.empty()) {
        const std::string_view pair = wanted.substr(0, wanted.find(' '));
        const auto found = defines.find(std::string(pair.substr(0, pair.find('='))));
        if (found == defines.end() || found->second != pair.substr(pair.find('=') + 1)) {
            return false;
        }
        wanted.remove_prefix(std::min(pair.size() + 1, wanted.size()));
    }
    return true;
}

void fail_without_twin(std::string_view glsl) {
    throw Error(ErrorCode::usage, std::string(glsl) + " is not compiled for the CPU: only the library's own operations are");
}

} // namespace glproc
