// glproc video: what is broken, what is refused, and what is left behind.
#include "video/video_program.hpp"

#include <array>
#include <csignal>
#include <cstdlib>

#include <sys/stat.h>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

TEST_CASE("video: a broken film is exit 3; with --keep-partial what was whole is delivered") {
    const TempDir folder;
    ffmpeg(folder.path(),
           test_picture("96x64", "4") + x264 +
               Words{"-pix_fmt", "yuv420p", "-g", "10", "-movflags", "faststart", "whole.mp4"});
    const std::string bytes = read_text(folder / "whole.mp4");
    write_text(folder / "in.mp4", bytes.substr(0, bytes.size() / 2));
    write_text(folder / "out.mp4", "what was there before");
    const ProgramResult result = run_video(folder, Words{"in.mp4", "out.mp4", "-y"} + identity);
    CHECK(result.status == 3);
    CHECK(result.err.starts_with("glproc: error: in.mp4: "));
    CHECK(read_text(folder / "out.mp4") == "what was there before");
    CHECK(run_video(folder, Words{"in.mp4", "out.mp4", "-y", "--keep-partial"} + identity).status == 3);
    const std::size_t frames = lines_of(frame_times(folder, "out.mp4")).size();
    CHECK(frames > 20);
    CHECK(frames < 80);
    CHECK(names_in(folder.path()) == std::set<std::string>{"in.mp4", "out.mp4", "whole.mp4"});

    std::string dented = bytes;
    std::fill_n(dented.begin() + static_cast<std::ptrdiff_t>(bytes.size() * 3 / 4), 300, '\x55');
    write_text(folder / "dented.mp4", dented);
    CHECK(run_video(folder, Words{"dented.mp4", "new.mp4"} + identity).status == 3);
    CHECK_FALSE(std::filesystem::exists(folder / "new.mp4"));
}

TEST_CASE("video: of three films that a pattern stands for, none is replaced") {
    const TempDir folder;
    for (const std::string name : {"a.mp4", "b.mp4", "c.mp4"}) {
        ffmpeg(folder.path(), test_picture("96x64", "0.2") + x264 + Words{"-pix_fmt", "yuv420p", name});
    }
    const std::string before = read_text(folder / "b.mp4");
    for (const Words& operation : {Words{}, Words{"invert"}}) {
        const ProgramResult result = run_video(folder, Words{"a.mp4", "b.mp4", "c.mp4"} + operation);
        CHECK(result.status == 2);
        CHECK(result.err.starts_with("glproc: error: c.mp4: OUT follows one IN\n  hint: --append FILE joins videos"));
    }
    CHECK(read_text(folder / "b.mp4") == before);
}

TEST_CASE("video: what cannot be is said before any work, and nothing is left behind") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("97x65", "0.2") +
                              Words{"-f", "lavfi", "-i", "sine=d=0.2", "-c:a", "aac", "-pix_fmt", "yuv420p",
                                    "-vf", "format=yuv444p,scale=97:65", "-c:v", "ffv1", "in.mkv"});
    std::ofstream(folder / "empty.mp4").flush();
    const auto refused = [&](const Words& words, int status, const std::string& error) {
        INFO(error);
        const std::set<std::string> before = names_in(folder.path());
        ProgramCall call = glproc_call(folder.path(), Words{"video"} + words);
        call.environment = environment_without_gpu();
        const ProgramResult result = run_program(call);
        CHECK(result.status == status);
        CHECK(result.err.starts_with("glproc: error: " + error));
        CHECK(names_in(folder.path()) == before);
    };
    refused(Words{"in.mkv", "out.mp4"} + identity, 2,
            "out.mp4: 97x65 is odd, and h264 of yuv420p takes even sizes only\n"
            "  hint: crop, pad or resize it to 96x64, or take --codec ffv1 or vp9\n");
    refused(Words{"in.mkv", "out.webm", "--sound", "copy"} + identity, 2,
            "out.webm: webm holds no sound of aac\n  hint: without --sound copy it is encoded again");
    refused({"in.mkv", "out.mkv", "profile", "--to", "display-p3"}, 2,
            "a video cannot store the ICC profile that these colours need\n"
            "  hint: profile --to srgb and convert --to-srgb need none\n");
    refused({"in.mkv", "out.mkv", "invert", "then", "profile", "--assign", "display-p3"}, 2,
            "a video cannot store the ICC profile");
    refused(Words{"in.mkv", "out.xyz"} + identity, 2,
            "out.xyz: unknown video format '.xyz' (known: mp4, m4v, mov, mkv");
    refused(Words{"in.mkv", "out.png"} + identity, 2,
            "out.png: an image holds one frame\n  hint: --frame N writes one");
    refused(Words{"in.mkv", "out.mkv", "--codec", "h266"} + identity, 2,
            "unknown --codec 'h266' (did you mean 'h264'?)");
    refused(Words{"in.mkv", "out.mkv", "--codec", "ffv1", "--crf", "20"} + identity, 2,
            "--crf has no effect on ffv1");
    refused(Words{"in.mkv", "out.mkv", "--preset", "warp", "--codec", "h264"} + Words{"resize", "96x64"}, 2,
            "unknown --preset 'warp'\n  hint: one of: ultrafast, superfast, ");
    refused(Words{"in.mkv", "nowhere/out.mkv"} + identity, 4, "nowhere/out.mkv: nowhere: no such folder");
    refused(Words{"in.mkv", "out.mkv", "--frames", "5..2"} + identity, 2,
            "--frames 5..2 is not a range of frames");
    refused(Words{"in.mkv", "out.png", "--frame", "soon"} + identity, 2,
            "--frame soon is neither a number nor a time");
    refused(Words{"in.mkv", "out.png", "--frame", "99"} + identity, 3,
            "in.mkv: there is no frame 99: they are numbered from 0 to 4");
    refused(Words{"empty.mp4", "out.mp4"} + identity, 3, "empty.mp4: the file is empty");
    refused(Words{"gone-%d.png", "out.mp4"} + identity, 3, "gone-%d.png: there are no such images");
    refused(Words{"in.mkv", "out.mkv", "blurr"}, 2, "unknown operation 'blurr' (did you mean 'blur'?)");
    refused({"in.mkv", "out.mkv", "-n", "--codec", "ffv1", "denoise", "--frames", "3"}, 5,
            "no usable OpenGL 4.3 context");
    write_text(folder / "out.mkv", "there");
    refused(Words{"in.mkv", "out.mkv", "-n", "--codec", "ffv1"} + identity, 4, "out.mkv: exists already");
}

