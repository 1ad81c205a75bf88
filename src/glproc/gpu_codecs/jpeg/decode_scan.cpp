#include "glproc/gpu_codecs/jpeg/decode_scan.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/admission.hpp"
#include "glproc/files/codecs/jpeg/libjpeg.hpp"
#include "glproc/files/inspect.hpp"
#include "glproc/gpu_codecs/jpeg/decode_facts.hpp"
#include "glproc/gpu_codecs/jpeg/tables.hpp"
#include "glproc/image/fraction.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace glproc::gpu_codecs {

namespace {

using codecs::Errors;

/// libjpeg with the header read.
class Header {
  public:
    explicit Header(std::span<const std::byte> file) {
        jpeg_.err = errors_.install();
        is_read_ = errors_.attempt([&] {
            jpeg_create_decompress(&jpeg_);
            jpeg_mem_src(&jpeg_, reinterpret_cast<const unsigned char*>(file.data()), file.size());
            jpeg_read_header(&jpeg_, TRUE);
        });
    }
    Header(const Header&) = delete;
    Header& operator=(const Header&) = delete;
    ~Header() { jpeg_destroy_decompress(&jpeg_); }

    bool is_sound() const { return is_read_ && !errors_.odd_scan && !errors_.truncated; }
    const jpeg_decompress_struct& jpeg() const { return jpeg_; }

    /// The data that follows the header.
    std::span<const std::byte> data() const {
        return {reinterpret_cast<const std::byte*>(jpeg_.src->next_input_byte), jpeg_.src->bytes_in_buffer};
    }

  private:
    Errors errors_;
    jpeg_decompress_struct jpeg_{};
    bool is_read_ = false;
};

/// One scan of 8 bits with all components, in a colour space that the kernels know.
bool is_plain(const jpeg_decompress_struct& jpeg) {
    const bool is_grey = jpeg.num_components == 1;
    const bool is_colour = jpeg.num_components == 3 &&
                           (jpeg.jpeg_color_space == JCS_YCbCr || jpeg.jpeg_color_space == JCS_RGB);
    return (is_grey || is_colour) && jpeg.progressive_mode == 0 && jpeg.arith_code == 0 && jpeg.data_precision == 8 &&
           jpeg.comps_in_scan == jpeg.num_components && jpeg.Ss == 0 && jpeg.Se == DCTSIZE2 - 1 && jpeg.Ah == 0 && jpeg.Al == 0;
}

/// Maps the numbers that a file gives its tables to the two places that there may be.
class TablePlaces {
  public:
    /// Nothing if there would be a third.
    std::optional<std::uint32_t> place_of(int number) {
        for (std::uint32_t i = 0; i < numbers_.size(); ++i) {
            if (numbers_.at(i) == number || numbers_.at(i) < 0) {
                numbers_.at(i) = number;
                return i;
            }
        }
        return std::nullopt;
    }
    const std::array<int, 2>& numbers() const { return numbers_; }

  private:
    std::array<int, 2> numbers_{-1, -1};
};

/// Writes the header's facts into a scan.
class ScanHeader {
  public:
    /// `divisor`: of the picture's size, 1, 2, 4 or 8.
    ScanHeader(JpegScan& scan, const jpeg_decompress_struct& jpeg, unsigned divisor)
        : facts_(scan.facts), tables_(scan.tables), jpeg_(jpeg), is_grey_(jpeg.num_components == 1), least_size_(DCTSIZE / divisor) {
        for (int i = 0; i < jpeg.num_components && !is_grey_; ++i) { // one component alone is not interleaved
            across_ = std::max(across_, factor(jpeg.comp_info[i].h_samp_factor));
            down_ = std::max(down_, factor(jpeg.comp_info[i].v_samp_factor));
        }
    }

    /// False if the kernels cannot decode such a picture.
    bool put() {
        units_across_ = covering(jpeg_.image_width, DCTSIZE * across_);
        units_down_ = covering(jpeg_.image_height, DCTSIZE * down_);
        facts_[fact_components] = factor(jpeg_.num_components);
        facts_[fact_units_across] = units_across_;
        facts_[fact_width] = covering(jpeg_.image_width * least_size_, unsigned{DCTSIZE});
        facts_[fact_height] = covering(jpeg_.image_height * least_size_, unsigned{DCTSIZE});
        facts_[fact_colour] = jpeg_.jpeg_color_space == JCS_YCbCr ? 1 : 0;
        facts_[fact_quantisation] = 0;
        for (std::uint32_t i = 0; i < facts_[fact_components]; ++i) {
            if (!put_component(i)) {
                return false;
            }
        }
        facts_[fact_unit_blocks] = unit_blocks_;
        facts_[fact_blocks] = blocks_;
        put_lookups();
        return true;
    }

