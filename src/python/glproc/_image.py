"""Pictures that stay on the GPU."""

from . import _contexts, _glproc

_TYPES = {8: "uint8", 16: "uint16", 32: "float32"}


class Image:
    """A picture on the GPU. Every operation is a method, and its result stays there, too.

    >>> photo = glproc.Image(array)
    >>> soft = photo.blur(2).unsharp().resize("800x")
    >>> result = soft.numpy()
    """

    __slots__ = ("_gpu", "__weakref__")

    def __init__(self, array):
        import numpy

        self._gpu = _contexts.session().upload(numpy.asarray(array))

    @classmethod
    def _of(cls, gpu):
        image = object.__new__(cls)
        image._gpu = gpu
        return image

    def _run(self, operation, settings):
        result = self._gpu.session.run_on_gpu(operation["name"], self._gpu, settings)
        return Image._of(result) if isinstance(result, _glproc.GpuPicture) else result

    @property
    def shape(self):
        height, width, channels, _, flat = self._gpu.form
        return (height, width) if flat and channels == 1 else (height, width, channels)

    @property
    def dtype(self):
        import numpy

        return numpy.dtype(_TYPES[self._gpu.form[3]])

    def numpy(self, out=None):
        """The pixels as an array; `out` takes them in place of a new one."""
        return self._gpu.session.download(self._gpu, out)

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("a picture on the GPU becomes an array by a copy only")
        array = self.numpy()
        return array if dtype is None else array.astype(dtype, copy=False)

    def __dlpack__(self, **arguments):
        """The pixels in CPU memory: DLPack has no word for OpenGL's."""
        return self.numpy().__dlpack__(**arguments)

    def __dlpack_device__(self):
        return (1, 0)

    def _repr_png_(self):
        import numpy

        array = self.numpy()
        if array.dtype == numpy.float32:
            array = (numpy.clip(array, 0, 1) * 255 + 0.5).astype(numpy.uint8)
        return _glproc.encode(array, "png")

    def __repr__(self):
        return f"<glproc.Image {'x'.join(map(str, self.shape))} {self.dtype.name}>"
