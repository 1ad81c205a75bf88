// What is asked for the images of a call, whoever asks.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/op/op.hpp"
#include "job/array_input.hpp"
#include "job/budget.hpp"
#include "job/first_profile.hpp"
#include "job/output/array_output.hpp"
#include "job/output/picture_output.hpp"
#include "job/picture/volume_asked.hpp"
#include "job/stages.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace glproc::job {

/// The operation with its second images in the colours of this first one, of which the notes tell.
using FitSecondImages = std::function<std::unique_ptr<Operation>(const FirstProfile& first, Notes& notes)>;

/// What all images of a call have in common; it outlives them.
struct Call {
    const OpInfo& op;
    const Operation& operation;
    Stages& stages;
    Reading reading;
    ArrayReader arrays;
    ContextOptions device;
    std::function<void(double share)> advance; ///< of an image in tiles; may throw to end it
    bool is_batch = false;                     ///< one of many: flags of a format apply where they can
    bool is_timed = false;                     ///< a stage is to end when its work on the device does
    bool wants_findings = false;
    bool wants_report = false;              ///< alone, or beside an image or an array
    FitSecondImages fit_second_images = {}; ///< empty where it has none, or fits them by itself
    std::optional<VolumeAsked> volume = {}; ///< the images of a file are to be planes of volumes

    /// The same for an image that has an operation of its own.
    Call by(const Operation& own) const {
        return {op,      own,      stages,   reading,        arrays,       device,
                advance, is_batch, is_timed, wants_findings, wants_report, fit_second_images,
                volume};
    }
};

/// Where a report goes, and what is drawn of it.
struct ReportOutput {
    std::function<std::string(const Report& report, const std::string& name)>
        text; ///< of an image of this name
    std::optional<PictureOutput> pixels = {};
    std::optional<OutputPlace> drawing = {};
    std::optional<OutputPlace> file = {}; ///< for Report::file, instead of `text`
    std::string file_format = {};
};

/// Where that goes which is made of one image.
struct Outputs {
    std::optional<PictureOutput> picture = {}; ///< of an operation that makes images
    std::optional<ArrayOutput> array = {};     ///< of one that makes arrays
    std::optional<ReportOutput> report = {};   ///< where one is wanted
};

} // namespace glproc::job
