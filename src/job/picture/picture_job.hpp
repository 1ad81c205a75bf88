// One input on its way through an operation: read, worked on, written. Each step may run on another thread,
// one after another, so that many pictures can be under way at once.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/gpu_codecs/jpeg/decode_scan.hpp"
#include "glproc/gpu_codecs/jpeg/encode.hpp"
#include "job/picture/call.hpp"
#include "job/picture/run_input.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace glproc::job {

/// Whether JPEGs are to be decoded on this GPU, `in_fractions` or whole, which is so for all of them or none,
/// but for their size.
bool decodes_jpegs(Context& gpu, bool in_fractions);

class SeriesRun;

class PictureJob {
  public:
    PictureJob(const Call& call, const std::string& in, Outputs outputs);
    PictureJob(const PictureJob&) = delete;
    PictureJob& operator=(const PictureJob&) = delete;
    ~PictureJob();

    /// Opens the input, and reads it unless it comes in rows. `alone`: the processor alone may do the work;
    /// `for_gpu`: unless a GPU can decode it.
    void open(bool alone = false, bool for_gpu = false);
    /// After open(): whether it then can, as far as is known; after decode(), and where the picture comes in
    /// rows: whether it does, with process_alone().
    bool may_go_alone() const;
    bool goes_alone() const;
    /// The same, and no software renderer would take less time.
    bool goes_alone_quickly() const;
    /// Whether process_alone() is possible where no device is to be had; for decoded pictures and those in
    /// rows.
    bool goes_alone_at_need() const;
    /// Whether the processor alone can do it; `at_need` as in Operation::by_processor().
    bool needs_no_device(bool at_need) const;
    /// The same of a file that is in memory already.
    void open(std::vector<std::byte> file);
    /// The result is to be appended to this.
    void write_to(RowWriter& stream);
    /// Of a file of several pictures, which all go to one file; null of others.
    SeriesRun* series() const { return series_.get(); }
    /// What the operation makes of the picture, where that is known.
    std::optional<Plan> plan() const;
    /// Whether the picture comes in rows while it is worked on, and whether it is too large to do otherwise
    /// on a device.
    bool in_rows() const { return rows_.has_value(); }
    bool in_large_rows() const { return rows_.has_value() && writes_rows_; }
    bool is_decoded() const { return source_.has_value(); }
    /// Begins to read rows, on a thread of their own.
    void read_ahead();
    /// What was opened becomes pixels in memory.
    void decode();
    /// The same where a GPU may do most of it: what it can decode is left to process(). Where that finds that
    /// it cannot after all, it decodes on the CPU.
    void decode_for_gpu();
    /// Throws Error(input) where the result exceeds --max-memory, or what --untrusted allows.
    void check_budget() const;
    /// Whether it is a picture of which decode_for_gpu() might leave anything to process().
    bool may_decode_on_gpu() const;

    /// Of the picture, where it is known; decode() need not have ended.
    Form form() const;
    /// Of the textures for the picture and for what becomes of it, as far as they are known.
    std::vector<std::size_t> texture_bytes() const;
    /// Lets the driver make programs and memory ready while the input is on its way.
    void rehearse(Context& gpu) const;

    /// What the GPU does; the result is then in memory, or in the file where it goes there in rows.
    void process(Context& gpu);

    /// process() in three steps, for pictures that a GPU decodes and encodes together. First: what it is to
    /// decode; nothing where process() does all.
    const gpu_codecs::JpegScan* scan_for(Context& gpu);
    bool has_scan() const { return scan_.has_value(); }
    /// Second, with what became of it; nothing where the CPU has to decode.
    void process_decoded(Context& gpu, std::optional<GpuImage> image);
    /// Third: what to encode, if anything. It is `number` of `files`, which may still be under way until
    /// write().
    std::optional<gpu_codecs::JpegToEncode> to_encode() const;
    void take_encoding(std::shared_ptr<const gpu_codecs::JpegsInEncoding> files, std::size_t number);
    /// In place of that: what was to be encoded comes into memory, for the CPU to encode.
    void fetch_product(Context& gpu);
    /// The same without a device.
    void process_alone();

