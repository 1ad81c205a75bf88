#include "job/first_profile.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/admission.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/image/made_profile.hpp"
#include "glproc/image/profile.hpp"
#include "glproc/ops/profile/conversion.hpp"
#include "job/confined/decoder_process.hpp"
#include "job/input_file.hpp"
#include "job/page_files.hpp"
#include "job/pages.hpp"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace glproc::job {

namespace {

bool is_srgb(const std::vector<std::byte>& icc) {
    return icc.empty() || names_srgb(icc);
}

/// Nothing, with a note, where the library is missing or knows no way.
std::shared_ptr<const ProfileConversion> conversion(const Form& form, const std::vector<std::byte>& from,
                                                    const std::vector<std::byte>& to, const std::string& name,
                                                    const std::string& first, Notes& notes) {
    const bool is_grey = form.channels < 3;
    const auto or_srgb = [&](const std::vector<std::byte>& icc) { return icc.empty() ? srgb_profile(is_grey) : icc; };
    try {
        auto made = std::make_shared<const ProfileConversion>(ProfileConversion::Between{or_srgb(from), or_srgb(to)}, form);
        std::vector<std::byte> trial(form.pixel_bytes());
        made->convert(trial);
        notes.push_back(to.empty() ? fmt::format("{}: its colours become those of sRGB", name)
                                   : fmt::format("{}: its colours become those of the ICC profile of {}", name, first));
        return made;
    } catch (const Error& error) {
        notes.push_back(fmt::format("{}: has another ICC profile than {}, so colours do not match ({})", name,
                                    first.empty() ? "the frames" : first, error.what()));
        return nullptr;
    }
}

class ConvertedReader final : public RowReader {
  public:
    ConvertedReader(std::unique_ptr<RowReader> rows, std::shared_ptr<const ProfileConversion> conversion)
        : rows_(std::move(rows)), conversion_(std::move(conversion)) {}

    const Form& form() const override { return rows_->form(); }
    const Metadata& metadata() const override { return rows_->metadata(); }
    void read(std::span<std::byte> rows) override {
        rows_->read(rows);
        conversion_->convert(rows);
    }

  private:
    std::unique_ptr<RowReader> rows_;
    std::shared_ptr<const ProfileConversion> conversion_;
};

} // namespace

FirstProfile::FirstProfile(std::string first, const Reading& reading) : first_(std::move(first)) {
    try {
        look(reading);
    } catch (const Error&) { // NOLINT(bugprone-empty-catch): decoding will say it
    }
}

FirstProfile::FirstProfile(std::string first, const Image& image) : first_(std::move(first)) {
    know(image.form(), image.metadata());
}

FirstProfile::FirstProfile(std::string first, std::vector<std::byte> icc, ColourCurve curve)
    : first_(std::move(first)), is_known_(true), icc_(std::move(icc)), curve_(curve) {}

FirstProfile FirstProfile::srgb() {
    return {"", {}, ColourCurve::srgb};
}

void FirstProfile::look(const Reading& reading) {
    const NamedPage named = named_page(first_);
    if (named.path == "-") {
        return look_at_stdin(reading);
    }
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(named.path, ignored)) {
        return;
    }
    if (named.page < 2 && !reading.budget.any()) {
        const PictureInfo info = inspect(std::filesystem::path(named.path));
        return know(info.form, info.metadata);
    }
    if (named.page > 1) {
        const std::vector<std::byte> start = start_for_pages(named.path);
        const Image image = read_page(named, start, input_name(first_), reading.budget, reading.options);
        return know(image.form(), image.metadata());
    }
    look_at(read_input(named.path, "image"), reading);
}

void FirstProfile::look_at_stdin(const Reading& reading) {
    std::vector<std::byte> file = read_input("-", "image");
    try {
        look_at(file, reading);
    } catch (const Error&) { // NOLINT(bugprone-empty-catch): decoding will say it
    }
    give_back_stdin(std::move(file));
}

