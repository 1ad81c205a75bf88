// Does the work of the window on a thread and an OpenGL context of its own, so that the window answers while
// a picture is made. Pictures stay on the GPU; the window draws them from there.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/gl/gpu_array.hpp"
#include "glproc/op/picture_facts.hpp"
#include "glproc/ops/histogram.hpp"
#include "view/document.hpp"
#include "view/engine/video.hpp"
#include "view/engine/object_table.hpp"
#include "view/engine/preview.hpp"
#include "view/engine/surface.hpp"
#include "view/panels/scopes.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace glproc::view {

/// A picture on the GPU, to be drawn.
struct Shown {
    std::shared_ptr<const GpuImage> image;
    std::shared_ptr<const GpuImage>
        small;               ///< the same at a smaller size, for pictures seen from afar; may be null
    Form form;               ///< of the whole picture, which `image` may show at a smaller size
    double pixel_aspect = 0; ///< width of its pixels for their height; 0 where nothing says so
    std::shared_ptr<const std::vector<std::byte>> icc = {}; ///< its profile; may be null
};

/// Counts of the luma of what a step gets, by its id.
using StepCounts = std::map<int, std::shared_ptr<const std::vector<ChannelCounts>>>;

/// Forms of the second pictures that steps lay on the picture, by the id of the step.
using StepForms = std::map<int, Form>;

/// Where a video stands.
struct Playing : VideoFacts, FrameTime {
    bool is_video = false;
    bool plays = false;
    bool is_as_sdr = true; ///< and shown as `glproc video --to-sdr` makes it
};

/// What the window is told. Pointers stay valid whatever the engine does next.
struct News {
    std::uint64_t number = 0;        ///< of the news
    std::string name;                ///< of the source
    std::string path;                ///< of the file
    std::optional<JpegPacking> jpeg; ///< how that is packed, if it is one
    Shown source;
    Shown before; ///< the source in the frame of the result
    Shown result;
    std::uint64_t version = 0;                                ///< of the document that `result` was made by
    std::shared_ptr<const std::vector<ChannelCounts>> counts; ///< of the result: luma, r, g, b
    std::shared_ptr<const Waveform> waveform;                 ///< of the result, if it is wanted
    std::shared_ptr<const ObjectTable> table; ///< of the last operation that measures objects; may be null
    std::shared_ptr<const GpuArray> labels;   ///< of its objects, one a pixel, if the operation makes them
    StepCounts inputs;                        ///< of steps with levels
    StepForms seconds;
    Shown other; ///< the picture that the result is compared with; may be none
    std::string other_name;
    double milliseconds = 0; ///< that the result took
    bool is_whole = true;    ///< false while a result at a smaller size stands in for it
    Playing playing;
    std::string busy;    ///< what goes on; empty at rest
    std::string fault;   ///< why there is no newer result
    std::string message; ///< what came of the last open() or save()
    bool message_is_fault = false;
    std::uint64_t message_number = 0;
    Steps saved; ///< what the last file that was written is made by
    std::uint64_t saved_number = 0;

    /// Of another result they lie elsewhere.
    void forget_objects() {
        table = nullptr;
        labels = nullptr;
    }
};

class Engine {
  public:
    /// Waits until the context is there. Throws what Context throws.
    Engine(Surface& surface, const ContextOptions& options);
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    ~Engine();

    /// Whether its thread has ended by then. It gives up what it does, but not a pass that runs.
    bool ends_within(std::chrono::seconds patience);

    const DeviceInfo& device() const { return device_; }

    void open(const std::string& path);
    /// The result of these steps is wanted; what is under way for others is given up.
    void show(const Steps& steps, std::uint64_t version);
    /// Another picture to compare the result with; none for an empty path.
    void compare_with(const std::string& path);
    /// Whether news are to have a waveform.
    void want_waveform(bool on);
    /// Writes the whole result of these steps, by default with the quality that the command line takes.
    void save(const Steps& steps, const std::string& path, std::optional<int> quality = {});

    /// Of videos; anything else has one frame.
    void play(bool on);
    void loop(bool on) { loops_ = on; }
    void seek(double seconds);
    /// The next frame, and the one before.
    void step();
    void step_back();
    /// HDR as a screen of standard range shows it, or its values as they are.
    void show_as_sdr(bool on);

