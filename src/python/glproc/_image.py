"""Pictures that stay on the GPU."""

import math

from . import _arrays, _contexts, _files, _glproc, _show
from ._calls import tells_words

_TYPES = {8: "uint8", 16: "uint16", 32: "float32"}


class Image:
    """An image on the GPU. Every operation is a method, and its result stays on the GPU too.

    >>> photo = glproc.Image(array)
    >>> result = photo.blur(2).unsharp().resize("800x").numpy()

    Operations run together, as one plan, when their result is needed. Wrong parameters raise an error at once.
    """

    __slots__ = ("_state", "_is_used", "__weakref__")

    @tells_words
    def __init__(self, array):
        self._state = (_contexts.session().upload(_arrays.array_of(array, "Image")), ())
        self._is_used = False

    def _run(self, operation, settings):
        if operation["product"] != "image":
            gpu = self._gpu
            return gpu.session.run_on_gpu(operation["key"], gpu, settings)
        if self._is_used:
            self._gpu  # what is needed twice is not made twice
        self._is_used = True
        gpu, steps = self._state
        image = object.__new__(Image)
        more = settings if operation is _contexts.CHAIN else ((operation["key"], settings),)
        image._state = (gpu, (*steps, *more))
        image._is_used = False
        image._form  # refuses what cannot be
        return image

    @property
    def _gpu(self):
        """The picture after all steps."""
        gpu, steps = self._state
        if steps:
            gpu = gpu.session.run_steps_on_gpu(steps, gpu)
            self._state = (gpu, ())
        return gpu

    @property
    def _form(self):
        gpu, steps = self._state
        height, width, channels, bits, flat = gpu.form
        return (*_glproc.form_of_steps(steps, (height, width, channels, bits)), flat) if steps else gpu.form

    @property
    def shape(self):
        """(height, width) or (height, width, channels), as of the array that numpy() returns."""
        height, width, channels, _, flat = self._form
        return (height, width) if flat and channels == 1 else (height, width, channels)

    @property
    def dtype(self):
        """uint8, uint16 or float32, as of the array that numpy() returns."""
        import numpy

        return numpy.dtype(_TYPES[self._form[3]])

    @property
    def ndim(self):
        """2 or 3, as of the array that numpy() returns."""
        return len(self.shape)

    @property
    def size(self):
        """The number of values, as of the array that numpy() returns."""
        return math.prod(self.shape)

    @tells_words
    def save(self, path, *, format=None, quality=None):
        """glproc.write(path, self, ...)"""
        _files.write(path, self, format=format, quality=quality)

    def show(self):
        """Open the picture in the system's viewer, as a PNG. Floats become 8 bits."""
        _show.show(self._repr_png_())

    @tells_words
    def numpy(self, out=None):
        """Run the operations that are left, and return the pixels as an array: a new one, or `out`."""
        gpu = self._gpu
        return gpu.session.download(gpu, out)

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("a picture on the GPU becomes an array by a copy only")
        array = self.numpy()
        return array if dtype is None else array.astype(dtype, copy=False)

    @property
    def __array_interface__(self):
        """For programs that take arrays by NumPy's protocol, such as Pillow: of a copy, which lives as long as it is used."""
        array = self.numpy()
        return {**array.__array_interface__, "data": memoryview(array).cast("B"), "strides": array.strides}

    def tobytes(self):
        """The values that numpy() returns, one after another."""
        return self.numpy().tobytes()

    def __reduce__(self):
        raise TypeError("an Image is on the GPU, so it cannot be pickled; image.numpy() is an array, which can")

    def __dlpack__(self, **arguments):
        """The pixels in CPU memory: DLPack has no word for OpenGL's."""
        return self.numpy().__dlpack__(**arguments)

    def __dlpack_device__(self):
        return (1, 0)

    def _repr_png_(self):
        import numpy

        array = self.numpy()
        if array.dtype == numpy.float32:
            array = (numpy.clip(numpy.nan_to_num(array), 0, 1) * 255 + 0.5).astype(numpy.uint8)
        return _glproc.encode(array, "png")

    def __repr__(self):
        return f"<glproc.Image {'x'.join(map(str, self.shape))} {self.dtype.name}>"
