#include "glproc/op/op.hpp"

#include <algorithm>
#include <numeric>

namespace glproc {

namespace {

/// Levenshtein's distance, where two neighbours that changed places count as one edit (optimal string
/// alignment).
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1); // the row before last
    std::vector<std::size_t> last(b.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::vector<std::size_t> row(b.size() + 1);
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substitute = last[j] + (a[i] == b[j] ? 0 : 1);
            row[j + 1] = std::min({substitute, last[j + 1] + 1, row[j] + 1});
            if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j]) {
                row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
            }
        }
        before = std::exchange(last, std::move(row));
    }
    return last.back();
}

} // namespace

const OpInfo& making(const OpInfo& op, Product product) {
    const auto other = std::find_if(op.others.begin(), op.others.end(),
                                    [&](const OpInfo& info) { return info.product == product; });
    return op.product == product || other == op.others.end() ? op : *other;
}

std::vector<std::pair<std::string, std::string>> settings_in(std::string_view arguments) {
    std::vector<std::pair<std::string, std::string>> settings;
    while (!arguments.empty()) {
        const std::size_t end = std::min(arguments.find(' '), arguments.size());
        const std::string word(arguments.substr(0, end));
        if (word.starts_with("--")) {
            settings.emplace_back(word.substr(2), "");
        } else if (!settings.empty()) {
            settings.back().second = word;
        }
        arguments.remove_prefix(std::min(end + 1, arguments.size()));
    }
    return settings;
}

namespace {

/// The shortest candidate that begins with `word`, or an empty text.
std::string begun_by(std::string_view word, const std::vector<std::string>& candidates) {
    constexpr std::size_t enough = 3;
    std::string best;
    for (const std::string& candidate : candidates) {
        if (word.size() >= enough && candidate.starts_with(word) &&
            (best.empty() || candidate.size() < best.size())) {
            best = candidate;
        }
    }
    return best;
}

} // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
    constexpr std::size_t longest = 64; // no name is: what is longer was not meant to be one
    if (word.size() > longest) {
        return {};
    }
    if (const std::string whole = begun_by(word, candidates); !whole.empty()) {
        return whole;
    }
    std::string best;
    std::size_t best_distance = 3;
    for (const std::string& candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        // Two edits turn 'foo' into 'box': a suggestion must keep at least half of the word.
        if (distance < best_distance && 2 * distance <= word.size()) {
            best = candidate;
            best_distance = distance;
        }
    }
    return best;
}

void check_joined(std::string_view name, std::size_t images, std::size_t most) {
    if (most > 0 && images > most) {
        throw Error(ErrorCode::usage, fmt::format("{} images are more than {} takes, {}", images, name, most));
    }
}

} // namespace glproc
