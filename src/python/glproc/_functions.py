"""A function for each operation, made of the description that the library gives of it."""

import inspect

from . import _contexts
from ._calls import bound
from ._fields import default_of, fields_of, parameter_name, setting_of, type_of
from ._hints import of_python
from ._text import docstring

_POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD
_KEYWORD = inspect.Parameter.KEYWORD_ONLY
_NOTHING = object()  # where None is something


_parameters = {}  # operations and their parameters by id: a function and a method ask for them


def parameters_of(operation):
    """Of the operation alone: what must be given comes first."""
    if id(operation) not in _parameters:
        _parameters[id(operation)] = operation, _new_parameters_of(operation)
    return _parameters[id(operation)][1]


def _new_parameters_of(operation):
    fields = sorted(fields_of(operation), key=lambda field: not (field["required"] or field["is_place"]))
    parameters = []
    for field in fields:
        required = field["required"]
        parameters.append(
            inspect.Parameter(
                parameter_name(field),
                _POSITIONAL if required or field["is_place"] or not parameters else _KEYWORD,
                default=inspect.Parameter.empty if required else default_of(field),
                annotation=type_of(field),
            )
        )
    return fields, sorted(parameters, key=lambda parameter: (parameter.kind, parameter.default is not inspect.Parameter.empty))


def settings_in(fields, arguments):
    """What was given, for the library; a value that is the default need not be set."""
    by_name = {parameter_name(field): field for field in fields}
    given = ((by_name[name], value) for name, value in arguments.items() if not _is_default(by_name[name], value))
    return [setting for setting in (setting_of(field, value) for field, value in given) if setting is not None]


def _is_default(field, value):
    default = default_of(field)
    return type(value) is type(default) and value == default


def _bound(operation, fields, signature, arguments, named, others=()):
    """The arguments of a call by parameter; a parameter may go by its older name."""
    names = {field["alias"].replace("-", "_"): parameter_name(field) for field in fields if field["alias"]}
    named = {names.get(name, name): value for name, value in named.items()}

    def explained(error):
        return _what_is_wrong(fields, signature, arguments, named, error)

    given = bound(operation["name"], signature, arguments, named, others, explained).arguments
    for field in fields:
        if field["required"] and given[parameter_name(field)] is None:
            raise TypeError(f"{operation['name']}() takes a value for {parameter_name(field)!r}, not None")
    return given


def _what_is_wrong(fields, signature, arguments, named, error):
    """With a call whose keywords are parameters. One that is given in place of what is missing may mean something else here."""
    positional = [name for name, parameter in signature.parameters.items() if parameter.kind == _POSITIONAL]
    if len(arguments) > len(positional):
        first = f"only {', '.join(positional)} may go without a name" if positional else "they need names"
        return f"takes {len(positional)} argument{'s' * (len(positional) != 1)} after the image, not {len(arguments)}: {first}"
    if not (named and error.startswith("missing")):
        return error
    meanings = {parameter_name(field): of_python(field["help"]) for field in fields}
    given = ", ".join(f"{name!r} ({meanings[name]})" if meanings[name] else repr(name) for name in named)
    return f"got {given}, but is {error}"


def made_by(operation):
    """The operation itself, and as it makes other products, by product."""
    return {made["product"]: made for made in (operation, *operation["others"])}


def product_parameter(operation):
    """What chooses the product, where there is a choice."""
    if not operation["others"]:
        return []
    names = ", ".join(repr(name) for name in made_by(operation))
    return [inspect.Parameter("product", _KEYWORD, default=operation["product"], annotation=f"Literal[{names}]")]


def _chosen(operation, named):
    """The operation as it makes what is asked for."""
    made = made_by(operation)
    product = named.pop("product", operation["product"]) if operation["others"] else operation["product"]
    if product not in made:
        raise ValueError(f"{operation['name']}: product is {' or '.join(map(repr, made))}, not {product!r}")
    return made[product]


def make_function(operation):
    """`blur(image, sigma, ...)` for arrays, lists and stacks of them, and pictures on the GPU."""
    fields, parameters = parameters_of(operation)
    makes_picture = "image" in made_by(operation)
    own = inspect.Signature(parameters)
    word = "images" if operation["joins"] else "values" if operation["input"] == "vector" else "image"
    first = inspect.Parameter(word, inspect.Parameter.POSITIONAL_ONLY)
    out = [inspect.Parameter("out", _KEYWORD, default=None)] if makes_picture else []
    name = operation["name"]
    others = [parameter.name for parameter in (*product_parameter(operation), *out)]

    def function(image=_NOTHING, /, *arguments, **named):
        if word in named:
            raise TypeError(f"{name}() takes {word} first, and without a name")
        target = named.pop("out", None) if makes_picture else None
        chosen = _chosen(operation, named)
        if target is not None and chosen["product"] != "image":
            raise TypeError(f"{name}: out is for images")
        given = _bound(operation, fields, own, arguments, named, others)
        if image is _NOTHING:
            raise TypeError(f"{name}() is missing a required argument: {word!r}, which comes first")
        return _contexts.run(chosen, image, settings_in(fields, given), target)

    function.__name__ = function.__qualname__ = name
    function.__module__ = "glproc"
    function.__signature__ = inspect.Signature([first, *parameters, *product_parameter(operation), *out])
    function.__doc__ = docstring(operation, fields)
    return function


def settings_of(operation, arguments, named):
    """Those of a call, for the library."""
    fields, parameters = parameters_of(operation)
    return settings_in(fields, _bound(operation, fields, inspect.Signature(parameters), arguments, named))


def make_bound(operation, run):
    """`run(operation, image, settings)` as a function with the operation's parameters."""
    fields, parameters = parameters_of(operation)
    first = inspect.Parameter("array", inspect.Parameter.POSITIONAL_ONLY)

    def function(array, /, *arguments, **named):
        return run(operation, array, settings_of(operation, arguments, named))

    function.__name__ = function.__qualname__ = operation["name"]
    function.__module__ = run.__module__
    function.__signature__ = inspect.Signature([first, *parameters])
    function.__doc__ = docstring(operation, fields, is_method=True)
    return function


def make_method(operation):
    """The same of a picture on the GPU, or of a chain."""
    fields, parameters = parameters_of(operation)
    own = inspect.Signature(parameters)
    others = [parameter.name for parameter in product_parameter(operation)]

    def method(self, *arguments, **named):
        chosen = _chosen(operation, named)
        return self._run(chosen, settings_in(fields, _bound(operation, fields, own, arguments, named, others)))

    method.__name__ = operation["name"]
    method.__module__ = "glproc"
    method.__signature__ = inspect.Signature(
        [inspect.Parameter("self", _POSITIONAL), *parameters, *product_parameter(operation)]
    )
    method.__doc__ = docstring(operation, fields, is_method=True)
    return method
