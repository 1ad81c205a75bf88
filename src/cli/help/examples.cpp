#include "cli/help/examples.hpp"

namespace glproc::cli {

const std::vector<Example>& all_examples() {
    static const std::vector<Example> all{
        {"blur", "Blur along rows only, as if the camera had moved",
         "glproc blur photo.jpg out.jpg --sigma 8,0 --linear"},
        {"blur", "Blur every image of a folder", "glproc blur photos soft/ --sigma 2"},
        {"box", "Average along columns only, mirroring at the edges",
         "glproc box photo.jpg out.jpg --radius 0,12 --border mirror"},
        {"median", "Take the darkest pixel around each one, to remove bright specks",
         "glproc median photo.jpg out.jpg --radius 1 --percentile 0"},
        {"median", "Remove salt-and-pepper noise", "glproc median photo.jpg out.jpg --radius 1"},
        {"bilateral", "Smooth fine texture and noise, but keep edges stronger than a twentieth of white",
         "glproc bilateral photo.jpg out.jpg --sigma 2 --range 5%"},
        {"morphology", "Keep only the bright details smaller than a disk, such as stars",
         "glproc morphology photo.jpg out.png --do tophat --radius 3 --shape disk"},
        {"morphology", "Make light areas grow; dilate, erode, opening and closing are commands of their own",
         "glproc dilate photo.jpg out.png --radius 2"},
        {"local", "Show where an image is in focus: fine detail has a large standard deviation",
         "glproc local photo.jpg out.png --measure stddev --radius 4"},
        {"local", "Tell textures from smooth areas", "glproc local photo.jpg out.png --measure entropy --radius 5"},
        {"unsharp", "Sharpen edges, but not the noise in a sky",
         "glproc unsharp photo.jpg out.jpg --sigma 1 --amount 1.5 --threshold 2%"},
        {"unsharp", "Shrink a folder and sharpen the results",
         "glproc pipe photos web/ resize --max 40 then unsharp --sigma 0.5"},
        {"sobel", "Write the direction of each edge as floats",
         "glproc sobel photo.jpg angle.tif --output angle --depth f32"},
        {"laplacian", "Find spots of about three pixels, and make them brighter",
         "glproc laplacian photo.jpg out.png --sigma 1.5 --scale 4"},
        {"convolve", "Emboss", "glproc convolve photo.jpg out.jpg --kernel '-2 -1 0; -1 1 1; 0 1 2'"},
        {"noise", "Add grain to a photo", "glproc noise photo.jpg out.jpg --sigma 4% --mono"},
        {"noise", "Make another noisy version of the same image, to test a filter",
         "glproc noise photo.jpg out.png --sigma 20/255 --seed 2"},
        {"vignette", "Brighten the corners that a lens has darkened", "glproc vignette photo.jpg out.jpg --amount -0.4 --start 0.5"},
        {"levels", "Stretch the contrast, clipping half a percent of the pixels at each end",
         "glproc levels photo.jpg out.jpg --auto=0.5"},
        {"levels", "Brighten the midtones", "glproc levels photo.jpg out.jpg --gamma 1.2"},
        {"curve", "Lift the shadows and leave the rest alone",
         "glproc curve photo.jpg out.jpg --points '0,0 0.25,0.35 0.6,0.6 1,1'"},
        {"adjust", "Make colours stronger and a little warmer",
         "glproc adjust photo.jpg out.jpg --saturation 1.3 --hue -4"},
        {"adjust", "Brighten by half a stop", "glproc adjust photo.jpg out.jpg --exposure 0.5"},
        {"matrix", "Sepia",
         "glproc matrix photo.jpg out.jpg --matrix 0.393,0.769,0.189,0.349,0.686,0.168,0.272,0.534,0.131"},
        {"gray", "Convert a folder to grey PNG files", "glproc gray photos grey/ --to png"},
        {"invert", "Turn a scanned negative into a positive and stretch its contrast",
         "glproc pipe photo.jpg out.jpg invert then levels --auto"},
        {"threshold", "Make text on unevenly lit paper black and white",
         "glproc threshold photo.jpg out.png --local sauvola --radius 12"},
        {"threshold", "Let Otsu's rule choose the threshold",
         "glproc threshold photo.jpg out.png --rule otsu"},
        {"lut", "Give every image of a folder the same look", "glproc lut photos graded/ --cube look.cube"},
        {"convert", "Write a JPEG of at most 200 kB, without camera and location",
         "glproc convert photo.jpg out.jpg --max-size 200K --strip"},
        {"convert", "Put a transparent icon on white", "glproc convert icon.png out.jpg --flatten white"},
        {"convert", "Convert a folder to PNG", "glproc convert photos png/ --to png"},
        {"equalize", "Equalise each colour channel by itself",
         "glproc equalize photo.jpg out.jpg --per-channel"},
        {"components", "Count and measure the bright objects of an image, without specks and those that the edge cuts",
         "glproc components photo.jpg --threshold otsu --min-area 4 --clear-border"},
        {"components", "Write a table with the shape of the five largest objects",
         "glproc components photo.jpg --threshold 60% --largest 5 --measure area,centroid,axes --format csv"},
        {"resize", "Make square thumbnails of a folder, keeping the top of each image",
         "glproc resize photos thumbs/ 30x30 --fill --gravity north"},
        {"resize", "Shrink images whose longer side is over 40 pixels",
         "glproc resize photo.jpg out.jpg --max 40"},
        {"crop", "Cut a square from the middle", "glproc crop photo.jpg out.jpg --aspect 1:1"},
        {"crop", "Cut out 20 x 10 pixels that begin at column 5, row 3",
         "glproc crop photo.jpg out.jpg 20x10+5+3"},
        {"pad", "Place an image in the middle of a white square",
         "glproc pad photo.jpg out.jpg --size 80x80 --border white"},
        {"flip", "Mirror a folder, and name the results after their inputs",
         "glproc flip photos mirrored/ horizontal --name '{stem}-mirrored.{ext}'"},
        {"rotate", "Straighten a horizon, keeping the size",
         "glproc rotate photo.jpg out.jpg -1.5 --keep-size"},
        {"compare", "Fail if two images differ visibly, and show where in red",
         "glproc compare photo.jpg photo.jpg --min-ssim 0.98 --map map.png --map-style red"},
        {"compare", "Compare two folders, one row per pair", "glproc compare photos others --format csv"},
        {"stats", "Print the first and the last percentile of a folder as CSV",
         "glproc stats photos --percentiles 1,99 --format csv"},
        {"histogram", "Draw red, green and blue as SVG",
         "glproc histogram photo.jpg --channels rgb --plot plot.svg"},
        {"histogram", "Write the counts as CSV", "glproc histogram photo.jpg --format csv"},
        {"integral", "Make the table that OpenCV's integral() makes",
         "glproc integral photo.jpg sums.npy --padded"},
        {"scan", "Sum raw 32-bit integers, each sum without its own value",
         "glproc scan counts.raw offsets.npy --dtype u32 --exclusive"},
        {"pipe", "Prepare a folder for the web in one go",
         "glproc pipe photos web/ resize --max 40 then unsharp --sigma 0.7 --quality 85"},
        {"pipe", "Keep the steps in a file", "glproc pipe photo.jpg out.jpg --recipe look.txt"},
        {"video", "Save the frame at 12.5 seconds", "glproc video clip.mp4 frame.png --frame 12.5s"},
        {"video", "Sharpen a video and write it as H.265",
         "glproc video clip.mp4 out.mp4 unsharp --sigma 1 --codec h265"},
        {"view", "Try out a chain of operations", "glproc view photo.jpg blur --sigma 2 then unsharp"},
        {"bench", "Time one method of one operation on a large image",
         "glproc bench blur --sigma 2 --size 4096x4096 --method tiled"},
        {"info", "Describe every image of a folder as JSON", "glproc info photos --json"},
        {"info", "Describe the GPU and its limits", "glproc info"},
        {"selftest", "Check two operations only", "glproc selftest blur median --quick"},
        {"help", "Find out how something is done", "glproc help watermark"},
        {"help", "Explain the flags that all commands share", "glproc help flags"},
    };
    return all;
}

std::vector<ShownExample> examples_of(const Command& command) {
    std::vector<ShownExample> shown;
    for (const Example& example : all_examples()) {
        if (example.command == command.name) {
            shown.push_back({std::string(example.what), std::string(example.call)});
        }
    }
    if (shown.empty()) {
        shown.push_back({"Typical call", command.example_call()});
    }
    return shown;
}

} // namespace glproc::cli
