#include "glproc/gpu_codecs/jpeg/encode.hpp"

#include "glproc/gl/fence.hpp"
#include "glproc/gl/host_buffer.hpp"
#include "glproc/gl/side_by_side.hpp"
#include "glproc/gpu_codecs/jpeg/encode_facts.hpp"
#include "glproc/gpu_codecs/jpeg/encode_file.hpp"
#include "glproc/gpu_codecs/jpeg/memory.hpp"
#include "glproc/gpu_codecs/jpeg/probe.hpp"
#include "glproc/gpu_codecs/jpeg/trust.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include <jpeglib.h>

namespace glproc::gpu_codecs {

namespace {

constexpr std::size_t word_bytes = 4;
constexpr std::size_t block_bytes = 16; ///< what is known of a block besides its coefficients
constexpr std::size_t coefficient_bytes = 128;
constexpr std::size_t pair_bytes = 8;

/// What the next batch probably needs: kept by the context.
struct Experience {
    std::size_t group_words = 2048; ///< 260 bits a block
};

std::size_t most_bytes(const Context& gpu) {
    return static_cast<std::size_t>(gpu.limits().storage_block_bytes);
}

/// Whether each buffer for so much is within reach of a kernel. That of the bits is checked once they are known.
bool can_hold(Context& gpu, const EncodeSizes& sizes) {
    const std::size_t group_bytes = word_bytes * gpu.kept<Experience>().group_words;
    return rounded(std::max(coefficient_bytes * sizes.blocks, group_bytes * sizes.groups)) <= most_bytes(gpu);
}

/// Pictures whose passes run together.
class Batch {
  public:
    Batch(Context& gpu, std::vector<EncodedFile> files)
        : gpu_(gpu), files_(std::move(files)), group_words_(gpu.kept<Experience>().group_words) {
        for (const EncodedFile& file : files_) {
            places_.push_back({.before = sizes_, .makes_tables = file.makes_tables()});
            sizes_ += file.layout().sizes();
        }
    }

    const std::vector<EncodedFile>& files() const { return files_; }

    void begin(std::span<const GpuImage* const> images) {
        make_buffers();
        upload_facts();
        make_planes(images);
        transform();
        code_symbols();
        write_bits();
        collect();
        planes_.reset(); // for what comes next; OpenGL keeps the order
    }

    /// The CPU has it all when this returns.
    void wait() {
        while (step()) {
        }
        for (std::optional<Buffer>* buffer :
             {&facts_, &coefficients_, &blocks_, &counts_, &codes_, &bits_, &groups_, &strips_, &sizes_of_}) {
            buffer->reset();
        }
    }

    bool has_files() const { return !is_too_large_; }

    std::vector<std::byte> file(std::size_t picture) const {
        return files_[picture].put_together(words_.subspan(places_[picture].file));
    }

  private:
    std::int64_t count() const { return static_cast<std::int64_t>(files_.size()); }

    Buffer buffer(std::size_t bytes, std::string_view label) const { return gpu_.make_buffer(rounded(bytes), label); }

    void make_buffers() {
        planes_ = buffer(8 * sizes_.eights, "jpeg.planes");
        coefficients_ = buffer(coefficient_bytes * sizes_.blocks, "jpeg.coefficients");
        blocks_ = buffer(block_bytes * sizes_.blocks, "jpeg.blocks");
        counts_ = buffer(word_bytes * EncodeLayout::code_words * files_.size(), "jpeg.counts");
        codes_ = buffer(word_bytes * EncodeLayout::code_words * files_.size(), "jpeg.codes");
        groups_ = buffer(pair_bytes * sizes_.groups, "jpeg.groups");
        strips_ = buffer(pair_bytes * sizes_.strips, "jpeg.strips");
        sizes_of_ = buffer(pair_bytes * files_.size(), "jpeg.sizes");
        for (std::size_t i = 0; i < files_.size(); ++i) {
            places_[i].data_words = files_[i].layout().usual_data_words();
        }
    }

