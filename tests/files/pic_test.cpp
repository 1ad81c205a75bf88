#include "files/metadata_files.hpp"
#include "files/pic_files.hpp"

using namespace glproc;
using namespace glproc::test;

TEST_CASE("Softimage PIC, with and without alpha, plain and packed") {
    for (const int channels : {3, 4}) {
        for (const PicPacking packing : {PicPacking::none, PicPacking::runs, PicPacking::mixed}) {
            INFO(channels << " channels, packing " << static_cast<int>(packing));
            const Image image = picture(19, 7, channels, Depth::u8);
            const Bytes file = pic_of(image, packing);
            CHECK(same(decode(file, "a.pic"), image));
            CHECK(sniff(file) == Format::pic);
            CHECK(inspect(file, "a.pic").form == image.form());
        }
    }
}

TEST_CASE("Softimage PIC: what is broken is refused before it costs memory") {
    const Bytes whole = pic_of(picture(19, 7, 4, Depth::u8), PicPacking::runs);
    for (std::size_t size = 4; size < whole.size(); size += 7) {
        INFO(size << " bytes");
        const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK_THROWS_AS(decode(cut, "a.pic"), Error);
    }
    CHECK(message_of([] {
              decode(pic_header(65535, 65535, false, PicPacking::mixed), "a.pic");
          }).find("65535x65535") != std::string::npos);
    CHECK_THROWS_AS(decode(pic_header(0, 7, false, PicPacking::none), "a.pic"), Error);
    Bytes endless = pic_header(19, 7, false, PicPacking::none);
    for (int i = 0; i < 64; ++i) {
        put_numbers(endless, {1, 8, 0, 0xe0}); // more packets than there can be
    }
    check_error(ErrorCode::input, "a.pic: corrupt PIC: bad file", [&] { decode(endless, "a.pic"); });
}
