#include "glproc/ops/equalize.hpp"

#include "glproc/ops/equalize/luma.hpp"
#include "glproc/ops/histogram/count.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace glproc {

namespace {

/// lut(v) of Equalize; empty for a constant image, which stays as it is.
std::vector<std::uint64_t> table_of(const ChannelCounts& channel) {
    const auto& counts = channel.counts;
    const std::uint64_t pixels = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    const auto first = std::find_if(counts.begin(), counts.end(), [](auto n) { return n > 0; });
    const std::uint64_t lowest = first == counts.end() ? 0 : *first;
    if (lowest == pixels) {
        return {};
    }
    std::vector<std::uint64_t> table;
    std::uint64_t cdf = 0;
    for (const std::uint64_t count : counts) {
        cdf += count;
        table.push_back(
            rounded_quotient((counts.size() - 1) * (std::max(cdf, lowest) - lowest), pixels - lowest));
    }
    return table;
}

template <class T>
void map_channels(Image& image, const EqualizeTables& tables) {
    const auto values = image.values<T>();
    const auto channels = static_cast<std::size_t>(image.channels());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::size_t channel = i % channels;
        if (channel < tables.size() && !tables[channel].empty()) {
            values[i] = static_cast<T>(tables[channel][values[i]]);
        }
    }
}

template <class T>
void map_by_luma(Image& image, const std::vector<std::uint64_t>& table, const LumaRule& rule) {
    if (table.empty()) {
        return;
    }
    const auto values = image.values<T>();
    const LumaOfCodes<T> luma_of(rule, table.size() - 1);
    const auto channels = static_cast<std::size_t>(image.channels());
    for (std::size_t i = 0; i < values.size(); i += channels) {
        const std::uint64_t luma = luma_of.of(&values[i]);
        luma_of.replace(&values[i], luma, table[luma_of.bin_of(luma)]);
    }
}

template <class T>
void map_values(const Equalize& equalize, Image& image, const EqualizeTables& tables) {
    if (image.channels() >= 3 && !equalize.per_channel) {
        map_by_luma<T>(image, tables.front(), luma_rule(equalize.luma));
    } else {
        map_channels<T>(image, tables);
    }
}

} // namespace

Histogram counted_by(const Equalize& equalize, const Form& form) {
    using enum HistogramChannel;
    Histogram histogram{.bins = static_cast<int>(max_code(form.depth)) + 1, .luma = equalize.luma};
    if (form.channels >= 3 && equalize.per_channel) {
        histogram.channels = {red, green, blue};
    }
    return histogram;
}

EqualizeTables tables_of(const std::vector<ChannelCounts>& counts) {
    EqualizeTables tables;
    std::transform(counts.begin(), counts.end(), std::back_inserter(tables), &table_of);
    return tables;
}

Image map_on_cpu(const Equalize& equalize, Image image, const EqualizeTables& tables) {
    if (image.depth() == Depth::u8) {
        map_values<std::uint8_t>(equalize, image, tables);
    } else {
        map_values<std::uint16_t>(equalize, image, tables);
    }
    return image;
}

Image equalize_on_cpu(const Equalize& equalize, const Image& image) {
    const auto counts = count_on_cpu(image, counted_by(equalize, image.form()));
    return map_on_cpu(equalize, image, tables_of(counts));
}

} // namespace glproc
