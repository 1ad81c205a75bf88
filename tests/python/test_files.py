"""Pictures from and to bytes, open files and paths, and what is said where there are none."""

import errno
import io
import pickle
import struct

import numpy
import pytest
from conftest import picture

import glproc
from glproc import _hints

IMAGE = picture((20, 30, 3))


def test_bytes_and_open_files(tmp_path):
    for name in ("a.png", "a.jpg", "a.ppm"):
        path = tmp_path / name
        glproc.write(path, IMAGE)
        content, expected = path.read_bytes(), glproc.read(path)
        for source in (content, bytearray(content), memoryview(content), io.BytesIO(content)):
            numpy.testing.assert_array_equal(glproc.read(source), expected, strict=True)
        with path.open("rb") as file:
            numpy.testing.assert_array_equal(glproc.read(file), expected, strict=True)
        buffer = io.BytesIO()
        glproc.write(buffer, IMAGE, format=name.rpartition(".")[2])
        assert buffer.getvalue() == content
        with (tmp_path / ("b" + name)).open("wb") as file:
            glproc.write(file, glproc.Image(IMAGE))
        assert (tmp_path / ("b" + name)).read_bytes() == content
    sizes = []
    for quality in (5, numpy.int64(95)):
        buffer = io.BytesIO()
        glproc.write(buffer, IMAGE, format="jpg", quality=quality)
        sizes.append(len(buffer.getvalue()))
    assert sizes[0] < sizes[1]
    glproc.Image(IMAGE).save(tmp_path / "saved.png")
    numpy.testing.assert_array_equal(glproc.read(tmp_path / "saved.png"), IMAGE)


def _tiff_of_pages(pages):
    """Pages of 4 x 2 grey pixels, each of another value."""
    file = b"II*\0" + struct.pack("<I", 8)
    for page in range(pages):
        tags = ((256, 4), (257, 2), (258, 8), (259, 1), (262, 1), (273, len(file) + 114), (277, 1), (278, 2), (279, 8))
        file += struct.pack("<H", 9) + b"".join(struct.pack("<HHII", tag, 4, 1, value) for tag, value in tags)
        file += struct.pack("<I", 0 if page + 1 == pages else len(file) + 12) + bytes([page + 1]) * 8
    return file


def test_a_page_is_read_by_its_number(tmp_path):
    path = tmp_path / "z.tif"
    path.write_bytes(_tiff_of_pages(3))
    for source in (path, path.read_bytes(), io.BytesIO(path.read_bytes())):
        assert glproc.read(source, page=numpy.int32(2)).tolist() == [[2] * 4] * 2
        with open(path, "rb") as file:
            assert glproc.read(file, page=3)[0, 0] == 3
    assert glproc.read(path)[0, 0] == 1
    with pytest.raises(glproc.InputError, match="there is no image 4: the file has 3"):
        glproc.read(path, page=4)
    for page in (0, -1, 1.0, True, "2", 1 << 40):
        with pytest.raises(glproc.UsageError, match="is no number from 1 on"):
            glproc.read(path, page=page)


def test_bytes_are_never_a_name(tmp_path, monkeypatch):
    """They may have come from a stranger."""
    monkeypatch.chdir(tmp_path)
    glproc.write("a.png", IMAGE)
    with pytest.raises(glproc.InputError, match="^bytes: "):
        glproc.read(b"a.png")
    with pytest.raises(glproc.InputError, match="limit of 599"):
        glproc.read((tmp_path / "a.png").read_bytes(), max_pixels=599)


@pytest.mark.parametrize(
    "call, builtin, number, name",
    [
        (lambda: glproc.read("no.png"), FileNotFoundError, errno.ENOENT, "no.png"),
        (lambda: glproc.read("."), IsADirectoryError, errno.EISDIR, "."),
        (lambda: glproc.read("file/a.png"), NotADirectoryError, errno.ENOTDIR, "file/a.png"),
        (lambda: glproc.write("no/a.png", IMAGE), FileNotFoundError, errno.ENOENT, "no"),
        (lambda: glproc.write("folder.png", IMAGE), IsADirectoryError, errno.EISDIR, "folder.png"),
        (lambda: glproc.lut(IMAGE, cube="no.cube"), FileNotFoundError, errno.ENOENT, "no.cube"),
        (lambda: glproc.blend(IMAGE, "no.png"), FileNotFoundError, errno.ENOENT, "no.png"),
    ],
)
def test_errors_are_also_pythons(tmp_path, monkeypatch, call, builtin, number, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(builtin) as raised:
        call()
    for error in (raised.value, pickle.loads(pickle.dumps(raised.value))):
        assert isinstance(error, (glproc.InputError, glproc.OutputError)) and isinstance(error, builtin)
        assert (error.errno, error.filename) == (number, name)
        assert name in str(error) and "Errno" not in str(error)


def test_a_broken_file_is_not_a_missing_one(tmp_path):
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\nrubbish")
    with pytest.raises(glproc.InputError) as raised:
        glproc.read(tmp_path / "a.png")
    assert type(raised.value) is glproc.InputError


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: glproc.read(5), r"read\(\) takes a path, bytes or an open file, not int"),
        (lambda: glproc.read(io.StringIO("")), r"open for bytes: open\(name, 'rb'\)"),
        (lambda: glproc.write(5, IMAGE), r"write\(\) takes a path, or an open file, not int"),
        (lambda: glproc.write(io.BytesIO(), IMAGE), 'format="png"'),
        (lambda: glproc.write("a.png", IMAGE, format="png"), "format is for open files"),
        (lambda: glproc.write("a.jpg", IMAGE, quality=90.5), "whole number from 1 to 100, not 90.5"),
        (lambda: glproc.write("a.jpg", IMAGE, quality=True), "not True"),
    ],
)
def test_wrong_arguments(tmp_path, monkeypatch, call, words):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TypeError, match=words) as raised:
        call()
    assert len(str(raised.value)) < 200 and list(tmp_path.iterdir()) == []


