#include "cli/files/first_profile.hpp"

#include "cli/confined/budget.hpp"
#include "cli/files/input.hpp"
#include "cli/files/pages.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/admission.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/image/made_profile.hpp"
#include "glproc/image/profile.hpp"
#include "glproc/ops/profile/conversion.hpp"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

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
        notes.push_back(fmt::format("{}: its colours become those of the ICC profile of {}", name, first));
        return made;
    } catch (const Error& error) {
        notes.push_back(fmt::format("{}: has another ICC profile than {}, so colours do not match ({})", name, first,
                                    error.what()));
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

FirstProfile::FirstProfile(std::string first, const Arguments& arguments) : first_(std::move(first)) {
    std::error_code ignored;
    const std::string path = named_page(first_).path;
    if (path == "-" || !std::filesystem::is_regular_file(path, ignored)) {
        return;
    }
    try {
        if (read_budget(arguments).any()) {
            check_robust(sniff(peek_input(path)).value_or(Format::tiff), path);
        }
        const PictureInfo info = inspect(std::filesystem::path(path));
        icc_ = info.metadata.icc;
        curve_ = transfer_of(info.format, info.form.depth, !icc_.empty());
        is_known_ = true;
    } catch (const Error&) { // NOLINT(bugprone-empty-catch): decoding will say it
    }
}

/// Grey and colours have no profile in common; light is that of sRGB's primaries.
bool FirstProfile::differs(const Form& form, const Metadata& metadata) const {
    const bool has_codes = form.depth != Depth::f32 && fits_channels(icc_, form.channels) && fits_channels(metadata.icc, form.channels);
    return is_known_ && has_codes && metadata.icc != icc_ && !(is_srgb(metadata.icc) && is_srgb(icc_));
}

void FirstProfile::say_unknown(const Metadata& metadata, const std::string& name, Notes& notes) const {
    if (!is_known_ && !is_srgb(metadata.icc)) {
        notes.push_back(fmt::format("{}: its colours are taken for those of {}, whose ICC profile is not read before", name, first_));
    }
}

Image FirstProfile::take(Image image, const std::string& name, Notes& notes) const {
    say_unknown(image.metadata(), name, notes);
    if (differs(image.form(), image.metadata())) {
        if (const auto made = conversion(image.form(), image.metadata().icc, icc_, name, first_, notes)) {
            made->convert(image.bytes());
        }
    }
    return image;
}

RowSource FirstProfile::take(RowSource rows, const std::string& name, Notes& notes) const {
    say_unknown(rows.metadata, name, notes);
    if (differs(rows.form, rows.metadata)) {
        if (const auto made = conversion(rows.form, rows.metadata.icc, icc_, name, first_, notes)) {
            rows.open = [open = std::move(rows.open), made] { return std::make_unique<ConvertedReader>(open(), made); };
        }
    }
    return rows;
}

Image FirstProfile::in_light(Image image, std::optional<Format> format) const {
    const ColourCurve own = format ? transfer_of(*format, image.depth(), !image.metadata().icc.empty()) : ColourCurve::unknown;
    return with_curve_of(curve_, std::move(image), own);
}

RowSource FirstProfile::in_light(RowSource rows, std::optional<Format> format) const {
    const ColourCurve own = format ? transfer_of(*format, rows.form.depth, !rows.metadata.icc.empty()) : ColourCurve::unknown;
    return with_curve_of(curve_, std::move(rows), own);
}

} // namespace glproc::cli
