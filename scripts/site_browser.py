"""A headless Chromium, driven through two pipes by its own protocol. For scripts/check-site; needs nothing but the browser."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def program():
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One page, which goes from address to address."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()

        def connect(): # the browser reads file descriptor 3 and writes 4
            first, second = os.dup(to_read), os.dup(to_write)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", f"--user-data-dir={self.folder.name}", "--remote-debugging-pipe", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=connect, close_fds=False)
        os.close(to_read)
        os.close(to_write)
        self.rest, self.number, self.events, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        self.folder.cleanup()

    def message(self, seconds):
        """The next one, or nothing."""
        end = time.monotonic() + seconds
        while b"\0" not in self.rest:
            if not select.select([self.read_end], [], [], max(end - time.monotonic(), 0))[0]:
                return None
            part = os.read(self.read_end, 1 << 20)
            if not part:
                raise RuntimeError("the browser has ended")
            self.rest += part
        first, _, self.rest = self.rest.partition(b"\0")
        return json.loads(first)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters, **({"sessionId": self.session} if self.session else {})}
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        while (message := self.message(60)) is not None:
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)
        raise RuntimeError(f"{method}: no answer")

    def evaluate(self, code):
        return self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)["result"].get("value")

    def load(self, address, seconds=120):
        """Waits until all is there; returns the events since then."""
        self.events.clear()
        self.call("Page.navigate", url=address)
        end = time.monotonic() + seconds
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            event = self.message(max(end - time.monotonic(), 0))
            if event is None:
                return [*self.events, {"method": "late", "params": {}}]
            self.events.append(event)
        self.evaluate("new Promise(done => setTimeout(done, 30))")
        return list(self.events)

    def screenshot(self, path, width, height, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.reload")
        self.evaluate("new Promise(done => setTimeout(done, 400))")
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
