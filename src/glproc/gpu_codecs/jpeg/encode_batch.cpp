#include "glproc/gpu_codecs/jpeg/encode_batch.hpp"

#include "glproc/gl/host_buffer.hpp"
#include "glproc/gl/side_by_side.hpp"
#include "glproc/gpu_codecs/jpeg/memory.hpp"

#include <algorithm>
#include <utility>

namespace glproc::gpu_codecs {

namespace {

constexpr std::size_t word_bytes = 4;
constexpr std::size_t eight_bytes = 8;  ///< of samples
constexpr std::size_t block_bytes = 16; ///< everything about a block except its coefficients
constexpr std::size_t coefficient_bytes = 128;
constexpr std::size_t pair_bytes = 8;
constexpr std::size_t most_words_of_strip = 8; ///< in a file, besides its data

/// The sizes of the batch before, which this one probably needs, too: kept by the context.
struct Experience {
    static constexpr std::size_t usual_group_words = 2048; ///< 260 bits a block
    static constexpr double usual_words_per_eight = 0.5;   ///< 2 bits a sample
    std::size_t group_words = usual_group_words;
    double words_per_eight = usual_words_per_eight;
};

std::size_t most_bytes(const Context& gpu) {
    return static_cast<std::size_t>(gpu.limits().storage_block_bytes);
}

/// The standard's codes, as libjpeg has put them into these files; grey ones have two tables.
std::vector<std::uint32_t> standard_codes(const std::vector<EncodedFile>& files) {
    codecs::ScanTables tables;
    for (const EncodedFile& file : files) {
        for (std::size_t i = 0; i < tables.size(); ++i) {
            const codecs::HuffmanTable& table = file.frame().huffman().at(i);
            tables.at(i) = table.symbols.empty() ? tables.at(i) : table;
        }
    }
    return codes_for_kernels(tables);
}

/// Whether a kernel reaches the bits and the files of so many pictures, if they are no larger than earlier
/// ones.
bool can_hold_data(const Context& gpu, const EncodeSizes& sizes, const Experience& experience) {
    const std::size_t bits = experience.group_words * sizes.groups;
    const std::size_t before_data =
        sizes.strips * (EncodeLayout::code_words + most_words_of_strip); // of so many files at most
    const auto data =
        static_cast<std::size_t>(experience.words_per_eight * static_cast<double>(sizes.eights));
    return rounded(word_bytes * std::max(bits, before_data + data)) <= most_bytes(gpu);
}

} // namespace

bool EncodeBatch::can_hold(Context& gpu, const EncodeSizes& sizes) {
    return rounded(coefficient_bytes * sizes.blocks) <= most_bytes(gpu) && can_hold_data(gpu, sizes, {});
}

EncodeBatch::EncodeBatch(Context& gpu, std::vector<EncodedFile> files) : gpu_(gpu), files_(std::move(files)) {
    for (const EncodedFile& file : files_) {
        places_.push_back({.before = sizes_, .makes_tables = file.makes_tables()});
        sizes_ += file.layout().sizes();
    }
    Experience experience = gpu.kept<Experience>();
    if (!can_hold_data(gpu, sizes_, experience)) {
        experience = {};
    }
    group_words_ = experience.group_words;
    for (std::size_t i = 0; i < files_.size(); ++i) {
        const EncodeSizes& sizes = files_[i].layout().sizes();
        places_[i].data_words =
            static_cast<std::size_t>(experience.words_per_eight * static_cast<double>(sizes.eights)) +
            sizes.strips;
    }
}

void EncodeBatch::begin(std::span<const GpuImage* const> images) {
    make_buffers();
    upload_facts();
    make_planes(images);
    transform();
    count_symbols();
    make_tables();
    write_bits();
    collect();
    planes_.reset(); // for the passes that follow; OpenGL keeps the order
}

void EncodeBatch::wait() {
    while (step()) {
    }
    for (std::optional<Buffer>* buffer :
         {&facts_, &coefficients_, &blocks_, &counts_, &codes_, &bits_, &groups_, &strips_, &sizes_of_}) {
        buffer->reset();
    }
}

void EncodeBatch::make_buffers() {
    const auto make = [&](std::optional<Buffer>& buffer, std::size_t bytes, std::string_view label) {
        buffer = gpu_.make_buffer(rounded(bytes), label);
    };
    const std::size_t code_bytes = word_bytes * EncodeLayout::code_words * files_.size();
    make(planes_, eight_bytes * sizes_.eights, "jpeg.planes");
    make(coefficients_, coefficient_bytes * sizes_.blocks, "jpeg.coefficients");
    make(blocks_, block_bytes * sizes_.blocks, "jpeg.blocks");
    make(counts_, code_bytes, "jpeg.counts");
    make(codes_, code_bytes, "jpeg.codes");
    make(groups_, pair_bytes * sizes_.groups, "jpeg.groups");
    make(strips_, pair_bytes * sizes_.strips, "jpeg.strips");
    make(sizes_of_, pair_bytes * files_.size(), "jpeg.sizes");
}

/// Where each file lies, and the facts for the kernels.
void EncodeBatch::upload_facts() {
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

Pass EncodeBatch::pass(const std::string& name) {
    Pass pass = gpu_.pass("jpeg.encode." + name, "jpeg/encode_" + name + ".comp");
    pass.reads("b_pictures", *facts_);
    return pass;
}

/// The largest amount of something in any picture.
template <class Of>
std::int64_t EncodeBatch::most(Of of) const {
    std::size_t most = 0;
    for (const EncodedFile& file : files_) {
        most = std::max<std::size_t>(most, of(file.layout()));
    }
    return static_cast<std::int64_t>(most);
}

void EncodeBatch::make_planes(std::span<const GpuImage* const> images) {
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
            .over(static_cast<std::int64_t>(layout.last_eights()),
                  static_cast<std::int64_t>(layout.last_rows()));
    }
}

void EncodeBatch::transform() {
    const std::int64_t blocks = most([](const EncodeLayout& layout) { return layout.luma_blocks(); });
    pass("blocks")
        .reads("b_planes", *planes_)
        .writes("b_coefficients", *coefficients_)
        .writes("b_blocks", *blocks_)
        .writes("b_counts", *counts_)
        .groups((blocks + 63) / 64, most([](const EncodeLayout& layout) { return layout.components(); }),
                count());
}

void EncodeBatch::count_symbols() {
    if (std::ranges::none_of(files_, [](const EncodedFile& file) { return file.makes_tables(); })) {
        return;
    }
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

void EncodeBatch::make_tables() {
    const std::vector<std::uint32_t> codes = standard_codes(files_);
    Buffer standard = gpu_.make_buffer(word_bytes * codes.size(), "jpeg.standard");
    standard.write(codes);
    pass("tables")
        .reads("b_counts", *counts_)
        .reads("b_standard", standard)
        .writes("b_codes", *codes_)
        .groups(4, 1, count());
}

/// Groups and strips of the largest pictures.
void EncodeBatch::over_groups(Pass& pass) {
    pass.set("u_room", static_cast<std::uint32_t>(group_words_))
        .groups(most([](const EncodeLayout& layout) { return layout.strip_groups(); }),
                most([](const EncodeLayout& layout) { return layout.sizes().strips; }), count());
}

void EncodeBatch::write_bits() {
    bits_.reset();
    bits_ = gpu_.make_buffer(rounded(word_bytes * group_words_ * sizes_.groups), "jpeg.bits");
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

void EncodeBatch::collect() {
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

/// Waits for the current step. True if data did not fit, and a step with more room has begun.
bool EncodeBatch::step() {
    fence_.wait("encoding JPEG");
    take_words();
    Experience seen;
    bool is_short = false;
    for (std::size_t i = 0; i < files_.size(); ++i) {
        const std::size_t data_words = words_[places_[i].file];
        const std::size_t group_words = words_[places_[i].file + 1];
        is_short = is_short || data_words > places_[i].data_words || group_words > group_words_;
        places_[i].data_words = std::max(places_[i].data_words, data_words);
        seen.group_words = std::max(seen.group_words, group_words);
        const double per_eight =
            static_cast<double>(data_words) / static_cast<double>(files_[i].layout().sizes().eights);
        seen.words_per_eight = std::max(seen.words_per_eight, 1.1 * per_eight);
    }
    gpu_.kept<Experience>() = seen;
    if (!is_short) {
        return false;
    }
    group_words_ = std::max(group_words_, seen.group_words);
    is_too_large_ = !has_room();
    if (is_too_large_) {
        return false;
    }
    upload_facts();
    write_bits();
    collect();
    return true;
}

/// Whether kernels reach as much memory as the data takes.
bool EncodeBatch::has_room() const {
    std::size_t file_words = 0;
    for (std::size_t i = 0; i < files_.size(); ++i) {
        file_words += files_[i].layout().words_before_data() + places_[i].data_words;
    }
    return rounded(word_bytes * std::max(group_words_ * sizes_.groups, file_words)) <= most_bytes(gpu_);
}

/// Takes the words that passes have written for the CPU. Memory that does not stay mapped belongs to the
/// context's thread.
void EncodeBatch::take_words() {
    const HostView view = file_->map(false);
    const auto* begin = reinterpret_cast<const std::uint32_t*>(view.bytes.data());
    if (file_->place() == BufferPlace::mapped) {
        words_ = {begin, file_words_};
    } else {
        copy_.assign(begin, begin + file_words_);
        words_ = copy_;
    }
}

} // namespace glproc::gpu_codecs
