"""What is taken for an array."""

import os

#: The modes of Pillow whose numbers are pictures as glproc has them. Those of others, of a palette say, would mean something else.
_MODES = {"1", "L", "LA", "RGB", "RGBA", "F", "I", "I;16", "I;16L", "I;16B"}


def array_of(value, what):
    """The value as an array. A mask has no place in a picture: it is refused where it hides something."""
    import numpy

    if numpy.ma.is_masked(value):
        raise TypeError(f"{what} takes no masked arrays, as the mask would be lost: a.filled(0) gives masked pixels a value")
    if value is None:
        raise TypeError(f"{what} takes an array, not None")
    if isinstance(value, (str, bytes, os.PathLike)):
        name = "" if isinstance(value, bytes) else repr(os.fspath(value))
        raise TypeError(f"{what} takes an array, not {type(value).__name__}: glproc.read({name}) makes one of a file")
    if hasattr(value, "getbands") and value.mode not in _MODES:
        raise TypeError(f"{what} takes no images of mode {value.mode}: image.convert('RGB') gives it colours")
    return numpy.asarray(value)
