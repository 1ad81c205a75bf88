#include "npp_rows.hpp"

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
            {"resize", npp::resize}};
}

} // namespace peers
