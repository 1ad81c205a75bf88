// Which encoder of libavcodec a codec has, and how it is told what people ask for.
#pragma once

#include "video/write/encoder.hpp"

#include <string>

namespace glproc::video {

struct EncoderRow {
    cli::FilmCodec codec;
    AVCodecID id;
    std::string encoder;
    int crf = -1;             ///< by default; -1 where it has none
    std::string quality = {}; ///< the name of that option
    std::string preset = {};  ///< the name of that option; empty where it has none
    std::string usual = {};   ///< its default; empty for the encoder's own
    int presets = 0;          ///< numbers from 0 on; 0 where they have names
    bool named = false;       ///< by a person
};

const EncoderRow& usual_encoder(cli::FilmCodec codec);

/// One that a person names: options are those that it has.
EncoderRow named_encoder(const AVCodec& encoder, cli::FilmCodec codec);

/// Whether it takes frames in the memory of a device alone, as those of VA-API do.
bool takes_device_frames_only(const AVCodec& encoder);

/// Throws Error(usage) for a preset that it does not know.
void check_preset(const EncoderRow& row, const std::string& preset);

} // namespace glproc::video
