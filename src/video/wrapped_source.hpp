// A source of frames that are made of those of another.
#pragma once

#include "video/source.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace glproc::video {

class WrappedSource : public FrameSource {
  public:
    explicit WrappedSource(std::unique_ptr<FrameSource> source) : source_(std::move(source)) {}

    Form form() const override { return source_->form(); }
    AVRational pixel_aspect() const override { return source_->pixel_aspect(); }
    std::optional<std::size_t> count() const override { return source_->count(); }
    std::vector<std::string> notes() const override { return source_->notes(); }
    std::vector<std::string> late_notes() const override { return source_->late_notes(); }
    FilmReader* film() override { return source_->film(); }
    FrameClock clock() override { return source_->clock(); }

    std::vector<AvPacket> rest() override {
        std::vector<AvPacket> packets = std::move(packets_);
        packets_.clear();
        for (AvPacket& packet : source_->rest()) {
            packets.push_back(std::move(packet));
        }
        return packets;
    }

  protected:
    /// The next frame; its packets wait for the frame that is given next.
    std::optional<FrameData> read() {
        std::optional<FrameData> frame = source_->next();
        if (frame) {
            for (AvPacket& packet : frame->packets) {
                packets_.push_back(std::move(packet));
            }
            frame->packets.clear();
        }
        return frame;
    }
    std::vector<AvPacket> take_packets() { return std::exchange(packets_, {}); }

    /// Seconds that a frame is shown which does not say it.
    double usual_seconds() {
        constexpr double usual = 25;
        const AVRational rate = clock().rate;
        return rate.num > 0 && rate.den > 0 ? 1 / av_q2d(rate) : 1 / usual;
    }

  private:
    std::unique_ptr<FrameSource> source_;
    std::vector<AvPacket> packets_;
};

/// What was said of a frame, once more; null of null.
AvFrame same_properties(const AVFrame* properties);

} // namespace glproc::video
