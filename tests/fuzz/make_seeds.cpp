// Writes a small corpus for every fuzz target: FOLDER/<target>/<number>. All of it is made here.
#include "cli/commands.hpp"
#include "files/handmade_files.hpp"
#include "files/jpeg_files.hpp"
#include "files/metadata_files.hpp"
#include "files/pic_files.hpp"
#include "files/png_files.hpp"
#include "glproc/files/colour_management.hpp"
#include "glproc/files/file.hpp"
#include "glproc/files/module_file.hpp"
#include "glproc/files/npy.hpp"
#include "glproc/files/series.hpp"
#include "glproc/shader/embedded.hpp"
#include "support/temp_dir.hpp"

#include <cstdio>
#include <filesystem>
#include <map>

namespace glproc::test {

namespace {

class Corpus {
  public:
    explicit Corpus(std::filesystem::path folder) : folder_(std::move(folder)) {}

    void add(const std::string& target, const Bytes& file) {
        const auto folder = folder_ / target;
        std::filesystem::create_directories(folder);
        write_file(folder / std::to_string(count_[target]++), file);
    }

    /// Also for what is asked of every format.
    void add_picture(const std::string& target, const Bytes& file) {
        add(target, file);
        add("parts", file);
    }

  private:
    std::filesystem::path folder_;
    std::map<std::string, int> count_;
};

/// What our encoders make of a small picture, in every form that a format holds.
void add_encoded(Corpus& corpus) {
    const std::map<std::string, std::string> targets{
        {"png", "png"}, {"jpg", "jpeg"}, {"pnm", "pnm"},   {"pam", "pnm"},  {"bmp", "bmp"},
        {"tga", "tga"}, {"hdr", "hdr"},  {"pfm", "pfm"},   {"tif", "tiff"}, {"webp", "webp"},
        {"exr", "exr"}, {"jxl", "jxl"},  {"heic", "heif"}, {"avif", "heif"}};
    for (const auto& [extension, target] : targets) {
        for (const Depth depth : {Depth::u8, Depth::u16, Depth::f32}) {
            for (int channels = 1; channels <= 4; ++channels) {
                const std::string& to = extension; // clang 14 captures no structured binding
                if (!error_of([&] { check_encodable(to, channels, depth); })) {
                    corpus.add_picture(target, encode(picture(5, 3, channels, depth), extension));
                    corpus.add("rows", encode(picture(5, 3, channels, depth), extension));
                }
            }
        }
    }
}

/// Pictures with something besides their pixels.
void add_told(Corpus& corpus) {
    const Metadata metadata{.icc = icc_block(300),
                            .exif = exif_block(1, true),
                            .xmp = xmp_block(),
                            .density = Density{300, 150, Density::Unit::inch},
                            .texts = {{"Comment", "by hand"}, {"Author", "Zo\xc3\xab"}}};
    const Image image = with_metadata(picture(5, 3, 3, Depth::u8), metadata);
    for (const auto& [extension, target] : {std::pair{"png", "png"}, {"jpg", "jpeg"}, {"tif", "tiff"}}) {
        const std::string_view to = extension; // clang 14 captures no structured binding
        if (!error_of([&] { check_encodable(to); }))
            corpus.add_picture(target, encode(image, extension));
    }
}

/// Animations and pages of every format.
void add_series(Corpus& corpus) {
    const TempDir folder;
    for (const std::string extension : {"gif", "webp", "apng", "tif"}) {
        const bool is_tiff = extension == "tif";
        if (!holds_series(extension, is_tiff ? SeriesKind::pages : SeriesKind::frames))
            continue;
        const auto writer =
            write_series(folder / ("a." + extension), extension, SeriesInfo{}, {.lossless = true});
        for (int i = 0; i < 3; ++i)
            writer->write(picture(7, 5, 4, Depth::u8), {static_cast<std::uint32_t>(i), 100});
        writer->finish();
        corpus.add_picture("series", read_file(folder / ("a." + extension)));
    }
}

/// What others write and our encoders do not.
void add_handmade(Corpus& corpus) {
    for (const auto& [bits, colour] : {std::pair{1, 0}, {2, 3}, {4, 3}, {8, 3}, {16, 6}, {8, 4}}) {
        corpus.add_picture("png", write_png(noise_png(9, 7, bits, colour, bits < 8)));
        corpus.add("rows", write_png(noise_png(9, 7, bits, colour)));
    }
    for (const std::string_view file : {"P2 4 2 255  0 0 64 128  128 128 255 255",
                                        "P1\n# a comment\n3 2\n1 0 1 0 1 0", "Pf 1 1 1.0\nabcd"}) {
        corpus.add("rows", bytes_of(file));
    }
    corpus.add_picture("jpeg", write_jpeg(17, 9, 3, JpegKind::progressive));
    corpus.add("jpeg_scan", write_jpeg(17, 9, 1, JpegKind::baseline));
    corpus.add("jpeg_scan",
               write_jpeg(70, 40, 3, JpegKind::baseline, JpegExtras{.across = 2, .down = 2, .restart = 3}));
    corpus.add_picture("pnm", bytes_of("P2 4 2 255  0 0 64 128  128 128 255 255"));
    corpus.add_picture("pnm", bytes_of("P1\n# a comment\n3 2\n1 0 1 0 1 0"));
    corpus.add_picture("pnm", bytes_of("P4 3 2 ") + bytes_of({0xa0, 0x40}));
    corpus.add_picture("pnm",
                       bytes_of("PF 1 1 -1.0\n") + bytes_of({0, 0, 128, 63, 0, 0, 0, 64, 0, 0, 64, 64}));
    corpus.add_picture("gif", write_gif(3, 2, {{0, 0, 0}, {255, 0, 0}, {0, 255, 0}}, {0, 1, 2, 2, 1, 0}, 1));
    for (const bool packed : {false, true}) {
        corpus.add_picture("psd", write_psd(picture(5, 3, 3, Depth::u8), packed));
        corpus.add_picture("psd",
                           write_psd(picture(5, 3, 4, Depth::u16), PsdSpec{.packed = packed, .big = true}));
        corpus.add_picture("psd",
                           write_psd(picture(5, 3, 4, Depth::u8), PsdSpec{.packed = packed, .mode = 4}));
        corpus.add_picture(
            "psd", write_psd(picture(5, 3, 1, Depth::u8),
                             PsdSpec{.packed = packed, .layers = 0, .mode = 2, .palette = Bytes(768)}));
    }
    for (const int bits : {1, 4, 8})
        corpus.add_picture("bmp",
                           write_palette_bmp(5, 3, bits, {{9, 8, 7}, {0, 0, 0}}, std::vector<int>(15, 1)));
    Bytes runs = write_palette_bmp(6, 3, 8, {{9, 8, 7}, {0, 0, 0}}, std::vector<int>(18, 1));
    runs.at(30) = std::byte{1};
    corpus.add_picture("bmp", Bytes(runs.begin(), runs.begin() + 62) +
                                  bytes_of({6, 1, 0, 0, 0, 5, 0, 1, 1, 0, 0, 0, 0, 2, 1, 0, 2, 1, 0, 1}));
    corpus.add_picture("tga", tga_header(9, 2, 4, 1, 8) + bytes_of({1, 2, 3, 4, 5, 6, 0x81, 1, 1, 0, 1}));
    corpus.add_picture("hdr", bytes_of("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 16\n") +
                                  bytes_of({9, 8, 7, 128, 1, 1, 1, 15}));
    corpus.add_picture("pfm", bytes_of("PF\n# a comment\n1 1\n-1.0\n") + Bytes(12));
    corpus.add_picture("tga", tga_header(2, 0, 2, 1, 24) + bytes_of({1, 2, 3, 4, 5, 6}));
    corpus.add_picture("tga", tga_header(10, 0, 4, 1, 24) + bytes_of({0x83, 1, 2, 3}));
}

void add_pics(Corpus& corpus) {
    for (const int channels : {3, 4}) {
        for (const PicPacking packing : {PicPacking::none, PicPacking::runs, PicPacking::mixed})
            corpus.add_picture("pic", pic_of(picture(5, 3, channels, Depth::u8), packing));
    }
}

/// An ICC profile of four inks: a table of two entries an axis, between curves of 256.
Bytes ink_profile() {
    const Bytes identity =
        bytes_of({0, 1, 0, 0}) + Bytes(12) + bytes_of({0, 1, 0, 0}) + Bytes(12) + bytes_of({0, 1, 0, 0});
    Bytes curve(256);
    for (int i = 0; i < 256; ++i)
        curve[static_cast<std::size_t>(i)] = static_cast<std::byte>(i);
    Bytes table = bytes_of("mft1") + Bytes(4) + bytes_of({4, 3, 2, 0}) + identity;
    for (int i = 0; i < 4; ++i)
        table = table + curve;
    table = table + Bytes(48, std::byte{77});
    for (int i = 0; i < 3; ++i)
        table = table + curve;
    const auto size = static_cast<std::uint32_t>(table.size());
    const Bytes head =
        bytes_of({4, 0x30, 0, 0}) + bytes_of("prtrCMYKLab ") + Bytes(12) + bytes_of("acsp") + Bytes(88);
    return big_endian(144 + size, 4) + Bytes(4) + head + big_endian(1, 4) + bytes_of("A2B0") +
           big_endian(144, 4) + big_endian(size, 4) + table;
}

void add_profiles(Corpus& corpus) {
    using modules::StandardColours;
    if (!is_built(lcms_module))
        return;
    corpus.add("profile", icc_block(300));
    corpus.add("profile", ink_profile());
    for (const StandardColours colours : {StandardColours::srgb, StandardColours::display_p3}) {
        for (const bool is_grey : {false, true}) {
            for (const bool is_linear : {false, true})
                corpus.add("profile", colour_management().standard({colours, is_grey, is_linear}));
        }
    }
}

/// A box of an ISO file.
Bytes box(std::string_view name, const Bytes& content) {
    const std::size_t size = 8 + content.size();
    return bytes_of({0, 0, static_cast<int>(size >> 8U), static_cast<int>(size & 0xFFU)}) + bytes_of(name) +
           content;
}

void add_texts(Corpus& corpus) {
    for (const ArrayType type : {ArrayType::u32, ArrayType::i32, ArrayType::f32}) {
        corpus.add("array", format_npy({type, {2, 3}, Bytes(24, std::byte{1})}));
    }
    corpus.add(
        "cube",
        bytes_of(
            "TITLE \"x\"\nLUT_3D_SIZE 2\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 1\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n"
            "0 0 1\n1 0 1\n0 1 1\n1 1 1\n"));
    corpus.add("cube",
               bytes_of("# one axis\r\nLUT_1D_SIZE 2\r\nLUT_1D_INPUT_RANGE 0 2\r\n0 .5 -1e3\r\n1 +1 1\r\n"));
    for (const bool big : {false, true})
        corpus.add("exif", exif_block(6, big));
    corpus.add("recipe",
               bytes_of("# a comment\nblur --sigma 2\nresize --width 50%\ncurve --points 0,0,0.5,0.6,1,1\n"));
    corpus.add("y4m", bytes_of("YUV4MPEG2 W16 H9 F25:1 Ip A1:1 C420mpeg2 XCOLORRANGE=FULL"));
    for (const cli::Command& command : cli::commands()) {
        std::string words = command.example_call();
        std::ranges::replace(words, ' ', '\n');
        corpus.add("arguments", bytes_of(words.substr(words.find('\n') + 1)));
    }
    for (const auto& [name, text] : embedded_glsl()) {
        if (name.ends_with(".comp")) {
            corpus.add("shader", bytes_of(text));
        }
    }
    corpus.add("shader", bytes_of("#version 430 core\n#include \"lib/0.glsl\"\n/* #include */ // \\\n") +
                             bytes_of({0}) + bytes_of("#include \"lib/1.glsl\"\nint a;") + bytes_of({0}) +
                             bytes_of("#include \"lib/0.glsl\"\n#line 3\n"));
    corpus.add("shader", bytes_of("0:12(3): error: x\n0(12) : error C1008: x\nERROR: 0:12: x\n"));
}

/// What names other files, what does not, and a video of two frames.
void add_videos(Corpus& corpus) {
    for (const std::string_view text :
         {"#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n/etc/other.ts\n#EXT-X-ENDLIST\n",
          "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://example.org/a.m3u8\n",
          "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"crypto:/etc/other\"\n#EXTINF:1,\nfile:a.ts\n",
          "ffconcat version 1.0\nfile other.ts\nduration 1\n", "ffconcat version 1.0\nfile '/etc/other'\n",
          "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\"><Period>"
          "<AdaptationSet><Representation id=\"0\"><BaseURL>/etc/other</BaseURL></Representation>"
          "</AdaptationSet></Period></MPD>",
          "v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\n",
          "[playlist]\nFile1=/etc/other\n", "<ASX><Entry><Ref href=\"file:/etc/other\"/></Entry></ASX>",
          "YUV4MPEG2 W2 H2 F25:1 C420jpeg\nFRAME\nabcdefFRAME\nghijkl"}) {
        corpus.add("playlist", bytes_of(text));
    }
    // A video whose samples are said to lie in another file.
    const Bytes reference =
        box("dref", bytes_of({0, 0, 0, 0, 0, 0, 0, 1}) +
                        box("url ", bytes_of({0, 0, 0, 0}) + bytes_of("file:///etc/other") + bytes_of({0})));
    corpus.add("playlist", box("ftyp", bytes_of("isom") + Bytes(4) + bytes_of("isom")) +
                               box("moov", box("trak", box("mdia", box("minf", box("dinf", reference))))));
    corpus.add("playlist", write_gif(3, 2, {{0, 0, 0}, {255, 0, 0}}, {0, 1, 1, 1, 1, 0}, 1));
}

void add_logs(Corpus& corpus) {
    const std::string start = R"({"schema":"glproc.log/1","command":"blur --sigma 2",)";
    const std::string done = start +
                             R"("status":"done","input":"in.png","size":6,"modified":1767225600000000000,)"
                             R"("output":"/proc/self/status","written":0})";
    const std::string failed =
        start + R"("status":"failed","input":"in.png","output":"b","written":0,"code":3,"error":"\u00e9"})";
    for (const std::string& text :
         {std::string(), done + "\n", failed + "\n" + done + "\n", done + "\n" + done.substr(0, 90),
          start + "\"more\":[[{\"a\":[1,-2.5e3,null,true]}]]}\n"}) {
        corpus.add("log", bytes_of(text));
    }
}

/// The first byte chooses what is tried.
void add_stored(Corpus& corpus) {
    corpus.add("store", bytes_of({0}) + bytes_of("a note"));
    corpus.add("store", bytes_of({1}) + bytes_of("glprocP2") + Bytes(40));
    corpus.add("store", bytes_of({2, 0, 44, 0, 200, 1}));
    corpus.add("store", bytes_of({2, 0, 0, 0xff, 0, 1, 2, 3}));
    corpus.add("store", bytes_of({3}) + Bytes(16));
    corpus.add("store", bytes_of({4}) + bytes_of("0123456789abcdef\nfedcba9876543210\n"));
}

} // namespace

} // namespace glproc::test

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    glproc::test::Corpus corpus(argv[1]);
    add_encoded(corpus);
    add_told(corpus);
    add_series(corpus);
    add_handmade(corpus);
    add_pics(corpus);
    add_profiles(corpus);
    add_texts(corpus);
    add_videos(corpus);
    add_logs(corpus);
    add_stored(corpus);
    return 0;
}
