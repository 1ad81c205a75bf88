#include "glproc/gpu_codecs/jpeg/decode.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/gl/fence.hpp"
#include "glproc/gl/host_buffer.hpp"
#include "glproc/gpu_codecs/jpeg/decode_facts.hpp"
#include "glproc/gpu_codecs/jpeg/memory.hpp"
#include "glproc/gpu_codecs/jpeg/probe.hpp"
#include "glproc/gpu_codecs/jpeg/trust.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

namespace glproc::gpu_codecs {

namespace {

/// For decode_synchronise.comp: subsequences that a group adds to the ones of the group before.
constexpr std::uint32_t group_subsequences = 256 - 32;
constexpr std::uint32_t group_blocks = 32; ///< of decode_idct.comp
constexpr std::size_t flag_bytes = 8;      ///< of a picture
constexpr std::size_t sum_bytes = 16;      ///< of a subsequence
constexpr std::size_t block_bytes = 64;    ///< of samples

std::uint32_t groups_of(const JpegScan& scan) {
    return covering(scan.facts[fact_subsequences], group_subsequences);
}

Buffer buffer_on(Context& gpu, std::size_t bytes, std::string_view label) {
    return gpu.make_buffer(rounded(bytes), label);
}

/// The total amounts for the pictures of a dispatch.
struct Amounts {
    explicit Amounts(std::span<const JpegScan* const> scans) {
        table_words = scans.size() * JpegScan::fact_count;
        for (const JpegScan* scan : scans) {
            bytes += scan->bits.size();
            table_words += scan->tables.size() + scan->segments.size() + scan->subsequences.size();
            subsequences += scan->facts[fact_subsequences];
            groups += groups_of(*scan);
            blocks += scan->facts[fact_blocks];
            most_subsequences = std::max(most_subsequences, scan->facts[fact_subsequences]);
            most_blocks = std::max(most_blocks, scan->facts[fact_blocks]);
            is_scaled = is_scaled || scan->is_scaled();
        }
    }

    std::size_t largest_buffer() const {
        return std::max({bytes, 4 * table_words, subsequences * sum_bytes, blocks * 2 * block_bytes});
    }

    std::size_t bytes = 0;
    std::size_t table_words = 0;
    std::size_t subsequences = 0;
    std::size_t groups = 0;
    std::size_t blocks = 0;
    std::uint32_t most_subsequences = 0;
    std::uint32_t most_blocks = 0;
    bool is_scaled = false; ///< any of them
};

/// Lays scans out one after another. Places in their facts become places in the shared buffers.
class BatchLayout {
  public:
    BatchLayout(std::span<std::uint32_t> tables, std::span<std::byte> bits, std::size_t pictures,
                std::size_t group_starts)
        : tables_(tables), bits_(bits), table_at_(pictures * JpegScan::fact_count), group_at_(group_starts) {}

    void put(const JpegScan& scan) {
        auto facts = scan.facts;
        facts[fact_bits] = static_cast<std::uint32_t>(bit_at_ / 4);
        facts[fact_ends] = static_cast<std::uint32_t>(end_at_);
        facts[fact_group_starts] = static_cast<std::uint32_t>(group_at_);
        const auto tables = put_words(scan.tables);
        facts[fact_quantisation] += tables;
        facts[fact_lookup] += tables;
        facts[fact_segments] = put_words(scan.segments);
        facts[fact_segment_of] = put_words(scan.subsequences);
        for (std::size_t i = 0; i < facts[fact_components]; ++i) {
            const std::size_t at = fact_component + component_facts * i;
            facts.at(at + component_block) += static_cast<std::uint32_t>(block_at_);
            facts.at(at + component_samples) += static_cast<std::uint32_t>(block_at_ * block_bytes / 4);
        }
        std::ranges::copy(facts, tables_.begin() + static_cast<std::ptrdiff_t>(picture_++ * JpegScan::fact_count));
        std::memcpy(bits_.data() + bit_at_, scan.bits.data(), scan.bits.size());
        bit_at_ += scan.bits.size();
        end_at_ += facts[fact_subsequences];
        group_at_ += groups_of(scan);
        block_at_ += facts[fact_blocks];
    }