TEST_CASE("video: a film given as a picture is told where films go") {
    const TempDir folder;
    for (const std::string end : {"mkv", "mp4", "avi", "ts", "y4m"}) {
        INFO(end);
        ffmpeg(folder.path(), test_picture("96x64", "0.2") + (end == "y4m" ? Words{} : x264) +
                                  Words{"-pix_fmt", "yuv420p", "in." + end});
        const ProgramResult result =
            run_glproc(folder.path(), {"blur", "in." + end, "out.png", "--sigma", "2"});
        CHECK(result.status == 3);
        CHECK(without_software_warning(result.err) ==
              "glproc: error: in." + end +
                  ": a video, not an image\n"
                  "  hint: use glproc video; with --frame it saves one frame as an image\n");
    }
}

TEST_CASE("video: OUT may be IN, a full disk is exit 4, and a signal leaves nothing") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("320x240", "2") + x264 + Words{"-pix_fmt", "yuv420p", "in.mkv"});
    const std::string before = read_text(folder / "in.mkv");
    ProgramCall call =
        glproc_call(folder.path(), Words{"video", "in.mkv", "full.mkv", "--codec", "ffv1", "-q"} + identity);
    call.largest_file = 65536;
    const ProgramResult full = run_program(call);
    CHECK(full.status == 4);
    CHECK(full.err.starts_with("glproc: error: full.mkv: "));
    CHECK(names_in(folder.path()) == std::set<std::string>{"in.mkv"});

    call = glproc_call(folder.path(), Words{"video", "in.mkv", "out.mkv", "--codec", "ffv1"} +
                                          Words{"median", "--radius", "9"});
    {
        RunningProgram program(call);
        while (names_in(folder.path()).size() == 1) {
        }
        program.send(SIGTERM);
        CHECK(program.wait().signal == SIGTERM);
    }
    CHECK(names_in(folder.path()) == std::set<std::string>{"in.mkv"});
    CHECK(read_text(folder / "in.mkv") == before);

    must_work(folder, Words{"in.mkv", "in.mkv", "--preset", "ultrafast"} + identity);
    CHECK(lines_of(frame_times(folder, "in.mkv")).size() == 50);
    CHECK(read_text(folder / "in.mkv") != before);
}

