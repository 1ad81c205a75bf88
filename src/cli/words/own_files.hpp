// The files of the user's call, for hints that show another one.
#pragma once

#include <string>
#include <vector>

namespace glproc::cli {

struct Arguments;

/// "photo.jpg", "z.tif#6", "small/", "-dash.png": not "0.5" or "640x480+1.5".
bool looks_like_file(const std::string& word);

/// "a.png b.png", as vips takes a list, as two files where none has that name; any other word alone, also
/// where ImageMagick says more of a file: "png8:o.png" as "o.png".
std::vector<std::string> files_of(const std::string& word);

/// What may be files of the call: words that are no flag and no value of a flag that we know. The last of several is an output.
std::vector<std::string> files_in(const std::vector<std::string>& words);

/// A call as the command's example, with the files of this one.
std::string example_with_files(const Arguments& arguments);

/// The hint with these files, input first, output last, in place of the in.png and out.png of examples.
std::string with_own_files(const std::string& hint, const std::vector<std::string>& files);

} // namespace glproc::cli
