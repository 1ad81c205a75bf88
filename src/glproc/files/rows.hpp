// Files that are read and written in bands of rows, so that their pictures need not fit in memory.
#pragma once

#include "glproc/files/codec.hpp"
#include "glproc/files/file.hpp"
#include "glproc/image/rows.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace glproc {

/// A picture whose rows can be read one after another, in little memory: JPEG, PNG that is not interlaced,
/// PNM, PFM and TIFF, if no metadata turns the picture. It reads what load() reads and refuses what load() refuses,
/// with the same messages: the header here, the rest as the rows are read. Nothing if the file cannot be read
/// in rows or is not a regular file; it is then untouched. Throws Error(input).
std::optional<RowSource> open_rows(const std::filesystem::path& path, const DecodeOptions& options = {});

/// The same for a file that is open.
std::optional<RowSource> open_rows(std::shared_ptr<const OpenFile> file, std::string_view name, const DecodeOptions& options = {});

/// The same for an open descriptor, such as 0 for standard input, from its position on, which does not
/// change.
std::optional<RowSource> open_rows(int descriptor, std::string_view name, const DecodeOptions& options = {});

/// The same for a file in memory, which must outlive the source and its readers.
std::optional<RowSource> open_rows(std::span<const std::byte> bytes, std::string_view name,
                                   const DecodeOptions& options = {});

/// Images of a TIFF that is open, by their numbers, which are in `name#number` for messages: nothing for one
/// that cannot be read in rows. Throws Error(input), also for one that is not there.
std::vector<std::optional<RowSource>> open_pages(const std::shared_ptr<const OpenFile>& file, std::string_view name,
                                                 const std::vector<int>& numbers, const DecodeOptions& options = {});

/// Writes a picture of this form in the format of the path's extension, as save() would: JPEG, PNG, PNM, PFM
/// and TIFF; null for other formats. The pixels and metadata in the file are the same; the compressed bytes may
/// differ. Throws Error(usage) as check_encodable() does, and Error(output).
std::unique_ptr<RowWriter> write_rows(const std::filesystem::path& path, const Form& form,
                                      const Metadata& metadata, const EncodeOptions& options = {});

/// The same for an open descriptor, such as 1 for standard output; what has been written stays there. `name`
/// is for messages, and its extension (or the whole of it, "png") gives the format.
std::unique_ptr<RowWriter> write_rows(int descriptor, std::string_view name, const Form& form,
                                      const Metadata& metadata, const EncodeOptions& options = {});

/// The same picture with another depth; see with_depth() for images.
RowSource with_depth(RowSource source, Depth depth);

/// Accepts rows of `depth`, and converts them for a writer of rows of `form`.
std::unique_ptr<RowWriter> with_depth(std::unique_ptr<RowWriter> writer, const Form& form, Depth depth);

} // namespace glproc
