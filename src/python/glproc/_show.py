"""A picture in the system's viewer."""

import os
import shutil
import subprocess
import tempfile
import threading

from .errors import OperationError

#: What shows a file, the first of these that is installed: the desktop's program for pictures, or glproc's window.
_VIEWERS = (("xdg-open",), ("glproc", "view"))
#: Seconds in which a viewer says that it cannot. Most go on in the background, some until they are closed.
_patience = 1.0


def _path():
    """The folders of PATH that are full paths: others depend on the current folder, which may be a stranger's."""
    return os.pathsep.join(folder for folder in os.get_exec_path() if os.path.isabs(folder))


def _command():
    for name, *words in _VIEWERS:
        program = shutil.which(name, path=_path())
        if program:
            return [program, *words]
    raise OperationError("there is no program that shows images", "install xdg-utils, or glproc's window")


def show(png):
    """Give a PNG to the viewer, as a file of its own in the temporary folder, which stays there: viewers read it later."""
    command = _command()
    folder = tempfile.mkdtemp(prefix="glproc-")
    file = os.path.join(folder, "image.png")
    with open(file, "wb") as to:
        to.write(png)
    viewer = subprocess.Popen(
        [*command, file], cwd=folder, env={**os.environ, "PATH": _path()}, stdin=subprocess.DEVNULL, start_new_session=True
    )
    try:
        status = viewer.wait(_patience)
    except subprocess.TimeoutExpired:
        threading.Thread(target=viewer.wait, daemon=True).start()
        return
    if status:
        shutil.rmtree(folder)
        raise OperationError(f"{os.path.basename(command[0])} ended with status {status}", "image.save() writes a file")
