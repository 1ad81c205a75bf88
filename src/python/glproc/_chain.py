"""Operations one after another, for any number of pictures."""

from . import _contexts, _glproc
from ._calls import tells_words


class Chain:
    """Runs several operations as one plan. Images between them stay on the GPU.

    >>> look = glproc.Chain().blur(2).unsharp().resize("800x")
    >>> result = look(array)

    Every operation that makes an image is a method, which returns a longer chain. Call a chain like the functions of this
    module, also with `out` and with images that do not fit on the GPU.
    """

    __slots__ = ("_steps",)

    def __init__(self):
        self._steps = ()

    def _run(self, operation, settings):
        chain = Chain()
        chain._steps = (*self._steps, (operation["key"], settings))
        _glproc.check_steps(chain._steps)  # what is wrong with a step is said here
        return chain

    @tells_words
    def __call__(self, image, /, *, out=None):
        if not self._steps:
            raise ValueError("a chain of no operations")
        return _contexts.run(_contexts.CHAIN, image, self._steps, out)

    def __len__(self):
        return len(self._steps)

    def __repr__(self):
        return "<glproc.Chain " + " ".join(key.split("/")[0] for key, _ in self._steps) + ">"
