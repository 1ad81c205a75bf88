// Calls as people write them for vips, OpenCV and ffmpeg: each is answered with one that runs.
#include "cli/hint_folder.hpp"

using namespace glproc;
using namespace glproc::test;

TEST_CASE("hints: words of vips and OpenCV, in any spelling") {
    const HintFolder folder;
    const std::vector<Case> cases{
        {{"gaussblur", "in.png", "s.png", "1.5"}, "glproc blur in.png s.png --sigma 1.5"},
        {{"GaussianBlur", "in.png", "s.png", "5"}, "glproc blur in.png s.png --sigma 1.1 --radius 2"},
        {{"gaussian_blur", "in.png", "s.png"}, "glproc blur in.png s.png --sigma 2"},
        {{"Canny", "in.png", "s.png", "100", "200"}, "glproc canny in.png s.png --low 100 --high 200"},
        {{"CLAHE", "in.png", "s.png"}, "glproc clahe in.png s.png"},
        {{"distanceTransform", "in.png", "s.tif"}, "glproc distance in.png out.tif --threshold 50%"},
        {{"absdiff", "in.png", "other.png", "s.png"},
         "glproc blend in.png s.png --with other.png --mode difference"},
        {{"addWeighted", "in.png", "s.png"},
         "glproc blend in.png s.png --with other.png --mode sum:0.5,0.5,0"},
        {{"dilate", "in.png", "s.png", "3"}, "glproc dilate in.png s.png --radius 3"},
        {{"threshold", "a.png", "s.png", "127", "255"}, "glproc threshold a.png s.png --at 127/255"},
        {{"resize", "in.png", "s.png", "0.5"}, "glproc resize in.png s.png 50%"},
        {{"resize", "in.png", "s.png", "320", "240"}, "glproc resize in.png s.png 320x240"},
        {{"resize", "in.png", "s.png", "320:240"}, "glproc resize in.png s.png 320x240"},
        {{"crop", "in.png", "s.png", "10", "20", "50", "40"}, "glproc crop in.png s.png 50x40+10+20"},
        {{"crop", "in.png", "s.png", "50", "40"}, "glproc crop in.png s.png 50x40"},
        {{"blend", "in.png", "other.png", "s.png", "0.5"}, "glproc blend --help"},
        {{"median", "a.png", "s.png", "-r", "2"}, "glproc median a.png s.png --radius 2"},
        {{"convert", "in.png", "s.png", "-q", "80"}, "glproc convert in.png s.png --png-level 8"},
        {{"convert", "in.png", "s.jpg", "-q", "80"}, "glproc convert in.png s.jpg --quality 80"},
        {{"draw", "in.png", "s.png", "--width", "2%"},
         "glproc draw in.png s.png --line 10,10,200,100 --stroke 2%"},
        {{"inpaint", "in.png", "s.png"}, "glproc help median"},
        {{"swirl", "in.png", "s.png", "90"}, "glproc help warp"},
        {{"solarize", "in.png", "s.png"}, "glproc help curve"},
        {{"transpose", "in.png", "s.png"}, "glproc pipe in.png s.png rotate --angle 90 then flip --axis x"},
        {{"blur", "in.png", "s.png", "-swirl", "90"}, "glproc help warp"}};
    for (const auto& [words, hint] : cases) {
        CHECK(hint_of(folder.path(), words) == hint);
        check_runs(folder.path(), hint);
    }
    CHECK(run_without_gpu(folder.path(), {"Inpaint", "in.png", "s.png"}).err ==
          "glproc: error: unknown command 'Inpaint'\n  hint: Inpaint has no equal in glproc; see: glproc "
          "help median\n");
}

