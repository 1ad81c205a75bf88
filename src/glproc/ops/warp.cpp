#include "glproc/ops/warp.hpp"

#include "glproc/base/error.hpp"
#include "glproc/kinds/background.hpp"
#include "glproc/op/describe.hpp"
#include "glproc/op/proof.hpp"
#include "glproc/ops/warp/maps.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit element_limit{-1e9, 1e9};
constexpr Limit samples_limit{1, most_samples};
/// Beyond these, the GPU no longer finds the pixel of a border that repeats.
constexpr double far_away = 1 << 19;

bool is_from_file(const Warp& op) {
    return !op.map.path.empty() || op.map.image;
}

/// One of --affine, --perspective, --points, --lens, --polar and --map.
void check_one_map(const Warp& op) {
    const int maps = int{op.affine.has_value()} + int{op.perspective.has_value()} +
                     int{op.points.has_value()} + int{op.lens.has_value()} + int{op.polar} +
                     int{is_from_file(op)};
    if (maps != 1) {
        throw Error(
            ErrorCode::usage,
            maps == 0
                ? "warp needs a map: --points, --perspective, --affine, --lens, --polar or --map"
                : "warp takes one map at a time: --points, --perspective, --affine, --lens, --polar or --map",
            "glproc warp in.png out.png --points 120,80,910,60,980,1300,60,1290");
    }
}

template <std::size_t n>
std::array<double, n> numbers_of(std::string_view name, const std::vector<double>& values) {
    if (values.size() != n) {
        throw Error(ErrorCode::usage, fmt::format("--{} takes {} numbers, not {}", name, n, values.size()),
                    "write them with commas between");
    }
    std::array<double, n> result{};
    for (std::size_t i = 0; i < n; ++i) {
        check_limit(fmt::format("--{}", name), values[i], element_limit);
        result[i] = values[i];
    }
    return result;
}

bool is_by_corners(const Warp& op) {
    return op.points && op.points->size() == 8;
}

std::array<Double2, 4> corners_of(const std::vector<double>& points) {
    const std::array<double, 8> v = numbers_of<8>("points", points);
    return {Double2{v[0], v[1]}, Double2{v[2], v[3]}, Double2{v[4], v[5]}, Double2{v[6], v[7]}};
}

/// As long as the longer of two opposite sides.
Int2 size_of_corners(const std::array<Double2, 4>& corners) {
    const auto side = [&](std::size_t a, std::size_t b) {
        return std::hypot(corners[a][0] - corners[b][0], corners[a][1] - corners[b][1]);
    };
    const auto pixels = [](double a, double b) {
        return static_cast<int>(std::clamp(std::round(std::max(a, b)), 1.0, size_limit.high));
    };
    return {pixels(side(0, 1), side(3, 2)), pixels(side(0, 3), side(1, 2))};
}

Int2 size_of(const Warp& op, const Form& form) {
    if (op.size) {
        return {op.size->width, op.size->height};
    }
    if (is_by_corners(op)) {
        return size_of_corners(corners_of(*op.points));
    }
    return op.map.image ? Int2{op.map.image->width(), op.map.image->height()} : Int2{form.width, form.height};
}

Matrix3 matrix_of_points(const Warp& op, Int2 size) {
    if (is_by_corners(op)) {
        const double right = size[0];
        const double bottom = size[1];
        return matrix_between({Double2{0, 0}, {right, 0}, {right, bottom}, {0, bottom}},
                              corners_of(*op.points));
    }
    if (op.points->size() != 16) {
        throw Error(
            ErrorCode::usage,
            fmt::format("--points takes four corners, 8 numbers, or four pairs of points, 16 numbers, not {}",
                        op.points->size()),
            "write them with commas between: x,y,x,y,x,y,x,y");
    }
    const std::array<double, 16> v = numbers_of<16>("points", *op.points);
    std::array<Double2, 4> from{};
    std::array<Double2, 4> to{};
    for (std::size_t i = 0; i < 4; ++i) {
        to[i] = {v[4 * i], v[4 * i + 1]};
        from[i] = {v[4 * i + 2], v[4 * i + 3]};
    }
    return matrix_between(from, to);
}

