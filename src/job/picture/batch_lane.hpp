// One GPU at work on many pictures. JPEGs that it decodes and encodes go together, as one alone keeps it busy
// for a small part of the time that it takes.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/gpu_codecs/jpeg/decode.hpp"
#include "job/conveyor.hpp"
#include "job/picture/picture_job.hpp"
#include "job/stages.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace glproc::job {

class BatchLane {
  public:
    struct Result {
        bool goes_on = false;    ///< whether the picture is to be finished
        bool gpu_failed = false; ///< so that the context is of no more use
    };
    struct Steps {
        /// Asked again and again, as pictures come: whether this GPU decodes JPEGs, several at a time.
        std::function<bool(Context&)> look;
        std::function<PictureJob&(std::size_t item)> job;
        /// Does this work on an item, and says what came of it.
        std::function<Result(std::size_t item, const std::function<void(PictureJob&)>& work)> attempt;
        /// From now on the CPU decodes this item.
        std::function<void(std::size_t item)> leave_to_cpu;
    };

    static constexpr std::size_t most_pictures = 8; ///< of a batch: more takes memory, and gains little

    BatchLane(Conveyor& conveyor, Stages& stages, Steps steps)
        : conveyor_(conveyor), stages_(stages), steps_(std::move(steps)) {}

    /// Works until there are no more pictures. `context` is asked for where there are some; true where that
    /// one has failed, and another is needed for those that are left.
    bool serve(const std::function<Context&()>& context);

  private:
    struct Batch {
        std::vector<std::size_t> items;
        std::optional<gpu_codecs::JpegsInDecoding> decoding;
        std::vector<std::size_t> encoded; ///< items, in the order of the files
        std::shared_ptr<gpu_codecs::JpegsInEncoding> encoding;
    };

    bool work(const std::function<Context&()>& context);
    bool fetch();
    void begin_next();
    void process_alone(std::size_t item);
    void leave_to_worker(std::size_t item);
    void compute(Batch& batch);
    void encode(Batch& batch);
    void finish(Batch& batch);
    void give_back(std::optional<Batch>& batch);
    template <class Work>
    bool attempt(std::size_t item, const Work& work);
    template <class Work>
    bool survives(Stage stage, const Work& work);

    Conveyor& conveyor_;
    Stages& stages_;
    Steps steps_;
    Context* gpu_ = nullptr;
    bool gpu_failed_ = false;
    std::size_t most_ = 1;            ///< pictures to take at once
    std::deque<std::size_t> waiting_; ///< taken, and not begun
    std::optional<Batch> next_;       ///< its JPEGs are being decoded
    std::optional<Batch> current_;    ///< the operation is at work on it
    std::optional<Batch> last_;       ///< its results are being encoded
};

} // namespace glproc::job
