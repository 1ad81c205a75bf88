// Comments and other texts: among PNG, JPEG and TIFF, in UTF-8.
#include "files/jpeg_files.hpp"
#include "files/metadata_files.hpp"
#include "files/png_files.hpp"

#ifdef GLPROC_WITH_TIFF
#include "files/tiff_files.hpp"
#endif

using namespace glproc;
using namespace glproc::test;

namespace {

using Texts = std::vector<Text>;

Texts texts_of(const Bytes& file, const std::string& name, Notes* notes = nullptr) {
    return decode(file, name, {.notes = notes}).metadata().texts;
}

Bytes with_texts(const Texts& texts, const std::string& name, Notes* notes = nullptr) {
    return encode(with_metadata(smooth_picture(20, 10, 3), {.texts = texts}), name, {.notes = notes});
}

/// A small PNG with this chunk after its header.
Bytes png_with(const std::string& type, const Bytes& data) {
    std::vector<Chunk> chunks = chunks_of(encode(smooth_picture(9, 9, 3), "png"));
    chunks.insert(chunks.begin() + 1, {type, data});
    return png_of(chunks);
}

/// As ImageMagick writes them: a line with the kind, one with the size, and hexadecimal digits.
Bytes raw_profile(const std::string& kind, const Bytes& data, std::size_t size) {
    std::string text = "\n" + kind + "\n      " + std::to_string(size) + "\n";
    for (std::size_t i = 0; i < data.size(); ++i) {
        constexpr std::string_view digits = "0123456789abcdef";
        text += digits[std::to_integer<std::size_t>(data[i] >> 4U)];
        text += digits[std::to_integer<std::size_t>(data[i] & std::byte{15})];
        text += i % 36 == 35 ? "\n" : "";
    }
    return bytes_of("Raw profile type " + kind) + Bytes(1) + bytes_of(text);
}

} // namespace

