// Colour management, through Little CMS 2: https://www.littlecms.com
#include "glproc/files/modules/colour.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include <lcms2.h>

namespace {

using glproc::modules::ColourConversion;
using glproc::modules::ColourIntent;
using glproc::modules::ConversionRequest;
using glproc::modules::InkConversion;
using glproc::modules::ProfileFault;
using glproc::modules::StandardColours;
using glproc::modules::StandardProfile;
using Bytes = std::vector<std::byte>;

struct Free {
    void operator()(cmsContext context) const { cmsDeleteContext(context); }
};
using Context = std::unique_ptr<_cmsContext_struct, Free>;

class Profile {
  public:
    explicit Profile(cmsHPROFILE profile) : profile_(profile) {}
    Profile(cmsContext context, std::span<const std::byte> bytes)
        : profile_(cmsOpenProfileFromMemTHR(context, bytes.data(), static_cast<cmsUInt32Number>(bytes.size()))) {}
    Profile(const Profile&) = delete;
    Profile& operator=(const Profile&) = delete;
    ~Profile() {
        if (profile_ != nullptr)
            cmsCloseProfile(profile_);
    }
    cmsHPROFILE get() const { return profile_; }

  private:
    cmsHPROFILE profile_;
};

/// The first complaint is the cause of the others.
void take_words(cmsContext context, cmsUInt32Number /*code*/, const char* text) {
    auto* words = static_cast<std::string*>(cmsGetContextUserData(context));
    if (words != nullptr && words->empty())
        *words = text;
}

Context make_context(std::string* words) {
    Context context(cmsCreateContext(nullptr, words));
    if (context == nullptr)
        throw std::bad_alloc();
    cmsSetLogErrorHandlerTHR(context.get(), words == nullptr ? nullptr : take_words);
    return context;
}

/// A signature in the header of a profile that was opened. It may be any number, and the library's enumerations may not be.
cmsUInt32Number signature_at(std::span<const std::byte> profile, std::size_t place) {
    cmsUInt32Number signature = 0;
    for (const std::byte byte : profile.subspan(place, 4))
        signature = signature << 8U | std::to_integer<cmsUInt32Number>(byte);
    return signature;
}

constexpr std::size_t place_of_class = 12; // ICC.1, 7.2
constexpr std::size_t place_of_colours = 16;

std::string colours_of(cmsUInt32Number space) {
    switch (space) {
    case cmsSigGrayData:
        return "grey";
    case cmsSigRgbData:
        return "RGB";
    case cmsSigCmykData:
        return "CMYK";
    case cmsSigLabData:
        return "Lab";
    case cmsSigXYZData:
        return "XYZ";
    default:
        return "other colours";
    }
}

ProfileFault check(std::span<const std::byte> bytes, bool is_grey) {
    std::string words;
    const Context context = make_context(&words);
    const Profile profile(context.get(), bytes);
    if (profile.get() == nullptr)
        return {ProfileFault::Kind::broken, "broken ICC profile"};
    const cmsUInt32Number space = signature_at(bytes, place_of_colours);
    if (space != (is_grey ? cmsSigGrayData : cmsSigRgbData))
        return {ProfileFault::Kind::other_colours, "an ICC profile of " + colours_of(space)};
    constexpr std::array<cmsUInt32Number, 4> usable{cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass};
    if (std::find(usable.begin(), usable.end(), signature_at(bytes, place_of_class)) == usable.end())
        return {ProfileFault::Kind::other_colours, "an ICC profile that describes no device or colour space"};
    return {};
}

/// `Base` is a kind of conversion, and Value the type of its values.
template <class Base, class Value>
class Transform final : public Base {
  public:
    Transform(Context context, cmsHTRANSFORM transform) : context_(std::move(context)), transform_(transform) {}
    ~Transform() override { cmsDeleteTransform(transform_); }

    void convert(const Value* from, Value* to, std::size_t pixels) const override {
        cmsDoTransform(transform_, from, to, static_cast<cmsUInt32Number>(pixels));
    }

