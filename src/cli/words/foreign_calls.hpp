// Calls of vips, OpenCV and other programs as they are typed there, with their values behind the files.
#pragma once

#include <string>
#include <vector>

namespace glproc::cli {

/// Throws Error(usage), with the call that was meant, where another program is named first ("magick identify
/// IN", "cv2.Canny IN OUT 100 200"), or where values stand as no call here has them ("rank IN OUT 3 3 8").
void refuse_foreign_call(const std::vector<std::string>& words);

/// The call of glproc that these words are, or the hint that they are answered with.
std::string call_meant(const std::vector<std::string>& words);

} // namespace glproc::cli
