"""The parameters of operations, from the descriptions that the library gives: names, defaults, types, and their texts."""

import numbers
import os


def parameter_name(field):
    """The name in Python: out-black is out_black, and what is a keyword gets a line at its end."""
    name = field["name"].replace("-", "_")
    return name + "_" if name in ("with", "from", "in", "lambda", "is") else name


def is_switch(field):
    return not field["value"]


def _is_size(field):
    return "WxH" in field["value"] + field["range"]


def fields_of(operation):
    """Those that Python has: not the files for which an array is the better place."""
    hidden = {field["name"] for field in operation["fields"] if field["names_picture"] or field["names_array"]}
    return [field for field in operation["fields"] if field["name"] not in hidden and field["needs"] not in hidden]


def default_of(field):
    if is_switch(field):
        return False
    return _value_of(field["default"]) if field["default"] else None


def _value_of(text):
    """A number, a tuple of numbers, or a text."""
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        return text
    values = [int(value) if value == int(value) else value for value in values]
    return values[0] if len(values) == 1 else tuple(values)


def type_of(field):
    """As a type checker has it."""
    has_default = field["required"] or default_of(field) is not None
    return _type_given(field) + ("" if has_default else " | None")


def _type_given(field):
    kind = field["kind"]
    names = [repr(name) for name, _ in field["choices"]]
    names = f"Literal[{', '.join(names + [name for name, _ in field['choices'] if name.isdecimal()])}]"
    if kind in ("number", "whole"):
        number = "Whole" if kind == "whole" else "Number | str" if field["is_level"] else "Number"
        return number if field["values"] == 1 else f"{number} | Sequence[{number}] | NDArray[Any]"
    if kind == "text":
        if field["choices"]:
            return names + " | str"  # some take more: constant:0.5
        if _is_size(field):
            return "Whole | str | Sequence[Whole] | NDArray[Any]"
        return "str | Sequence[float]" if isinstance(default_of(field), str) else "str | os.PathLike[str] | ArrayLike"
    return {
        "toggle": "bool", "choice": names, "choices": "str | Sequence[str]", "picture": "ArrayLike | str | os.PathLike[str]",
        "file": "str | os.PathLike[str]",
    }[kind]  # fmt: skip


def example_of(operation):
    """The arguments of a typical call, by their names in Python, as the library's own example has them."""
    words = operation["example"].split()
    fields = {field["name"]: field for field in fields_of(operation)}
    place = next((field for field in fields.values() if field["is_place"]), None)
    files = 1 if operation["product"] == "report" else 2
    if operation["joins"]:
        files = next((i for i, word in enumerate(words) if word.startswith("--")), len(words))
    words = words[files:]
    arguments = {}
    while words:
        word = words.pop(0)
        field = fields.get(word[2:]) if word.startswith("--") else place
        if field is not None and is_switch(field):
            arguments[parameter_name(field)] = True
        elif field is not None:
            text = words.pop(0) if word.startswith("--") else word
            arguments[parameter_name(field)] = text if field["reads_picture"] else _value_of(text)
    return arguments


def _joined(value, separators):
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        return _number(value)
    return separators[0].join(_joined(part, separators[1:] or separators) for part in value)


def _number(value):
    if isinstance(value, (bool, str)) or not isinstance(value, numbers.Number):
        raise TypeError(f"{value!r} is not a number")
    return str(int(value)) if isinstance(value, numbers.Integral) else repr(float(value))


def setting_of(field, value):
    """(name, text or array) for the library, or None where there is nothing to set."""
    name = field["name"]
    if value is None:
        return None
    if is_switch(field):
        if isinstance(value, str) or hasattr(value, "__len__"):
            raise TypeError(f"{parameter_name(field)} is True or False, not {value!r}")
        return (name, "") if value else None
    if value is True or value is False:
        if not field["implied"]:
            raise TypeError(f"{parameter_name(field)} takes a value, not {value}")
        return (name, "") if value else None
    if field["reads_picture"]:
        return name, _picture(value)
    if isinstance(value, (str, os.PathLike)):
        return name, os.fspath(value)
    try:
        if hasattr(value, "tolist"):  # of NumPy's, a number or any array
            value = value.tolist()
        if hasattr(value, "__iter__"):
            value = list(value)
            is_nested = any(hasattr(part, "__iter__") and not isinstance(part, str) for part in value)
            if value and all(isinstance(part, str) for part in value):
                return name, ",".join(value)
            between = "x" if _is_size(field) else ","
            return name, _joined(value, ";," if is_nested else between)
        return name, _number(value)
    except TypeError as error:
        raise TypeError(f"{parameter_name(field)}: {error}") from None


def _picture(value):
    if isinstance(value, (str, os.PathLike)):
        from . import _files

        return _files.read(value)
    from . import _arrays

    return _arrays.array_of(value, "a second picture")
