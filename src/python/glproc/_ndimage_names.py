"""The functions of scipy.ndimage 1.18, by the modules that have them here. Without NumPy, so that their types can be written."""

MODULES = {
    "lines": (
        "convolve1d", "correlate1d", "gaussian_filter", "gaussian_filter1d", "gaussian_gradient_magnitude", "gaussian_laplace",
        "generic_gradient_magnitude", "generic_laplace", "laplace", "maximum_filter1d", "minimum_filter1d", "prewitt", "sobel",
        "uniform_filter", "uniform_filter1d",
    ),
    "footprints": (
        "convolve", "correlate", "maximum_filter", "median_filter", "minimum_filter", "percentile_filter", "rank_filter",
    ),
    "morphology": (
        "binary_closing", "binary_dilation", "binary_erosion", "binary_fill_holes", "binary_hit_or_miss", "binary_opening",
        "binary_propagation", "black_tophat", "generate_binary_structure", "grey_closing", "grey_dilation", "grey_erosion",
        "grey_opening", "iterate_structure", "morphological_gradient", "morphological_laplace", "white_tophat",
    ),
    "splines": (
        "affine_transform", "geometric_transform", "map_coordinates", "rotate", "shift", "spline_filter", "spline_filter1d", "zoom",
    ),
    "labels": ("find_objects", "label"),
    "measures": (
        "center_of_mass", "extrema", "histogram", "labeled_comprehension", "maximum", "maximum_position", "mean", "median",
        "minimum", "minimum_position", "standard_deviation", "sum", "sum_labels", "value_indices", "variance",
    ),
    "distance": ("distance_transform_bf", "distance_transform_cdt", "distance_transform_edt"),
    "fourier": ("fourier_ellipsoid", "fourier_gaussian", "fourier_shift", "fourier_uniform"),
}  # fmt: skip
#: Those of the operations on pictures, in single precision.
SINGLE = (
    "affine_transform", "convolve", "correlate", "gaussian_filter", "gaussian_laplace", "grey_closing", "grey_dilation",
    "grey_erosion", "grey_opening", "histogram", "laplace", "median_filter", "percentile_filter", "prewitt", "rotate",
    "sobel", "uniform_filter", "zoom",
)  # fmt: skip
#: What SciPy does in any case, with its parameters.
SCIPYS = {
    "generic_filter": "input function size=None footprint=None output=None mode='reflect' cval=0.0 origin=0 extra_arguments=() "
    "extra_keywords=None axes=None",
    "generic_filter1d": "input function filter_size axis=-1 output=None mode='reflect' cval=0.0 origin=0 extra_arguments=() "
    "extra_keywords=None",
    "vectorized_filter": "input function size=None footprint=None output=None mode='reflect' cval=None origin=None axes=None "
    "batch_memory=1073741824",
    "watershed_ift": "input markers structure=None output=None",
}  # fmt: skip
#: Each value depends on others nearby alone, so that parts can be filtered.
LOCAL = (
    {*MODULES["lines"], *MODULES["footprints"], *MODULES["morphology"]}
    - {"generic_gradient_magnitude", "generic_laplace", "binary_fill_holes", "binary_propagation"}
    - {"generate_binary_structure", "iterate_structure"}
)
#: `mode` may be a sequence, with one for each axis.
MANY_MODES = {
    "gaussian_filter", "gaussian_gradient_magnitude", "gaussian_laplace", "generic_gradient_magnitude", "generic_laplace", "laplace",
    "maximum_filter", "minimum_filter", "prewitt", "sobel", "uniform_filter",
}  # fmt: skip
#: They compare values, or ask whether they are 0, and refuse complex ones.
REAL = {
    *MODULES["footprints"], *MODULES["morphology"], *MODULES["labels"], "maximum_filter1d", "minimum_filter1d",
} - {"binary_fill_holes", "convolve", "correlate", "generate_binary_structure", "iterate_structure"}  # fmt: skip
