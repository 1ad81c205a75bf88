#include "cli/many/under_way.hpp"

#include <utility>

namespace glproc::cli {

void UnderWay::begin(std::size_t index, const std::optional<FileState>& state) {
    const std::lock_guard lock(mutex_);
    items_[index].state = state;
}

void UnderWay::put(std::size_t index, Prepared prepared) {
    const std::lock_guard lock(mutex_);
    std::swap(items_[index].prepared, prepared);
}

void UnderWay::leave_to_cpu(std::size_t index) {
    const std::lock_guard lock(mutex_);
    items_.at(index).is_for_cpu = true;
}

void UnderWay::forget(std::size_t index) {
    Item last; // destroyed without the lock
    const std::lock_guard lock(mutex_);
    if (const auto found = items_.find(index); found != items_.end()) {
        last = std::move(found->second);
        items_.erase(found);
    }
}

PictureJob& UnderWay::job(std::size_t index) {
    const std::lock_guard lock(mutex_);
    return *items_.at(index).prepared.job;
}

Notes UnderWay::notes(std::size_t index) {
    const std::lock_guard lock(mutex_);
    return items_.at(index).prepared.own.notes;
}

bool UnderWay::is_for_cpu(std::size_t index) {
    const std::lock_guard lock(mutex_);
    return items_[index].is_for_cpu;
}

std::optional<std::optional<FileState>> UnderWay::state(std::size_t index) {
    const std::lock_guard lock(mutex_);
    const auto found = items_.find(index);
    return found == items_.end() ? std::nullopt : std::optional(found->second.state);
}

} // namespace glproc::cli