PointMap::Row rows_by_image(const Warp& op, Int2 size) {
    if (!op.map.image) { // its form alone is asked for
        return by_matrix({1, 0, 0, 0, 1, 0, 0, 0, 1}, 1);
    }
    const Image& map = *op.map.image;
    if (map.depth() != Depth::f32 || map.channels() < 2) {
        throw Error(ErrorCode::usage,
                    "the map of warp holds x and y as floats, in two channels or in red and green",
                    "save it as .npy, .pfm, .exr or a TIFF of floats");
    }
    if (map.width() != size[0] || map.height() != size[1]) {
        throw Error(ErrorCode::usage,
                    fmt::format("the map of warp has {}x{} pixels, the result {}x{}", map.width(),
                                map.height(), size[0], size[1]),
                    "leave --size out");
    }
    return by_image(op.map.image);
}

Matrix3 matrix_of_affine(const Warp& op) {
    const std::array<double, 6> m = numbers_of<6>("affine", *op.affine);
    return {m[0], m[1], m[2], m[3], m[4], m[5], 0, 0, 1};
}

/// Of an affine map, a perspective or points.
std::optional<Matrix3> matrix_of(const Warp& op, Int2 size) {
    return op.affine        ? std::optional(matrix_of_affine(op))
           : op.perspective ? std::optional(numbers_of<9>("perspective", *op.perspective))
           : op.points      ? std::optional(matrix_of_points(op, size))
                            : std::nullopt;
}

PointMap::Row rows_of(const Warp& op, const Form& form, Int2 size, int samples) {
    if (const std::optional<Matrix3> matrix = matrix_of(op, size)) {
        return by_matrix(*matrix, samples);
    }
    return op.lens    ? by_lens(numbers_of<5>("lens", *op.lens), form, size, samples)
           : op.polar ? by_polar(form, size, samples)
                      : rows_by_image(op, size);
}

int samples_of(const Warp& op, const Form& form, Int2 size) {
    const bool is_plain = is_from_file(op) || op.filter == ResampleFilter::nearest;
    const int samples = op.samples ? *op.samples : is_plain ? 1 : samples_for(rows_of(op, form, size, 1), form, size);
    check_limit("samples", samples, samples_limit);
    if (samples > 1 && op.filter == ResampleFilter::nearest) {
        throw Error(ErrorCode::usage, "--filter nearest takes one sample a pixel", "choose another filter, such as linear");
    }
    if (samples > 1 && is_from_file(op)) {
        throw Error(ErrorCode::usage, "a map from a file has one sample for each pixel",
                    "give warp a larger map, and resize its result");
    }
    return samples;
}

/// Whether the GPU can compute the points of all samples, which the corners' points bound.
bool is_near(const Affine& affine, Int2 size) {
    constexpr double least_depth = 1e-12; // where the deepest is about 1
    const auto is_small = [&](double x, double y) {
        const Double2 point = affine.at(x, y);
        return affine.depth_at(x, y) > least_depth && std::abs(point[0]) < far_away && std::abs(point[1]) < far_away;
    };
    return is_small(0, 0) && is_small(size[0], 0) && is_small(0, size[1]) && is_small(size[0], size[1]);
}

/// Sets the map. Depths are scaled by a power of 2, which rounds nothing.
void set_matrix(Affine& affine, const Matrix3& m, Int2 size) {
    const double n = affine.samples;
    affine.origin = {m[2], m[5]};
    affine.right = {m[0] / n, m[3] / n};
    affine.down = {m[1] / n, m[4] / n};
    affine.depth = {m[8], m[6] / n, m[7] / n};
    const double deepest = std::max({affine.depth_at(0, 0), affine.depth_at(size[0], 0), affine.depth_at(0, size[1]),
                                     affine.depth_at(size[0], size[1])});
    if (affine.is_perspective() && std::isnormal(deepest)) {
        const double scale = std::ldexp(1.0, -std::ilogb(deepest));
        for (double* value : {&affine.origin[0], &affine.origin[1], &affine.right[0], &affine.right[1], &affine.down[0],
                              &affine.down[1], &affine.depth[0], &affine.depth[1], &affine.depth[2]}) {
            *value *= scale;
        }
    }
}

} // namespace

Plan plan(const Warp& op, const Form& form) {
    check_one_map(op);
    if (op.alpha == AlphaMode::ignore) {
        throw Error(ErrorCode::usage, "--alpha ignore keeps alpha as it is, which warp cannot",
                    "--alpha premultiply or straight");
    }
    const Int2 size = size_of(op, form);
    check_size("warp", size[0], size[1]);
    const int samples = samples_of(op, form, size);
    const Int2 all{size[0] * samples, size[1] * samples};
    const Border border = border_of(op.background, op.border);
    Affine affine{.filter = op.filter, .border = border, .alpha = op.alpha, .samples = samples};
    const std::optional<Matrix3> matrix = matrix_of(op, size);
    if (matrix) {
        set_matrix(affine, *matrix, all);
    }
    if (!matrix || !is_near(affine, all)) {
        affine.map =
            std::make_shared<const PointMap>(rows_of(op, form, size, samples), form, border.mode, all);
    }
    return affine_plan(form, size[0], size[1], affine, "warp", op.method);
}

