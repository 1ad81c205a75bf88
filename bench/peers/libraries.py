"""The libraries that Python can import. Each operation yields (name, least bytes to move, run, verify)."""

import time

import numpy as np

from truth import (counts_of, equalized_right, filtered_right, gamma_right, gaussian, integral_right, mean_right,
                   ranked_right, right_at, scan_right, square_kernel, weighed_right)

SOBEL = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], float)
LAPLACE = np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]], float)
GAMMA = 2.2


class Events:
    """Times runs queued one after the other on a GPU."""

    timer = "CUDA events"

    def __init__(self, new_event, elapsed, wait):
        self.new_event, self.elapsed, self.wait = new_event, elapsed, wait

    def times(self, run, runs):
        events = [self.new_event() for _ in range(runs + 1)]
        events[0].record()
        for event in events[1:]:
            run()
            event.record()
        self.wait()
        return sorted(self.elapsed(a, b) for a, b in zip(events, events[1:]))


class Clock:
    timer = "wall clock"

    def times(self, run, runs):
        times = []
        for _ in range(runs):
            begin = time.perf_counter()
            run()
            times.append(1000 * (time.perf_counter() - begin))
        return sorted(times)


class CuPy:
    """One channel: its filters of pictures know no others."""

    def __init__(self):
        import cupy
        import cupyx.scipy.ndimage

        self.cp, self.ndimage = cupy, cupyx.scipy.ndimage
        name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        self.device = f"{name}, CuPy {cupy.__version__}"
        cuda = cupy.cuda
        self.clock = Events(cuda.Event, cuda.get_elapsed_time, cuda.Device().synchronize)

    def scan(self, values):
        source = self.cp.asarray(values)
        run = lambda: self.cp.cumsum(source, dtype=self.cp.uint32)
        yield "CuPy cumsum", 2 * values.nbytes, run, lambda: scan_right(values, run().get())

    def histogram(self, rgba, grey):
        source = self.cp.asarray(grey)
        run = lambda: self.cp.histogram(source, 256, (0, 256))[0]
        yield "CuPy histogram, 1 byte a pixel", grey.nbytes, run, lambda: bool((run().get() == counts_of(grey)).all())

    def blur(self, rgba, grey):
        source = self.cp.asarray(grey)
        for sigma in (2, 10, 50):
            run = lambda: self.ndimage.gaussian_filter(source, sigma, mode="nearest")
            weights = gaussian(sigma, 4 * sigma)
            verify = lambda: filtered_right(grey, run().get(), weights)
            yield f"CuPy gaussian_filter sigma {sigma}, 1 channel", 2 * grey.nbytes, run, verify

    def sobel(self, rgba, grey):
        source = self.cp.asarray(grey)
        run = lambda: self.ndimage.sobel(source, axis=1, output=self.cp.int16, mode="nearest")
        yield "CuPy sobel, one direction, 1 channel", 3 * grey.nbytes, run, lambda: weighed_right(grey, run().get(), SOBEL, 0)

    def laplacian(self, rgba, grey):
        source = self.cp.asarray(grey)
        run = lambda: self.ndimage.laplace(source, output=self.cp.int16, mode="nearest")
        yield "CuPy laplace, 1 channel", 3 * grey.nbytes, run, lambda: weighed_right(grey, run().get(), LAPLACE, 0)

    def median(self, rgba, grey):
        source = self.cp.asarray(grey)
        for radius in (1, 2, 5):
            run = lambda: self.ndimage.median_filter(source, size=2 * radius + 1, mode="nearest")
            verify = lambda: ranked_right(grey, run().get(), radius, 0.5)
            yield f"CuPy median_filter radius {radius}, 1 channel", 2 * grey.nbytes, run, verify

    def morphology(self, rgba, grey):
        source = self.cp.asarray(grey)
        for radius in (1, 5, 15):
            run = lambda: self.ndimage.maximum_filter(source, size=2 * radius + 1, mode="nearest")
            verify = lambda: ranked_right(grey, run().get(), radius, 1)
            yield f"CuPy maximum_filter radius {radius}, 1 channel", 2 * grey.nbytes, run, verify

    def convolve(self, rgba, grey):
        source = self.cp.asarray(grey)
        for side in (5, 15):
            square = square_kernel(side)
            weights = self.cp.asarray(square.astype(np.float32))
            run = lambda: self.ndimage.convolve(source, weights, mode="nearest")
            verify = lambda: weighed_right(grey, run().get(), square)
            yield f"CuPy convolve {side}x{side}, 1 channel", 2 * grey.nbytes, run, verify


