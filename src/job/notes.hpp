// Notes and errors of several images that go one way.
#pragma once

#include "glproc/base/error.hpp"

#include <algorithm>
#include <string>

namespace glproc::job {

/// All of them may have the same to say.
inline void add_once(Notes& notes, const Notes& more) {
    for (const std::string& note : more) {
        if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
            notes.push_back(note);
        }
    }
}

/// The error of an operation, with the name of the image that it met.
inline Error error_of(const std::string& image, const Error& error) {
    return {error.code(), image + ": " + error.what(), error.hint()};
}

} // namespace glproc::job
