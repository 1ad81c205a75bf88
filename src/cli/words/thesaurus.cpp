#include "cli/words/thesaurus.hpp"

#include <algorithm>

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
        {"modulate", "adjust IN OUT --brightness 0.1 --saturation 1.2"},
        {"gamma", "levels IN OUT --gamma 1.2"},
        {"level", "levels IN OUT --black 0.1 --white 0.9"},
        {"normalize", "levels IN OUT --auto"},
        {"normalise", "levels IN OUT --auto"},
        {"autocontrast", "levels IN OUT --auto"},
        {"auto-level", "levels IN OUT --auto=0"},
        {"contrast-stretch", "levels IN OUT --auto=1"},
        {"extent", "pad IN OUT --size 800x600"},
        {"border", "pad IN OUT --margin 10"},
        {"frame", "pad IN OUT --margin 10"},
        {"cut", "crop IN OUT --size 640x480"},
        {"edge", "sobel IN OUT"},
        {"edges", "sobel IN OUT"},
        {"scharr", "sobel IN OUT --operator scharr"},
        {"prewitt", "sobel IN OUT --operator prewitt"},
        {"sepia", "matrix IN OUT --matrix 0.393,0.769,0.189,0.349,0.686,0.168,0.272,0.534,0.131"},
        {"emboss", "convolve IN OUT --kernel '-2 -1 0; -1 1 1; 0 1 2'"},
        {"strip", "convert IN OUT --strip"},
        {"flatten", "convert IN OUT --flatten white"},
        {"quality", "convert in.jpg out.jpg --quality 80"},
        {"compress", "convert in.jpg out.jpg --quality 80"},
        {"quantize", "convert IN out.png --colors 64"},
        {"quantise", "convert IN out.png --colors 64"},
        {"palette", "convert IN out.png --colors 64"},
        {"despeckle", "median IN OUT --radius 1"},
        {"monochrome", "threshold IN OUT --method otsu"},
        {"otsu", "threshold IN OUT --method otsu"},
        {"posterize", "curve IN OUT --points 0,0,0.5,0.5,1,1"},
        {"psnr", "compare IN OUT"},
        {"ssim", "compare IN OUT"},
        {"shrink", "resize IN OUT 50%"},
        {"reduce", "resize IN OUT 50%"},
        {"enlarge", "resize IN OUT 200%"},
        {"turn", "rotate IN OUT --angle 90"},
        {"label", "components IN --threshold otsu"},
        {"count", "components IN --threshold otsu"},
        {"find-maxima", "maxima IN --prominence 10%"},
        {"segment", "watershed IN OUT --prominence 0.1"},
        {"edt", "distance IN OUT --threshold 50%"},
        {"distance-transform", "distance IN OUT --threshold 50%"},
        {"average", "stack a.png b.png OUT"},
        {"join", "append a.png b.png OUT"},
        {"concat", "append a.png b.png OUT"},
        {"hstack", "append a.png b.png OUT"},
        {"vstack", "append a.png b.png OUT --direction down"},
        {"autocrop", "trim IN OUT --tolerance 5%"},
        {"find-trim", "trim IN OUT --tolerance 5%"},
        {"contact-sheet", "montage a.jpg b.jpg OUT"},
        {"collage", "montage a.jpg b.jpg OUT"},
        {"combine", "merge r.png g.png b.png OUT"},
        {"bandjoin", "merge r.png g.png b.png OUT"},
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
        {"cvtcolor", "color IN OUT lab"},
        {"rgb2lab", "color IN OUT lab"},
        {"extract-channel", "channels IN OUT --extract r"},
        {"swap-channels", "channels IN OUT --order bgr"},
        {"bgr", "channels IN OUT --order bgr"},
        {"overlay", "blend IN OUT --with logo.png"},
        {"watermark", "blend IN OUT --with logo.png --gravity southeast"},
        {"text", "draw IN OUT --text '{name}' --gravity southeast"},
        {"caption", "draw IN OUT --text '{name}' --gravity south"},
        {"line", "draw IN OUT --line 10,10,200,100"},
        {"rectangle", "draw IN OUT --rect 10,10,200,100"},
        {"circle", "draw IN OUT --circle 100,100,50"},
        {"arrow", "draw IN OUT --arrow 10,10,200,100"},
        {"scalebar", "draw IN OUT --scale-bar 10,um"},
        {"icc", "profile IN OUT --to srgb"},
        {"srgb", "convert IN OUT --to-srgb"},
        {"multiply", "blend IN OUT --with other.png --mode multiply"},
        {"subtract", "blend IN OUT --with other.png --mode subtract"},
        {"difference", "blend IN OUT --with other.png --mode difference"},
        {"addweighted", "blend IN OUT --with other.png --mode sum:0.5,0.5,0"},
        {"subtract-background", "background IN OUT --radius 50"},
        {"histogram-matching", "match IN OUT --with other.png"},
        {"grain", "noise IN OUT --sigma 5%"},
        {"cumsum", "scan in.npy out.npy"},
        {"mogrify", "convert *.jpg out/ --quality 80"},
        {"magick", "convert IN OUT"},
        {"benchmark", "bench blur --sigma 2"},
        {"devices", "info"},
        {"chain", "pipe IN OUT blur --sigma 2 then resize 50%"},
    };
    return all;
}

const std::vector<ForeignWord>& foreign_flags() {
    static const std::vector<ForeignWord> all{
        {"metric", "compare IN OUT"},
        {"psnr", "compare IN OUT"},
        {"ssim", "compare IN OUT"},
        {"width", "resize IN OUT 800x"},
        {"height", "resize IN OUT x600"},
        {"percent", "resize IN OUT 50%"},
        {"dimensions", "resize IN OUT 800x600"},
        {"geometry", "resize IN OUT 800x600"},
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
        text += fmt::format("--{}\t{}\n", word.word, call_with(word.call, {}));
    }
    return text;
}

std::string call_with(std::string_view call, const std::vector<std::string>& files) {
    std::string text = "glproc";
    while (!call.empty()) {
        const std::string_view word = call.substr(0, call.find(' '));
        call.remove_prefix(std::min(word.size() + 1, call.size()));
        const bool is_in = word == "IN" && !files.empty();
        const bool is_out = word == "OUT" && files.size() > 1;
        text += fmt::format(" {}", is_in           ? files.front()
                                   : is_out        ? files.back()
                                   : word == "IN"  ? "in.png"
                                   : word == "OUT" ? "out.png"
                                                   : word);
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
