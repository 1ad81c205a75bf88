"""What functions say of arguments that are missing, misspelt, or no pictures."""

import inspect
import pathlib

import numpy
import pytest
from conftest import DESCRIPTIONS, arguments_of, picture

import glproc
from glproc import ndimage
from glproc._fields import fields_of, parameter_name

IMAGE = picture((20, 30, 3))


@pytest.mark.parametrize("name", [name for name, operation in DESCRIPTIONS.items() if any(f["required"] for f in fields_of(operation))])
def test_what_must_be_given_is_not_none(folder, name):
    given = arguments_of(name)
    for field in fields_of(DESCRIPTIONS[name]):
        if field["required"]:
            named = {**given, parameter_name(field): None}
            for call in (getattr(glproc, name), getattr(glproc.Image(IMAGE), name)):
                with pytest.raises(TypeError, match=rf"^{name}\(\) takes a value for '{parameter_name(field)}', not None$"):
                    call(IMAGE, **named) if call is getattr(glproc, name) else call(**named)


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_a_misspelt_parameter_is_named(name):
    word = "image" if DESCRIPTIONS[name]["input"] == "image" else "values"
    with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'nonesuch'") as raised:
        getattr(glproc, name)(IMAGE, nonesuch=1)
    parameters = [parameter_name(field) for field in fields_of(DESCRIPTIONS[name])]
    assert all(parameter in str(raised.value) for parameter in parameters), word


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: glproc.blur(IMAGE, sgima=2), r"^blur\(\) got an unexpected keyword argument 'sgima': did you mean 'sigma'\?$"),
        (lambda: glproc.Image(IMAGE).blur(sgima=2), "did you mean 'sigma'"),
        (lambda: glproc.Chain().blur(sgima=2), "did you mean 'sigma'"),
        (lambda: glproc.blur(IMAGE, radius=3), r"^blur\(\) got 'radius' \(where to cut .*instead of truncate\), but is missing .*: 'sigma'$"),
        (lambda: glproc.Chain().blur(radius=3), r"^blur\(\) got 'radius' \(where to cut .*\), but is missing .*: 'sigma'$"),
        (lambda: glproc.blur(IMAGE, ot=IMAGE), r"^blur\(\) got an unexpected keyword argument 'ot': did you mean 'out'\?$"),
        (lambda: glproc.blur(image=IMAGE, sigma=2), r"^blur\(\) takes image first, and without a name$"),
        (lambda: glproc.blur(sigma=2), r"^blur\(\) is missing a required argument: 'image', which comes first$"),
        (lambda: glproc.blur(sgima=2), r"^blur\(\) got an unexpected keyword argument 'sgima': did you mean 'sigma'\?$"),
        (lambda: glproc.read("photo.png", pge=2), r"^read\(\) got an unexpected keyword argument 'pge': did you mean 'page'\?$"),
        (lambda: glproc.Context(devise=2), r"^Context\(\) got an unexpected keyword argument 'devise': did you mean 'device'\?$"),
        (lambda: glproc.Image(IMAGE).save("a.png", qualty=2), r"^Image\.save\(\) got .* 'qualty': did you mean 'quality'\?$"),
        (lambda: glproc.Chain().invert()(IMAGE, ot=2), r"^Chain\(\) got .* 'ot': did you mean 'out'\?$"),
        (lambda: glproc.blur(IMAGE), r"^blur\(\) is missing a required argument: 'sigma'$"),
        (lambda: glproc.blur(IMAGE, 1, 2, 3), r"^blur\(\) takes 1 argument after the image, not 3: only sigma may go without a name$"),
        (lambda: glproc.blur(IMAGE, 2, sigma=2), r"^blur\(\) multiple values for argument 'sigma'"),
        (lambda: glproc.blur("photo.jpg", 2), r"^blur takes an array, not str: glproc\.read\('photo\.jpg'\) makes one of a file$"),
        (lambda: glproc.blur(pathlib.Path("photo.jpg"), 2), r"glproc\.read\('photo\.jpg'\)"),
        (lambda: glproc.blur(b"photo", 2), r"not bytes: glproc\.read\(\)"),
        (lambda: glproc.blur(None, 2), r"^blur takes an array, not None$"),
        (lambda: glproc.Image(None), "^Image takes an array, not None$"),
        (lambda: glproc.write("a.png", None), "^write takes an array, not None$"),
        (lambda: glproc.stack([IMAGE, None]), "^stack takes an array, not None$"),
        (lambda: glproc.Context(memory="1G"), "memory is a number of bytes.*'1G'"),
    ],
)
def test_words(call, words):
    with pytest.raises(TypeError, match=words):
        call()


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_what_is_given_is_named_before_what_is_missing(name):
    first = next((parameter_name(field) for field in fields_of(DESCRIPTIONS[name]) if field["required"]), None)
    for field in fields_of(DESCRIPTIONS[name]) if first else ():
        word = parameter_name(field)
        for owner, arguments in ((glproc, [IMAGE]), (glproc.Image(IMAGE), []), (glproc.Chain(), [])):
            if hasattr(owner, name) and not field["required"]:
                with pytest.raises(TypeError, match=rf"^{name}\(\) got '{word}'.*, but is missing a required argument: '{first}'$"):
                    getattr(owner, name)(*arguments, **{word: 1})


@pytest.mark.parametrize("name", ndimage.coverage())
def test_a_misspelt_parameter_of_ndimage_is_named(name):
    *_, parameter = (word for word in inspect.signature(getattr(ndimage, name)).parameters if word != "kwargs")
    for wrong, words in (("nonesuch", "it takes .*" + parameter), (parameter + "z", rf"did you mean '{parameter}'\?$")):
        for arguments in ((), (numpy.ones((9, 9)),), (numpy.ones((99, 99)),)):  # SciPy does the smaller one
            with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument '{wrong}': {words}"):
                getattr(ndimage, name)(*arguments, **{wrong: 1})


def test_pictures_of_pillow():
    pillow = pytest.importorskip("PIL.Image")
    image = pillow.fromarray(IMAGE)
    for mode in ("CMYK", "P", "YCbCr", "HSV", "LAB"):
        with pytest.raises(TypeError, match=rf"no images of mode {mode}: image\.convert\('RGB'\)"):
            glproc.blur(image.convert(mode) if mode != "LAB" else pillow.new("LAB", (9, 9)), 2)
    for mode in ("L", "RGB", "RGBA", "LA"):
        numpy.testing.assert_array_equal(glproc.invert(image.convert(mode)), glproc.invert(numpy.asarray(image.convert(mode))))
    onto_gpu = glproc.Image(IMAGE)
    numpy.testing.assert_array_equal(numpy.asarray(pillow.fromarray(onto_gpu)), IMAGE)


def test_an_image_looks_like_an_array():
    for array in (IMAGE, picture((9, 8), "float32"), picture((9, 8, 1), "uint16")):
        image = glproc.Image(array)
        assert (image.ndim, image.size, image.shape, image.dtype) == (array.ndim, array.size, array.shape, array.dtype)
        assert image.tobytes() == array.tobytes()
        taken = numpy.asarray(image)
        del image
        numpy.testing.assert_array_equal(taken, array, strict=True)


def test_a_chain_says_at_once_what_is_wrong():
    for make in (lambda: glproc.Chain().blur(-1), lambda: glproc.Chain().gray().blur(2, border="clmp")):
        with pytest.raises(glproc.UsageError):
            make()
