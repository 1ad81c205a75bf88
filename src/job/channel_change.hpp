// Pictures with another number of channels: without alpha, without colour, or with three channels for grey.
#pragma once

#include "glproc/files/rows.hpp"
#include "glproc/image/colour.hpp"
#include "glproc/image/image.hpp"

#include <memory>
#include <optional>

namespace glproc::job {

struct ChannelChange {
    std::optional<Colour> background; ///< what is transparent is put on it
    bool to_grey = false;
    bool to_colour = false;

    /// What becomes of so many channels.
    int of(int channels) const;
};

Image with_channels(Image image, const ChannelChange& change);

/// Takes rows of `form`, and passes them on as `change` has them.
std::unique_ptr<RowWriter> with_channels(std::unique_ptr<RowWriter> next, const Form& form,
                                         ChannelChange change);

} // namespace glproc::job
