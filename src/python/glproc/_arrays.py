"""What is taken for an array."""


def array_of(value, what):
    """The value as an array. A mask has no place in a picture: it is refused where it hides something."""
    import numpy

    if numpy.ma.is_masked(value):
        raise TypeError(f"{what} takes no masked arrays, as the mask would be lost: a.filled(0) gives masked pixels a value")
    return numpy.asarray(value)
