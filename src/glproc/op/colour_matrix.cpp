#include "glproc/op/colour_matrix.hpp"

#include <glm/gtc/matrix_transform.hpp>

namespace glproc {

std::array<double, 9> saturation_and_hue(double saturation, double hue) {
    const glm::dvec3 luma(0.2126, 0.7152, 0.0722);
    const glm::dmat3 grey = glm::outerProduct(glm::dvec3(1), luma); // each colour becomes its luma
    const glm::dmat3 colour = glm::dmat3(1) - grey;                 // and what is left of it
    const glm::dmat3 turn(glm::rotate(glm::dmat4(1), glm::radians(hue), glm::dvec3(1)));
    const glm::dmat3 m = grey + saturation * colour * turn * colour;
    return {m[0][0], m[1][0], m[2][0], m[0][1], m[1][1],
            m[2][1], m[0][2], m[1][2], m[2][2]}; // glm goes by columns
}

} // namespace glproc
