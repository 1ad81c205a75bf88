// Pictures decoded in a process of their own, which may take only so much time and memory and, where files
// are not trusted, has neither files nor a network.
#pragma once

#include "glproc/base/error.hpp"
#include "glproc/files/codec.hpp"
#include "glproc/files/page_reader.hpp"
#include "glproc/files/series.hpp"
#include "job/budget.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glproc::job {

/// decode(), in such a process where `budget` asks for one. Throws what decode() throws, and Error(input)
/// where the budget is spent, the format is not allowed or the decoder crashed.
Image decode_within(const Budget& budget, std::span<const std::byte> bytes, std::string_view name,
                    const DecodeOptions& options);

/// open_series(), with its structure, frames and canvas in such a process; the budget is for all pictures
/// together. Null as there. Pages and frames come in order only.
std::unique_ptr<PictureSeries> open_series_within(const Budget& budget, std::span<const std::byte> file,
                                                  std::string_view name, DecodeOptions options);
std::optional<SeriesInfo> inspect_series_within(const Budget& budget, std::span<const std::byte> file,
                                                std::string_view name);

class DecoderProcess;

/// PageReader, in such a process where `budget` asks for one: it is then for each image.
class PagesWithin {
  public:
    /// `file` must outlive it.
    PagesWithin(const Budget& budget, std::span<const std::byte> file, const DecodeOptions& options);
    /// Of an open file, in this process.
    PagesWithin(std::shared_ptr<const OpenFile> file, const DecodeOptions& options);
    PagesWithin(const PagesWithin&) = delete;
    PagesWithin& operator=(const PagesWithin&) = delete;
    ~PagesWithin();

    /// Whether images come as these options would have them.
    bool is_for(const DecodeOptions& options) const;

    /// As decode_within() of that page gives it; always from the thread that was the first to ask. Throws what it throws.
    Image read(int number, const std::string& name, Notes* notes);

  private:
    Image read_elsewhere(int number, const std::string& name, Notes* notes);

    Budget budget_;
    std::span<const std::byte> file_;
    DecodeOptions options_;
    PageReader reader_;
    std::unique_ptr<DecoderProcess> decoder_;
    int late_ = 0; ///< the frame of an animation that took too long, so that those behind it do, too; 0: none
};

/// The first argument of a call that is such a process.
inline constexpr std::string_view decoder_word = "@decode";

/// What that process does; argv without the program.
int serve_as_decoder(const std::vector<std::string>& words);

/// What is said of a limit of the budget: that memory ran out, as Error(input), and no hint at a flag that it
/// does not follow.
Error as_within(const Budget& budget, std::string_view name, const Error& error);

/// Runs `work` on the bytes of a file in a copy of this process within the budget, and returns its exit
/// status. No thread may run. Throws Error(input) as decode_within().
int run_within(const Budget& budget, std::string_view name, std::span<const std::byte> bytes,
               const std::function<int()>& work);

} // namespace glproc::job
