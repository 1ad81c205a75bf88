// Pixel formats: planes into frames and back.
#include "glproc/base/random_words.hpp"

#include "video/read/pixels.hpp"

#include "support/catch.hpp"

#include <cstring>

extern "C" {
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
}

using namespace glproc;
using namespace glproc::video;

namespace {

Planes noise(const YcbcrForm& form) {
    Planes planes;
    RandomWords words;
    for (std::size_t i = 0; i < planes.size(); ++i) {
        planes.at(i) = Image(form.planes().at(i));
        const auto next = [&] { return (words() >> 8U) & ((1U << static_cast<unsigned>(form.bits)) - 1U); };
        if (form.bits == 8) {
            for (std::byte& code : planes.at(i).bytes()) {
                code = static_cast<std::byte>(next());
            }
        } else {
            for (std::uint16_t& code : planes.at(i).values<std::uint16_t>()) {
                code = static_cast<std::uint16_t>(next());
            }
        }
    }
    return planes;
}

} // namespace

TEST_CASE("pixels: what is put into a frame of any format comes out again, whatever the frame held before") {
    int formats = 0;
    for (const AVPixFmtDescriptor* one = av_pix_fmt_desc_next(nullptr); one != nullptr;
         one = av_pix_fmt_desc_next(one)) {
        const AVPixelFormat id = av_pix_fmt_desc_get_id(one);
        const auto form = form_of(id, 37, 23, AVCHROMA_LOC_LEFT);
        if (!form || one->nb_components < 3 || (one->flags & AV_PIX_FMT_FLAG_PAL) != 0) {
            continue;
        }
        INFO(one->name);
        const AvFrame frame = make_frame();
        frame->format = id;
        frame->width = form->width;
        frame->height = form->height;
        REQUIRE(av_frame_get_buffer(frame.get(), 0) == 0);
        for (const AVBufferRef* buffer : frame->buf) {
            if (buffer != nullptr) {
                std::memset(buffer->data, 0xA5, buffer->size);
            }
        }
        const Planes planes = noise(*form);
        const Image alpha = noise(*form)[0];
        put_planes(planes, &alpha, *frame);
        const Planes back = planes_of(*frame, *form);
        if (has_alpha(id)) {
            const Image again = alpha_of(*frame, *form);
            CHECK(std::memcmp(again.bytes().data(), alpha.bytes().data(), alpha.bytes().size()) == 0);
        }
        for (std::size_t i = 0; i < planes.size(); ++i) {
            CHECK(std::memcmp(back.at(i).bytes().data(), planes.at(i).bytes().data(),
                              planes.at(i).bytes().size()) == 0);
        }
        ++formats;
    }
    CHECK(formats > 60);
}
