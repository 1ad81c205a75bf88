// What the program says about the device.
#pragma once

#include "cli/arguments.hpp"
#include "cli/settings.hpp"

#include <string>

namespace glproc::cli {

/// What a run says of its device: a warning on a software renderer, if a GPU seems to be there, the renderer
/// was not chosen by name, and --quiet is not given; with --verbose, why no compiled programs are kept.
void report_device(const DeviceInfo& device, const Settings& settings);

/// Drivers keep compiled programs in the user's cache folder, too, and run what they find there. Where
/// another user decides what that is, they are told to keep none, and --verbose says why. To be called before
/// any thread or driver runs.
void leave_caches_of_others();

/// The command `info`.
void show_device(const Arguments& arguments, const Settings& settings);

/// Whether a command that takes long shows a progress bar.
bool wants_progress(const Settings& settings);

} // namespace glproc::cli
