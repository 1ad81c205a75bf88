// Where frames come from: a film, or pictures by number.
#pragma once

#include "glproc/image/metadata.hpp"
#include "job/first_profile.hpp"
#include "video/film_reader.hpp"
#include "video/numbered.hpp"
#include "video/selection.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace glproc::video {

/// A frame on its way: as planes of luma and colour, or as a picture of RGB.
struct FrameData {
    std::variant<Planes, Image> pixels;
    Image alpha = {};              ///< beside planes, where frames have it
    std::int64_t time = 0;
    std::int64_t duration = 0;
    AvFrame properties;            ///< null where there are none
    std::vector<AvPacket> packets; ///< of other streams, from before it
};

/// The unit of the times of frames, in seconds, and how many frames there are a second, in the mean. 0 where it is not known.
struct FrameClock {
    AVRational time_base{0, 1};
    AVRational rate{0, 1};
};

/// Memory of frames that are done, for those that come: it costs more to have than to fill.
class PlanesPool {
  public:
    Planes take();
    void give(Planes planes);

  private:
    std::mutex mutex_;
    std::vector<Planes> free_;
};

class FrameSource {
  public:
    FrameSource() = default;
    FrameSource(const FrameSource&) = delete;
    FrameSource& operator=(const FrameSource&) = delete;
    virtual ~FrameSource() = default;

    /// Of the pictures that operations get: one channel where no frame has colour.
    virtual Form form() const = 0;
    /// Width of their pixels for the height; 0 where it is not known.
    virtual AVRational pixel_aspect() const = 0;
    /// Nothing at the end. Throws Error(input).
    virtual std::optional<FrameData> next() = 0;
    /// About.
    virtual std::optional<std::size_t> count() const = 0;
    /// What is odd about it.
    virtual std::vector<std::string> notes() const { return {}; }

    /// The same, of what is only known once next() has given all there is.
    virtual std::vector<std::string> late_notes() const { return {}; }
    /// The film, where it is one.
    virtual FilmReader* film() { return nullptr; }
    /// Of the frames that are given.
    virtual FrameClock clock() {
        return film() == nullptr ? FrameClock{} : FrameClock{film()->info().time_base, film()->info().rate};
    }
    /// Packets of the film's other streams that came after its last frame.
    virtual std::vector<AvPacket> rest() { return film() == nullptr ? std::vector<AvPacket>{} : film()->take_packets(); }
};

/// The aspect of pixels as the density of a picture, and the other way round; nothing for squares.
std::optional<Density> density_of(AVRational pixel_aspect);
AVRational pixel_aspect_of(const Metadata& metadata);

/// Throws Error.
std::unique_ptr<FrameSource> open_film(const std::string& path, const FilmOptions& options,
                                       const Selection& selection, PlanesPool& pool);

/// What frames hold: codes of sRGB, or where images go to images again what these hold in their files, with the colours of sRGB.
struct FrameColours {
    cli::FirstProfile colours = cli::FirstProfile::srgb();
    Form form = {}; ///< of the first image
};
/// A film, or numbered images; `to_pictures` where each frame becomes a file.
FrameColours frame_colours(const std::string& path, bool to_pictures);

/// Other profiles are converted, which is said of the first image.
std::unique_ptr<FrameSource> open_pictures(const NumberedName& name, const FilmOptions& options,
                                           const Selection& selection, const FrameColours& frames);

} // namespace glproc::video