    /// Where each file lies, and what the kernels know.
    void upload_facts() {
        std::size_t at = 0;
        std::vector<std::uint32_t> facts;
        for (std::size_t i = 0; i < files_.size(); ++i) {
            places_[i].file = at;
            at += files_[i].layout().words_before_data() + places_[i].data_words;
            files_[i].layout().put(facts, places_[i]);
        }
        file_words_ = at;
        facts_ = gpu_.make_buffer(word_bytes * facts.size(), "jpeg.pictures");
        facts_->write(facts);
        file_.reset();
        file_ = make_host_buffer(gpu_, rounded(word_bytes * at), "jpeg.file");
    }

    Pass pass(const std::string& name) {
        Pass pass = gpu_.pass("jpeg.encode." + name, "jpeg/encode_" + name + ".comp");
        pass.reads("b_pictures", *facts_);
        return pass;
    }

    /// The most that a picture has of something.
    template <class Of>
    std::int64_t most(Of of) const {
        std::size_t most = 0;
        for (const EncodedFile& file : files_) {
            most = std::max<std::size_t>(most, of(file.layout()));
        }
        return static_cast<std::int64_t>(most);
    }

    void make_planes(std::span<const GpuImage* const> images) {
        SideBySide side_by_side(gpu_);
        for (std::size_t i = 0; i < files_.size(); ++i) {
            const EncodeLayout& layout = files_[i].layout();
            if (i > 0) {
                side_by_side.next();
            }
            const EncodeLayout::Planes planes = layout.planes(places_[i].before);
            gpu_.pass("jpeg.encode.planes", "jpeg/encode_planes.comp",
                      {{"CHANNELS", layout.components() == 1 ? "1" : "4"},
                       {"ACROSS", std::to_string(layout.across())},
                       {"DOWN", std::to_string(layout.down())}})
                .reads("i_src", *images[i])
                .writes("b_planes", *planes_)
                .set("u_luma", planes.luma)
                .set("u_colour", planes.colour)
                .set("u_size", Int2{images[i]->width(), images[i]->height()})
                .over(static_cast<std::int64_t>(layout.last_eights()), static_cast<std::int64_t>(layout.last_rows()));
        }
    }

    void transform() {
        const std::int64_t blocks = most([](const EncodeLayout& layout) { return layout.luma_blocks(); });
        pass("blocks")
            .reads("b_planes", *planes_)
            .writes("b_coefficients", *coefficients_)
            .writes("b_blocks", *blocks_)
            .writes("b_counts", *counts_)
            .groups((blocks + 63) / 64, most([](const EncodeLayout& layout) { return layout.components(); }), count());
    }

    void code_symbols() {
        const bool counts = std::ranges::any_of(files_, [](const EncodedFile& file) { return file.makes_tables(); });
        if (counts) {
            const std::int64_t groups = most([](const EncodeLayout& layout) {
                constexpr std::size_t turns = 4;
                return (layout.units() - 1) / (turns * layout.group_units()) + 1;
            });
            pass("count")
                .reads("b_blocks", *blocks_)
                .reads("b_coefficients", *coefficients_)
                .updates("b_counts", *counts_)
                .groups(groups, 1, count());
        }
        codecs::ScanTables tables;
        for (const EncodedFile& file : files_) { // grey ones have two
            for (std::size_t i = 0; i < tables.size(); ++i) {
                const codecs::HuffmanTable& table = file.frame().huffman().at(i);
                tables.at(i) = table.symbols.empty() ? tables.at(i) : table;
            }
        }
        const std::vector<std::uint32_t> standard = codes_for_kernels(tables);
        Buffer of_standard = gpu_.make_buffer(word_bytes * standard.size(), "jpeg.standard");
        of_standard.write(standard);
        pass("tables")
            .reads("b_counts", *counts_)
            .reads("b_standard", of_standard)
            .writes("b_codes", *codes_)
            .groups(4, 1, count());
    }

    /// Groups and strips of the largest pictures.
    void over_groups(Pass& pass) {
        pass.set("u_room", static_cast<std::uint32_t>(group_words_))
            .groups(most([](const EncodeLayout& layout) { return layout.strip_groups(); }),
                    most([](const EncodeLayout& layout) { return layout.sizes().strips; }), count());
    }

