#include "cli/words/thesaurus.hpp"

#include "cli/arguments.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace glproc::cli {

const std::vector<FlagSynonym>& flag_synonyms() {
    static const std::vector<FlagSynonym> all{
        {"threads", "jobs"},
        {"workers", "jobs"},
        {"interpolation", "filter"},
        {"kernel", "filter"},
        {"bits", "depth"},
        {"bit-depth", "depth"},
        {"grayscale", "gray"},
        {"greyscale", "gray"},
        {"format", "to"},
        {"recurse", "recursive"},
        {"silent", "quiet"},
        {"degrees", "angle"},
        {"std", "sigma"},
        {"stddev", "sigma"},
        {"strip-metadata", "strip"},
        {"no-metadata", "strip"},
        {"nbins", "bins"},
        {"sampling-factor", "subsampling"},
        {"interlace", "progressive"},
        {"no-overwrite", "no-clobber"},
        {"overwrite", "force"},
        {"yes", "force"},
        {"stop-on-error", "fail-fast"},
        {"verbosity", "verbose"},
    };
    return all;
}

const std::vector<ForeignWord>& foreign_commands() {
    static const std::vector<ForeignWord> all{
        {"brightness", "adjust IN OUT --brightness 0.1"},
        {"brighten", "adjust IN OUT --brightness 0.1"},
        {"darken", "adjust IN OUT --brightness -0.1"},
        {"contrast", "adjust IN OUT --contrast 0.2"},
        {"saturation", "adjust IN OUT --saturation 1.3"},
        {"saturate", "adjust IN OUT --saturation 1.3"},
        {"desaturate", "adjust IN OUT --saturation 0"},
        {"hue", "adjust IN OUT --hue 30"},
        {"exposure", "adjust IN OUT --exposure 0.5"},
        {"modulate", "adjust IN OUT --modulate 120,130"},
        {"gamma", "levels IN OUT --gamma 1.2"},
        {"level", "levels IN OUT --black 0.1 --white 0.9"},
        {"normalize", "levels IN OUT --auto"},
        {"normalise", "levels IN OUT --auto"},
        {"autocontrast", "levels IN OUT --auto"},
        {"auto-level", "levels IN OUT --auto=0"},
        {"contrast-stretch", "levels IN OUT --auto=1"},
        {"extent", "pad IN OUT --size {800x600}"},
        {"border", "pad IN OUT --margin 10"},
        {"frame", "pad IN OUT --margin 10"},
        {"cut", "crop IN OUT --size 50%x50%"},
        {"edge", "sobel IN OUT"},
        {"edges", "sobel IN OUT"},
        {"scharr", "sobel IN OUT --operator scharr"},
        {"prewitt", "sobel IN OUT --operator prewitt"},
        {"sepia", "matrix IN OUT --matrix 0.393,0.769,0.189,0.349,0.686,0.168,0.272,0.534,0.131"},
        {"emboss", "convolve IN OUT --kernel '-2 -1 0; -1 1 1; 0 1 2'"},
        {"strip", "convert IN OUT --strip"},
        {"flatten", "convert IN OUT --background white"},
        {"quality", "convert IN out.jpg --quality {80}"},
        {"compress", "convert IN out.jpg --quality {80}"},
        {"quantize", "convert IN out.png --colors {64}"},
        {"quantise", "convert IN out.png --colors {64}"},
        {"palette", "convert IN out.png --colors {64}"},
        {"despeckle", "median IN OUT --radius 1"},
        {"monochrome", "threshold IN OUT --rule otsu"},
        {"otsu", "threshold IN OUT --rule otsu"},
        {"posterize",
         "curve IN OUT --points "
         "0,0,42/255,0/255,43/255,85/255,127/255,85/255,128/255,170/255,212/255,170/255,213/255,255/255"},
        {"psnr", "compare IN OTHER"},
        {"ssim", "compare IN OTHER"},
        {"shrink", "resize IN OUT 50%"},
        {"reduce", "resize IN OUT 50%"},
        {"enlarge", "resize IN OUT 200%"},
        {"turn", "rotate IN OUT --angle 90"},
        {"label", "components IN --threshold otsu"},
        {"count", "components IN --threshold otsu"},
        {"find-maxima", "maxima IN --prominence 10%"},
        {"segment", "watershed IN OUT --prominence 10%"},
        {"edt", "distance IN out.tif --threshold 50%"},
        {"distance-transform", "distance IN out.tif --threshold 50%"},
        {"average", "stack INS OUT"},
        {"join", "append INS OUT"},
        {"concat", "append INS OUT"},
        {"hstack", "append INS OUT"},
        {"vstack", "append INS OUT --direction down"},
        {"autocrop", "trim IN OUT --tolerance 5%"},
        {"find-trim", "trim IN OUT --tolerance 5%"},
        {"contact-sheet", "montage INS OUT"},
        {"collage", "montage INS OUT"},
        {"combine", "merge INS OUT"},
        {"bandjoin", "merge INS OUT"},
        {"separate", "split IN out_{channel}.png"},
        {"perspective", "warp IN OUT --points 60,20,290,50,260,200,30,180"},
        {"affine", "warp IN OUT --affine 1,0.2,0,0,1,0"},
        {"shear", "warp IN OUT --affine 1,0.2,0,0,1,0"},
        {"undistort", "warp IN OUT --lens=-0.1,0,0,0,0"},
        {"remap", "warp IN OUT --map map.npy"},
        {"polar", "warp IN OUT --polar"},
        {"inrange", "threshold IN OUT --range 20%,60%"},
        {"white-balance", "balance IN OUT gray-world"},
        {"temperature", "balance IN OUT temperature:3000"},
        {"cvtcolor", "gray IN OUT"},
        {"rgb2lab", "color IN OUT lab"},
        {"extract-channel", "channels IN OUT --extract r"},
        {"swap-channels", "channels IN OUT --order bgr"},
        {"bgr", "channels IN OUT --order bgr"},
        {"overlay", "blend IN OUT --with OTHER"},
        {"watermark", "blend IN OUT --with logo.png --gravity southeast"},
        {"text", "draw IN OUT --text '{name}' --gravity southeast"},
        {"caption", "draw IN OUT --text '{name}' --gravity south"},
        {"line", "draw IN OUT --line 10,10,200,100"},
        {"rectangle", "draw IN OUT --rect 10,10,200,100"},
        {"circle", "draw IN OUT --circle 100,100,50"},
        {"arrow", "draw IN OUT --arrow 10,10,200,100"},
        {"scalebar", "draw IN OUT --scale-bar 10,um --pixel-size 0.5,um"},
        {"icc", "profile IN OUT --to srgb"},
        {"srgb", "convert IN OUT --to-srgb"},
        {"multiply", "blend IN OUT --with OTHER --mode multiply"},
        {"subtract", "blend IN OUT --with OTHER --mode subtract"},
        {"difference", "blend IN OUT --with OTHER --mode difference"},
        {"addweighted", "blend IN OUT --with OTHER --mode sum:0.5,0.5,0"},
        {"subtract-background", "background IN OUT --radius 50"},
        {"histogram-matching", "match IN OUT --with OTHER"},
        {"grain", "noise IN OUT --sigma 5%"},
        {"cumsum", "scan in.npy out.npy"},
        {"mogrify", "convert *.jpg out/ --quality 80"},
        {"magick", "convert IN OUT"},
        {"benchmark", "bench blur --sigma 2"},
        {"devices", "info"},
        {"chain", "pipe IN OUT blur --sigma 2 then resize 50%"},
        {"gaussblur", "blur IN OUT --sigma {2}"},
        {"gaussianblur", "blur IN OUT --sigma 2"},
        {"medianblur", "median IN OUT --radius 2"},
        {"rank", "median IN OUT --radius 1 --percentile 100"},
        {"bilateralfilter", "bilateral IN OUT --sigma 3"},
        {"boxfilter", "box IN OUT --radius 2"},
        {"filter2d", "convolve IN OUT --kernel '0 -1 0; -1 5 -1; 0 -1 0'"},
        {"adaptivethreshold", "threshold IN OUT --local mean --radius 5 --k 2/255"},
        {"blackwhite", "threshold IN OUT --rule otsu"},
        {"bw", "threshold IN OUT --rule otsu"},
        {"equalizehist", "equalize IN OUT"},
        {"histequal", "equalize IN OUT"},
        {"createclahe", "clahe IN OUT"},
        {"histlocal", "clahe IN OUT"},
        {"calchist", "histogram IN"},
        {"findcontours", "components IN --threshold otsu"},
        {"fastnlmeansdenoising", "denoise IN OUT --strength 0.05"},
        {"nlmeans", "denoise IN OUT --strength 0.05"},
        {"bitwisenot", "invert IN OUT"},
        {"bitwiseand", "blend IN OUT --with OTHER --mode and"},
        {"bitwiseor", "blend IN OUT --with OTHER --mode or"},
        {"bitwisexor", "blend IN OUT --with OTHER --mode exclusive-or"},
        {"absdiff", "blend IN OUT --with OTHER --mode difference"},
        {"copymakeborder", "pad IN OUT --margin 10"},
        {"embed", "pad IN OUT --margin 10"},
        {"pyrdown", "resize IN OUT 50%"},
        {"downscale", "resize IN OUT 50%"},
        {"pyrup", "resize IN OUT 200%"},
        {"upscale", "resize IN OUT 200%"},
        {"zoom", "resize IN OUT 200% --filter nearest"},
        {"vipsthumbnail", "thumbnail IN OUT {256x256}"},
        {"extractarea", "crop IN OUT --size 50%x50%"},
        {"smartcrop", "crop IN OUT --aspect 1:1"},
        {"rot", "rotate IN OUT 90"},
        {"rot90", "rotate IN OUT 90"},
        {"rotate90", "rotate IN OUT 90"},
        {"rot180", "rotate IN OUT 180"},
        {"rot270", "rotate IN OUT 270"},
        {"hflip", "flip IN OUT horizontal"},
        {"fliplr", "flip IN OUT horizontal"},
        {"vflip", "flip IN OUT vertical"},
        {"flipud", "flip IN OUT vertical"},
        {"warpaffine", "warp IN OUT --affine 1,0.2,0,0,1,0"},
        {"warpperspective", "warp IN OUT --points 60,20,290,50,260,200,30,180"},
        {"compass", "sobel IN OUT"},
        {"autorot", "convert IN OUT"},
        {"copy", "convert IN OUT"},
        {"togray", "gray IN OUT"},
        {"arrayjoin", "montage INS OUT"},
        {"header", "info IN"},
        {"avg", "stats IN"},
        {"deviate", "stats IN"},
        {"max", "stats IN"},
        {"min", "stats IN"},
        {"houghlines", "help canny"},
        {"matchtemplate", "help compare"},
        {"applycolormap", "help lut"},
        {"inpaint", "help median"},
        {"grabcut", "help watershed"},
        {"superres", "help resize"},
        {"ocr", "help threshold"},
    };
    return all;
}

