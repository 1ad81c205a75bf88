// What files say of their own pixels in words: descriptions by programs, and sizes in XMP. Where pixels change, these become
// true of the new ones, or are left out.
#pragma once

#include "glproc/image/image.hpp"
#include "glproc/image/stack_axes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glproc {

/// The image that metadata came with, and the one that they go with.
struct PixelChange {
    Form before = {};
    Form after = {};
    bool moves = false; ///< whether pixels lie elsewhere than before
    int images = 1;     ///< of the file that they go to
    std::optional<StackAxes> stack = {}; ///< what these are, where they were made of several each
    double wider = 1; ///< the width of a pixel, measured in that of one before
    double taller = 1;
    bool turned = false; ///< widths have become heights before that
};

/// Whether its density is the size of pixels in the world, in a unit that ImageJ has told.
bool is_measured(const Metadata& metadata);

/// Descriptions by tifffile (its shape), ImageJ and OME-XML; sizes and panoramas in XMP. Returns what was left
/// out, a clause each.
std::vector<std::string> fit_descriptions(Metadata& metadata, const PixelChange& change);

/// The text by ImageJ, OME-XML or tifffile that tells of all images of a file, of which there are so many.
/// Its first image has it. Empty where there is none.
std::string description_of_all(const Image& first, int images);

/// How many images ImageJ or tifffile tells of, each of such a size and number of channels; 0 where the text
/// is none of theirs.
std::uint64_t images_told(std::string_view text, const Form& form);

/// Gives it to another image of the file, unless that has a text of its own.
void add_description(Image& image, const std::string& description);

/// Where the value of a key of JSON lies between two characters: its begin and end, 0 and 0 where there is
/// none.
std::pair<std::size_t, std::size_t> value_in(std::string_view text, std::string_view key, char open,
                                             char close);

} // namespace glproc