/// What is not to be parsed in this process is decoded for it in another one.
void FirstProfile::look_at(std::span<const std::byte> file, const Reading& reading) {
    const std::optional<Format> format = sniff(file);
    if (reading.budget.any() && !(format && is_robust(*format))) {
        const Image image =
            decode_within(reading.budget, file, input_name(first_), reading.options);
        return know(image.form(), image.metadata());
    }
    const PictureInfo info = inspect(file, input_name(first_));
    know(info.form, info.metadata);
}

void FirstProfile::know(const Form& form, const Metadata& metadata) {
    curve_ = curve_of(form, metadata);
    icc_ = metadata.icc;
    is_known_ = true;
}

bool FirstProfile::is_plain() const {
    return is_known_ && is_srgb(icc_) && curve_ == ColourCurve::srgb;
}

bool FirstProfile::is_like(const FirstProfile& other) const {
    return is_known_ == other.is_known_ && icc_ == other.icc_ && curve_ == other.curve_;
}

/// Grey and colours have no profile in common.
bool FirstProfile::differs(const Form& form, const Metadata& metadata) const {
    const bool can_be = fits_channels(icc_, form.channels) && fits_channels(metadata.icc, form.channels);
    return is_known_ && can_be && metadata.icc != icc_ && !(is_srgb(metadata.icc) && is_srgb(icc_));
}

void FirstProfile::say_unknown(const Metadata& metadata, const std::string& name, Notes& notes) const {
    if (!is_known_ && !is_srgb(metadata.icc)) {
        notes.push_back(fmt::format("{}: its colours are taken for those of {}, whose ICC profile is not read before", name, input_name(first_)));
    }
}

namespace {

const Form& form_of(const Image& image) { return image.form(); }
const Form& form_of(const RowSource& rows) { return rows.form; }

Image converted(Image image, const std::shared_ptr<const ProfileConversion>& made) {
    made->convert(image.bytes());
    return image;
}
RowSource converted(RowSource rows, const std::shared_ptr<const ProfileConversion>& made) {
    rows.open = [open = std::move(rows.open), made] { return std::make_unique<ConvertedReader>(open(), made); };
    return rows;
}

} // namespace

bool FirstProfile::suits(const Form& form, const Metadata& metadata) const {
    const ColourCurve own = curve_of(form, metadata);
    const bool is_in_light = own == curve_ || own == ColourCurve::unknown || curve_ == ColourCurve::unknown;
    return is_known_ && is_in_light && !differs(form, metadata);
}

/// Profiles are of encoded values, and light here is that of sRGB's primaries.
template <class Picture>
Picture FirstProfile::fit(Picture picture, const Form& form, const Metadata& metadata, const std::string& name, Notes& notes) const {
    const ColourCurve own = curve_of(form, metadata);
    say_unknown(metadata, name, notes);
    const bool is_to_be_light = curve_ == ColourCurve::linear;
    const bool is_encoded = own == ColourCurve::srgb || (own == ColourCurve::linear && curve_ == ColourCurve::srgb);
    if (!is_to_be_light) {
        picture = with_curve_of(curve_, std::move(picture), own);
    }
    if (is_encoded && differs(form_of(picture), metadata)) {
        const std::string first = first_.empty() ? first_ : input_name(first_);
        if (const auto made = conversion(form_of(picture), metadata.icc, icc_, name, first, notes)) {
            picture = converted(std::move(picture), made);
        }
    }
    return is_to_be_light ? with_curve_of(curve_, std::move(picture), own) : std::move(picture);
}

Image FirstProfile::fitted(Image image, const std::string& name, Notes& notes) const {
    const Form form = image.form();
    const Metadata metadata = image.metadata();
    return fit(std::move(image), form, metadata, name, notes);
}

RowSource FirstProfile::fitted(RowSource rows, const std::string& name, Notes& notes) const {
    const Form form = rows.form;
    const Metadata metadata = rows.metadata;
    return fit(std::move(rows), form, metadata, name, notes);
}

} // namespace glproc::job