    void write_bits() {
        bits_.reset();
        bits_ = buffer(word_bytes * group_words_ * sizes_.groups, "jpeg.bits");
        Pass bits = pass("bits");
        bits.reads("b_blocks", *blocks_)
            .reads("b_coefficients", *coefficients_)
            .reads("b_codes", *codes_)
            .writes("b_bits", *bits_)
            .writes("b_groups", *groups_);
        over_groups(bits);
        pass("offsets")
            .updates("b_groups", *groups_)
            .updates("b_strips", *strips_)
            .writes("b_sizes", *sizes_of_)
            .groups(1, 1, count());
    }

    void collect() {
        Pass collect = pass("collect");
        collect.reads("b_codes", *codes_)
            .reads("b_bits", *bits_)
            .reads("b_groups", *groups_)
            .reads("b_strips", *strips_)
            .reads("b_sizes", *sizes_of_)
            .writes("b_file", *file_);
        over_groups(collect);
        fence_ = Fence(file_->place());
    }

    /// Waits for what is under way; true where data had no room, and more is.
    bool step() {
        fence_.wait("encoding JPEG");
        take_words();
        std::size_t longest = group_words_;
        bool is_short = false;
        for (std::size_t i = 0; i < files_.size(); ++i) {
            const auto size = words_.subspan(places_[i].file, 2);
            is_short = is_short || size[0] > places_[i].data_words || size[1] > group_words_;
            places_[i].data_words = std::max<std::size_t>(places_[i].data_words, size[0]);
            longest = std::max<std::size_t>(longest, size[1]);
        }
        is_too_large_ = is_short && !fits(longest);
        if (!is_short || is_too_large_) {
            return false;
        }
        gpu_.kept<Experience>().group_words = group_words_ = longest;
        upload_facts();
        write_bits();
        collect();
        return true;
    }

    /// Whether kernels reach so much.
    bool fits(std::size_t group_words) const {
        std::size_t file_words = 0;
        for (std::size_t i = 0; i < files_.size(); ++i) {
            file_words += files_[i].layout().words_before_data() + places_[i].data_words;
        }
        return rounded(word_bytes * std::max(group_words * sizes_.groups, file_words)) <= most_bytes(gpu_);
    }

    /// What passes have written for the CPU. Memory that does not stay mapped belongs to the context's thread.
    void take_words() {
        const HostView view = file_->map(false);
        const auto* begin = reinterpret_cast<const std::uint32_t*>(view.bytes.data());
        if (file_->place() == BufferPlace::mapped) {
            words_ = {begin, file_words_};
        } else {
            copy_.assign(begin, begin + file_words_);
            words_ = copy_;
        }
    }