    /// Encodes and writes the result.
    void write();

    /// For stdout: the text of a report, after write().
    const std::string& text() const { return text_; }
    /// Why the call has failed although its report is there, or empty.
    const std::string& failure() const { return failure_; }

    const std::string& input_name() const { return input_.name(); }
    /// What the operation found out, where the call wants that.
    const Notes& findings() const { return findings_; }

    const Notes& input_notes() const;
    const Notes& output_notes() const;

    /// For people.
    std::string output_name() const;
    /// How much was worked on, for people and in millions of pixels or values.
    const std::string& size_text() const { return size_text_; }
    double millions() const { return millions_; }
    /// Whether the picture was worked on in tiles.
    bool in_tiles() const { return in_tiles_; }

  private:
    /// For this picture.
    const Operation& operation() const {
        return out_.picture ? out_.picture->operation_for(call_.operation) : call_.operation;
    }
    PictureOutput* picture() { return out_.picture ? &*out_.picture : nullptr; }
    /// A stage, without the programs that are made in it: those are a stage of their own.
    template <class Work>
    auto run_on(Context& gpu, Stage stage, Work work) {
        const struct Deduction {
            Stages& stages;
            Context& gpu;
            Stage stage;
            double before = gpu.compile_time() + gpu.check_time();
            ~Deduction() { stages.add(stage, before - gpu.compile_time() - gpu.check_time()); }
        } deduction{call_.stages, gpu, stage};
        return call_.stages.run(stage, work);
    }
    void settle(Context& gpu) const;
    void go_through_series(Context* gpu);
    void note_size();
    void note_result(const Form& result);
    void note_findings();
    bool has_jpeg() const;
    void run_alone(const Plan& plan);
    void make_alone();
    std::unique_ptr<RowReader> open_rows();
    void work_on(Context& gpu);
    void process_whole(Context& gpu, Source source);
    std::optional<GpuImage> decode_alone(Context& gpu);
    void encode_alone(Context& gpu);
    bool keep_for_encoding(Context& gpu, GpuImage& image);
    void process_rows(Context& gpu);
    void go_through(Context& gpu);
    void process_tiles(Context& gpu, const RowSource& source, bool little_memory);
    Products compute(Context& gpu, const OpInput& input);
    void fetch(Context& gpu, Products product, Source memory);
    void fetch_report(Context& gpu, Report report);
    void write_report();

    const Call& call_;
    RunInput input_;
    Outputs out_;
    std::unique_ptr<SeriesRun> series_; ///< of a file of several pictures; nothing else is then opened
    std::optional<RowSource> rows_;
    std::vector<std::byte> bytes_;             ///< of a file that does not come in rows
    std::optional<Source> source_;             ///< what was decoded
    std::optional<gpu_codecs::JpegScan> scan_; ///< or what a GPU may decode; bytes_ are then kept
    /// What a GPU is to encode, or has encoded.
    struct Encodable {
        GpuImage image;
        PictureOutput::JpegJob job;
    };
    std::optional<Encodable> product_;
    std::shared_ptr<const gpu_codecs::JpegsInEncoding> files_;
    std::size_t file_ = 0; ///< of those
    bool may_go_alone_ = false;
    bool reads_ahead_ = false;
    bool writes_rows_ = false; ///< as a picture does that came in rows: the bytes of its file are the same
    bool in_tiles_ = false;
    double waited_ = 0; ///< milliseconds, for rows of the input
    std::variant<std::monostate, Image, Array> result_;
    std::optional<Report> report_;
    std::optional<Image> plot_; ///< of the report
    std::string text_;
    Notes findings_;
    std::string failure_;
    std::string size_text_;
    double millions_ = 0;
};

} // namespace glproc::job
