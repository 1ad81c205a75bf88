// Each colour x (1 - amount x how far the pixel is on its way to the corner), smoothly; alpha is kept.
// Kind: point
// Params: 0 amount, 1 where it begins, 2 the reciprocal of the rest of the way, 3 width, 4 height, 5 the reciprocal of the diagonal
#include "lib/elementary.glsl"

vec4 point(vec4 v) {
    float across = product_of(2.0 * float(place().x) + 1.0 - param(3), param(5)); // whole numbers, before the product
    float down = product_of(2.0 * float(place().y) + 1.0 - param(4), param(5));
    precise float beyond = length_of(across, down) - param(1);
    float t = clamp(product_of(beyond, param(2)), 0.0, 1.0);
    precise float eased = (t * t) * (3.0 - 2.0 * t);
    precise float factor = 1.0 - param(0) * eased;
    precise vec3 colour = v.rgb * factor;
    return vec4(colour, v.a);
}