  private:
    std::uint32_t put_words(const std::vector<std::uint32_t>& words) {
        std::ranges::copy(words, tables_.begin() + static_cast<std::ptrdiff_t>(table_at_));
        return static_cast<std::uint32_t>(std::exchange(table_at_, table_at_ + words.size()));
    }

    std::span<std::uint32_t> tables_;
    std::span<std::byte> bits_;
    std::size_t picture_ = 0;
    std::size_t table_at_;
    std::size_t bit_at_ = 0;
    std::size_t end_at_ = 0;
    std::size_t group_at_;
    std::size_t block_at_ = 0;
};

/// Memory of the CPU through which scans go to the device: two parts in turn, kept by the context.
class ScanRoad {
  public:
    /// The part that was used longest ago, at least so large, once the device has read it.
    Buffer& next(Context& gpu, std::size_t bytes) {
        std::swap(parts_[0], parts_[1]);
        Part& part = parts_[0];
        part.fence.wait("reading JPEG");
        if (!part.buffer || part.buffer->bytes() < bytes) {
            part.buffer.reset();
            part.buffer.emplace(make_host_buffer(gpu, rounded(bytes), "jpeg.scans"));
        }
        return *part.buffer;
    }

    /// Call after all commands that read it.
    void leave() { parts_[0].fence = Fence(parts_[0].buffer->place()); }

  private:
    struct Part {
        std::optional<Buffer> buffer;
        Fence fence;
    };
    std::array<Part, 2> parts_;
};

std::size_t whole_quads(std::size_t bytes) {
    constexpr std::size_t quad = 16;
    return covering(bytes, quad) * quad;
}

/// The buffers that the kernels of one dispatch share.
class Kernels {
  public:
    Kernels(Context& gpu, std::span<const JpegScan* const> scans)
        : gpu_(gpu), amounts_(scans), pictures_(static_cast<std::int64_t>(scans.size())),
          tables_(buffer_on(gpu, 4 * amounts_.table_words, "jpeg.tables")),
          bits_(buffer_on(gpu, amounts_.bytes, "jpeg.bits")),
          ends_(buffer_on(gpu, 4 * (amounts_.subsequences + amounts_.groups), "jpeg.ends")),
          sums_(buffer_on(gpu, sum_bytes * amounts_.subsequences, "jpeg.sums")),
          coefficients_(buffer_on(gpu, 2 * block_bytes * amounts_.blocks, "jpeg.coefficients")),
          samples_(buffer_on(gpu, block_bytes * amounts_.blocks, "jpeg.samples")),
          flags_(buffer_on(gpu, flag_bytes * scans.size(), "jpeg.flags")) {}

    void upload(std::span<const JpegScan* const> scans) {
        const std::size_t table_bytes = whole_quads(4 * amounts_.table_words);
        auto& road = gpu_.kept<ScanRoad>();
        const Buffer& part = road.next(gpu_, table_bytes + amounts_.bytes);
        lay_out(scans, part.map(true).bytes, table_bytes);
        tables_.copy_from(part, 0, 0, 4 * amounts_.table_words);
        bits_.copy_from(part, table_bytes, 0, amounts_.bytes);
        road.leave();
    }

    void run() {
        clear(flags_);
        clear(coefficients_);
        pass("synchronise")
            .reads("b_bits", bits_)
            .writes("b_ends", ends_)
            .writes("b_sums", sums_)
            .groups(covering(amounts_.most_subsequences, group_subsequences), 1, pictures_);
        pass("scan").reads("b_ends", ends_).updates("b_sums", sums_).groups(1, 1, pictures_);
        pass("write")
            .reads("b_bits", bits_)
            .reads("b_ends", ends_)
            .reads("b_sums", sums_)
            .updates("b_coefficients", coefficients_)
            .over(amounts_.most_subsequences, 1, pictures_);
        const std::int64_t groups = covering(amounts_.most_blocks, group_blocks);
        const std::int64_t rows = (groups - 1) / gpu_.limits().group_count[0] + 1;
        pass("idct", {{"SCALED", amounts_.is_scaled ? "1" : "0"}})
            .reads("b_coefficients", coefficients_)
            .writes("b_samples", samples_)
            .groups(covering(groups, rows), rows, pictures_);
    }

