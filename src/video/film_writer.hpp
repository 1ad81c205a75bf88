// Writes films: frames through an encoder, and what else another film has, packet by packet.
#pragma once

#include "video/encoder.hpp"
#include "video/film_reader.hpp"
#include "video/output_file.hpp"
#include "video/sound_track.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace glproc::video {

/// A span of time of a film, in seconds since its beginning.
struct Span {
    double begin = 0;
    std::optional<double> end;
};

class FilmWriter {
  public:
    /// `source` is what the film is made of, or null where it is new. Of that the sound, subtitles,
    /// attachments, chapters and metadata are copied, as far as they lie in `span`, whose beginning is that
    /// of the new film. Throws Error: usage for what the format cannot hold, and output. The file appears
    /// with finish().
    FilmWriter(const std::string& path, const FilmFormat& format, const EncodeSettings& settings,
               const FilmReader* source, const Span& span);
    FilmWriter(const FilmWriter&) = delete;
    FilmWriter& operator=(const FilmWriter&) = delete;
    ~FilmWriter();

    /// Throws Error(usage) where no format is known by this end of names.
    static void check_container(const std::string& end, const std::string& path);

    /// How frames must lie.
    const FilmFormat& format() const { return encoder_->format(); }
    /// What is odd about the result.
    const std::vector<std::string>& notes() const { return notes_; }
    /// The same, once it is finished.
    std::vector<std::string> late_notes() const;

    /// In the time base of the format; times must grow. `properties` may be null.
    /// The same of `alpha`.
    void write(const Planes& planes, const Image* alpha, std::int64_t time, std::int64_t duration, const AVFrame* properties);
    /// Of the source.
    void copy(AvPacket packet);
    void finish();

  private:
    void open_encoder(FilmFormat format, const EncodeSettings& settings);
    [[noreturn]] void fail_at_codec(cli::FilmCodec codec) const;
    void new_video();
    void copy_streams(const FilmReader& source, const EncodeSettings& settings);
    bool keeps_sound(const AVStream& from, const SoundSettings& settings) const;
    void encode_sound(const AVStream& from, const SoundSettings& settings, const FilmReader& source);
    bool is_mov() const;
    cli::FilmCodec usual_codec(const FilmFormat& format) const;
    bool may_copy(const AVStream& from);
    AVStream& new_stream();
    void describe(AVStream& stream, const AVStream& from, bool is_copy) const;
    void move_timecode(AVDictionary** metadata, const AVStream& video) const;
    void copy_chapters(const AVFormatContext& from);
    void put(AVPacket& packet, const AVStream& stream, AVRational time_base);
    void check(int status) const;

    std::string path_;
    std::string end_; ///< of names of such files
    Span span_;
    OutputFile file_;
    AVFormatContext* muxer_ = nullptr;
    std::unique_ptr<Encoder> encoder_;
    AVStream* video_ = nullptr;
    std::vector<AVStream*> copies_;      ///< by the source's streams; null where one is left out
    std::vector<std::unique_ptr<SoundTrack>> sounds_; ///< of those copies that are encoded again
    std::vector<AVRational> time_bases_; ///< of the source's streams
    std::vector<std::string> notes_;
    double shift_ = 0; ///< seconds taken from times of the source
};

} // namespace glproc::video
