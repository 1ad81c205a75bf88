#include "glproc/op/findings.hpp"

#include <utility>

namespace glproc {

namespace {

struct Findings {
    bool wanted = false;
    std::vector<std::string> texts;
};

Findings& findings() {
    thread_local Findings of_this_thread;
    return of_this_thread;
}

} // namespace

void want_findings(bool wanted) {
    findings() = {wanted, {}};
}

bool findings_wanted() {
    return findings().wanted;
}

void add_finding(std::string what) {
    if (findings().wanted) {
        findings().texts.push_back(std::move(what));
    }
}

std::vector<std::string> take_findings() {
    return std::exchange(findings().texts, {});
}

FindingsAside::~FindingsAside() {
    findings().texts = std::move(kept_);
}

} // namespace glproc