    GpuImage colour(const JpegScan& scan, std::uint32_t number) {
        GpuImage image = gpu_.make_image(scan.form, "input");
        gpu_.pass("jpeg.decode.colour", "jpeg/decode_colour.comp",
                  {{"GREY", scan.form.channels == 1 ? "1" : "0"}, {"SCALED", scan.is_scaled() ? "1" : "0"}})
            .reads("b_tables", tables_)
            .reads("b_samples", samples_)
            .writes("i_dst", image)
            .set("u_picture", number)
            .set("u_size", Int2{scan.form.width, scan.form.height})
            .set("u_orientation", scan.orientation)
            .over(image.texture().width(), scan.form.height);
        return image;
    }

    /// Starts copying flags to memory of the CPU.
    void fetch_flags(Buffer& to) const {
        to.copy_from(flags_, 0, 0, flag_bytes * static_cast<std::size_t>(pictures_));
    }

  private:
    void lay_out(std::span<const JpegScan* const> scans, std::span<std::byte> memory, std::size_t table_bytes) const {
        auto* words = reinterpret_cast<std::uint32_t*>(memory.data()); // mapped memory is aligned to 64 bytes at least
        BatchLayout layout({words, amounts_.table_words}, memory.subspan(table_bytes), scans.size(),
                           amounts_.subsequences);
        for (const JpegScan* scan : scans) {
            layout.put(*scan);
        }
    }

    void clear(Buffer& buffer) {
        constexpr std::int64_t most_groups = 2048;
        const std::size_t quads = buffer.bytes() / 16;
        gpu_.pass("jpeg.clear", "jpeg/clear.comp")
            .writes("b_words", buffer)
            .set("u_quads", static_cast<std::uint32_t>(quads))
            .groups(std::min<std::int64_t>(static_cast<std::int64_t>(quads + 255) / 256, most_groups));
    }

    Pass pass(const std::string& name, const Defines& defines = {}) {
        Pass pass = gpu_.pass("jpeg.decode." + name, "jpeg/decode_" + name + ".comp", defines);
        pass.reads("b_tables", tables_).updates("b_flags", flags_);
        return pass;
    }

    Context& gpu_;
    Amounts amounts_;
    std::int64_t pictures_;
    Buffer tables_;
    Buffer bits_;
    Buffer ends_;
    Buffer sums_;
    Buffer coefficients_;
    Buffer samples_;
    Buffer flags_;
};

} // namespace

struct JpegsInDecoding::State {
    explicit State(Buffer memory) : flags(std::move(memory)) {}

