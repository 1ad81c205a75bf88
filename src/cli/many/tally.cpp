#include "cli/many/tally.hpp"

#include "cli/terminal/printable.hpp"
#include "cli/terminal/terminal.hpp"
#include "glproc/base/error.hpp"

#include <utility>

#include <fmt/format.h>
#include <unistd.h>

namespace glproc::cli {

Tally::Tally(const Settings& settings, std::size_t count,
             std::function<void(std::size_t, const Outcome&)> told)
    : settings_(settings), all_(count), told_(std::move(told)),
      progress_(is_terminal(STDERR_FILENO) && !settings.quiet) {
    show_bar();
}

void Tally::put(std::size_t item, Outcome outcome) {
    const std::lock_guard lock(mutex_);
    ++counts_.at(static_cast<std::size_t>(outcome.fate));
    ++ended_;
    waiting_.emplace(item, std::move(outcome));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_; ++next_) {
        print(first->first, first->second);
        first = waiting_.erase(first);
    }
    show_bar();
}

void Tally::put_strays(const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        put(all_ - names.size() + i, {.fate = PictureFate::failed,
                                      .error = fmt::format("{}: no image of this name among the inputs", names[i]),
                                      .code = static_cast<int>(ErrorCode::operation)});
    }
}

void Tally::end() {
    const std::lock_guard lock(mutex_);
    for (const auto& [item, outcome] : waiting_) {
        print(item, outcome);
    }
    waiting_.clear();
    progress_.hide();
}

void Tally::print(std::size_t item, const Outcome& outcome) {
    if (!outcome.text.empty()) {
        progress_.hide();
        print_product(std::exchange(has_header_, true) ? outcome.text : outcome.header + outcome.text);
    }
    for (const std::string& warning : settings_.silent ? Notes{} : outcome.warnings) {
        progress_.hide();
        print_warning(warning);
    }
    if (outcome.fate == PictureFate::failed) {
        progress_.hide();
        print_error(outcome.error, outcome.hint);
        status_ = status_ == 0 ? outcome.code : status_;
    } else if (settings_.verbose && !outcome.summary.empty()) {
        progress_.hide();
        print_stderr(printable(outcome.summary));
    }
    told_(item, outcome);
}

void Tally::show_bar() {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin_;
    const double rate = static_cast<double>(ended_) / std::max(seconds.count(), 1e-3);
    progress_.show(fmt::format("{} of {} images, {:.{}f}/s", ended_, all_, rate, rate < 10 ? 1 : 0), 0, 1);
    if (ended_ > 0) {
        progress_.advance(static_cast<double>(ended_) / static_cast<double>(all_));
    }
}

std::string Tally::text() const {
    const std::size_t begun = counts_[0] + counts_[1] + counts_[2];
    return fmt::format("{} done, {} skipped, {} failed{}", counts_[0], counts_[1], counts_[2],
                       begun == all_ ? "" : fmt::format(", {} not started", all_ - begun));
}

} // namespace glproc::cli