    std::uint32_t units() const { return units_across_ * units_down_; }

    /// Whether the place of a block in its MCU shows in the data: a decoder that begins in the middle has to find it.
    bool tells_blocks_apart() const {
        return unit_blocks_ == 1 || dc_.numbers()[1] >= 0 || ac_.numbers()[1] >= 0;
    }

  private:
    static std::uint32_t factor(int value) { return static_cast<std::uint32_t>(value); }

    bool put_component(std::uint32_t index) {
        const jpeg_component_info& part = jpeg_.comp_info[index];
        const std::uint32_t across = is_grey_ ? 1 : factor(part.h_samp_factor);
        const std::uint32_t down = is_grey_ ? 1 : factor(part.v_samp_factor);
        // libjpeg has not checked these numbers yet.
        if (static_cast<unsigned>(part.dc_tbl_no) >= NUM_HUFF_TBLS || static_cast<unsigned>(part.ac_tbl_no) >= NUM_HUFF_TBLS ||
            static_cast<unsigned>(part.quant_tbl_no) >= NUM_QUANT_TBLS || across_ % across != 0 || down_ % down != 0) {
            return false;
        }
        const JHUFF_TBL* dc = jpeg_.dc_huff_tbl_ptrs[part.dc_tbl_no];
        const JHUFF_TBL* ac = jpeg_.ac_huff_tbl_ptrs[part.ac_tbl_no];
        const JQUANT_TBL* quantisation = jpeg_.quant_tbl_ptrs[part.quant_tbl_no];
        const auto dc_place = dc_.place_of(part.dc_tbl_no);
        const auto ac_place = ac_.place_of(part.ac_tbl_no);
        if (!dc_place || !ac_place || dc == nullptr || ac == nullptr || quantisation == nullptr || !is_sound(*dc, true) ||
            !is_sound(*ac, false) || unit_blocks_ + across * down > D_MAX_BLOCKS_IN_MCU) {
            return false;
        }
        for (std::uint32_t y = 0; y < down; ++y) {
            for (std::uint32_t x = 0; x < across; ++x) {
                facts_.at(fact_unit + unit_blocks_++) =
                    index | x << 2U | y << 5U | *dc_place << 8U | (2 + *ac_place) << 10U | 1U << (12 + index);
            }
        }
        tables_.insert(tables_.end(), quantisation->quantval, quantisation->quantval + DCTSIZE2);
        put_size(index, across, down);
        return true;
    }

    void put_size(std::uint32_t index, std::uint32_t across, std::uint32_t down) {
        const std::size_t at = fact_component + component_facts * index;
        const std::uint32_t size = block_size(across, down);
        const std::uint32_t width = covering(jpeg_.image_width * across * size, across_ * DCTSIZE);
        const std::uint32_t columns = across_ * least_size_ / (across * size); // of pixels that share a sample
        const std::uint32_t rows = down_ * least_size_ / (down * size);
        facts_.at(at + component_block) = blocks_;
        facts_.at(at + component_across) = units_across_ * across;
        facts_.at(at + component_size) = static_cast<std::uint32_t>(std::countr_zero(size));
        facts_.at(at + component_factor_across) = across;
        facts_.at(at + component_factor_down) = down;
        facts_.at(at + component_samples) = blocks_ * (DCTSIZE2 / 4);
        facts_.at(at + component_width) = width;
        facts_.at(at + component_height) = covering(jpeg_.image_height * down * size, down_ * DCTSIZE);
        blocks_ += units_across_ * across * units_down_ * down;
        facts_[fact_repeats] |= (columns | rows << 4U) << (8 * index);
        facts_[fact_upsampling] |= static_cast<std::uint32_t>(upsampling(columns, rows, width)) << (4 * index);
    }

