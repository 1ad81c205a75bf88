#include "job/picture/batch_lane.hpp"

#include "glproc/base/error.hpp"

#include <cstdint>
#include <utility>

namespace glproc::job {

namespace {

/// What a picture takes on the GPU while it is decoded, worked on and encoded, roughly: texels of source and
/// result, and what the codecs keep of it.
std::uint64_t bytes_of(const gpu_codecs::JpegScan& scan) {
    constexpr std::uint64_t texels = 3; // source, something in between, result
    constexpr std::uint64_t pixel = 4;
    const auto pixels =
        static_cast<std::uint64_t>(scan.form.width) * static_cast<std::uint64_t>(scan.form.height);
    return pixels * pixel * texels + 2 * scan.device_bytes();
}

} // namespace

/// Whether `work` came to its end, without an error of the GPU.
template <class Work>
bool BatchLane::survives(Stage stage, const Work& work) {
    try {
        stages_.run(stage, work);
        return true;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::gpu) {
            throw;
        }
        return false;
    }
}

template <class Work>
bool BatchLane::attempt(std::size_t item, const Work& work) {
    const Result result = steps_.attempt(item, work);
    gpu_failed_ = gpu_failed_ || result.gpu_failed;
    return result.goes_on;
}

bool BatchLane::serve(const std::function<Context&()>& context) {
    try {
        return work(context);
    } catch (...) { // another lane may be able to do them
        give_back(current_);
        give_back(next_);
        give_back(last_);
        for (; !waiting_.empty(); waiting_.pop_front()) {
            conveyor_.take_back(waiting_.front());
        }
        throw;
    }
}

bool BatchLane::work(const std::function<Context&()>& context) {
    gpu_failed_ = false;
    gpu_ = nullptr;
    while (fetch()) {
        if (gpu_ == nullptr) {
            gpu_ = &context();
        }
        most_ = steps_.look(*gpu_) ? most_pictures : 1;
        current_ = std::exchange(next_, std::nullopt);
        begin_next(); // so that the GPU has work while this thread waits for the batch before
        if (current_ && !gpu_failed_) {
            compute(*current_);
            encode(*current_);
        }
        if (last_ && !gpu_failed_) {
            finish(*last_);
            last_.reset();
        }
        if (gpu_failed_) {
            give_back(current_);
            give_back(last_);
            give_back(next_);
            return true;
        }
        last_ = std::exchange(current_, std::nullopt);
    }
    return false;
}

/// Takes what is there, and waits only where nothing is under way. False where there is nothing left to do.
bool BatchLane::fetch() {
    const bool is_idle = waiting_.empty() && !next_ && !last_;
    if (waiting_.size() < most_) {
        const auto taken = conveyor_.take(most_ - waiting_.size(), is_idle);
        waiting_.insert(waiting_.end(), taken.begin(), taken.end());
    }
    return !waiting_.empty() || !is_idle;
}

/// What is no JPEG for the GPU is done at once.
void BatchLane::begin_next() {
    const std::uint64_t most_bytes = gpu_->memory_bytes() / 4;
    Batch batch;
    std::vector<const gpu_codecs::JpegScan*> scans;
    std::uint64_t bytes = 0;
    while (!waiting_.empty() && !gpu_failed_) {
        const std::size_t item = waiting_.front();
        const gpu_codecs::JpegScan* scan = steps_.job(item).scan_for(*gpu_);
        if (scan == nullptr) {
            waiting_.pop_front();
            if (steps_.job(item).has_scan()) {
                leave_to_worker(item);
            } else {
                process_alone(item);
            }
            continue;
        }
        bytes += bytes_of(*scan);
        scans.push_back(scan);
        if (scans.size() > 1 && (bytes > most_bytes || !gpu_codecs::can_decode(*gpu_, scans))) {
            scans.pop_back();
            break; // the next batch begins with it
        }
        waiting_.pop_front();
        batch.items.push_back(item);
    }
    if (batch.items.empty()) {
        return;
    }
    if (!gpu_failed_) {
        survives(Stage::decode_on_gpu,
                 [&] { batch.decoding.emplace(gpu_codecs::begin_decoding(*gpu_, scans)); });
    }
    next_ = std::move(batch);
}

void BatchLane::process_alone(std::size_t item) {
    bool goes_on = false;
    try {
        goes_on = attempt(item, [this](PictureJob& job) { job.process(*gpu_); });
    } catch (...) {
        conveyor_.pass_on(item, false);
        throw;
    }
    conveyor_.pass_on(item, goes_on);
}

/// Decoding on the CPU would keep this thread from its GPU.
void BatchLane::leave_to_worker(std::size_t item) {
    steps_.leave_to_cpu(item);
    conveyor_.take_back(item);
}

/// A picture that the GPU refuses, or has no memory for, is decoded by the CPU.
void BatchLane::compute(Batch& batch) {
    std::vector<std::optional<GpuImage>> images(batch.items.size());
    if (batch.decoding) {
        survives(Stage::decode_on_gpu, [&] { images = batch.decoding->take(); });
    }
    batch.decoding.reset();
    std::vector<std::size_t> done;
    for (std::size_t i = 0; i < batch.items.size(); ++i) {
        const std::size_t item = batch.items[i];
        if (!images[i] || gpu_failed_) {
            leave_to_worker(item);
        } else if (attempt(item,
                           [&](PictureJob& job) { job.process_decoded(*gpu_, std::move(images[i])); })) {
            done.push_back(item);
        } else {
            conveyor_.pass_on(item, false);
        }
        images[i].reset();
    }
    batch.items = std::move(done);
}

void BatchLane::encode(Batch& batch) {
    std::vector<gpu_codecs::JpegToEncode> pictures;
    for (const std::size_t item : batch.items) {
        if (auto picture = steps_.job(item).to_encode()) {
            pictures.push_back(*picture);
            batch.encoded.push_back(item);
        }
    }
    if (!pictures.empty() && !gpu_failed_) {
        survives(Stage::encode_on_gpu, [&] {
            batch.encoding =
                std::make_shared<gpu_codecs::JpegsInEncoding>(gpu_codecs::begin_encoding(*gpu_, pictures));
        });
    }
}

void BatchLane::finish(Batch& batch) {
    std::vector<std::size_t> left = std::exchange(batch.items, {});
    if (batch.encoding && !survives(Stage::encode_on_gpu, [&] { batch.encoding->wait(); })) {
        batch.encoding.reset();
    }
    std::size_t file = 0;
    for (const std::size_t item : left) {
        if (gpu_failed_) {
            batch.items.push_back(item);
            continue;
        }
        bool goes_on = true;
        if (file < batch.encoded.size() && batch.encoded[file] == item) {
            goes_on = attempt(item, [&](PictureJob& job) {
                if (batch.encoding && batch.encoding->has(file)) {
                    job.take_encoding(batch.encoding, file);
                } else {
                    job.fetch_product(*gpu_);
                }
            });
            ++file;
        }
        conveyor_.pass_on(item, goes_on);
    }
}

void BatchLane::give_back(std::optional<Batch>& batch) {
    if (batch) {
        for (const std::size_t item : batch->items) {
            leave_to_worker(item);
        }
    }
    batch.reset();
}

} // namespace glproc::job