  private:
    Context context_; // outlives the transform
    cmsHTRANSFORM transform_;
};

cmsUInt32Number intent_of(ColourIntent intent) {
    switch (intent) {
    case ColourIntent::relative:
        return INTENT_RELATIVE_COLORIMETRIC;
    case ColourIntent::saturation:
        return INTENT_SATURATION;
    case ColourIntent::absolute:
        return INTENT_ABSOLUTE_COLORIMETRIC;
    case ColourIntent::perceptual:
        break;
    }
    return INTENT_PERCEPTUAL;
}

std::string as_problem(std::string words) {
    std::erase_if(words, [](char c) { return c < ' ' || c > '~'; });
    return words.empty() ? "it has no table for this" : words;
}

std::unique_ptr<ColourConversion> begin(const ConversionRequest& request, std::string& problem) {
    std::string words;
    const Context trial = make_context(&words);
    Context context = make_context(nullptr); // threads would write to the same words
    const auto transform = [&](cmsContext in) -> cmsHTRANSFORM {
        const Profile from(in, request.from);
        const Profile to(in, request.to);
        if (from.get() == nullptr || to.get() == nullptr)
            return nullptr;
        const cmsUInt32Number form = request.is_grey ? TYPE_GRAY_FLT : TYPE_RGB_FLT;
        const cmsUInt32Number flags = cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE |
                                      (request.black_points ? cmsFLAGS_BLACKPOINTCOMPENSATION : 0U);
        return cmsCreateTransformTHR(in, from.get(), form, to.get(), form, intent_of(request.intent), flags);
    };
    if (cmsHTRANSFORM made = transform(context.get()); made != nullptr)
        return std::make_unique<Transform<ColourConversion, float>>(std::move(context), made);
    if (cmsHTRANSFORM made = transform(trial.get()); made != nullptr)
        cmsDeleteTransform(made);
    problem = as_problem(words);
    return nullptr;
}

struct FreeCurve {
    void operator()(cmsToneCurve* curve) const { cmsFreeToneCurve(curve); }
};
using Curve = std::unique_ptr<cmsToneCurve, FreeCurve>;

/// IEC 61966-2-1.
Curve curve_of(cmsContext context, bool is_linear) {
    constexpr std::array<double, 5> srgb{2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    Curve curve(is_linear ? cmsBuildGamma(context, 1) : cmsBuildParametricToneCurve(context, 4, srgb.data()));
    if (curve == nullptr)
        throw std::bad_alloc();
    return curve;
}

void describe(cmsContext context, cmsHPROFILE profile, const char* text) {
    const std::unique_ptr<cmsMLU, decltype(&cmsMLUfree)> words(cmsMLUalloc(context, 1), &cmsMLUfree);
    if (words == nullptr || cmsMLUsetASCII(words.get(), "en", "US", text) == 0 ||
        cmsWriteTag(profile, cmsSigProfileDescriptionTag, words.get()) == 0)
        throw std::bad_alloc();
}

cmsHPROFILE make_profile(cmsContext context, const StandardProfile& which) {
    const Curve curve = curve_of(context, which.is_linear);
    constexpr cmsCIExyY d65{0.3127, 0.3290, 1};
    if (which.is_grey)
        return cmsCreateGrayProfileTHR(context, &d65, curve.get());
    constexpr cmsCIExyYTRIPLE srgb{{0.64, 0.33, 1}, {0.30, 0.60, 1}, {0.15, 0.06, 1}};
    constexpr cmsCIExyYTRIPLE display_p3{{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}}; // SMPTE EG 432-1
    const std::array<cmsToneCurve*, 3> curves{curve.get(), curve.get(), curve.get()};
    return cmsCreateRGBProfileTHR(context, &d65, which.colours == StandardColours::srgb ? &srgb : &display_p3, curves.data());
}

Bytes standard(const StandardProfile& which) {
    const Context context = make_context(nullptr);
    const Profile profile(make_profile(context.get(), which));
    if (profile.get() == nullptr)
        throw std::bad_alloc();
    const bool is_srgb = which.is_grey || which.colours == StandardColours::srgb;
    describe(context.get(), profile.get(),
             which.is_linear ? (is_srgb ? "Linear sRGB" : "Linear Display P3")
             : which.is_grey ? "Grey with the curve of sRGB"
             : is_srgb       ? "sRGB"
                             : "Display P3");
    cmsUInt32Number size = 0;
    if (cmsSaveProfileToMem(profile.get(), nullptr, &size) == 0)
        throw std::bad_alloc();
    Bytes bytes(size);
    if (cmsSaveProfileToMem(profile.get(), bytes.data(), &size) == 0)
        throw std::bad_alloc();
    // The date of making it, which is to be no part of files: 2000-01-01 instead (ICC.1, 7.2.8).
    constexpr std::array<unsigned char, 12> date{0x07, 0xd0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0};
    constexpr std::ptrdiff_t place = 24;
    std::transform(date.begin(), date.end(), bytes.begin() + place, [](unsigned char c) { return std::byte{c}; });
    return bytes;
}

/// Not optimized: the grid that stands for the tables then is off by six codes of 255.
std::unique_ptr<InkConversion> inks(std::span<const std::byte> bytes, std::string& problem) {
    std::string words;
    const Context trial = make_context(&words);
    const auto transform = [&](cmsContext in) -> cmsHTRANSFORM {
        const Profile from(in, bytes);
        if (from.get() == nullptr || signature_at(bytes, place_of_colours) != cmsSigCmykData)
            return nullptr;
        const Profile to(make_profile(in, {}));
        return cmsCreateTransformTHR(in, from.get(), TYPE_CMYK_16, to.get(), TYPE_RGB_16, INTENT_PERCEPTUAL, cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE);
    };
    Context context = make_context(nullptr);
    if (cmsHTRANSFORM made = transform(context.get()); made != nullptr)
        return std::make_unique<Transform<InkConversion, std::uint16_t>>(std::move(context), made);
    if (cmsHTRANSFORM made = transform(trial.get()); made != nullptr)
        cmsDeleteTransform(made);
    problem = as_problem(words);
    return nullptr;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const glproc::modules::ColourModule glproc_module{check, begin,
                                                                                                    standard, inks};