def test_hints_are_calls():
    for told, expected in [
        ("glproc crop in.png out.png 640x480", "glproc.crop(image, '640x480')"),
        ("to make it larger: glproc pad in.png out.png --size WxH", "to make it larger: glproc.pad(image, size='WxH')"),
        ("glproc resize in.png out.png 800x600 --fit", "glproc.resize(image, '800x600', fit=True)"),
        ("glproc merge red.png green.png blue.png out.png", "glproc.merge([first, second, third])"),
        ("glproc threshold IN OUT --method otsu", "glproc.threshold(image, method='otsu')"),
        ("glproc warp a.jpg b.png --points 1,2,3 makes these corners", "glproc.warp(image, points='1,2,3') makes these corners"),
        ("as glproc gray makes one of all", "as glproc.gray() makes one of all"),
        ("draw them by glproc pipe or a list with --from", "draw them by glproc pipe or a list with from"),
        ("--out-black", "out_black"),
    ]:
        assert _hints.of_python(told) == expected
    with pytest.raises(glproc.UsageError, match=r"glproc\.pad\(image, size='100x100'\)"):
        glproc.crop(IMAGE, "100x100")


def test_grey_goes_into_formats_of_colours(tmp_path):
    grey = picture((20, 30))
    for name in ("a.ppm", "a.gif"):
        glproc.write(tmp_path / name, grey)
        numpy.testing.assert_array_equal(glproc.read(tmp_path / name), numpy.dstack([grey] * 3))
        buffer = io.BytesIO()
        glproc.write(buffer, grey, format=name.rpartition(".")[2])
        assert buffer.getvalue() == (tmp_path / name).read_bytes()
    light = grey.astype("float32") / 255
    glproc.write(tmp_path / "a.hdr", light)
    assert abs(glproc.read(tmp_path / "a.hdr")[..., 0] - light).max() < 1 / 128
    with pytest.raises(glproc.UsageError):
        glproc.write(tmp_path / "a.pgm", IMAGE)  # colours do not become grey


def test_a_tga_that_has_no_name_is_recognised_by_its_end(tmp_path):
    image = numpy.arange(5 * 4 * 3, dtype=numpy.uint8).reshape(5, 4, 3)
    glproc.write(tmp_path / "a.tga", image)
    content = (tmp_path / "a.tga").read_bytes()
    assert numpy.array_equal(glproc.read(io.BytesIO(content)), image)
    assert numpy.array_equal(glproc.read(content), image)


@pytest.mark.parametrize("taken", [None, 0])
def test_a_raw_file_that_takes_no_more_is_an_error(taken):
    class Full(io.RawIOBase):
        def writable(self):
            return True

        def write(self, data):
            return taken

    with pytest.raises(BlockingIOError, match="takes no more"):
        glproc.write(Full(), numpy.zeros((4, 4, 3), numpy.uint8), format="png")


def test_a_raw_file_takes_all_of_it_or_raises():
    """write() of a raw file may take a part, and says so by what it returns alone."""

    class Raw(io.RawIOBase):
        def __init__(self, room):
            super().__init__()
            self.taken, self.room = b"", room

        def write(self, data):
            if self.room == len(self.taken):
                raise OSError(28, "no room")
            part = bytes(data[: min(100, self.room - len(self.taken))])
            self.taken += part
            return len(part)

    whole = io.BytesIO()
    glproc.write(whole, IMAGE, format="png")
    raw = Raw(1 << 20)
    glproc.write(raw, IMAGE, format="png")
    assert raw.taken == whole.getvalue()
    with pytest.raises(OSError):
        glproc.write(Raw(30), IMAGE, format="png")
