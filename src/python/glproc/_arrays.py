"""What is taken for an array, and the NumPy that the library was built for."""

from . import _glproc


def sound_numpy():
    """NumPy, where the library works with it."""
    import numpy

    check_numpy(numpy.__version__, _glproc.pybind11_version)
    return numpy


def array_of(value, what):
    """The value as an array. A mask has no place in a picture: it is refused where it hides something."""
    numpy = sound_numpy()
    if numpy.ma.is_masked(value):
        raise TypeError(f"{what} takes no masked arrays, as the mask would be lost: a.filled(0) gives masked pixels a value")
    return numpy.asarray(value)


def check_numpy(numpy_version, pybind11_version):
    """Before 2.12 pybind11 does not know the types of NumPy 2: sizes and strides would be 0, and every result garbage."""
    numpy_major = int(numpy_version.split(".")[0])
    if numpy_major >= 2 and tuple(pybind11_version) < (2, 12):
        built = ".".join(str(part) for part in pybind11_version)
        raise ImportError(
            f"glproc was built with pybind11 {built}, which does not work with NumPy {numpy_version}: "
            "pip install 'numpy<2', or build glproc with pybind11 2.12 or newer"
        )
