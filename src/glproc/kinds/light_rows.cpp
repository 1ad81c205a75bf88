#include "glproc/kinds/light_rows.hpp"

#include "glproc/kinds/light.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace glproc {

namespace {

/// Calls work(value index, whether it is alpha) for values of rows.
template <class Work>
void over_values(const Form& form, std::size_t count, const Work& work) {
    const auto channels = static_cast<std::size_t>(form.channels);
    for (std::size_t i = 0; i < count; ++i) {
        work(i, form.has_alpha() && i % channels == channels - 1);
    }
}

std::size_t code_at(const std::byte* codes, Depth depth, std::size_t i) {
    return depth == Depth::u8 ? reinterpret_cast<const std::uint8_t*>(codes)[i]   // NOLINT: of that depth
                              : reinterpret_cast<const std::uint16_t*>(codes)[i]; // NOLINT: likewise
}

template <class Code>
void put(std::vector<std::byte>& codes, std::size_t i, int code) {
    reinterpret_cast<Code*>(codes.data())[i] = static_cast<Code>(code); // NOLINT: of that depth
}

} // namespace

LightReader::LightReader(RowReader& source) : source_(source), form_(source.form()), light_(light_of_codes(source.form().depth)) {
    form_.depth = Depth::f32;
}

void LightReader::read(std::span<std::byte> rows) {
    const Depth depth = source_.form().depth;
    const float unit = 1.0F / static_cast<float>(max_code(depth));
    std::vector<std::byte> codes(rows.size() / sizeof(float) * bytes_of(depth));
    source_.read(codes);
    auto* to = reinterpret_cast<float*>(rows.data()); // NOLINT: rows of floats
    over_values(form_, rows.size() / sizeof(float), [&](std::size_t i, bool is_alpha) {
        const std::size_t code = code_at(codes.data(), depth, i);
        to[i] = is_alpha ? static_cast<float>(code) * unit : light_[code]; // NOLINT: as many
    });
}

LightWriter::LightWriter(const Form& form, RowWriter& to) : form_(form), to_(to), first_(first_light(form.depth)) {}

void LightWriter::write(std::span<const std::byte> rows) {
    const auto* light = reinterpret_cast<const float*>(rows.data()); // NOLINT: rows of floats
    const std::size_t count = rows.size() / sizeof(float);
    std::vector<std::byte> codes(count * bytes_of(form_.depth));
    const auto most = static_cast<float>(max_code(form_.depth));
    over_values(form_, count, [&](std::size_t i, bool is_alpha) {
        const float value = light[i]; // NOLINT: as many
        const int code = is_alpha ? static_cast<int>(std::nearbyint(std::clamp(value * most, 0.0F, most))) : code_of(value);
        form_.depth == Depth::u8 ? put<std::uint8_t>(codes, i, code) : put<std::uint16_t>(codes, i, code);
    });
    to_.write(codes);
}

/// code_of_light() of glsl/lib/light.glsl.
int LightWriter::code_of(float light) const {
    int code = 0;
    for (int half_left = (static_cast<int>(first_.size()) + 1) / 2; half_left > 0; half_left /= 2) {
        code += light >= first_[static_cast<std::size_t>(code + half_left - 1)] ? half_left : 0;
    }
    return code;
}

void copy_rows(RowReader& source, RowWriter& to) {
    std::vector<std::byte> row(source.form().row_bytes());
    for (int y = 0; y < source.form().height; ++y) {
        source.read(row);
        to.write(row);
    }
}

} // namespace glproc
