// Storage of textures and buffers that are no longer used, kept for the next one of the same size. Allocating
// 256 MiB takes NVIDIA's driver 5 to 28 ms (H200, driver 580.159.04, 2026-11-20), many times as long as a
// filter.
#pragma once

#include "glproc/gl/handle.hpp"
#include "glproc/gl/sync.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace glproc {

template <class Kind>
class Recycler;
template <class Kind>
struct Storage;

/// Takes storage back from any thread and at any time, even after its context has ended.
template <class Kind>
struct RecyclerDoor {
    std::mutex mutex;
    Recycler<Kind>* recycler = nullptr; ///< null once the recycler and all its storage are destroyed
    std::thread::id owner = std::this_thread::get_id();
    std::vector<std::unique_ptr<Storage<Kind>>> from_others; ///< from other threads, which cannot use OpenGL
};

/// One texture or buffer. `Kind` has Size, make(Size, label), destroy(id) and bytes(Size).
template <class Kind>
struct Storage {
    std::shared_ptr<RecyclerDoor<Kind>> door;
    unsigned id = 0;
    typename Kind::Size size{};
    LastAccess last = {};    ///< bookkeeping: which barrier the next use needs; it outlives each user
    bool is_filled = false;  ///< for buffers: by a command that a later glBufferSubData may overtake
};

/// Returns storage to the recycler it came from.
template <class Kind>
struct StorageTraits {
    using Type = Storage<Kind>*;
    static void destroy(Type storage) { Recycler<Kind>::give_back(std::unique_ptr<Storage<Kind>>(storage)); }
};

/// Free storage of a context. Its users may outlive it, and then own nothing. Keeps at most `most_bytes`, the newest.
template <class Kind>
class Recycler {
  public:
    using Size = typename Kind::Size;
    using Owner = Handle<StorageTraits<Kind>>;

    Recycler() { door_->recycler = this; }
    Recycler(const Recycler&) = delete;
    Recycler& operator=(const Recycler&) = delete;
    ~Recycler() {
        collect();
        const std::lock_guard lock(door_->mutex);
        door_->recycler = nullptr;
        clear();
    }

    /// Free storage of this size, or new storage. Throws the errors of Kind::make() if memory is full even
    /// after the free storage is released.
    Owner take(const Size& size, std::string_view label) {
        collect();
        const auto found =
            std::find_if(free_.begin(), free_.end(), [&](const auto& s) { return s->size == size; });
        if (found == free_.end()) {
            return take_new(size, label);
        }
        std::unique_ptr<Storage<Kind>> storage = std::move(*found);
        free_.erase(found);
        bytes_ -= Kind::bytes(size);
        return Owner(storage.release());
    }

    /// Storage that has never been used.
    Owner take_new(const Size& size, std::string_view label) { return Owner(make(size, label).release()); }

    /// From any thread; on threads other than the context's, it is only put aside for the context.
    static void give_back(std::unique_ptr<Storage<Kind>> storage) {
        const std::shared_ptr<RecyclerDoor<Kind>> door = storage->door;
        const std::lock_guard lock(door->mutex);
        if (door->recycler == nullptr) {
            return;
        }
        if (door->owner == std::this_thread::get_id()) {
            door->recycler->keep(std::move(storage));
        } else {
            door->from_others.push_back(std::move(storage));
        }
    }

    void clear() {
        while (!free_.empty()) {
            drop_oldest();
        }
    }

    std::size_t most_bytes = 0;
    static constexpr std::size_t most_items = 64;

  private:
    void keep(std::unique_ptr<Storage<Kind>> storage) {
        bytes_ += Kind::bytes(storage->size);
        free_.push_front(std::move(storage));
        while (bytes_ > most_bytes || free_.size() > most_items) {
            drop_oldest();
        }
    }

    void collect() {
        const std::lock_guard lock(door_->mutex);
        for (auto& storage : door_->from_others) {
            keep(std::move(storage));
        }
        door_->from_others.clear();
    }

    std::unique_ptr<Storage<Kind>> make(const Size& size, std::string_view label) {
        const auto made = [&](unsigned id) {
            return std::make_unique<Storage<Kind>>(Storage<Kind>{.door = door_, .id = id, .size = size});
        };
        if (free_.empty()) {
            return made(Kind::make(size, label));
        }
        try {
            return made(Kind::make(size, label));
        } catch (const std::exception&) {
            clear();
            return made(Kind::make(size, label));
        }
    }

    void drop_oldest() {
        bytes_ -= Kind::bytes(free_.back()->size);
        Kind::destroy(free_.back()->id);
        free_.pop_back();
    }

    std::shared_ptr<RecyclerDoor<Kind>> door_ = std::make_shared<RecyclerDoor<Kind>>();
    std::deque<std::unique_ptr<Storage<Kind>>> free_;
    std::size_t bytes_ = 0;
};

} // namespace glproc
