// Several images made of one file: each of those along one axis of its stack.
#pragma once

#include "glproc/files/series.hpp"
#include "glproc/image/stack_axes.hpp"
#include "job/stream/stream_frame.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace glproc::job {

/// The images of a file that become one each.
struct PageGroups {
    StackAxes stack; ///< of what is made
    std::vector<std::vector<std::string>> names;
};

/// Along z, c or t; `op` joins them. Throws Error: input, and usage where the file does not tell of such an
/// axis.
PageGroups groups_over(char axis, const std::string& in, const Reading& reading, const OpInfo& op,
                       Notes& notes);

/// Such groups on their way to the pages of a file, one after another.
class JoinedPages {
  public:
    using MakeOperation = std::function<std::unique_ptr<Operation>()>;

    /// Throws Error(usage) where the output holds one image.
    JoinedPages(const Call& call, PageGroups groups, MakeOperation make_operation, PictureOutput output);

    /// Decodes; null at the end.
    std::unique_ptr<StreamFrame> next();
    /// After the last frame.
    void finish();

    const Notes& notes() const { return notes_; }
    std::size_t count() const { return groups_.names.size(); }

  private:
    class Frame;

    const Call& call_;
    PageGroups groups_;
    MakeOperation make_operation_;
    PictureOutput output_;
    std::size_t given_ = 0;
    std::unique_ptr<SeriesWriter> writer_;
    Notes notes_;
};

} // namespace glproc::job