TEST_CASE("hints: values of vips and OpenCV stay the user's, and the program's name is left out") {
    const HintFolder folder;
    const std::vector<Case> cases{
        {{"magick", "identify", "in.png"}, "glproc identify in.png"},
        {{"magick", "convert", "in.png", "-blur", "0x2", "s.png"}, "glproc blur in.png s.png --sigma 2"},
        {{"ffmpeg", "-i", "in.png", "-vf", "hflip", "s.png"}, "glproc flip in.png s.png --axis x"},
        {{"vips", "gaussblur", "in.png", "s.png", "2"}, "glproc blur in.png s.png --sigma 2"},
        {{"vips", "resize", "in.png", "s.png", "0.5"}, "glproc resize in.png s.png 50%"},
        {{"vips", "crop", "in.png", "s.png", "10", "20", "50", "40"}, "glproc crop in.png s.png 50x40+10+20"},
        {{"vips", "thumbnail", "in.png", "s.png", "60"}, "glproc thumbnail in.png s.png 60"},
        {{"extract_area", "in.png", "s.png", "10", "20", "50", "40"}, "glproc crop in.png s.png 50x40+10+20"},
        {{"embed", "in.png", "s.png", "10", "10", "400", "300"},
         "glproc pad in.png s.png --margin 10,10,70,50"},
        {{"gravity", "in.png", "s.png", "centre", "400", "300"},
         "glproc pad in.png s.png --size 400x300 --gravity centre"},
        {{"rank", "in.png", "s.png", "3", "3", "8"},
         "glproc median in.png s.png --radius 1 --percentile 100"},
        {{"rank", "in.png", "s.png", "5", "3", "7"},
         "glproc median in.png s.png --radius 2,1 --percentile 50"},
        {{"join", "in.png", "other.png", "s.png", "vertical"},
         "glproc append in.png other.png s.png --direction down"},
        {{"join", "in.png", "other.png", "s.png", "horizontal"}, "glproc append in.png other.png s.png"},
        {{"affine", "in.png", "s.png", "1 0.2 0 1"},
         "glproc warp in.png s.png --affine 1,-0.2,0,0,1,0 --size 368x240"},
        {{"flatten", "in.png", "s.png", "--background", "255 0 0"},
         "glproc convert in.png s.png --background '#ff0000'"},
        {{"arrayjoin", "in.png other.png", "s.png"}, "glproc montage in.png other.png s.png"},
        {{"bandjoin", "a.png b.png c.png", "s.png"}, "glproc merge a.png b.png c.png s.png"},
        {{"cv2.Canny", "in.png", "s.png", "100", "200"}, "glproc canny in.png s.png --low 100 --high 200"},
        {{"cv2.blur", "in.png", "s.png", "5"}, "glproc box in.png s.png --radius 2"},
        {{"cv2.GaussianBlur", "in.png", "s.png", "5", "5", "0"},
         "glproc blur in.png s.png --sigma 1.1 --radius 2"},
        {{"cv2.medianBlur", "in.png", "s.png", "5"}, "glproc median in.png s.png --radius 2 --percentile 50"},
        {{"cv2.flip", "in.png", "s.png", "1"}, "glproc flip in.png s.png horizontal"},
        {{"cv2.threshold", "in.png", "s.png", "127", "255"}, "glproc threshold in.png s.png --at 127/255"},
        {{"threshold", "in.png", "s.png", "127", "255", "THRESH_BINARY"},
         "glproc threshold in.png s.png --at 127/255"},
        {{"threshold", "in.png", "s.png", "127", "255", "cv2.THRESH_BINARY_INV"},
         "glproc pipe in.png s.png threshold --at 127/255 then invert"},
        {{"resize", "in.png", "s.png", "--fx", "0.5", "--fy", "0.25"}, "glproc resize in.png s.png 50%x25%"},
        {{"convert", "in.png", "s.png", "--resize", "50%"}, "glproc resize in.png s.png 50%"}};
    for (const auto& [words, hint] : cases) {
        CHECK(hint_of(folder.path(), words) == hint);
        check_runs(folder.path(), hint);
    }
}

TEST_CASE("hints: ffmpeg's flags, and calls without a command") {
    const HintFolder folder;
    const std::vector<Case> cases{
        {{"-i", "in.png", "s.png"}, "glproc convert in.png s.png"},
        {{"-y", "-i", "in.png", "-vf", "scale=160:-1", "s.png"}, "glproc resize in.png s.png 160x"},
        {{"-i", "in.png", "-vf", "scale=160:120,hflip,gblur=sigma=2", "s.png"},
         "glproc pipe in.png s.png resize 160x120 then flip --axis x then blur --sigma 2"},
        {{"in.png", "-vf", "crop=50:40:10:20", "s.png"}, "glproc crop in.png s.png 50x40+10+20"},
        {{"in.png", "-vf", "crop=50:40", "s.png"}, "glproc crop in.png s.png 50x40"},
        {{"in.png", "-vf", "transpose=2", "s.png"}, "glproc rotate in.png s.png --angle 270"},
        {{"in.png", "-vf", "eq=brightness=-0.1", "s.png"}, "glproc adjust in.png s.png --brightness=-0.1"},
        {{"-i", "in.png", "-y", "in.png"}, "glproc convert in.png in-2.png"},
        {{"-i", "in.png", "-vf", "format=gray", "s.png"}, "glproc gray in.png s.png --luma rec601"},
        {{"-i", "in.png", "-vf", "hue=s=0", "s.png"}, "glproc gray in.png s.png --luma rec601"},
        {{"in.png", "-s", "160x120", "s.png"}, "glproc resize in.png s.png 160x120"},
        {{"in.png", "--resize=50%", "s.png"}, "glproc resize in.png s.png 50%"},
        {{"in.png", "s.png"}, "glproc convert in.png s.png"},
        {{"in.png"}, "glproc info in.png"},
        {{"gray", "-i", "in.png", "-o", "s.png"}, "glproc gray in.png s.png"},
        {{"gray", "-o", "s.png", "in.png"}, "glproc gray in.png s.png"},
        {{"convert", "in.png", "--output", "s.png"}, "glproc convert in.png s.png"}};
    for (const auto& [words, hint] : cases) {
        CHECK(hint_of(folder.path(), words) == hint);
        check_runs(folder.path(), hint);
    }
    CHECK(hint_of(folder.path(), {"-i", "film.mp4", "-vf", "scale=320:-2", "s.mp4"}) ==
          "glproc video film.mp4 s.mp4 resize 320x");
    CHECK(hint_of(folder.path(), {"-i", "f_%03d.png", "s.gif"}) == "glproc video f_%03d.png s.gif");
    CHECK(hint_of(folder.path(), {"mogrify", "-resize", "50%", "a.png", "b.png"}) ==
          "glproc resize a.png b.png out/ 50%");
    CHECK(hint_of(folder.path(), {"mogrify", "-path", "small", "-format", "jpg", "a.png"}) ==
          "glproc convert a.png small/ --to jpg");
    CHECK(hint_of(folder.path(), {"convert", "a.png", "b.png", "-resize", "50%", "s.jpg"}) ==
          "glproc resize a.png b.png s/ 50% --to jpg");
    CHECK(hint_of(folder.path(), {"convert", "a.png", "b.png", "-metric", "PSNR", "-compare", "s.png"}) ==
          "glproc compare a.png b.png --map-style red --map s.png");
    check_runs(folder.path(), "glproc resize a.png b.png s/ 50% --to jpg");
}
