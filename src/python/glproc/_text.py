"""Docstrings, in NumPy's style, of what the library says of its operations."""

import re

from ._fields import default_of, example_of, is_switch, parameter_name, type_of

_WIDTH = 88


def _wrapped(text, indent):
    """As textwrap.fill(), which takes half of the time that an import has."""
    words = text.split()
    whole = indent + " ".join(words)
    if len(whole) <= _WIDTH:
        return whole
    lines = [indent]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > _WIDTH and lines[-1] != indent:
            lines.append(indent)
        lines[-1] += word if lines[-1] == indent else " " + word
    return "\n".join(lines)


def _of_parameters(text):
    """The library's words, in which parameters are flags."""
    return re.sub(r"--([a-z][a-z-]*)", lambda flag: f"`{flag[1].replace('-', '_')}`", text) if "--" in text else text


def _sentence(text):
    """The same as a sentence."""
    text = _of_parameters(text)
    return text[:1].upper() + text[1:] + "." if text else ""


def _plain_type(field):
    if is_switch(field):
        return "bool"
    if field["reads_picture"]:
        return "array, or a file's name"
    if field["choices"]:
        names = ", ".join(f"'{name}'" for name, _ in field["choices"])
        return "{" + names + "}"
    return f"{field['value']}, {field['range']}" if field["range"] else field["value"]


_told = {}  # fields and their texts by id: each is told twice, by a function and a method, and an import must be quick


def _field(field):
    """Fields live as long as the package."""
    if id(field) not in _told:
        _told[id(field)] = field, _text_of(field)
    return _told[id(field)][1]


def _text_of(field):
    default = default_of(field)
    ends = "" if field["required"] else ", optional" if default is None else f", default {default!r}"
    unit = f", in {field['unit']}" if field["unit"] else ""
    head = f"{parameter_name(field)} : {_plain_type(field)}{unit}{ends}"
    lines = [_wrapped(head, "").replace("\n", "\n        "), _wrapped(_sentence(field["help"]), "    ")]
    lines += [_wrapped(f"'{name}': {_of_parameters(when)}.", "    ") for name, when in field["choices"] if when]
    if field["needs"]:
        lines.append(f"    Has no effect without `{field['needs'].replace('-', '_')}`.")
    return "\n".join(line for line in lines if line.strip())


def _product(products):
    return "product : {" + ", ".join(map(repr, products)) + f"}}, default {products[0]!r}\n    What is returned."


def _call(operation, is_method):
    first = "images" if operation["joins"] else "values" if operation["input"] == "vector" else "image"
    named = [f"{name}={value!r}" for name, value in example_of(operation).items()]
    if is_method:
        return f"{first}.{operation['name']}({', '.join(named)})"
    return f"glproc.{operation['name']}({', '.join([first, *named])})"


_IMAGE = """image : array of shape (height, width) or (height, width, channels), or Image
    uint8, uint16 or float32, with any strides; 1 to 4 channels: grey, grey and alpha, RGB, RGBA.
    Integers stand for 0 to 1, floats for themselves. A list of arrays, or a stack of shape
    (n, height, width, channels), gives a list or a stack."""
_IMAGES = """images : list of arrays, or array of shape (n, height, width) or (n, height, width, channels)
    uint8, uint16 or float32, all of one shape, with any strides; 1 to 4 channels. Integers stand for
    0 to 1, floats for themselves."""
_VALUES = "values : array of shape (n,), uint32, int32 or float32"
_OUT = """out : array, optional
    Where the result goes, in place of a new array; may be the image itself."""
_RETURNS = {
    "image": "array, or Image where one came in\n    Of the same type as the image, unless the operation says otherwise.",
    "array": "array of uint32, int32 or float32",
    "report": "dict\n    What `glproc {name} --json` prints.",
}
_RAISES = """UsageError
    A parameter is out of range.
OperationError
    The operation failed, or a bound that was given is exceeded.
TypeError, ValueError
    The array is of another type or shape.
DeviceError, GpuError
    There is no OpenGL 4.3, or too little of its memory."""


def docstring(operation, fields, is_method=False):
    first = [] if is_method else [_IMAGES if operation["joins"] else _VALUES if operation["input"] == "vector" else _IMAGE]
    products = [made["product"] for made in (operation, *operation["others"])]
    out = [_product(products)] if operation["others"] else []
    out += [_OUT] if "image" in products and not is_method else []
    sections = [_wrapped(_sentence(operation["summary"]), "")]
    parameters = first + [_field(field) for field in fields] + out
    if parameters:
        sections.append("Parameters\n----------\n" + "\n".join(parameters))
    returns = "\n".join(_RETURNS[product] for product in products)
    sections.append("Returns\n-------\n" + returns.replace("{name}", operation["name"]))
    sections.append("Raises\n------\n" + _RAISES)
    sections.append("Examples\n--------\n>>> " + _call(operation, is_method))
    return "\n\n".join(sections) + "\n"