    News news() const;
    /// Until there is other news than these, or nothing left to do.
    void wait_for_news(const News& known) const;
    /// Until there is nothing left to do. For tests and programs without a window.
    void wait() const;

  private:
    using Job = std::function<void(Context&)>;

    struct Order {
        Steps steps;
        std::uint64_t version = 0;
    };

    void run(ContextOptions options);
    void work(Context& gpu);
    Job next_job();
    void post(Job job);
    void tell(const std::function<void(News&)>& change);
    void say(const std::string& what, bool is_fault);

    void open_now(Context& gpu, const std::string& path);
    void show_now(Context& gpu, const Order& order);
    bool show_result(Context& gpu, const Order& order, const Steps& steps);
    void open_picture(Context& gpu, Image picture, const std::string& path);
    void post_move(bool goes_on, const std::function<void(Video&)>& move);
    void play_on(Context& gpu);
    void play_frame(Context& gpu);
    bool next_frame(Context& gpu);
    const Image& pixels(Context& gpu);
    void compare_now(Context& gpu, const std::string& path);
    void save_now(Context& gpu, const Steps& steps, const std::string& path, std::optional<int> quality);

    /// A chain of steps, for the profile of the source.
    struct KnowingChain {
        std::unique_ptr<Operation> any;     ///< must outlive `special`
        std::unique_ptr<Operation> special; ///< null where what is known of the picture changes nothing
        PictureFacts facts;                 ///< of the result

        const Operation* operator->() const { return special ? special.get() : any.get(); }
    };
    KnowingChain chain_for(const Steps& steps, int halved = 0);
    std::shared_ptr<const GpuImage> source_at(Context& gpu, int halved);
    Shown make(Context& gpu, const Steps& steps, int halved);
    Image make_image(Context& gpu, const Plan& plan);
    Image make_rows(Context& gpu, const Plan& plan, const std::function<void(double)>& progress);
    void publish(Context& gpu, const Order& order, const Shown& shown, double milliseconds, bool is_whole);
    std::shared_ptr<const Waveform> waveform_of(Context& gpu, const Shown& shown) const;
    void publish_before(Context& gpu, const Steps& steps);
    void publish_inputs(Context& gpu, const Steps& steps);
    void publish_seconds(const Steps& steps);
    void publish_table(Context& gpu, const Order& order, const Steps& steps);
    struct Objects {
        std::shared_ptr<const ObjectTable> table;
        std::shared_ptr<const GpuArray> labels;
    };
    Objects objects_of(Context& gpu, const Order& order, const Steps& steps);
    bool is_outdated() const;

    Surface& surface_;
    DeviceInfo device_;
    double budget_ = 0; ///< milliseconds that a person does not notice

    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::deque<Job> jobs_;
    std::optional<Order> order_; ///< not begun
    bool is_working_ = true;
    std::atomic<bool> ends_ = false;
    bool has_ended_ = false;
    News news_;
    std::exception_ptr failure_;

    std::atomic<bool> wants_waveform_ = false;
    std::atomic<bool> plays_ = false;
    std::atomic<bool> loops_ = true;
    bool as_sdr_ = true; ///< of the engine's thread alone

    // Of the engine's thread alone.
    Form form_;                    ///< of the source; no pixels where there is none
    double pixel_aspect_ = 0;      ///< of the source
    PictureFacts facts_;           ///< that are known of it
    std::optional<Image> picture_; ///< that of a video is fetched when it is needed
    std::unique_ptr<Video> video_;
    std::uint64_t source_number_ = 0;                      ///< another one for each source, and frame
    std::map<int, std::string> counted_inputs_;            ///< of News::inputs: what they are counts of
    Order last_;                                           ///< what is shown
    std::chrono::steady_clock::time_point due_;            ///< of the next frame
    std::vector<std::shared_ptr<const GpuImage>> sources_; ///< whole, half, quarter …; null until needed
    std::optional<Pace> pace_;
    Pictures pictures_;

    std::thread thread_; ///< last: it uses all of the above
};

} // namespace glproc::view
