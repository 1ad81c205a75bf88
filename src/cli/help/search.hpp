// `glproc help WORD`: where commands, flags, values and pages speak of something.
#pragma once

#include <string>
#include <vector>

namespace glproc::cli {

struct Finding {
    std::string where; ///< what to type, or the page to read
    std::string text;
    int score = 0; ///< the higher the better
};

/// All that match, best first. Every word counts where something has all of them, otherwise any.
std::vector<Finding> search(const std::vector<std::string>& words);

/// What the same word stands for where videos are meant, as a line of help; nothing for most words.
std::string videos_text(const std::string& word, int columns);

/// The findings as text. Throws Error(usage) where there are none, with the nearest command.
std::string search_text(const std::vector<std::string>& words, int columns);

} // namespace glproc::cli
