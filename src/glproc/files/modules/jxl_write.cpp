#include "glproc/files/modules/jxl.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace glproc::modules::jxl {
namespace {

JxlBasicInfo info_for(const Writing& writing, bool lossless) {
    const Form& form = writing.form();
    JxlBasicInfo info{};
    JxlEncoderInitBasicInfo(&info);
    info.xsize = static_cast<std::uint32_t>(form.width);
    info.ysize = static_cast<std::uint32_t>(form.height);
    info.bits_per_sample = static_cast<std::uint32_t>(form.depth);
    info.exponent_bits_per_sample = form.depth == Depth::f32 ? 8 : 0;
    info.num_color_channels = form.channels < 3 ? 1 : 3;
    if (form.has_alpha()) {
        info.num_extra_channels = 1;
        info.alpha_bits = info.bits_per_sample;
        info.alpha_exponent_bits = info.exponent_bits_per_sample;
    }
    // Values in the space of a profile stay there, so that the profile can stay as it is, too.
    info.uses_original_profile = lossless || !writing.metadata().icc.empty() ? JXL_TRUE : JXL_FALSE;
    return info;
}

/// As cjxl has it, https://github.com/libjxl/libjxl: quality 90 is a distance of 1, "visually lossless".
float distance_of(int quality) {
    const auto q = static_cast<float>(quality);
    return quality >= 30 ? 0.1F + (100 - q) * 0.09F : 53.0F / 3000 * q * q - 23.0F / 20 * q + 25;
}

bool set_colours(JxlEncoder* encoder, const Form& form, const Bytes& icc) {
    if (!icc.empty() && JxlEncoderSetICCProfile(encoder, reinterpret_cast<const std::uint8_t*>(icc.data()),
                                                icc.size()) == JXL_ENC_SUCCESS)
        return true;
    JxlColorEncoding encoding{};
    const JXL_BOOL grey = form.channels < 3 ? JXL_TRUE : JXL_FALSE;
    if (form.depth == Depth::f32) {
        JxlColorEncodingSetToLinearSRGB(&encoding, grey);
    } else {
        JxlColorEncodingSetToSRGB(&encoding, grey);
    }
    JxlEncoderSetColorEncoding(encoder, &encoding);
    return icc.empty();
}

void add_boxes(JxlEncoder* encoder, const Metadata& metadata) {
    const auto add = [&](const char* type, const Bytes& bytes) {
        JxlEncoderAddBox(encoder, type, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(),
                         JXL_FALSE);
    };
    if (!metadata.exif.empty()) {
        Bytes exif(4); // the offset of the TIFF structure
        exif.insert(exif.end(), metadata.exif.begin(), metadata.exif.end());
        add("Exif", exif);
    }
    if (!metadata.xmp.empty())
        add("xml ", metadata.xmp);
}

void put_out(Writing& writing, JxlEncoder* encoder) {
    std::vector<std::uint8_t> out(std::size_t{1} << 20U);
    for (;;) {
        std::uint8_t* next = out.data();
        std::size_t left = out.size();
        const JxlEncoderStatus status = JxlEncoderProcessOutput(encoder, &next, &left);
        writing.append(std::as_bytes(std::span(out).first(out.size() - left)));
        if (status == JXL_ENC_SUCCESS)
            return;
        if (status == JXL_ENC_ERROR)
            writing.fail("libjxl could not encode the image");
    }
}

void check_values(Writing& writing) {
    const std::span<const std::byte> pixels = writing.pixels();
    const std::span<const float> values(reinterpret_cast<const float*>(pixels.data()), pixels.size() / 4);
    if (writing.form().depth == Depth::f32 &&
        !std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); }))
        writing.fail("JPEG XL cannot hold infinite or undefined values");
}

} // namespace

void write(Writing& writing) {
    check_values(writing);
    const std::unique_ptr<JxlEncoder, Free> encoder(JxlEncoderCreate(nullptr));
    const Runner runner = make_runner();
    if (encoder == nullptr)
        throw std::bad_alloc();
    JxlEncoderSetParallelRunner(encoder.get(), JxlThreadParallelRunner, runner.get());
    const Metadata& metadata = writing.metadata();
    const bool floats = writing.form().depth == Depth::f32;
    const bool lossless =
        writing.options().lossless || (writing.options().quality_or_default() == 100 && !floats);
    if (lossless && floats)
        writing.fail("libjxl cannot write floats without loss"); // 0.7 changes some where they repeat
    const bool boxes = !metadata.exif.empty() || !metadata.xmp.empty();
    if (boxes)
        JxlEncoderUseBoxes(encoder.get());
    const JxlBasicInfo info = info_for(writing, lossless);
    if (JxlEncoderSetBasicInfo(encoder.get(), &info) != JXL_ENC_SUCCESS)
        writing.fail("JPEG XL cannot hold this image");
    if (!set_colours(encoder.get(), writing.form(), metadata.icc))
        writing.note("libjxl does not take the ICC profile; it is left out");
    JxlEncoderFrameSettings* settings = JxlEncoderFrameSettingsCreate(encoder.get(), nullptr);
    if (lossless) {
        JxlEncoderSetFrameLossless(settings, JXL_TRUE);
    } else {
        JxlEncoderSetFrameDistance(settings, distance_of(writing.options().quality_or_default()));
    }
    if (boxes) {
        add_boxes(encoder.get(), metadata);
        JxlEncoderCloseBoxes(encoder.get());
    }
    const JxlPixelFormat format = format_of(writing.form());
    if (JxlEncoderAddImageFrame(settings, &format, writing.pixels().data(), writing.pixels().size()) !=
        JXL_ENC_SUCCESS)
        writing.fail("libjxl could not encode the image");
    JxlEncoderCloseInput(encoder.get());
    put_out(writing, encoder.get());
}

} // namespace glproc::modules::jxl
