"""Calls whose arguments do not go with the parameters. A wrong word is said before whatever is missing, with the one that may be meant."""

import difflib
import functools
import inspect


def wrong_word(name, word, known):
    """The error for a keyword that a function lacks."""
    near = difflib.get_close_matches(word, known, 1)
    words = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(known) or 'none'}"
    return TypeError(f"{name}() got an unexpected keyword argument {word!r}: {words}")


def names_of(*signatures):
    """What may be a keyword."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = [parameter for signature in signatures for parameter in signature.parameters.values()]
    return [parameter.name for parameter in parameters if parameter.kind in kinds and parameter.name != "self"]


def bound(name, signature, arguments, named, others=(), explained=str):
    """The arguments of a call by parameter. It takes `others`, too; `explained` words an error otherwise than inspect does."""
    unknown = [word for word in named if word not in signature.parameters]
    if unknown:
        raise wrong_word(name, unknown[0], [*names_of(signature), *others])
    try:
        return signature.bind(*arguments, **named)
    except TypeError as error:
        words = explained(str(error))
        raise TypeError(f"{name}() is {words}" if words.startswith("missing") else f"{name}() {words}") from None


def tells_words(function):
    """The function, which tells of a wrong keyword what may be meant."""
    known = names_of(inspect.signature(function))
    name = function.__qualname__.replace(".__init__", "").replace(".__call__", "")

    @functools.wraps(function)
    def told(*arguments, **named):
        try:
            return function(*arguments, **named)
        except TypeError:
            wrong = next((word for word in named if word not in known), None)
            if wrong is None:
                raise
            raise wrong_word(name, wrong, known) from None

    return told