    Context& gpu_;
    std::vector<EncodedFile> files_;
    std::vector<EncodeLayout::Place> places_;
    EncodeSizes sizes_;
    std::size_t group_words_; ///< room for the bits of each group
    std::size_t file_words_ = 0;
    std::optional<Buffer> facts_, planes_, coefficients_, blocks_, counts_, codes_, bits_, groups_, strips_, sizes_of_;
    std::optional<Buffer> file_;
    Fence fence_;
    std::span<const std::uint32_t> words_; ///< of file_
    std::vector<std::uint32_t> copy_;
    bool is_too_large_ = false;
};

} // namespace

struct JpegsInEncoding::State {
    struct Place {
        std::size_t batch;
        std::size_t picture; ///< of the batch
    };
    std::vector<std::unique_ptr<Batch>> batches;
    std::vector<Place> places;
};

JpegsInEncoding::JpegsInEncoding(std::unique_ptr<State> state) : state_(std::move(state)) {}
JpegsInEncoding::JpegsInEncoding(JpegsInEncoding&&) noexcept = default;
JpegsInEncoding& JpegsInEncoding::operator=(JpegsInEncoding&&) noexcept = default;
JpegsInEncoding::~JpegsInEncoding() = default;

void JpegsInEncoding::wait() {
    for (const auto& batch : state_->batches) {
        batch->wait();
    }
}

bool JpegsInEncoding::has(std::size_t picture) const {
    return state_->batches[state_->places.at(picture).batch]->has_files();
}

std::optional<std::vector<std::byte>> JpegsInEncoding::file(std::size_t picture) const {
    const State::Place& place = state_->places.at(picture);
    return has(picture) ? std::optional(state_->batches[place.batch]->file(place.picture)) : std::nullopt;
}

bool can_encode(Context& gpu, const Form& form, const EncodeOptions& options) {
    const int quality = options.quality_or_default();
    if (form.depth != Depth::u8 || (form.channels != 1 && form.channels != 3) || options.progressive || quality < 1 ||
        quality > 100 || std::max(form.width, form.height) > JPEG_MAX_DIMENSION) {
        return false;
    }
    const auto units = [](int side) { return (static_cast<std::size_t>(side) + 15) / 16; };
    const std::size_t luma_blocks = 4 * units(form.width) * units(form.height);
    const std::size_t blocks = static_cast<std::size_t>(form.channels) * luma_blocks;
    const auto most_blocks = 64 * static_cast<std::size_t>(gpu.limits().group_count[0]);
    return luma_blocks <= most_blocks && can_hold(gpu, {.blocks = blocks, .groups = blocks / 128 + 1});
}

JpegsInEncoding begin_encoding(Context& gpu, std::span<const JpegToEncode> pictures) {
    auto state = std::make_unique<JpegsInEncoding::State>();
    std::vector<EncodedFile> files;
    std::vector<const GpuImage*> images;
    EncodeSizes sizes;
    const auto begin_batch = [&] {
        state->batches.push_back(std::make_unique<Batch>(gpu, std::exchange(files, {})));
        state->batches.back()->begin(std::exchange(images, {}));
        sizes = {};
    };
    for (const JpegToEncode& picture : pictures) {
        EncodedFile file(picture.image.form(), picture.metadata, picture.options, picture.name);
        EncodeSizes with_it = sizes;
        with_it += file.layout().sizes();
        if (!files.empty() && !can_hold(gpu, with_it)) {
            begin_batch();
        }
        sizes += file.layout().sizes();
        state->places.push_back({state->batches.size(), files.size()});
        files.push_back(std::move(file));
        images.push_back(&picture.image);
    }
    if (!files.empty()) {
        begin_batch();
    }
    return JpegsInEncoding(std::move(state));
}

namespace {

/// Grey, and colour at each resolution. Quality 100 hides nothing; the other tables are those of most pictures.
bool encodes_probe(Context& gpu) {
    const Image grey = probe_picture(301, 203, 1);
    const Image colour = probe_picture(301, 203, 3);
    const Image wide = probe_picture(8200, 40, 3); // several strips
    const std::array<std::pair<const Image*, EncodeOptions>, 5> cases{{
        {&grey, {.quality = 100}},
        {&colour, {.quality = 100, .subsampling = Subsampling::s444}},
        {&colour, {.quality = 75, .subsampling = Subsampling::s444, .optimize = false}},
        {&colour, {.quality = 100, .subsampling = Subsampling::s422}},
        {&wide, {.quality = 100, .subsampling = Subsampling::s420}},
    }};
    std::vector<GpuImage> images;
    std::vector<JpegToEncode> pictures;
    images.reserve(cases.size());
    for (const auto& [image, options] : cases) {
        images.push_back(gpu.upload(*image, "jpeg.probe"));
        pictures.push_back({images.back(), image->metadata(), options});
    }
    JpegsInEncoding files = begin_encoding(gpu, pictures);
    files.wait();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (files.file(i) != encode(*cases.at(i).first, "jpg", cases.at(i).second)) {
            return false;
        }
    }
    return true;
}

} // namespace

bool trusts_encoder(Context& gpu) {
    const auto planes = [](const char* channels, const char* across, const char* down) {
        return CodecProgram{"jpeg/encode_planes.comp", {{"CHANNELS", channels}, {"ACROSS", across}, {"DOWN", down}}};
    };
    const std::array<CodecProgram, 10> programs{{planes("1", "1", "1"),
                                                 planes("4", "1", "1"),
                                                 planes("4", "2", "1"),
                                                 planes("4", "2", "2"),
                                                 {"jpeg/encode_blocks.comp"},
                                                 {"jpeg/encode_count.comp"},
                                                 {"jpeg/encode_tables.comp"},
                                                 {"jpeg/encode_bits.comp"},
                                                 {"jpeg/encode_offsets.comp"},
                                                 {"jpeg/encode_collect.comp"}}};
    return is_trusted(gpu, "encode JPEG", programs, [&] { return encodes_probe(gpu); });
}

} // namespace glproc::gpu_codecs
