// The input of one run: opened in rows or decoded on a thread of its own.
#pragma once

#include "glproc/gpu_codecs/jpeg/decode_scan.hpp"
#include "job/input_file.hpp"
#include "job/picture/call.hpp"
#include "job/picture/source.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace glproc::job {

/// While decoding is under way, name() and form() alone may be used. `picture` is the output of an operation
/// that makes pictures, and gets what the input decides.
class RunInput {
  public:
    RunInput(const Call& call, std::string name);
    RunInput(const RunInput&) = delete;
    RunInput& operator=(const RunInput&) = delete;
    ~RunInput() = default;

    const std::string& name() const { return name_; }
    /// What is odd about it.
    const Notes& notes() const { return notes_; }
    /// Of the picture that is being decoded, where that is known before.
    const std::optional<Form>& form() const { return form_; }

    /// The same, as a file that is open while somebody looks at it.
    InputFile& file() { return file_; }

    /// A picture whose format can come in rows, if it is large or the processor alone is wanted and can do
    /// it. What its header has wrong fails here.
    std::optional<RowSource> open_in_rows(PictureOutput* picture, bool alone);
    /// Whether those rows were opened because the picture is large.
    bool is_large() const { return is_large_; }

    /// The bytes of the input; form() is then known. What cannot be read at all fails here.
    std::vector<std::byte> read();

    /// The same of bytes that are here already.
    void look_at(const std::vector<std::byte>& bytes) { form_ = form_of(bytes); }

    /// What those bytes hold.
    Source decode(const std::vector<std::byte>& bytes, PictureOutput* picture);

    /// The same as far as the CPU has to go where a GPU decodes the picture, and its result is to be one;
    /// nothing where decode() has to be called instead.
    std::optional<gpu_codecs::JpegScan> scan(const std::vector<std::byte>& bytes, PictureOutput* picture);

  private:
    bool needs_no_device(const RowSource& source, PictureOutput* picture) const;
    /// What the picture will be, as far as its header tells.
    std::optional<Form> form_of(const std::vector<std::byte>& bytes) const;
    Image decode_picture(const std::vector<std::byte>& bytes, PictureOutput* picture);

    const Call& call_;
    std::string name_; ///< as it was given
    std::string path_; ///< the same without the page of the file
    InputFile file_;
    Notes notes_;
    DecodeOptions decoding_;
    std::optional<Form> form_;
    bool is_large_ = false;
};

} // namespace glproc::job
