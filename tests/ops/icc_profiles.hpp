// Profiles for tests, made by Little CMS: matrices with curves that differ, tables, and grey.
#pragma once

#include "glproc/image/image.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <vector>

#include <lcms2.h>

namespace glproc::test {

using Bytes = std::vector<std::byte>;

inline Bytes saved(cmsHPROFILE profile) {
    cmsUInt32Number size = 0;
    REQUIRE(cmsSaveProfileToMem(profile, nullptr, &size));
    Bytes bytes(size);
    REQUIRE(cmsSaveProfileToMem(profile, bytes.data(), &size));
    cmsCloseProfile(profile);
    return bytes;
}

/// As Adobe RGB is: colours of other spaces lie beyond, and its curve is steep at black.
inline Bytes narrow_profile() {
    const cmsCIExyY white{0.3127, 0.329, 1};
    const cmsCIExyYTRIPLE primaries{{0.64, 0.33, 1}, {0.21, 0.71, 1}, {0.15, 0.06, 1}};
    cmsToneCurve* curve = cmsBuildGamma(nullptr, 563 / 256.0);
    std::array<cmsToneCurve*, 3> curves{curve, curve, curve};
    Bytes bytes = saved(cmsCreateRGBProfile(&white, &primaries, curves.data()));
    cmsFreeToneCurve(curve);
    return bytes;
}

/// Wide primaries, and another curve for each colour.
inline Bytes wide_profile() {
    const cmsCIExyY white{0.3457, 0.3585, 1};
    const cmsCIExyYTRIPLE primaries{{0.7347, 0.2653, 1}, {0.1596, 0.8404, 1}, {0.0366, 0.0001, 1}};
    std::array<cmsToneCurve*, 3> curves{cmsBuildGamma(nullptr, 1.8), cmsBuildGamma(nullptr, 2.2), cmsBuildGamma(nullptr, 2.4)};
    const cmsHPROFILE profile = cmsCreateRGBProfile(&white, &primaries, curves.data());
    cmsFreeToneCurveTriple(curves.data());
    return saved(profile);
}

inline int sample(const cmsUInt16Number* in, cmsUInt16Number* out, void* bend) {
    for (int c = 0; c < 3; ++c) {
        const double v = std::pow(in[c] / 65535.0, *static_cast<double*>(bend));
        const double other = in[(c + 1) % 3] / 65535.0;
        out[c] = static_cast<cmsUInt16Number>(std::lround(65535 * (0.1 + 0.7 * v + 0.2 * other * other)));
    }
    return 1;
}

/// Tables both ways, which are not each other's inverse: enough to be told from any matrix. Its white is yellow, and its black
/// is grey.
inline Bytes table_profile() {
    const cmsHPROFILE profile = cmsCreateProfilePlaceholder(nullptr);
    cmsSetProfileVersion(profile, 4.3);
    cmsSetDeviceClass(profile, cmsSigDisplayClass);
    cmsSetColorSpace(profile, cmsSigRgbData);
    cmsSetPCS(profile, cmsSigLabData);
    const cmsCIEXYZ white{0.95, 1, 0.6};
    cmsWriteTag(profile, cmsSigMediaWhitePointTag, &white);
    double bend = 1.7;
    for (const cmsTagSignature tag : {cmsSigAToB0Tag, cmsSigBToA0Tag, cmsSigAToB1Tag, cmsSigBToA1Tag}) {
        cmsPipeline* pipeline = cmsPipelineAlloc(nullptr, 3, 3);
        cmsStage* table = cmsStageAllocCLut16bit(nullptr, 9, 3, 3, nullptr);
        REQUIRE(cmsStageSampleCLut16bit(table, sample, &bend, 0));
        cmsPipelineInsertStage(pipeline, cmsAT_BEGIN, cmsStageAllocToneCurves(nullptr, 3, nullptr));
        cmsPipelineInsertStage(pipeline, cmsAT_END, table);
        cmsPipelineInsertStage(pipeline, cmsAT_END, cmsStageAllocToneCurves(nullptr, 3, nullptr));
        REQUIRE(cmsWriteTag(profile, tag, pipeline));
        cmsPipelineFree(pipeline);
        bend = 1 / bend;
    }
    return saved(profile);
}

inline Bytes grey_profile() {
    cmsToneCurve* curve = cmsBuildGamma(nullptr, 1.8);
    const cmsHPROFILE profile = cmsCreateGrayProfile(cmsD50_xyY(), curve);
    cmsFreeToneCurve(curve);
    return saved(profile);
}

inline double largest_step(const Image& a, const Image& b) {
    double most = 0;
    for (int i = 0; i < a.width() * a.height() * a.channels(); ++i) {
        const int pixel = i / a.channels();
        const int c = i % a.channels();
        most = std::max(most, std::abs(a.at(pixel % a.width(), pixel / a.width(), c) - b.at(pixel % a.width(), pixel / a.width(), c)));
    }
    return most;
}

inline void put(const std::filesystem::path& path, const Bytes& bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

} // namespace glproc::test
