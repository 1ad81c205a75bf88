// Operations that go over their picture in bands of rows, down or up, and remember something from one band to the next: sums,
// statistics, labels, distances. A whole picture on the GPU is one band that never leaves it, so that both have the same bits
// by construction.
//
//   SweepPlan plan(const Integral& op, const Form& form);   // beside each operation
//   run_sweeps(gpu, plan, photo);                           // a picture on the GPU
//   run_sweeps(gpu, plan, rows, writer);                    // of any size: memory is a band and what is remembered
#pragma once

#include "glproc/base/covering.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/op/meaning.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/tiles.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace glproc {

/// The way over the bands of a picture. The rows of a band are in the order of the picture either way.
enum class Direction { down, up };

/// How a picture is cut. All sweeps of a run see the same bands.
struct BandCut {
    Form picture;
    int rows = 0;         ///< of a band; the last one may have fewer
    bool is_wide = false; ///< rows do not fit on the GPU: Band::image() throws, and Band::pixels() is what there is

    int count() const { return covering(picture.height, rows); }
    bool is_whole() const { return count() == 1; }
};

/// Rows of one picture, on the GPU or in CPU memory: copied to where they are asked for, and only then.
class BandRows {
  public:
    BandRows(Context& gpu, Image pixels) : gpu_(&gpu), own_pixels_(std::move(pixels)) {}
    BandRows(Context& gpu, GpuImage image) : gpu_(&gpu), own_image_(std::move(image)) {}
    /// Of a picture that outlives it. `pixels` may be null.
    BandRows(Context& gpu, const GpuImage* image, const Image* pixels)
        : gpu_(&gpu), image_(image), pixels_(pixels) {}

    const GpuImage& image();
    const Image& pixels();

    /// The image of rows that have no other owner, and that nobody asks for afterwards.
    GpuImage take_image();

  private:
    Context* gpu_;
    const GpuImage* image_ = nullptr;
    const Image* pixels_ = nullptr;
    std::optional<GpuImage> own_image_ = {};
    std::optional<Image> own_pixels_ = {};
};

/// Full-width rows of the picture, and the same rows of all that belongs to it.
class Band {
  public:
    Band(int first_row, int rows, std::vector<BandRows>& inputs, BandRows* made, int above = 0)
        : first_row_(first_row), rows_(rows), above_(above), inputs_(inputs), made_(made) {}

    int first_row() const { return first_row_; }
    int rows() const { return rows_; }
    /// With Sweep::halo: how many rows of the inputs come before the first row.
    int above() const { return above_; }

    /// The rows of an input, for sweeps that read them: 0 is the picture, the others are SweepPlan::more. With Sweep::halo also
    /// the rows around them.
    const GpuImage& image(std::size_t input = 0) { return inputs_.at(input).image(); }
    const Image& pixels(std::size_t input = 0) { return inputs_.at(input).pixels(); }
    BandRows& source(std::size_t input = 0) { return inputs_.at(input); }

    /// The rows that the sweep before this one made; null without Sweep::reads_made, and the first time.
    BandRows* made() { return made_; }

  private:
    int first_row_;
    int rows_;
    int above_;
    std::vector<BandRows>& inputs_;
    BandRows* made_;
};

/// A sweep makes nothing of a band, rows of a picture or of an array on the GPU, or the bytes of rows in CPU memory. Of
/// an array these may be more rows than the band has.
using RowsMade = std::variant<std::monostate, GpuImage, GpuArray, std::vector<std::byte>>;

/// The bytes of rows that a sweep makes.
template <class T>
std::vector<std::byte> as_bytes(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

/// The state that a sweep carries from band to band. One object a sweep, never shared by threads.
class SweepState {
  public:
    SweepState() = default;
    SweepState(const SweepState&) = delete;
    SweepState& operator=(const SweepState&) = delete;
    virtual ~SweepState() = default;

    /// Works on the next band. The rows it returns belong to the caller, and are not touched afterwards.
    virtual RowsMade next(Context& gpu, Band& band) = 0;

    /// After the last band: what the next sweep begins with.
    virtual void end(Context& /*gpu*/) {}

    /// After end(): whether to go over the bands once more with the same objects, beginning with the sweep
    /// Sweep::again_from. For operations that look several times, or until nothing changes.
    virtual bool again() { return false; }
};

/// One way over all bands.
struct Sweep {
    Direction direction = Direction::down;
    bool reads_source = true; ///< the picture and SweepPlan::more
    int halo = 0; ///< rows of the inputs above and below a band that it sees, too, as far as there are any
    bool reads_made = false;  ///< the rows of the sweep before, or where it is done again, of the one that ran last
    /// The form of a picture whose rows it makes. Without it: nothing, or the rows of SweepPlan::array.
    std::optional<Form> makes = {};
    /// The sweep that SweepState::again() of this one goes back to, by its index; this one where it is not given.
    std::optional<std::size_t> again_from = {};
    bool may_repeat = false; ///< whether again() ever says yes: what it makes is then kept until the last time
    /// `before` is the state of the sweep before this one, which stays until the end; null for the first.
    std::function<std::unique_ptr<SweepState>(Context&, const BandCut&, SweepState* before)> begin;
};

/// The sweeps by which an operation works on pictures of one form. Made without a context, as Plan.
struct SweepPlan {
    Form source;
    std::vector<RowSource> more = {}; ///< further pictures, as large as the source; they must outlive the plan
    /// How much memory a row takes, and TileNeeds::grain: the rows of a band are a multiple of grain.y.
    std::function<TileNeeds(Context&)> needs = {};
    /// Whether the picture is black and white: PlanShape::makes_mask.
    bool makes_mask = false;
    Meaning meaning = Meaning::kept; ///< PlanShape::meaning
    /// The last one makes the result. At least one.
    std::vector<Sweep> sweeps;
    std::optional<ArrayForm> array = {}; ///< of the result, where that is one
    /// The report of an operation that measures, from the last sweep.
    std::function<Report(Context&, SweepState& last, const std::string& name)> report = {};
    /// Proves the programs that have run, as prove_on_picture() does; called before rows of the result are used. Throws
    /// WrongKernel.
    std::function<void(Context&)> prove = {};
};

/// The result of all sweeps, and their states.
struct SweepResult {
    std::vector<std::unique_ptr<SweepState>> states; ///< one for each sweep
    std::optional<GpuImage> picture = {};            ///< of a whole picture
    std::optional<GpuArray> array = {};              ///< likewise

    /// The state of the last sweep, which is of this type.
    template <class State>
    State& last() const {
        return static_cast<State&>(*states.back());
    }
};

/// How pictures are cut on this device.
BandCut band_cut(Context& gpu, const SweepPlan& plan);

/// Whether pictures fit on the GPU as a whole and do not take long.
bool takes_whole(Context& gpu, const SweepPlan& plan);

/// A whole picture as one band. `pixels`: the same in CPU memory, where it lies there already.
SweepResult run_sweeps(Context& gpu, const SweepPlan& plan, const GpuImage& picture, const Image* pixels = nullptr);

/// A picture of any size in bands. `to` gets the rows of the result, if the operation makes rows; the caller calls finish().
/// The source is opened once for each sweep that reads it; sweeps that go up read a copy of it.
SweepResult run_sweeps(Context& gpu, const SweepPlan& plan, const RowSource& source, RowWriter* to,
                       const TileProgress& progress = {});

} // namespace glproc
