#include "glproc/gl/proofs.hpp"

#include "glproc/gl/program.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr std::string_view note_name = "proved";
constexpr std::size_t digits = 16;
constexpr std::size_t line_bytes = digits + 1;

} // namespace

void Proofs::begin(std::optional<ProgramStore> store, std::function<void(const std::string&)> warn) {
    is_on_ = true;
    store_ = std::move(store);
    warn_ = std::move(warn);
}

void Proofs::load() {
    if (std::exchange(is_loaded_, true) || !store_) {
        return;
    }
    const std::string text = store_->note(note_name).value_or("");
    for (std::size_t at = 0; at + digits <= text.size(); at += line_bytes) {
        std::uint64_t identity = 0;
        std::from_chars(text.data() + at, text.data() + at + digits, identity, 16);
        proved_.insert(identity);
    }
}

void Proofs::save() const {
    if (!store_) {
        return;
    }
    std::string text;
    for (const std::uint64_t identity : proved_) {
        if (text.size() + line_bytes > ProgramStore::max_note_bytes) {
            break; // the others are proved again
        }
        text += fmt::format("{:0{}x}\n", identity, digits);
    }
    store_->set_note(note_name, text);
}

bool Proofs::is_proved(const Program& program) {
    load();
    return proved_.contains(program.identity());
}

void Proofs::dispatched(const Program& program) {
    if (!is_on_) {
        return;
    }
    load();
    if (is_probing_) {
        probed_.insert(&program);
    } else if (!proved_.contains(program.identity()) && !passed_.contains(program.identity())) {
        open_.insert(&program);
    }
}

std::vector<std::string> Proofs::open_kernels() const {
    std::set<std::string> names;
    std::transform(open_.begin(), open_.end(), std::inserter(names, names.end()),
                   [](const Program* program) { return program->kernel(); });
    return {names.begin(), names.end()};
}

void Proofs::begin_probe(bool may_build) {
    is_probing_ = true;
    may_build_ = may_build;
    probed_.clear();
}

void Proofs::end_probe(bool was_right) {
    is_probing_ = false;
    const std::size_t before = proved_.size();
    for (const Program* program : was_right ? probed_ : std::set<const Program*>{}) {
        proved_.insert(program->identity());
        open_.erase(program);
    }
    probed_.clear();
    if (proved_.size() != before) {
        save();
    }
}

void Proofs::close_all(bool stored) {
    auto& closed = stored ? proved_ : passed_;
    for (const Program* program : std::exchange(open_, {})) {
        closed.insert(program->identity());
    }
    if (stored) {
        save();
    }
}

void Proofs::warn(const std::string& what) const {
    if (warn_) {
        warn_(what);
    }
}

} // namespace glproc
