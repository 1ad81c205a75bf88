// Where this program lies, and what was installed with it. Never by a name that the current folder could
// answer to: that may be a folder of a stranger's pictures.
#pragma once

#include <filesystem>
#include <string>

namespace glproc {

/// The folder of the program or shared library that this code is part of; empty if it is not known.
std::filesystem::path own_folder();

/// The program of this name: beside the one that runs, else in a folder of PATH that is named in full. Empty
/// if there is none.
std::filesystem::path find_program(const std::string& name);

} // namespace glproc
