// Pictures that the GPU encodes together: their buffers and passes.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/gl/fence.hpp"
#include "glproc/gpu_codecs/jpeg/encode_file.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace glproc::gpu_codecs {

class EncodeBatch {
  public:
    EncodeBatch(Context& gpu, std::vector<EncodedFile> files);

    /// Whether each buffer for so much is within reach of a kernel. The buffer of the bits is checked once
    /// their number is known.
    static bool can_hold(Context& gpu, const EncodeSizes& sizes);

    /// Gives the passes to the GPU.
    void begin(std::span<const GpuImage* const> images);

    /// When this returns the CPU has everything, or kernels cannot reach as much memory as the files take.
    void wait();
    bool has_files() const { return !is_too_large_; }

    /// After wait(), on any thread.
    std::vector<std::byte> file(std::size_t picture) const {
        return files_[picture].put_together(words_.subspan(places_[picture].file));
    }

  private:
    template <class Of>
    std::int64_t most(Of of) const;
    std::int64_t count() const { return static_cast<std::int64_t>(files_.size()); }
    Pass pass(const std::string& name);
    void make_buffers();
    void upload_facts();
    void make_planes(std::span<const GpuImage* const> images);
    void transform();
    void count_symbols();
    void make_tables();
    void over_groups(Pass& pass);
    void write_bits();
    void collect();
    bool step();
    bool has_room() const;
    void take_words();

    Context& gpu_;
    std::vector<EncodedFile> files_;
    std::vector<EncodeLayout::FilePlace> places_;
    EncodeSizes sizes_;
    std::size_t group_words_ = 0; ///< room for the bits of each group
    std::size_t file_words_ = 0;
    std::optional<Buffer> facts_, planes_, coefficients_, blocks_, counts_, codes_, bits_, groups_, strips_,
        sizes_of_;
    std::optional<Buffer> file_;
    Fence fence_;
    std::span<const std::uint32_t> words_; ///< of file_
    std::vector<std::uint32_t> copy_;
    bool is_too_large_ = false;
};

} // namespace glproc::gpu_codecs