const std::vector<ForeignWord>& foreign_flags() {
    static const std::vector<ForeignWord> all{
        {"montage geometry", "montage INS OUT --cell {200x200} --gap 10"},
        {"thumbnail fit", "thumbnail IN OUT {256x256}"},
        {"maxima height", "maxima IN --threshold {10%}"},
        {"draw width", "draw IN OUT --line 10,10,200,100 --stroke {2}"},
        {"info format", "info IN --json"},
        {"unsharp radius", "unsharp IN OUT --sigma 2"},
        {"metric", "compare IN OTHER"},
        {"psnr", "compare IN OTHER"},
        {"ssim", "compare IN OTHER"},
        {"width", "resize IN OUT {800}x"},
        {"height", "resize IN OUT x{600}"},
        {"percent", "resize IN OUT 50%"},
        {"dimensions", "resize IN OUT {800x600}"},
        {"geometry", "resize IN OUT {800x600}"},
        {"rotation", "rotate IN OUT --angle 90"},
        {"brighten", "adjust IN OUT --brightness 0.1"},
        {"sharpness", "unsharp IN OUT --amount 0.8"},
    };
    return all;
}

std::string known_words() {
    std::string text;
    for (const FlagSynonym& synonym : flag_synonyms()) {
        text += fmt::format("--{}\t--{}\n", synonym.said, synonym.meant);
    }
    for (const ForeignWord& word : foreign_commands()) {
        text += fmt::format("{}\t{}\n", word.word, call_with(word.call, {}));
    }
    for (const ForeignWord& word : foreign_flags()) {
        const std::size_t name = word.word.find(' ') + 1; // "montage geometry"
        text += fmt::format("{}--{}\t{}\n", word.word.substr(0, name), word.word.substr(name),
                            call_with(word.call, {}));
    }
    return text;
}

