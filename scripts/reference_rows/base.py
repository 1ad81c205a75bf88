"""What a row of scripts/references says, and what turns functions of planes into references."""
import pathlib
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Callable, Optional

import numpy as np
import tifffile


@dataclass
class Picture:
    """Values in codes (floats: as they are), as doubles: rows, columns, channels."""
    v: np.ndarray
    bits: int

    @property
    def full(self):
        return {8: 255.0, 16: 65535.0, 32: 1.0}[self.bits]

    @property
    def alpha(self):
        return self.v.shape[2] % 2 == 0

    @property
    def colours(self):
        return self.v[..., :-1] if self.alpha else self.v

    @property
    def dtype(self):
        return {8: np.uint8, 16: np.uint16, 32: np.float32}[self.bits]

    def with_colours(self, colours):
        """Those, and the alpha of this picture."""
        return np.concatenate([colours, self.v[..., -1:]], 2) if self.alpha else colours


@dataclass(frozen=True)
class Bound:
    """The largest difference allowed: in codes for 8 and 16 bits, in values (relative where above 1) for floats."""
    codes: int
    share: float  # of the 8-bit values, in per cent, that may differ at all
    value: float


EXACT = Bound(0, 0, 0)
CLOSE = Bound(1, 0.1, 1e-6)  # numerics.md: rounded once, from floats
ONE_CODE = Bound(1, 100, 1e-6)
FAST = Bound(1, 0.1, 3e-6)  # what the guide says of it


@dataclass
class Row:
    operation: str
    flags: object  # a text, or what makes one of a picture
    reference: Callable
    against: str
    bound: Bound = CLOSE
    depths: tuple = (8, 16, 32)
    channels: tuple = (1, 2, 3, 4)
    result: str = "out.tif"  # or .npy; "json" is stdout
    figures: Optional[Callable] = None  # of the JSON, or of what was written beside: what is compared
    beside: str = ""  # a file that is written beside the result, and compared instead of it
    shown: str = ""  # the flags as the table shows them
    second: bool = False  # a second picture of the same form, as --with; the reference takes it, too
    few: bool = False  # only the photo and the largest noise: one of many modes, whose sizes the program's own tests try
    every_code: bool = False  # one picture instead, of all 2^24 colours of 8 bits
    command: str = ""  # if not that of the operation: a chain with it
    joins: bool = False  # the second picture is a second input instead

    def flags_for(self, picture):
        text = self.flags(picture) if callable(self.flags) else self.flags
        return text if isinstance(text, list) else text.split()


def colours(f):
    """A function of normalised colours; alpha is kept."""
    return lambda p: p.with_colours(f(p.colours / p.full) * p.full)


def planes(f):
    """A function of one channel in codes, for every channel."""
    return lambda p: np.stack([f(p.v[..., c]) for c in range(p.v.shape[2])], 2)


def colour_planes(f):
    """The same; alpha is kept."""
    return lambda p: p.with_colours(np.stack([f(p.colours[..., c]) for c in range(p.colours.shape[2])], 2))


def weighted(f, has_lobes=False, clips=False):
    """The same for colour times alpha, divided by alpha again; f is linear. Where its weights can be negative, alpha comes close
    to 0 between pixels that are far from it, and nothing is said of the colour there (NaN). Products of codes are whole numbers, so
    that what is halfway between two codes stays there; where f clips to codes, they are divided by the largest."""
    def run(p):
        if not p.alpha:
            return planes(f)(p)
        alpha = p.v[..., -1]
        shares = f(alpha)
        seen = shares > (p.full / (4 if p.bits == 32 else 64) if has_lobes else 1e-9 * p.full)
        unseen = np.nan if has_lobes else 0
        unit = p.full if clips else 1
        done = [np.where(seen, unit * f(p.v[..., c] * alpha / unit) / np.where(seen, shares, 1), unseen)
                for c in range(p.v.shape[2] - 1)]
        return np.stack(done + [shares], 2)
    return run


def tool(command, whole_codes=True):
    """What a program makes of under.tif, and of over.tif where there is a second picture, which it writes to out.tif: in 16 bits, or in the codes of the images."""
    def run(p, other=None):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for name, picture in (("under", p), ("over", other)) if other else (("under", p),):
                pixels = picture.v.astype(p.dtype)
                tifffile.imwrite(folder / f"{name}.tif", pixels if pixels.shape[2] > 1 else pixels[..., 0], planarconfig="contig",
                                 photometric="rgb" if pixels.shape[2] > 2 else "minisblack",
                                 extrasamples=["unassalpha"] if p.alpha else None)
            subprocess.run(command, shell=True, check=True, cwd=folder, timeout=60)
            done = tifffile.TiffFile(folder / "out.tif").pages[0].asarray().astype(float)
        done = done.reshape(*p.v.shape[:2], -1)[..., :p.v.shape[2]]  # vips adds alpha
        done *= 1 if whole_codes else p.full / 65535
        if p.alpha:
            done[done[..., -1] == 0] = np.nan
        return done
    return run
