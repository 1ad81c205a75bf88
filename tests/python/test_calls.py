"""Threads, signals, processes and memory."""

import gc
import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy
from conftest import picture

import glproc


def run_python(text, **arguments):
    return subprocess.run(
        # From version 3.12 on Python itself warns of forks while there are threads, such as a driver's.
        [sys.executable, "-W", "ignore:.*use of fork:DeprecationWarning", "-c", textwrap.dedent(text)],
        capture_output=True, text=True, check=False, timeout=900, **arguments
    )  # fmt: skip


def test_eight_threads():
    images = [picture((40 + i, 50, 3), seed=i) for i in range(16)]
    expected = [glproc.blur(image, sigma=1 + i / 4) for i, image in enumerate(images)]
    own = glproc.Context()

    def work(i):
        with own if i % 2 else glproc.Context():
            return [glproc.blur(images[i], sigma=1 + i / 4) for _ in range(20)]

    with ThreadPoolExecutor(8) as pool:
        for results, one in zip(pool.map(work, range(16)), expected):
            for result in results:
                numpy.testing.assert_array_equal(result, one)


def test_pass_times():
    image = picture((40, 50, 3))
    with glproc.Context(timing=True) as own:
        glproc.blur(image, sigma=2)
        first = own.pass_times()
        glproc.invert(image)
        assert own.pass_times()[: len(first)] == first and len(own.pass_times()) > len(first)
    assert first and all(label and milliseconds >= 0 for label, milliseconds in first)
    assert sum(milliseconds for _, milliseconds in first) > 0
    with glproc.Context() as own:
        glproc.invert(image)
        assert own.pass_times() == []


def test_python_goes_on_meanwhile():
    """While a call runs, another thread has the interpreter."""
    image = picture((900, 900), "float32")
    glproc.blur(image[:9, :9], sigma=30, method="direct")
    calls, counts = threading.Event(), []
    ends = threading.Event()

    def count():
        while not ends.is_set():
            if calls.is_set():
                counts.append(1)
            time.sleep(0.001)

    other = threading.Thread(target=count)
    other.start()
    for _ in range(1000):  # on a machine without other work the first call is enough
        counts.clear()
        calls.set()
        glproc.blur(image, sigma=30, method="direct")
        calls.clear()
        if len(counts) > 10:  # two at most if a call kept the interpreter: one before it, and one behind
            break
    ends.set()
    other.join()
    assert len(counts) > 10


LONG_CALL = """
    import glproc, numpy, sys
    image = numpy.zeros((20000, 8000), "uint8")
    with glproc.context(memory=24 << 20): # so that there are many tiles
        glproc.blur(image[:9, :9], sigma=9, method="direct")
        try:
            print("begins", flush=True)
            glproc.blur(image, sigma=9, method="direct")
            print("ended")
        except KeyboardInterrupt:
            print("heard", glproc.invert(image[:2, :2])[0, 0])
"""


def test_ctrl_c_is_heard():
    program = subprocess.Popen([sys.executable, "-c", textwrap.dedent(LONG_CALL)], stdout=subprocess.PIPE, text=True)
    assert program.stdout.readline() == "begins\n"
    time.sleep(0.5)
    program.send_signal(signal.SIGINT)
    assert program.communicate(timeout=900)[0] == "heard 255\n"
    assert program.returncode == 0


def test_other_signals_are_handled_during_a_call():
    result = run_python(
        """
        import glproc, numpy, signal
        heard = []
        image = numpy.zeros((900, 900), "float32")
        glproc.blur(image[:9, :9], sigma=40, method="direct")
        signal.signal(signal.SIGALRM, lambda *_: heard.append(1))
        signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
        for _ in range(1000): # on a machine without other work the first call is enough
            heard.clear()
            glproc.blur(image, sigma=40, method="direct")
            if len(heard) > 2: # two at most if they waited: all that come during a call are one behind it
                break
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(len(heard) > 2)
        """
    )
    assert result.stdout == "True\n", result.stderr


def test_processes_that_are_forked():
    result = run_python(
        """
        import glproc, numpy, os, warnings
        warnings.filterwarnings("ignore", "This process .* is multi-threaded") # from Python 3.12 on
        image = numpy.zeros((3, 3), "uint8")
        glproc.invert(image)
        own = glproc.Context()
        if os.fork() == 0:
            try:
                glproc.invert(image)
            except glproc.DeviceError as error:
                print(error, flush=True)
            del own
            raise SystemExit(3)
        print(os.waitstatus_to_exitcode(os.wait()[1]), glproc.invert(image)[0, 0])
        """
    )
    assert result.stdout.splitlines() == [
        "glproc was used before this process was forked from another (start processes by 'spawn')",
        "3 255",
    ], result.stderr
    assert (result.returncode, result.stderr) == (0, "")


def test_the_end_of_a_program():
    for last in ["", "import os; os.register_at_fork", "import sys; sys.exit(0)", "del glproc", "image = None"]:
        result = run_python(f"import glproc, numpy\nimage = glproc.Image(numpy.zeros((5, 5), 'uint8')).blur(1)\n{last}")
        assert (result.returncode, result.stderr) == (0, "")


def kilobytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


def test_ten_thousand_calls():
    """Memory stays, and nothing is left behind, neither of what works nor of what fails: seven calls a turn."""
    image = picture((16, 16, 3))
    out = numpy.zeros_like(image)
    references = sys.getrefcount(image), sys.getrefcount(out)

    def calls(count):
        for i in range(count):
            glproc.invert(image, out=out)
            glproc.invert(image)
            on_gpu = glproc.Image(image)
            on_gpu.invert().numpy()
            glproc.crop(image, rect=(0, 0, 4, 4))
            try:
                glproc.invert(image, out=out[:3])
            except ValueError:
                pass
            if i % 10 == 0:
                glproc.histogram(image, bins=4)

    calls(300)
    gc.collect()
    objects, before = len(gc.get_objects()), kilobytes()
    calls(1500)
    gc.collect()
    assert len(gc.get_objects()) - objects < 100
    assert kilobytes() - before < 4000
    assert (sys.getrefcount(image), sys.getrefcount(out)) == references


def test_contexts_are_let_go():
    glproc.Context().device()
    threads = len(os.listdir("/proc/self/task"))
    for _ in range(5):
        glproc.Context().device()
    for _ in range(9000):  # they may end a moment later
        if len(os.listdir("/proc/self/task")) <= threads + 1:
            return
        time.sleep(0.1)
    raise AssertionError("threads of contexts go on")