class TorchVision:
    def __init__(self):
        import torch
        import torchvision.transforms.v2.functional as functional

        if not torch.cuda.is_available():
            raise RuntimeError("PyTorch finds no GPU")
        import torchvision

        self.torch, self.functional = torch, functional
        self.bicubic = torchvision.transforms.InterpolationMode.BICUBIC
        self.device = f"{torch.cuda.get_device_name()}, torchvision {torchvision.__version__}"
        new_event = lambda: torch.cuda.Event(enable_timing=True)
        self.clock = Events(new_event, lambda a, b: a.elapsed_time(b), torch.cuda.synchronize)

    def planes(self, rgba, channels=4):
        return self.torch.from_numpy(rgba).cuda().permute(2, 0, 1)[:channels].contiguous()

    @staticmethod
    def pixels(planes):
        return planes.permute(1, 2, 0).cpu().numpy()

    def blur(self, rgba, grey):
        source = self.planes(rgba)
        for sigma in (2, 10):
            taps = 6 * sigma + 1
            run = lambda: self.functional.gaussian_blur(source, [taps, taps], [float(sigma), float(sigma)])
            weights = gaussian(sigma, 3 * sigma)
            verify = lambda: filtered_right(rgba, self.pixels(run()), weights)
            yield f"torchvision gaussian_blur sigma {sigma}, {taps} taps", 2 * rgba.nbytes, run, verify

    def levels(self, rgba, grey):
        source = self.planes(rgba, 3)  # it takes no more than three
        run = lambda: self.functional.adjust_gamma(source, GAMMA)
        verify = lambda: gamma_right(rgba[:, :, :3], self.pixels(run()), GAMMA)
        yield "torchvision adjust_gamma, 3 channels", 6 * grey.nbytes, run, verify

    def unsharp(self, rgba, grey):
        source = self.planes(rgba, 3)
        run = lambda: self.functional.adjust_sharpness(source, 2.0)
        smooth = np.array([[1, 1, 1], [1, 5, 1], [1, 1, 1]]) / 13

        def exact(window):
            smoothed = np.round(np.tensordot(smooth, window, ((0, 1), (0, 1))))
            return (2 * window[1, 1] - smoothed).clip(0, 255)

        verify = lambda: right_at(rgba[:, :, :3], self.pixels(run()), 1, exact, 1)
        yield "torchvision adjust_sharpness, 3x3, 3 channels", 6 * grey.nbytes, run, verify

    def convolve(self, rgba, grey):
        source = self.planes(rgba)
        for side in (5, 15):
            square = square_kernel(side)
            weights = self.torch.from_numpy(square.astype(np.float32)).cuda().expand(4, 1, side, side).contiguous()
            run = lambda: self.convolved(source, weights, side // 2)
            verify = lambda: weighed_right(rgba, self.pixels(run()), square)
            yield f"PyTorch conv2d {side}x{side} and conversions", 2 * rgba.nbytes, run, verify

    def convolved(self, source, weights, radius):
        whole = self.torch.nn.functional.conv2d(source[None].float(), weights, padding=radius, groups=4)[0]
        return whole.round_().clamp_(0, 255).to(self.torch.uint8)

    def resize(self, rgba, grey):
        source = self.planes(rgba)
        mode = self.bicubic
        height, width = grey.shape
        for size in ((height // 2, width // 2), (height // 8, width // 8), (height * 3 // 2, width * 3 // 2)):
            run = lambda: self.functional.resize(source, size, mode, antialias=True)
            verify = lambda: self.as_pillow(grey, run()[1].cpu().numpy(), size)
            moved = rgba.nbytes + 4 * size[0] * size[1]
            yield f"torchvision bicubic, antialiased, to {size[1]}x{size[0]}", moved, run, verify

    @staticmethod
    def as_pillow(grey, result, size):
        """Its bicubic is Pillow's of floats; that of 8 bits clips what it has after the first axis. `grey` is the second channel."""
        from PIL import Image

        expected = Image.fromarray(grey.astype(np.float32), "F").resize(size[::-1], Image.Resampling.BICUBIC)
        return bool(np.abs(np.asarray(expected).clip(0, 255) - result).max() <= 1)


class OpenCV:
    def __init__(self):
        import cv2

        self.cv = cv2
        self.device = f"CPU, {cv2.getNumThreads()} threads, OpenCV {cv2.__version__}"
        self.clock = Clock()
        self.border = cv2.BORDER_REPLICATE

    def blur(self, rgba, grey):
        for sigma in (2, 10, 50):
            taps = 6 * sigma + 1
            run = lambda: self.cv.GaussianBlur(rgba, (taps, taps), sigma, borderType=self.border)
            weights = gaussian(sigma, 3 * sigma)
            verify = lambda: filtered_right(rgba, run(), weights)
            yield f"OpenCV GaussianBlur sigma {sigma}, {taps} taps", 2 * rgba.nbytes, run, verify

    def box(self, rgba, grey):
        for radius in (5, 15, 100):
            side = 2 * radius + 1
            run = lambda: self.cv.blur(rgba, (side, side), borderType=self.border)
            verify = lambda: filtered_right(rgba, run(), np.full(side, 1 / side))
            yield f"OpenCV blur radius {radius}", 2 * rgba.nbytes, run, verify

    def histogram(self, rgba, grey):
        run = lambda: self.cv.calcHist([grey], [0], None, [256], [0, 256])
        # calcHist counts in float: whole numbers up to 2^24.
        verify = lambda: bool((run().ravel() == counts_of(grey).astype(np.float32)).all())
        yield "OpenCV calcHist, 1 byte a pixel", grey.nbytes, run, verify

    def integral(self, rgba, grey):
        run = lambda: self.cv.integral(grey)
        yield "OpenCV integral", 5 * grey.nbytes, run, lambda: integral_right(grey, run())

    def equalize(self, rgba, grey):
        run = lambda: self.cv.equalizeHist(grey)
        yield "OpenCV equalizeHist", 2 * grey.nbytes, run, lambda: equalized_right(grey, run())

    def levels(self, rgba, grey):
        table = np.round(255 * (np.arange(256) / 255) ** GAMMA).astype(np.uint8)
        run = lambda: self.cv.LUT(rgba, table)
        yield "OpenCV LUT", 2 * rgba.nbytes, run, lambda: gamma_right(rgba, run(), GAMMA)

    def sobel(self, rgba, grey):
        run = lambda: self.cv.Sobel(rgba, self.cv.CV_16S, 1, 0, borderType=self.border)
        yield "OpenCV Sobel, one direction", 3 * rgba.nbytes, run, lambda: weighed_right(rgba, run(), SOBEL, 0)

    def laplacian(self, rgba, grey):
        run = lambda: self.cv.Laplacian(rgba, self.cv.CV_16S, ksize=1, borderType=self.border)
        yield "OpenCV Laplacian", 3 * rgba.nbytes, run, lambda: weighed_right(rgba, run(), LAPLACE, 0)

    def median(self, rgba, grey):
        for radius in (1, 2, 5):
            run = lambda: self.cv.medianBlur(rgba, 2 * radius + 1)
            yield f"OpenCV medianBlur radius {radius}", 2 * rgba.nbytes, run, lambda: ranked_right(rgba, run(), radius, 0.5)

    def morphology(self, rgba, grey):
        for radius in (1, 5, 15):
            ones = np.ones((2 * radius + 1, 2 * radius + 1), np.uint8)
            run = lambda: self.cv.dilate(rgba, ones, borderType=self.border)
            yield f"OpenCV dilate radius {radius}", 2 * rgba.nbytes, run, lambda: ranked_right(rgba, run(), radius, 1)

    def convolve(self, rgba, grey):
        for side in (5, 15):
            square = square_kernel(side)
            run = lambda: self.cv.filter2D(rgba, -1, square, borderType=self.border)
            yield f"OpenCV filter2D {side}x{side}", 2 * rgba.nbytes, run, lambda: weighed_right(rgba, run(), square)

    def resize(self, rgba, grey):
        height, width = grey.shape
        for factor in (2, 8):
            whole = rgba[: height // factor * factor, : width // factor * factor]
            size = (width // factor, height // factor)
            run = lambda: self.cv.resize(whole, size, interpolation=self.cv.INTER_AREA)
            moved = rgba.nbytes + 4 * size[0] * size[1]
            yield f"OpenCV INTER_AREA to {size[0]}x{size[1]}", moved, run, lambda: mean_right(whole, run())