const OpInfo& warp_info() {
    static const OpInfo info =
        Describe<Warp>("warp", "straighten, bend or unroll an image, or map it in any other way",
                       "in.png out.png --points 10,5,90,0,100,80,0,70")
            .example("Straighten a photographed page by its corners",
                     "photo.jpg page.jpg --points 2,3,30,1,31,20,1,19 --size 30x20")
            .example("Correct the barrel distortion of a lens", "photo.jpg out.jpg --lens=-0.05,0.01,0,0,0")
            .example("Unroll what lies in circles around the middle",
                     "photo.jpg out.jpg --polar --size 100x300 --border clamp")
            .found_by({"perspective", "warpperspective"}, "IN OUT --points 60,20,290,50,260,200,30,180")
            .found_by({"affine", "shear", "warpaffine"}, "IN OUT --affine 1,0.2,0,0,1,0")
            .found_by({"undistort"}, "IN OUT --lens=-0.1,0,0,0,0")
            .found_by({"remap"}, "IN OUT --map map.npy")
            .found_by({"polar"}, "IN OUT --polar")
            .found_by({"-shear N", "-affine N", "-transform", "-swirl N", "-implode N", "-wave N"})
            .field("points", &Warp::points,
                   {.value = "X,Y,...",
                    .unit = "pixels",
                    .help = "the four corners of a page, clockwise from the top left; or four pairs: a point "
                            "of IN and its place "
                            "in OUT"})
            .field("perspective", &Warp::perspective,
                   {.value = "M",
                    .help = "9 numbers, a matrix that takes points of OUT to points of IN",
                    .size_powers = {{0, 0, 1, 0, 0, 1, -1, -1, 0}}}) // M becomes S M S^-1, where S scales x and y
            .field("affine", &Warp::affine,
                   {.value = "M",
                    .help = "6 numbers a,b,c,d,e,f: pixel x,y of OUT shows the point ax+by+c, dx+ey+f of IN",
                    .size_powers = {{0, 0, 1, 0, 0, 1}}})
            .field("lens", &Warp::lens,
                   {.value = "K,...",
                    .help = "distortion k1,k2,k3,p1,p2 as OpenCV counts it, with half the diagonal as unit"})
            .toggle("polar", &Warp::polar, true,
                    {.help = "unroll: columns become distances from the middle, rows angles"})
            .field("map", &Warp::map,
                   {.value = "FILE",
                    .help = "a float image or .npy that holds x and y in IN for each pixel of OUT",
                    .holds_numbers = true,
                    .holds_places = true})
            .field("size", &Warp::size,
                   {.value = "WxH",
                    .unit = "pixels",
                    .limit = size_limit,
                    .help = "size of the result"})
            .field("samples", &Warp::samples,
                   {.value = "N",
                    .limit = samples_limit,
                    .slider = {1, most_samples, 1},
                    .help = "average NxN points for each pixel, against aliasing; by default as many as the "
                            "map shrinks"})
            .field("filter", &Warp::filter, {.value = "F", .help = "how to read between pixels"})
            .field("border", &Warp::border,
                   {.value = "B",
                    .help = "how to continue the image; constant is black, or transparent if there is alpha",
                    .contradicts = "background"})
            .field("background", &Warp::background,
                   {.value = "COLOUR", .help = "the colour beyond the edges", .contradicts = "border"})
            .field("alpha", &Warp::alpha,
                   {.value = "A", .help = "how to weight transparent pixels; ignore is for filters only"})
            .method(&Warp::method,
                    {.size = "2448x1505",
                     .ladders =
                         {{.title = "Warps of a random 2448x1505 RGBA8 image, ms",
                           .columns = {{"affine", "2448x1505", {{"affine", "0.98,0.17,10,-0.17,0.98,300"}}},
                                       {"perspective",
                                        "2448x1505",
                                        {{"perspective", "1,0.1,9,0,1.1,7,0,0.0001,1"}}}}}}})
            .runs();
    return info;
}

} // namespace glproc
