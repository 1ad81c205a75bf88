"""Operations one after another, for any number of pictures."""

from . import _contexts


class Chain:
    """Operations one after another as one plan: what lies between them stays on the GPU.

    >>> look = glproc.Chain().blur(2).unsharp().resize("800x")
    >>> result = look(array)

    Every operation that makes a picture is a method, which returns a longer chain. A chain takes what the functions of this
    module take, `out` included, and pictures that do not fit on the GPU, too.
    """

    __slots__ = ("_steps",)

    def __init__(self):
        self._steps = ()

    def _run(self, operation, settings):
        chain = Chain()
        chain._steps = (*self._steps, (operation["name"], settings))
        return chain

    def __call__(self, image, /, *, out=None):
        if not self._steps:
            raise ValueError("a chain of no operations")
        return _contexts.run(_contexts.CHAIN, image, self._steps, out)

    def __len__(self):
        return len(self._steps)

    def __repr__(self):
        return "<glproc.Chain " + " ".join(name for name, _ in self._steps) + ">"
