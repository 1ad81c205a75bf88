#include "cli/probes.hpp"

#include <algorithm>
#include <array>

namespace glproc::cli {

namespace {

/// Whether all that the operation requires is given. Examples may give it by its place.
bool is_complete(const OpInfo& op, const ProbeSettings& given) {
    return std::all_of(op.fields.begin(), op.fields.end(), [&](const FieldInfo& field) {
        return !field.required || std::any_of(given.begin(), given.end(),
                                              [&](const auto& setting) { return setting.first == field.name; });
    });
}

} // namespace

std::vector<ProbeSettings> probe_settings(const OpInfo& op, bool quick) {
    std::vector<ProbeSettings> all;
    if (ProbeSettings example = settings_in(op.example); is_complete(op, example)) {
        all.push_back(std::move(example));
    }
    for (const Ladder& ladder : op.bench.ladders) {
        for (const BenchColumn& column : ladder.columns) {
            const bool is_new = std::find(all.begin(), all.end(), column.settings) == all.end();
            if (is_new && (!quick || all.empty())) {
                all.push_back(column.settings);
            }
        }
    }
    return all;
}

std::vector<Form> probe_forms(const OpInfo& op, int width, int height) {
    std::vector<Form> forms;
    for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
        for (int channels = 1; channels <= 4 && (depth != Depth::f32 || op.takes_floats); ++channels) {
            forms.push_back({width, height, channels, depth});
        }
    }
    return forms;
}

} // namespace glproc::cli
