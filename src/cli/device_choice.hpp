// What `--device auto` means for one picture: the kind of renderer that has it done first. All give the same
// bits.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"
#include "glproc/image/image.hpp"
#include "glproc/op/op.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace glproc::cli {

enum class Kind { gpu, cpu, alone }; ///< alone: the processor without OpenGL, for operations that can

/// What runs on this machine took, in milliseconds, by name, and how often they came; kept beside the
/// compiled programs.
class Experience {
  public:
    Experience() = default;
    /// Lines of a name, a tab and a number; others are passed over.
    explicit Experience(std::string_view text);
    std::string text() const;

    std::optional<double> find(const std::string& name) const;
    /// Nearer to `milliseconds`: a busy moment does not decide alone. The oldest is forgotten where there are
    /// many.
    void learn(const std::string& name, double milliseconds);
    void count(const std::string& name);
    void forget(const std::string& name);

    static constexpr std::size_t most_names = 500;

  private:
    void set(const std::string& name, double value);

    std::map<std::string, double> known_;
};

/// A job, as far as its time depends on it.
struct JobSize {
    std::string operation; ///< its name
    std::string call;      ///< with its parameters: the programs that it needs
    double megapixels = 0; ///< of source or result, whichever has more
    double work = 0;       ///< multiplications a value by the operation's reference, where that tells
    double processor_work = 0; ///< Plan::processor_work
    std::size_t cores = 1;
};

/// Milliseconds from the start of the renderer to the end of the process.
double expected_time(Kind kind, const JobSize& job, const Experience& experience);

/// What the processor alone is expected to save, of the time of a GPU or of llvmpipe.
double saved_alone(bool has_gpu, const JobSize& job, const Experience& experience);

/// Remembers a run: its start, and what came after it, without what was compiled: waiting for the decoder, too, and encoding.
void learn(Experience& experience, Kind kind, const JobSize& job, double start, double work);

/// Whether a thread that was ready had to wait for a core, by a line of /proc/self/schedstat: nanoseconds of
/// work, and of such waiting. Where the kernel tells nothing, it had not.
bool is_crowded(const std::string& schedule);

/// The file by which the kernel offers a GPU, or an empty text.
std::string gpu_file();

/// The choice for one call.
class DeviceChoice {
  public:
    /// Whether there is anything to choose, or to learn.
    bool chooses() const { return chooses_; }

    /// None is made where the command line or the environment names a device, or where this machine has no
    /// GPU to choose.
    DeviceChoice(const Arguments& arguments, const Settings& settings, bool has_gpu = !gpu_file().empty());

    /// The options for this job: those of the settings, with `device` "cpu" where that is done sooner. Before
    /// threads run: EGL is kept from loading the driver of the other kind.
    ContextOptions options_for(const JobSize& job);

    /// Where the context of that choice could not be had: takes it back, and returns the options as they were
    /// given.
    const ContextOptions& given();

    /// Whether it is likely to be a GPU, as it was before: work may be left to it.
    bool expects_gpu() const;
    /// Of many pictures, for which there is no choice: whether it was one, and how long it took to start.
    void remember_start(bool software, double milliseconds);
    /// It was none.
    void expect_no_gpu();
    /// Whether the processor may do the work without OpenGL, where the operation can: unless anything was said of a device.
    bool may_go_alone() const { return may_go_alone_; }
    /// Whether it has this job done first.
    bool goes_alone(const JobSize& job);

    /// Whether a software renderer was chosen.
    bool takes_cpu() const { return takes_cpu_; }

    /// "for 3.7 megapixels it should finish 40 ms before the GPU; --device gpu uses the GPU all the same", or
    /// nothing.
    const std::string& reason() const { return reason_; }

    /// Keeps what this run took, unless others wanted the processor at the same time: what a crowd takes says
    /// nothing of a job alone.
    void remember(bool software, const JobSize& job, double start, double work);

  private:
    const Settings& settings_;
    bool chooses_ = false;
    bool is_free_ = false; ///< to choose, and not only to learn
    bool has_gpu_ = false;
    bool may_go_alone_ = false;
    bool takes_cpu_ = false;
    Experience experience_;
    std::string reason_;
};

/// What a run says of a device that it did not need.
inline constexpr std::string_view no_device = "the processor";

/// Whether nothing was said of a device, nor of how its kernels are to be compiled and run.
bool leaves_device_open(const Settings& settings);

/// The job of this call on a picture of this form.
JobSize job_size(const Arguments& arguments, const Operation& operation, const Form& source);

} // namespace glproc::cli