TEST_CASE("texts go through PNG as they are, whatever their letters") {
    const Texts texts{{"Title", "a picture"},
                      {"Comment", "two\nlines"},
                      {"Author", "Zo\xc3\xab \xe2\x82\xac"},
                      {"Comment", ""},
                      {"Software", std::string(100'000, 'x')}};
    const Bytes file = with_texts(texts, "png");
    CHECK(texts_of(file, "a.png") == texts);
    std::vector<std::string> kinds;
    for (const Chunk& chunk : chunks_of(file)) {
        if (chunk.type == "tEXt" || chunk.type == "iTXt")
            kinds.push_back(chunk.type);
    }
    CHECK(kinds == std::vector<std::string>{"tEXt", "tEXt", "iTXt", "tEXt", "tEXt"});
}

TEST_CASE("the texts that libpng writes are read, packed or not, Latin-1 or UTF-8") {
    PngSpec spec = noise_png(5, 4, 8, PNG_COLOR_TYPE_RGB);
    spec.tell = [](png_structp png, png_infop info) {
        std::array<std::string, 4> names{"Title", "Comment", "Author", "Source"};
        std::array<std::string, 4> values{"plain", std::string(500, 'z'), "Zo\xeb", "\xc3\xab"};
        std::string empty;
        std::array<png_text, 4> texts{};
        const std::array kinds{PNG_TEXT_COMPRESSION_NONE, PNG_TEXT_COMPRESSION_zTXt,
                               PNG_TEXT_COMPRESSION_NONE, PNG_ITXT_COMPRESSION_zTXt};
        for (std::size_t i = 0; i < texts.size(); ++i) {
            texts.at(i).compression = kinds.at(i);
            texts.at(i).key = names.at(i).data();
            texts.at(i).text = values.at(i).data();
            texts.at(i).lang = empty.data();
            texts.at(i).lang_key = empty.data();
        }
        png_set_text(png, info, texts.data(), static_cast<int>(texts.size()));
    };
    Notes notes;
    CHECK(texts_of(write_png(spec), "a.png", &notes) == Texts{{"Title", "plain"},
                                                              {"Comment", std::string(500, 'z')},
                                                              {"Author", "Zo\xc3\xab"},
                                                              {"Source", "\xc3\xab"}});
    CHECK(notes.empty());
}

TEST_CASE("text chunks that cannot be read are left out with a note") {
    const auto why = [](const std::string& type) {
        return Notes{"a.png: a text chunk " + type + " cannot be read; it is left out"};
    };
    const std::vector<std::pair<std::string, Bytes>> cases{
        {"tEXt", bytes_of("no end of its name")},
        {"tEXt", Bytes(1) + bytes_of("no name")},
        {"tEXt", bytes_of(std::string(80, 'n')) + Bytes(1) + bytes_of("a name too long")},
        {"tEXt", {}},
        {"zTXt", bytes_of("Comment") + Bytes(1)},
        {"zTXt", bytes_of("Comment") + Bytes(2) + bytes_of("not packed")},
        {"iTXt", bytes_of("Comment") + Bytes(1)},
        {"iTXt", bytes_of("Comment") + Bytes(3) + bytes_of("no end of the language")},
        {"iTXt", bytes_of("Comment") + bytes_of({0, 1, 0, 0, 0}) + bytes_of("not packed")},
    };
    for (const auto& [type, data] : cases) {
        Notes notes;
        CHECK(texts_of(png_with(type, data), "a.png", &notes).empty());
        CHECK(notes == why(type));
    }
}

TEST_CASE("a comment goes from JPEG to PNG and back") {
    const Bytes plain = encode(smooth_picture(20, 10, 3), "jpg");
    const Bytes jpeg =
        with_segment(plain, jpeg_segment(0xfe, bytes_of("made by hand, \xa9 2026") + Bytes(1)));
    const Texts wanted{{"Comment", "made by hand, \xc2\xa9 2026"}};
    const Image image = decode(jpeg, "a.jpg");
    CHECK(image.metadata().texts == wanted);
    const Image back = decode(encode(image, "png"), "a.png");
    CHECK(back.metadata().texts == wanted);
    CHECK(texts_of(encode(back, "jpg"), "a.jpg") == wanted);
    CHECK(texts_of(with_texts({{"Comment", "1"}, {"Comment", "2"}}, "jpg"), "a.jpg") ==
          Texts{{"Comment", "1"}, {"Comment", "2"}});
}

TEST_CASE("JPEG has a place for comments alone; a description takes it where there is none") {
    CHECK(texts_of(with_texts({{"Title", "t"}, {"Comment", "c"}, {"Description", "d"}}, "jpg"), "a.jpg") ==
          Texts{{"Comment", "c"}});
    CHECK(texts_of(with_texts({{"comment", "of ImageMagick"}}, "jpg"), "a.jpg") ==
          Texts{{"Comment", "of ImageMagick"}});
    CHECK(texts_of(with_texts({{"Title", "t"}, {"Description", "d"}}, "jpg"), "a.jpg") ==
          Texts{{"Comment", "d"}});
    Notes notes;
    CHECK(texts_of(with_texts({{"Comment", std::string(65533, 'c')}}, "jpg", &notes), "a.jpg").size() == 1);
    CHECK(notes.empty());
    CHECK(texts_of(with_texts({{"Comment", std::string(65534, 'c')}}, "jpg", &notes), "a.jpg").empty());
    CHECK(notes == Notes{"jpg: a comment is too large for JPEG; it is left out"});
}

#ifdef GLPROC_WITH_TIFF
TEST_CASE("TIFF has tags for the common texts") {
    const Texts texts{{"Description", "d"},
                      {"Title", "t"},
                      {"Author", "Zo\xc3\xab"},
                      {"Copyright", "c"},
                      {"Software", "s"}};
    CHECK(texts_of(with_texts(texts, "tif"), "a.tif") == texts);
    CHECK(texts_of(with_texts({{"Comment", "c"}, {"Warning", "w"}}, "tif"), "a.tif") ==
          Texts{{"Description", "c"}});
}
#endif

TEST_CASE("raw profiles of ImageMagick are EXIF, XMP and ICC where the file has none as it should") {
    const Bytes exif = exif_block(1, true);
    const Bytes named = bytes_of("Exif") + Bytes(2) + exif;
    const Bytes icc = icc_block(300);
    const auto read = [](const Bytes& data) { return decode(png_with("tEXt", data), "a.png").metadata(); };
    CHECK(read(raw_profile("exif", named, named.size())).exif == exif);
    CHECK(read(raw_profile("APP1", named, named.size())).exif == exif);
    CHECK(read(raw_profile("icc", icc, icc.size())).icc == icc);
    CHECK(read(raw_profile("xmp", xmp_block(), xmp_block().size())).xmp == xmp_block());
    CHECK(read(raw_profile("exif", named, named.size())).texts.empty());
    CHECK(read(raw_profile("exif", named, named.size() + 1)).exif.empty());  // not what it says
    CHECK(read(raw_profile("iptc", named, named.size())).texts.size() == 1); // carried as it is
    std::vector<Chunk> chunks = chunks_of(png_with("tEXt", raw_profile("exif", named, named.size())));
    chunks.insert(chunks.begin() + 1, {"eXIf", exif_block(1, false)});
    CHECK(decode(png_of(chunks), "a.png").metadata().exif == exif_block(1, false));
}

TEST_CASE("endless texts are cut off with a note") {
    std::vector<Chunk> chunks = chunks_of(encode(smooth_picture(9, 9, 3), "png"));
    const Bytes text = bytes_of("Comment") + Bytes(1) + Bytes(std::size_t{9} << 20U, std::byte{'x'});
    chunks.insert(chunks.begin() + 1, {{"tEXt", text}, {"tEXt", text}});
    Notes notes;
    CHECK(texts_of(png_of(chunks), "a.png", &notes).size() == 1);
    CHECK(notes == Notes{"a.png: has texts of more than 16 MiB; the last are left out"});
}
