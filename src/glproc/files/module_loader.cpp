// Formats that modules read and write: represents the program to them.
#include "glproc/base/error.hpp"
#include "glproc/files/admission.hpp"
#include "glproc/files/codecs/codecs.hpp"
#include "glproc/files/codecs/heif_sizes.hpp"
#include "glproc/files/colour_management.hpp"
#include "glproc/files/module_file.hpp"
#include "glproc/files/modules/module.hpp"
#include "glproc/image/exif.hpp"

#include <limits>
#include <optional>
#include <string>

#include <fmt/format.h>

namespace glproc::codecs {
namespace {

using modules::Module;

const Module& module_for(const ModuleInfo& module, std::string_view file, ErrorCode code) {
    return use_module<Module>(module, code, fmt::format("{}: this format", file));
}

/// Takes a module's picture into an Image.
class ReadingIn final : public modules::Reading {
  public:
    ReadingIn(const Source& source, bool wants_pixels) : source_(source), wants_pixels_(wants_pixels) {}

    std::span<const std::byte> file() const override { return source_.bytes; }
    void set_metadata(Metadata metadata) override { summary_.metadata = sound(source_, std::move(metadata)); }
    void set_upright_metadata(Metadata metadata) override {
        set_metadata(std::move(metadata));
        reset_orientation(summary_.metadata, orientation_of(summary_.metadata.exif));
    }
    void set_frames(int frames) override {
        summary_.frames = frames;
        if (frames > 1)
            note(fmt::format("has {} frames; the first one is used", frames));
    }
    void check_size(std::uint64_t width, std::uint64_t height) override {
        // There is no bound on how far these formats compress.
        codecs::check_size(source_, width, height, std::numeric_limits<double>::infinity());
    }
    int divisor_for(const Extent& whole) const override {
        const std::optional<Extent> box = stored_box();
        return box ? glproc::divisor_for(*box, whole) : 1;
    }
    bool is_enough(const Extent& part, const Extent& whole) const override {
        const std::optional<Extent> box = stored_box();
        return box && glproc::is_enough(part, *box, whole);
    }
    void set_fraction(const Fraction& fraction) override { summary_.metadata.fraction = fraction; }
    std::span<std::byte> start(const Form& form) override {
        check_size(static_cast<std::uint64_t>(form.width), static_cast<std::uint64_t>(form.height));
        summary_.form = form;
        if (!wants_pixels_)
            return {};
        image_ = Image(form);
        return image_.bytes();
    }
    void note(std::string_view what) override { codecs::note(source_, what); }
    [[noreturn]] void fail(std::string_view reason) override { codecs::fail(source_, reason); }

    Image image() {
        image_.set_metadata(std::move(summary_.metadata));
        return std::move(image_);
    }
    Summary summary() { return std::move(summary_); }

  private:
    /// As the stored picture lies.
    std::optional<Extent> stored_box() const {
        const bool lies_on_its_side = orientation_of(summary_.metadata.exif) >= 5;
        return source_.box && wants_pixels_ ? std::optional(lies_on_its_side ? source_.box->turned() : *source_.box)
                                            : std::nullopt;
    }

    const Source& source_;
    bool wants_pixels_;
    Summary summary_;
    Image image_;
};

class WritingOut final : public modules::Writing {
  public:
    explicit WritingOut(const Job& job) : job_(job), metadata_(job.image.metadata()) {
        metadata_.exif = exif_with_density(metadata_);
    }

    const Form& form() const override { return job_.image.form(); }
    std::span<const std::byte> pixels() const override { return job_.image.bytes(); }
    const Metadata& metadata() const override { return metadata_; }
    const EncodeOptions& options() const override { return job_.options; }
    std::string_view extension() const override { return job_.extension; }
    void append(std::span<const std::byte> bytes) override {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    }
    void note(std::string_view what) override { codecs::note(job_, what); }
    [[noreturn]] void fail(std::string_view reason) override { codecs::fail(job_, reason); }

    std::vector<std::byte> take_bytes() { return std::move(bytes_); }

  private:
    const Job& job_;
    Metadata metadata_;
    std::vector<std::byte> bytes_;
};

} // namespace

Image decode_by_module(const ModuleInfo& info, const Source& source) {
    const Module& module = module_for(info, source.name, ErrorCode::input);
    if (info.name == heif_module.name)
        check_heif_sizes(source);
    ReadingIn reading(source, true);
    module.read(reading);
    return reading.image();
}

Summary inspect_by_module(const ModuleInfo& info, const Source& source) {
    const Module& module = module_for(info, source.name, ErrorCode::input);
    if (info.name == heif_module.name)
        check_heif_references(source);
    ReadingIn reading(source, false);
    module.read(reading);
    return reading.summary();
}

std::vector<std::byte> encode_by_module(const ModuleInfo& info, const Job& job) {
    const Module& module = module_for(info, job.name, ErrorCode::output);
    WritingOut writing(job);
    module.write(writing);
    return writing.take_bytes();
}

void check_module(const ModuleInfo& info, std::string_view name) {
    module_for(info, name, ErrorCode::output);
}

} // namespace glproc::codecs

namespace glproc {

const modules::ColourModule& colour_management() {
    check_profiles_admitted();
    return use_module<modules::ColourModule>(lcms_module, ErrorCode::operation, "colour management");
}

} // namespace glproc