    std::vector<GpuImage> images;
    std::vector<std::uint32_t> segments; ///< of each picture
    Buffer flags;                        ///< two words a picture
    Fence fence;
};

JpegsInDecoding::JpegsInDecoding(std::unique_ptr<State> state) : state_(std::move(state)) {}
JpegsInDecoding::JpegsInDecoding(JpegsInDecoding&&) noexcept = default;
JpegsInDecoding& JpegsInDecoding::operator=(JpegsInDecoding&&) noexcept = default;
JpegsInDecoding::~JpegsInDecoding() = default;

std::vector<std::optional<GpuImage>> JpegsInDecoding::take() {
    state_->fence.wait("decoding JPEG");
    const HostView view = state_->flags.map(false);
    std::vector<std::optional<GpuImage>> images(state_->images.size());
    for (std::size_t i = 0; i < images.size(); ++i) {
        std::array<std::uint32_t, 2> flags{};
        std::memcpy(flags.data(), view.bytes.data() + i * flag_bytes, flag_bytes);
        if (flags[0] == 0 && flags[1] == state_->segments[i]) {
            images[i].emplace(std::move(state_->images[i]));
        }
    }
    state_->images.clear();
    return images;
}

bool can_decode(const Context& gpu, std::span<const JpegScan* const> scans) {
    const Limits& limits = gpu.limits();
    const auto fits_texture = [&](const JpegScan* scan) {
        return texels_per_row(scan->form) <= limits.texture_size && scan->form.height <= limits.texture_size;
    };
    constexpr std::int64_t storage_blocks = 8;
    constexpr std::int64_t shared_bytes = std::int64_t{12} << 10U;
    constexpr std::int64_t invocations = 512;
    const Amounts amounts(scans);
    return limits.storage_blocks >= storage_blocks && limits.shared_bytes >= shared_bytes &&
           limits.group_invocations >= invocations &&
           rounded(amounts.largest_buffer()) <= static_cast<std::size_t>(limits.storage_block_bytes) &&
           std::ranges::all_of(scans, fits_texture);
}

namespace {

constexpr std::string_view idct_kernel = "jpeg/decode_idct.comp";
constexpr std::string_view colour_kernel = "jpeg/decode_colour.comp";

bool decodes(Context& gpu, std::span<const std::byte> file, const DecodeOptions& options) {
    const std::optional<JpegScan> scan = read_jpeg_scan(file, "probe.jpg", options);
    if (!scan || !can_decode(gpu, std::array{&*scan})) {
        return false;
    }
    const std::optional<GpuImage> image = std::move(begin_decoding(gpu, std::array{&*scan}).take().front());
    return image && std::ranges::equal(gpu.download(*image).bytes(), decode(file, "probe.jpg", options).bytes());
}

bool decodes_probe(Context& gpu, std::span<const DecodeOptions> options) {
    return std::ranges::all_of(probe_jpegs(), [&](const std::vector<std::byte>& file) {
        return std::ranges::all_of(options, [&](const DecodeOptions& one) { return decodes(gpu, file, one); });
    });
}

} // namespace

bool trusts_decoder(Context& gpu) {
    // The program for grey is made when it is needed: from the same text, and run by the same probe.
    const std::array<CodecProgram, 6> programs{{{"jpeg/clear.comp"},
                                                {"jpeg/decode_synchronise.comp"},
                                                {"jpeg/decode_scan.comp"},
                                                {"jpeg/decode_write.comp"},
                                                {idct_kernel, {{"SCALED", "0"}}},
                                                {colour_kernel, {{"GREY", "0"}, {"SCALED", "0"}}}}};
    return is_trusted(gpu, "decode JPEG", programs, [&] { return decodes_probe(gpu, std::array{DecodeOptions{}}); });
}

bool trusts_scaled_decoder(Context& gpu) {
    const std::array<CodecProgram, 2> programs{
        {{idct_kernel, {{"SCALED", "1"}}}, {colour_kernel, {{"GREY", "0"}, {"SCALED", "1"}}}}};
    const std::array<DecodeOptions, 3> boxes{{{.box = Extent{8, 0}}, {.box = Extent{36, 0}}, {.box = Extent{74, 0}}}};
    return trusts_decoder(gpu) && is_trusted(gpu, "decode JPEG at a fraction of its size", programs,
                                             [&] { return decodes_probe(gpu, boxes); });
}

JpegsInDecoding begin_decoding(Context& gpu, std::span<const JpegScan* const> scans) {
    Kernels kernels(gpu, scans);
    kernels.upload(scans);
    kernels.run();
    Buffer flags = make_host_buffer(gpu, rounded(flag_bytes * scans.size()), "jpeg.verdicts");
    auto state = std::make_unique<JpegsInDecoding::State>(std::move(flags));
    std::uint32_t number = 0;
    for (const JpegScan* scan : scans) {
        state->images.push_back(kernels.colour(*scan, number++));
        state->segments.push_back(static_cast<std::uint32_t>(scan->segments.size() / 4));
    }
    kernels.fetch_flags(state->flags);
    state->fence = Fence(state->flags.place());
    return JpegsInDecoding(std::move(state));
}

} // namespace glproc::gpu_codecs
