#include "npp_rows.hpp"

#include <nppcore.h>

namespace peers {

std::vector<Rows> npp_rows() {
    return {{"histogram", npp::histogram},
            {"integral", npp::integral},
            {"blur", npp::blur},
            {"box", npp::box},
            {"sobel", npp::sobel},
            {"laplacian", npp::laplacian},
            {"unsharp", npp::unsharp},
            {"median", npp::median},
            {"morphology", npp::morphology},
            {"convolve", npp::convolve},
            {"resize", npp::resize},
            {"blend", npp::blend},
            {"color", npp::color},
            {"warp", npp::warp},
            {"rotate", npp::rotate},
            {"bilateral", npp::bilateral},
            {"canny", npp::canny}};
}

std::string npp_version() {
    const NppLibraryVersion* version = nppGetLibVersion();
    return "NPP " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
           std::to_string(version->build);
}

} // namespace peers