    /// Samples across a block: libjpeg makes more of a component that has fewer blocks, instead of repeating them
    /// (jdmaster.c, jpeg_calc_output_dimensions).
    std::uint32_t block_size(std::uint32_t across, std::uint32_t down) const {
        std::uint32_t size = least_size_;
        while (size < DCTSIZE && across_ * least_size_ % (across * size * 2) == 0 && down_ * least_size_ % (down * size * 2) == 0) {
            size *= 2;
        }
        return size;
    }

    /// libjpeg's own choice (jdsample.c, jinit_upsampler).
    Upsampling upsampling(std::uint32_t across, std::uint32_t down, std::uint32_t width) const {
        if (across == 1 && down == 1) {
            return Upsampling::none;
        }
        if (least_size_ == 1) {
            return Upsampling::repeat;
        }
        if (across == 1 && down == 2) {
            return Upsampling::smooth_down;
        }
        if (across == 2 && down <= 2 && width > 2) {
            return down == 1 ? Upsampling::smooth_across : Upsampling::smooth_both;
        }
        return Upsampling::repeat;
    }

    void put_lookups() {
        const std::size_t base = tables_.size();
        facts_[fact_lookup] = static_cast<std::uint32_t>(base);
        tables_.resize(base + 4 * lookup_words, no_code); // those that the file lacks, too
        for (std::size_t i = 0; i < 2; ++i) {
            if (const int number = dc_.numbers().at(i); number >= 0) {
                put_lookup(tables_, base, i, *jpeg_.dc_huff_tbl_ptrs[number], true);
            }
            if (const int number = ac_.numbers().at(i); number >= 0) {
                put_lookup(tables_, base, 2 + i, *jpeg_.ac_huff_tbl_ptrs[number], false);
            }
        }
    }

    std::array<std::uint32_t, JpegScan::fact_count>& facts_;
    std::vector<std::uint32_t>& tables_;
    const jpeg_decompress_struct& jpeg_;
    bool is_grey_;
    std::uint32_t least_size_; ///< samples across a block, of the component with most blocks
    std::uint32_t across_ = 1;
    std::uint32_t down_ = 1;
    std::uint32_t units_across_ = 0;
    std::uint32_t units_down_ = 0;
    std::uint32_t unit_blocks_ = 0;
    std::uint32_t blocks_ = 0;
    TablePlaces dc_;
    TablePlaces ac_;
};

/// Removes the stuffing from entropy-coded data. Segments between restart markers begin on subsequences.
class Unstuffer {
  public:
    Unstuffer(JpegScan& scan, std::uint32_t units, std::uint32_t interval)
        : scan_(scan), units_(units), interval_(interval == 0 ? units : interval),
          segments_(covering(units, interval_)) {}

    /// False unless the data has the restart markers that belong there, the end marker, and no others.
    bool read(std::span<const std::byte> data) {
        constexpr std::size_t subsequence = subsequence_bits / 8;
        if (data.size() > (std::size_t{1} << 28U) || segments_ > data.size()) { // every segment ends with a marker
            return false;
        }
        scan_.bits.resize(data.size() + (segments_ + 1) * subsequence + 16);
        to_ = scan_.bits.data();
        segment_ = to_;
        const std::byte* from = data.data();
        const std::byte* end = from + data.size();
        for (;;) {
            const auto* mark = static_cast<const std::byte*>(std::memchr(from, 0xff, static_cast<std::size_t>(end - from)));
            if (mark == nullptr || end - mark < 2) {
                return false;
            }
            std::memcpy(to_, from, static_cast<std::size_t>(mark - from));
            to_ += mark - from;
            from = mark + 2;
            const auto code = std::to_integer<unsigned>(mark[1]);
            if (code == 0) {
                *to_++ = std::byte{0xff};
                continue;
            }
            const bool is_last = code == JPEG_EOI;
            if (is_last != (count_ + 1 == segments_) || (!is_last && code != JPEG_RST0 + count_ % 8)) {
                return false;
            }
            end_segment();
            if (is_last) {
                scan_.bits.resize(static_cast<std::size_t>(to_ - scan_.bits.data()) + 16); // which kernels may read
                return true;
            }
        }
    }

