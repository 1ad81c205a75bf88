// Splits a histogram into two parts.
#pragma once

#include "glproc/op/field.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace glproc {

/// How a histogram is split in two.
enum class SplitRule {
    imagej,
    huang,
    intermodes,
    isodata,
    li,
    maxentropy,
    mean,
    minerror,
    minimum,
    moments,
    otsu,
    percentile,
    renyi,
    shanbhag,
    triangle,
    yen,
};

template <>
inline constexpr std::array<EnumRow<SplitRule>, 16> enum_rows<SplitRule>{
    EnumRow{SplitRule::imagej, "default", "ImageJ's default: isodata without black, white and one high peak"},
    EnumRow{SplitRule::huang, "huang", "the parts whose pixels are least unlike their means: faint objects"},
    EnumRow{SplitRule::intermodes, "intermodes", "the middle between two peaks"},
    EnumRow{SplitRule::isodata, "isodata", "the middle between the means of both parts"},
    EnumRow{SplitRule::li, "li", "the least cross entropy with the means of both parts: fluorescence"},
    EnumRow{SplitRule::maxentropy, "maxentropy", "the parts with most entropy: few bright pixels"},
    EnumRow{SplitRule::mean, "mean", "the mean luma"},
    EnumRow{SplitRule::minerror, "minerror", "the border of two normal distributions"},
    EnumRow{SplitRule::minimum, "minimum", "the valley between two peaks"},
    EnumRow{SplitRule::moments, "moments", "two values with the same mean, variance and skewness"},
    EnumRow{SplitRule::otsu, "otsu", "the split that best separates two groups of pixels"},
    EnumRow{SplitRule::percentile, "percentile", "the median luma: as many pixels on both sides"},
    EnumRow{SplitRule::renyi, "renyi", "between the splits of three entropies, among them maxentropy"},
    EnumRow{SplitRule::shanbhag, "shanbhag", "the parts that say equally much about their pixels"},
    EnumRow{SplitRule::triangle, "triangle", "the foot of a single peak: a few pixels on a background"},
    EnumRow{SplitRule::yen, "yen", "the parts with the largest entropic correlation"},
};

/// The last bin of the lower part.
///
/// otsu, triangle and mean equal OpenCV and NumPy:
/// - otsu: N. Otsu, A threshold selection method from gray-level histograms, IEEE Trans. SMC 9, 1979.
/// - triangle: G. Zack, W. Rogers, S. Latt, Automatic measurement of sister chromatid exchange frequency, J.
///   Histochem. Cytochem. 25, 1977, with the ends as OpenCV's threshold() takes them.
///
/// The sources of the other rules stand beside them in split_rules.hpp. Except for imagej, they leave pixels
/// in both parts, and of equally good bins they take the first. Two values are split between them, and one
/// value is the lower part. Sums are in double precision: of the lower part from the lowest bin up, of the
/// upper part from the highest bin down or as the rest.
///
/// Of more than 256 bins, imagej, intermodes and minimum count neighbours together in at most 257 groups, so
/// that peaks stand out. The time of huang grows with the square of the bins, so it has at most 1025 groups.
/// All others count each bin.
///
/// Throws Error(operation) where intermodes or minimum finds no two peaks.
std::int64_t split_of(std::span<const std::uint64_t> counts, SplitRule rule);

inline constexpr int most_classes = 5;

/// Otsu's rule for up to `most_classes` classes: the last bin of each class but the highest, where the
/// variance between the classes is largest. Of equally good ones it takes the lowest first split, then the
/// lowest second one. Every bin counts. With n used bins it compares (classes - 1) n log2 n sums in double
/// precision. P.-S. Liao, T.-S. Chen, P.-C. Chung, A fast algorithm for multilevel thresholding, J.
/// Information Science and Engineering 17, 2001, which compares all combinations of splits and finds the
/// same.
///
/// Where fewer bins are used than there are classes, each is a class, and the highest classes stay empty.
std::vector<std::int64_t> otsu_splits(std::span<const std::uint64_t> counts, int classes);

} // namespace glproc
