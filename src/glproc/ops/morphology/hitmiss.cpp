// The hit-or-miss transform of masks.
#include "glproc/base/counted.hpp"
#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/kinds/rank.hpp"
#include "glproc/ops/morphology/parts.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr int most_cells = 63; // along an axis

/// A cell that counts: where it lies, seen from the middle.
struct HitCell {
    int dx;
    int dy;
    int flip; ///< all ones if the pixel is to be unset
};

std::vector<HitCell> hit_cells(const HitPattern& pattern) {
    std::vector<HitCell> cells;
    for (int y = 0; y < pattern.height; ++y) {
        for (int x = 0; x < pattern.width; ++x) {
            if (pattern.at(x, y) != HitPattern::Cell::any) {
                cells.push_back({x - pattern.width / 2, y - pattern.height / 2,
                                 pattern.at(x, y) == HitPattern::Cell::unset ? ~0 : 0});
            }
        }
    }
    return cells;
}

GpuImage hit_on_gpu(Context& gpu, const GpuImage& picture, const HitPattern& pattern) {
    const MaskBits bits = mask_bits(gpu, picture);
    MaskBits hits{bits.width, bits.height, gpu.make_buffer(bits.words.bytes(), "morphology.hits")};
    const std::vector<HitCell> cells = hit_cells(pattern);
    Buffer buffer = gpu.make_buffer(cells.size() * sizeof(HitCell), "morphology.cells");
    buffer.write(std::as_bytes(std::span(cells)));
    gpu.pass("morphology.hitmiss", "morphology/hitmiss.comp")
        .reads("b_from", bits.words)
        .reads("b_cells", buffer)
        .writes("b_to", hits.words)
        .set("u_width", bits.width)
        .set("u_height", bits.height)
        .set("u_row_words", static_cast<int>(bits.row_words()))
        .set("u_cells", static_cast<int>(cells.size()))
        .over_1d(bits.word_count());
    return picture_of(gpu, hits);
}

HostMask hit_on_cpu(const Image& picture, const HitPattern& pattern) {
    const HostMask mask = host_mask(picture, MaskedPixels::nonzero);
    const std::vector<HitCell> cells = hit_cells(pattern);
    const auto is_set = [&](int x, int y) {
        const bool is_inside = x >= 0 && y >= 0 && x < mask.width && y < mask.height;
        return is_inside && mask.is_set(x, y);
    };
    HostMask hits{mask.width, mask.height, std::vector<std::uint32_t>(mask.words.size())};
    for (int y = 0; y < mask.height; ++y) {
        for (int x = 0; x < mask.width; ++x) {
            const bool is_hit = std::all_of(cells.begin(), cells.end(), [&](const HitCell& cell) {
                return is_set(x + cell.dx, y + cell.dy) == (cell.flip == 0);
            });
            hits.words[hits.word_of(x, y)] |= (is_hit ? 1U : 0U) << (static_cast<unsigned>(x) % 32);
        }
    }
    return hits;
}

} // namespace

HitPattern FieldText<HitPattern>::parse(const FieldContext& c, std::string_view text) {
    HitPattern pattern;
    int column = 0;
    const auto end_row = [&] {
        if (column == 0) {
            return;
        }
        if (pattern.height > 0 && column != pattern.width) {
            throw Error(
                ErrorCode::usage,
                fmt::format("--{} has rows of {} and of {}", c.name, pattern.width, counted(column, "cell")),
                fmt::format("--{} '0 0 0; - 1 -; 1 1 1'", c.name));
        }
        pattern.width = column;
        ++pattern.height;
        column = 0;
    };
    for (const char letter : text) {
        if (letter == ';') {
            end_row();
        } else if (letter == '0' || letter == '1' || letter == '-') {
            pattern.cells.push_back(static_cast<HitPattern::Cell>(letter));
            ++column;
        } else if (letter != ' ' && letter != ',') {
            throw Error(ErrorCode::usage, fmt::format("--{} has a '{}'", c.name, letter),
                        "1 is a pixel of an object, 0 background, - any pixel; rows end in ;");
        }
    }
    end_row();
    if (pattern.cells.empty() || pattern.width > most_cells || pattern.height > most_cells) {
        throw Error(ErrorCode::usage,
                    fmt::format("--{} has {}x{} cells", c.name, pattern.width, pattern.height),
                    fmt::format("1 to {} cells along each axis", most_cells));
    }
    return pattern;
}

std::string FieldText<HitPattern>::print(const HitPattern& pattern) {
    std::string text;
    for (int y = 0; y < pattern.height; ++y) {
        for (int x = 0; x < pattern.width; ++x) {
            text += x > 0 ? " " : y > 0 ? "; " : "";
            text += static_cast<char>(pattern.at(x, y));
        }
    }
    return text;
}

Plan hitmiss_plan(const Morphology& op, const Form& form) {
    if (op.pattern.cells.empty()) {
        throw Error(ErrorCode::usage, "--do hitmiss needs --pattern", "--pattern '0 0 0; - 1 -; 1 1 1'");
    }
    if (hit_cells(op.pattern).empty()) {
        throw Error(ErrorCode::usage, "--pattern has no 1 and no 0");
    }
    constexpr int grain =
        16; // pixels of a texel of the result, and a multiple of the pixels of any source texel
    Plan plan{.shape = {.source = form, .result = {form.width, form.height, 1, Depth::u8}}};
    const PerAxis<int> reach{op.pattern.width / 2, op.pattern.height / 2};
    const int pixels = pixels_per_texel(form);
    plan.work.needs = [=](Context&) {
        return TileNeeds{.what = "morphology by a pattern",
                         .halo = {covering(reach.x, grain) * grain, reach.y},
                         .grain = {grain, 1},
                         .texel_pixels = pixels,
                         .pixel_bytes = 16.0 / pixels + 2,
                         .pixel_work = 10};
    };
    plan.work.on_cpu = op.method == MorphologyMethod::cpu;
    plan.work.run = [=](Context& gpu, const Part& source, const Rect&) {
        return op.method == MorphologyMethod::cpu
                   ? gpu.upload(picture_of(hit_on_cpu(gpu.download(source.image), op.pattern)))
                   : hit_on_gpu(gpu, source.image, op.pattern);
    };
    set_by_processor(
        plan, [op](const Image& picture) { return picture_of(hit_on_cpu(picture, op.pattern)); },
        static_cast<double>(op.pattern.cells.size()) * form.width);
    plan.twin.only_proves = op.method != MorphologyMethod::automatic && !plan.work.on_cpu;
    return plan;
}

} // namespace glproc