  private:
    void end_segment() {
        constexpr std::ptrdiff_t subsequence = subsequence_bits / 8;
        const std::byte* begin = scan_.bits.data();
        const std::ptrdiff_t bytes = to_ - segment_;
        const std::ptrdiff_t parts = std::max<std::ptrdiff_t>(covering(bytes, subsequence), 1);
        const std::uint32_t first = count_ * interval_;
        const std::uint32_t unit_blocks = scan_.facts[fact_unit_blocks];
        scan_.segments.insert(scan_.segments.end(), {static_cast<std::uint32_t>((segment_ - begin) / subsequence),
                                                     static_cast<std::uint32_t>((to_ - begin) * 8), first * unit_blocks,
                                                     std::min(interval_, units_ - first) * unit_blocks});
        constexpr std::uint32_t begins = 1U << 31U;
        scan_.subsequences.push_back(count_ | begins);
        scan_.subsequences.insert(scan_.subsequences.end(), static_cast<std::size_t>(parts - 1), count_);
        std::byte* next = segment_ + parts * subsequence;
        std::fill(to_, next, std::byte{0});
        segment_ = to_ = next;
        ++count_;
    }

    JpegScan& scan_;
    std::uint32_t units_;
    std::uint32_t interval_;
    std::uint32_t segments_;
    std::uint32_t count_ = 0; ///< segments that have ended
    std::byte* to_ = nullptr;
    std::byte* segment_ = nullptr;
};

/// The scan is to be made at the fraction that the CPU's decoder chooses for the box, if any. Returns the divisor.
unsigned take_fraction(JpegScan& scan, const std::optional<Extent>& box) {
    const bool is_turned = scan.orientation >= 5;
    const Extent upright{scan.form.width, scan.form.height};
    const Extent whole = is_turned ? upright.turned() : upright;
    const int divisor = box ? divisor_for_stored(*box, whole, scan.orientation) : 1;
    if (divisor > 1) {
        const Fraction fraction = fraction_of(whole, divisor);
        scan.metadata.fraction = is_turned ? fraction.turned() : fraction;
        const Extent made = extent_of(*scan.metadata.fraction);
        scan.form.width = made.width;
        scan.form.height = made.height;
    }
    return static_cast<unsigned>(divisor);
}

} // namespace

std::size_t JpegScan::device_bytes() const {
    constexpr std::size_t block = DCTSIZE2 * 3; // coefficients of 16 bits, samples of 8
    constexpr std::size_t state = 20;
    return bits.size() + 4 * (tables.size() + segments.size()) + subsequences.size() * (4 + state) +
           std::size_t{facts[fact_blocks]} * block;
}

std::optional<JpegScan> read_jpeg_scan(std::span<const std::byte> file, std::string_view name,
                                       const DecodeOptions& options) {
    if (sniff(file) != Format::jpeg) {
        return std::nullopt;
    }
    check_admitted(Format::jpeg, Parsing::pixels, name);
    Notes notes;
    DecodeOptions noting = options;
    noting.notes = &notes;
    PictureInfo info;
    try {
        info = inspect(file, name, noting); // which checks the size
    } catch (const Error&) {
        return std::nullopt;
    }
    const Header header(file);
    if (!notes.empty() || !header.is_sound() || !is_plain(header.jpeg())) {
        return std::nullopt;
    }
    std::optional<JpegScan> scan(std::in_place);
    scan->form = info.form;
    scan->metadata = std::move(info.metadata);
    scan->orientation = info.orientation;
    ScanHeader facts(*scan, header.jpeg(), take_fraction(*scan, options.box));
    if (!facts.put()) {
        return std::nullopt;
    }
    Unstuffer data(*scan, facts.units(), header.jpeg().restart_interval);
    if (!data.read(header.data())) {
        return std::nullopt;
    }
    scan->facts[fact_subsequences] = static_cast<std::uint32_t>(scan->subsequences.size());
    constexpr std::size_t found_anyway = 64; // from the start of the data
    if (!facts.tells_blocks_apart() && scan->subsequences.size() > found_anyway * scan->segments.size() / 4) {
        return std::nullopt;
    }
    const int width = scan->orientation >= 5 ? scan->form.height : scan->form.width;
    return width == static_cast<int>(scan->facts[fact_width]) ? std::move(scan) : std::nullopt;
}

} // namespace glproc::gpu_codecs