namespace {

/// A video, and "videos" that are lists which name it.
struct PlaylistFolder : TempDir {
    PlaylistFolder() {
        std::filesystem::create_directories(*this / "private");
        std::filesystem::create_directories(*this / "upload");
        ffmpeg(path(), test_picture("96x64", "2") + x264 + Words{"-pix_fmt", "yuv420p", "private/secret.ts"});
        ffmpeg(path(), test_picture("96x64", "2") + x264 +
                           Words{"-pix_fmt", "yuv420p", "-movflags",
                                 "+frag_keyframe+empty_moov+default_base_moof", "private/secret.mp4"});
        const std::string secret = (*this / "private/secret.ts").string();
        for (const char* name : {"hls.m3u8", "hls.mp4"}) {
            write_text(*this / "upload" / name,
                       "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n" + secret + "\n#EXT-X-ENDLIST\n");
        }
        std::filesystem::create_symlink(secret, *this / "upload/link.ts");
        write_text(*this / "upload/concat.mp4", "ffconcat version 1.0\nfile link.ts\n");
        write_text(
            *this / "upload/dash.mp4",
            fmt::format(
                "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\" "
                "mediaPresentationDuration=\"PT2S\" profiles=\"urn:mpeg:dash:profile:isoff-on-demand:2011\">"
                "<Period><AdaptationSet mimeType=\"video/mp4\"><Representation id=\"0\" codecs=\"avc1\" "
                "bandwidth=\"1\" width=\"96\" height=\"64\"><BaseURL>{}</BaseURL>"
                "</Representation></AdaptationSet></Period></MPD>",
                (*this / "private/secret.mp4").string()));
    }
};

} // namespace

TEST_CASE("video: a film that is a playlist has no other file read, unless it is allowed to") {
    const PlaylistFolder folder;
    for (const std::string in :
         {"upload/hls.m3u8", "upload/hls.mp4", "upload/concat.mp4", "upload/dash.mp4"}) {
        INFO(in);
        const ProgramResult result = run_video(folder, Words{in, "out.png", "--frame", "0"} + identity);
        CHECK(result.status == 3);
        // Since version 7.1 libavformat takes HLS by another name for a broken file of that name's format.
        const bool may_look_broken = in == "upload/hls.mp4";
        const std::string playlist = fmt::format("glproc: error: {}: a playlist, which refers to other files\n"
                                                 "  hint: glproc video --allow-playlists reads it\n",
                                                 in);
        const std::string broken = fmt::format("glproc: error: {}: not a video, or a broken one", in);
        CHECK((result.err == playlist || (may_look_broken && result.err.starts_with(broken))));
        CHECK_FALSE(std::filesystem::exists(folder / "out.png"));
    }
    must_work(folder, Words{"private/secret.ts", "expected.png", "--frame", "0"} + identity);
    for (const char* in : {"upload/hls.m3u8", "upload/concat.mp4"}) { // not each libavformat has DASH
        must_work(folder, Words{in, "out.png", "--frame", "0", "--allow-playlists"} + identity);
        CHECK(read_text(folder / "out.png") == read_text(folder / "expected.png"));
    }
}

TEST_CASE("video: frames that are too large or too many are refused") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "1") + x264 + Words{"-pix_fmt", "yuv420p", "in.mp4"});
    const auto refused = [&](const Words& words, const std::string& error) {
        const ProgramResult result = run_video(folder, words + identity);
        CHECK(result.status == 3);
        CHECK(result.err == "glproc: error: in.mp4: " + error);
        CHECK(names_in(folder.path()) == std::set<std::string>{"in.mp4"});
    };
    refused(Words{"in.mp4", "out.mp4", "--max-pixels", "6143"},
            "96x64 pixels are more than the limit of 6143\n  hint: if the file is to be trusted: "
            "--max-pixels 6144\n");
    refused(Words{"in.mp4", "out.mp4", "--max-frames", "10"},
            "more than 10 frames\n  hint: --max-frames allows more\n");
    must_work(folder, Words{"in.mp4", "out.mp4", "--max-pixels", "6144", "--max-frames", "25"} + identity);
}

TEST_CASE("video: a pipe with a name is refused, and can be read as stdin") {
    const TempDir folder;
    ffmpeg(folder.path(), test_picture("96x64", "0.12") + Words{"-c:v", "ffv1", "in.mkv"});
    REQUIRE(::mkfifo((folder / "fifo.mkv").c_str(), 0600) == 0); // which nobody writes to
    for (const Words& words :
         {Words{"fifo.mkv", "out.mkv"}, Words{"in.mkv", "out.mkv", "--append", "fifo.mkv"},
          Words{"in.mkv", "out.mkv", "blend", "--with", "fifo.mkv"}}) {
        const ProgramResult result = run_video(folder, words);
        CHECK(result.status == 3);
        CHECK(result.err.starts_with("glproc: error: fifo.mkv: a pipe, not a file\n"
                                     "  hint: as stdin it can be read: glproc video - OUT < fifo.mkv"));
    }
    const std::string program = GLPROC_PROGRAM;
    tool("/bin/bash", {"-c", program + " video <(cat in.mkv) out.mkv --codec ffv1 -q"},
         folder.path()); // which has no name
    CHECK(raw_frames(folder.path(), "out.mkv", "yuv420p") == raw_frames(folder.path(), "in.mkv", "yuv420p"));
    tool("/bin/bash",
         {"-c", "cat in.mkv > fifo.mkv & " + program + " video - out.mkv --codec ffv1 -q invert < fifo.mkv"},
         folder.path());
}