namespace {

/// What stands for a place of a call, with the files of the user's own call. OTHER is the second file, but
/// never the one that is written.
std::string files_for(std::string_view place, const std::vector<std::string>& files, bool has_output) {
    const auto file = [&](std::size_t i, const char* otherwise) {
        return i < files.size() ? shell_word(files[i]) : otherwise;
    };
    const bool has_folder = has_output && files.size() > 2 && names_folder(files.back());
    if (place == "IN" && !has_folder) {
        return file(0, "in.png");
    }
    if (place == "OTHER") {
        return has_output && files.size() == 2 ? "other.png" : file(1, "other.png");
    }
    if (place == "OUT") {
        return files.size() > 1 ? shell_word(files.back()) : "out.png";
    }
    std::string inputs = file(0, "a.png b.png");
    for (std::size_t i = 1; i + 1 < files.size(); ++i) {
        inputs += " " + shell_word(files[i]);
    }
    return inputs;
}

} // namespace

namespace {

/// "800x" of "{640}x" and 800; of a value that is no size, "640x".
std::string word_with(std::string_view word, std::string_view value) {
    const std::size_t open = word.find('{');
    const std::size_t close = word.find('}');
    const bool has_size =
        close != std::string_view::npos && std::isdigit(static_cast<unsigned char>(word[open + 1])) != 0;
    if (!has_size) { // "out_{channel}.png"
        return std::string(word);
    }
    const bool is_number = word.find('x') == std::string_view::npos; // and no size
    std::size_t end =
        std::min(value.find_first_not_of(is_number ? "0123456789." : "0123456789x"), value.size());
    const bool is_percent = word.ends_with('}') && end > 0 && value.substr(end) == "%";
    end += is_percent ? 1 : 0;
    const bool is_size =
        end > 0 && value.substr(0, end) != "x" &&
        (end == value.size() || std::string_view("+!^<>").find(value[end]) != std::string_view::npos);
    return fmt::format("{}{}{}", word.substr(0, open),
                       is_size ? value.substr(0, end) : word.substr(open + 1, close - open - 1),
                       word.substr(close + 1));
}

} // namespace

std::string call_with(std::string_view call, const std::vector<std::string>& files, std::string_view value) {
    std::string text = "glproc";
    const bool has_output = call.find(" OUT") != std::string_view::npos;
    while (!call.empty()) {
        const std::string_view word = call.substr(0, call.find(' '));
        call.remove_prefix(std::min(word.size() + 1, call.size()));
        const bool is_place = word == "IN" || word == "INS" || word == "OTHER" || word == "OUT";
        text += fmt::format(" {}", is_place ? files_for(word, files, has_output) : word_with(word, value));
    }
    return text;
}

const Flag* find_any_flag(const std::vector<Flag>& flags, std::string_view word) {
    if (const Flag* flag = find_flag(flags, word)) {
        return flag;
    }
    const std::size_t end = std::min(word.find('='), word.size());
    for (const FlagSynonym& synonym : flag_synonyms()) {
        if (word.starts_with("--") && word.substr(2, end - 2) == synonym.said) {
            return find_flag(flags, fmt::format("--{}", synonym.meant));
        }
    }
    return nullptr;
}

} // namespace glproc::cli
