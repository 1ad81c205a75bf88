#include "glproc/ops/convolve.hpp"

#include "glproc/base/counted.hpp"
#include "glproc/base/number.hpp"
#include "glproc/files/file.hpp"
#include "glproc/op/describe.hpp"

#include <cmath>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <system_error>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr Limit scale_limit{-1e6, 1e6};
constexpr Limit offset_limit{-1000, 1000};
constexpr std::size_t longest_file = 1U << 20U;

/// The numbers of a row.
std::vector<double> numbers_of(std::string_view row, const std::function<Error(const std::string&)>& wrong) {
    constexpr std::string_view blanks = " \t\r,";
    std::vector<double> numbers;
    for (std::size_t at = row.find_first_not_of(blanks); at != std::string_view::npos;
         at = row.find_first_not_of(blanks, at)) {
        const std::size_t end = std::min(row.find_first_of(blanks, at), row.size());
        const std::string_view word = row.substr(at, end - at);
        double number = 0;
        const auto [stop, error] = read_number(word, number);
        if (error != std::errc{} || stop != word.data() + word.size() || !std::isfinite(number)) {
            throw wrong(fmt::format("'{}' is not a number", word.substr(0, 40)));
        }
        numbers.push_back(number);
        at = end;
    }
    return numbers;
}

std::string read_kernel_file(const std::string& path) {
    std::error_code unknown; // a pipe has none
    const std::uintmax_t size = std::filesystem::file_size(path, unknown);
    std::vector<std::byte> bytes;
    try {
        if (unknown || size <= longest_file)
            bytes = read_file(path);
    } catch (const Error& error) {
        throw error.hint().empty()
            ? Error(error.code(), error.what(),
                    R"(weights can be given as they are: --kernel "1 2 1; 2 4 2; 1 2 1")")
            : error;
    }
    if ((!unknown && size > longest_file) || bytes.size() > longest_file) {
        throw Error(ErrorCode::input,
                    fmt::format("{}: too long for a kernel of {}", path, FieldText<Kernel>::range({})));
    }
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

Kernel Kernel::from_text(std::string_view text, const std::string& name) {
    Kernel kernel;
    std::size_t line = 1;
    const auto wrong = [&](const std::string& what) {
        return name.empty() ? Error(ErrorCode::usage, "--kernel: " + what,
                                    R"(rows end with a semicolon: "1 2 1; 2 4 2; 1 2 1")")
                            : Error(ErrorCode::input, fmt::format("{}:{}: {}", name, line, what));
    };
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(";\n"), text.size());
        const std::string_view row = text.substr(0, text.substr(0, end).find('#'));
        const std::vector<double> numbers = numbers_of(row.substr(0, std::min(row.size(), end)), wrong);
        if (!numbers.empty()) {
            if (kernel.height > 0 && static_cast<int>(numbers.size()) != kernel.width) {
                throw wrong(fmt::format("a row of {} follows rows of {}", counted(numbers.size(), "weight"),
                                        kernel.width));
            }
            kernel.width = static_cast<int>(std::min(numbers.size(), std::size_t{most} + 1));
            ++kernel.height;
            if (kernel.width > most || kernel.height > most) {
                throw wrong(fmt::format("a kernel has {}", FieldText<Kernel>::range({})));
            }
            kernel.weights.insert(kernel.weights.end(), numbers.begin(), numbers.end());
        }
        line += end < text.size() && text[end] == '\n' ? 1 : 0;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (kernel.weights.empty()) {
        throw wrong("there are no weights");
    }
    return kernel;
}

Kernel FieldText<Kernel>::parse(const FieldContext&, std::string_view text) {
    const bool is_numbers = text.find_first_not_of("0123456789.,;+-eE \t\n") == std::string_view::npos;
    const std::string path(text);
    return is_numbers ? Kernel::from_text(text) : Kernel::from_text(read_kernel_file(path), path);
}

Plan plan(const Convolve& op, const Form& form) {
    check_limit("scale", op.scale, scale_limit);
    const Kernel& kernel = op.kernel;
    // If the offset is more than the weights can make up for, all of the picture becomes black or white.
    const double reach =
        std::accumulate(kernel.weights.begin(), kernel.weights.end(), 1.0,
                        [&](double sum, double weight) { return sum + std::abs(op.scale * weight); });
    check_level("offset", op.offset, form, {-reach, reach}, offset_limit);
    if (kernel.weights.empty() || kernel.width > Kernel::most || kernel.height > Kernel::most ||
        kernel.weights.size() !=
            static_cast<std::size_t>(kernel.width) * static_cast<std::size_t>(kernel.height)) {
        throw Error(ErrorCode::usage, "the kernel must have " + FieldText<Kernel>::range({}));
    }
    // With the kernel rotated by 180 degrees, convolution is the sum of weight x pixel.
    const std::vector<double> turned(kernel.weights.rbegin(), kernel.weights.rend());
    return convolution_plan(
        form, {.name = "convolve",
               .width = kernel.width,
               .height = kernel.height,
               .first = {kernel.width / 2 - (kernel.width - 1), kernel.height / 2 - (kernel.height - 1)},
               .weights = turned,
               .products = as_product(kernel.width, kernel.height, turned),
               .scale = op.scale,
               .offset = op.offset,
               .border = op.border,
               .alpha = op.alpha,
               .hides = op.alpha == AlphaMode::premultiply,
               .method = op.method});
}

const OpInfo& convolve_info() {
    static const OpInfo info =
        Describe<Convolve>("convolve", "filter an image with your own kernel (convolution)",
                           "in.png out.png --kernel 1,2,1 --scale 0.25")
            .example("Emboss", "photo.jpg out.jpg --kernel '-2 -1 0; -1 1 1; 0 1 2'")
            .found_by({"emboss"}, "IN OUT --kernel '-2 -1 0; -1 1 1; 0 1 2'")
            .found_by({"filter2d"}, "IN OUT --kernel '0 -1 0; -1 5 -1; 0 -1 0'")
            .found_by({"-bias N", "-shade N"})
            .cost({.llvmpipe = 0, .per_work = 0.33})
            .field("kernel", &Convolve::kernel,
                   {.value = "FILE|ROWS",
                    .help = "the weights: rows separated by semicolons, such as \"1 2 1; 2 4 2; 1 2 1\", or "
                            "a file with one row per line. The kernel is flipped, as in SciPy; OpenCV's "
                            "filter2D does not flip it",
                    .required = true})
            .field(
                "scale", &Convolve::scale,
                {.value = "S", .limit = scale_limit, .slider = {0, 2, 0.01}, .help = "multiply the sums by this"})
            .field("offset", &Convolve::offset,
                   {.value = "O",
                    .limit = offset_limit,
                    .slider = {-1, 1, 0.01},
                    .help = "add this to the result; 1 is white"})
            .field("border", &Convolve::border)
            .field("alpha", &Convolve::alpha)
            .method(&Convolve::method, {.size = "2448x1505"})
            .runs();
    return info;
}

} // namespace glproc
