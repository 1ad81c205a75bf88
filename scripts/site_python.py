"""The pages of the Python package, from its sources: nothing of it is imported that needs a build, or NumPy. For scripts/site."""
import ast
import html
import importlib
import re
import sys
import types

GROUPS = {"lines": "Filters along axes", "footprints": "Filters by a window", "morphology": "Morphology", "splines": "Resampling",
          "labels": "Labels", "measures": "Measures of groups", "distance": "Distances", "fourier": "On Fourier transforms"}
CLASSES = [("_image.py", "Image", "Images that stay on the GPU"), ("_chain.py", "Chain", "Several operations as one"),
           ("_contexts.py", "Context", "Devices and memory")]


def texts_of_ndimage(root):
    """The modules of names and docstrings, which import nothing but each other."""
    package = types.ModuleType("glproc")
    package.__path__ = [str(root / "src/python/glproc")]
    before = sys.modules.get("glproc")
    sys.modules["glproc"] = package
    try:
        return importlib.import_module("glproc._ndimage_names"), importlib.import_module("glproc._ndimage_text")
    finally:
        sys.modules.pop("glproc")
        sys.modules.update({"glproc": before} if before else {})


def parsed(root, name):
    return ast.parse((root / "src/python/glproc" / name).read_text(encoding="utf-8"))


def named(tree, name):
    return next(node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name)


def parameters_of(node):
    """Names and defaults, which are texts, or None where there is none."""
    arguments = node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + [*arguments.defaults, *arguments.kw_defaults]
    found = [(argument.arg, default and ast.unparse(default)) for argument, default in zip([*positional, *arguments.kwonlyargs], defaults)]
    return found + ([(arguments.kwarg.arg, None)] if arguments.kwarg else [])


def signature(name, node):
    """A call with all parameters, in lines that a phone shows."""
    words = re.sub(r"^self(, |$)", "", ast.unparse(node.args))
    words = words.replace("/, ", "").replace("max_pixels=1 << 30", "max_pixels=2**30")
    whole = f"{name}({words})"
    return whole if len(whole) <= 78 else f"{name}(\n    " + re.sub(r"(.{40,64}?, )", r"\1\n    ", words).replace(" \n", "\n") + ",\n)"


def escaped(text):
    """What Markdown would take for something else, as HTML."""
    return re.sub(r"[*_|\[\]]", lambda mark: f"&#{ord(mark[0])};", html.escape(text, quote=False))


def prose(text):
    """Code between backticks, and words."""
    parts = re.split(r"`([^`]*)`", text)
    return "".join(f"<code>{escaped(part)}</code>" if i % 2 else escaped(part) for i, part in enumerate(parts))


def cell(lines):
    return "<br>".join("&emsp;" * ((len(line) - len(line.lstrip())) // 4) + prose(line.strip()) for line in lines)


def table(headings, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [headings, ["---"] * len(headings), *rows])


def entries(lines):
    """Heads, and the lines below them that are indented."""
    found = []
    for line in lines:
        if line.startswith(" ") and found:
            found[-1][1].append(line[4:])
        elif line.strip():
            found.append((line, []))
    return found


def block(lines):
    """A paragraph of a docstring: code, a formula, what parameters mean, or prose."""
    if lines[0].startswith(">>> "):
        return "```pycon\n" + "\n".join(lines) + "\n```"
    if all(line.startswith("    ") for line in lines):
        return "```{ .text .wrapped }\n" + "\n".join(line[4:] for line in lines) + "\n```"
    if re.match(r"\**\w+ : ", lines[0]):
        return meanings(lines)
    return prose(" ".join(lines))


def meanings(lines):
    rows = [(head.partition(" : "), text) for head, text in entries(lines)]
    return table(["name", "type", "meaning"], [[f"`{name}`", prose(kind), cell(text)] for (name, _, kind), text in rows])


def section(heading, lines):
    """Of NumPy's style, as a heading is too much for."""
    if heading == "Parameters":
        return meanings(lines)
    if heading == "Returns":
        return "\n\n".join(f"**Returns** {prose(head)}: {cell(text)}" for head, text in entries(lines))
    if heading == "Raises":
        return table(["raises", "when"], [[prose(head), cell(text)] for head, text in entries(lines)])
    if heading == "See Also":
        name, _, text = lines[0].partition(" : ")
        return f"**See** `{name}`: {prose(text)}"
    return "\n\n".join(block(part.splitlines()) for part in "\n".join(lines).split("\n\n"))


def rendered(doc):
    """A docstring as Markdown."""
    pieces = re.split(r"^(\w[\w ]*)\n-{3,}\n", doc.strip("\n"), flags=re.M)
    parts = [block(part.splitlines()) for part in pieces[0].strip("\n").split("\n\n") if part.strip()]
    parts += [section(heading, text.strip("\n").splitlines()) for heading, text in zip(pieces[1::2], pieces[2::2])]
    return "\n\n".join(parts)


def doc_of(node):
    return rendered(ast.get_docstring(node) or "")


def function_part(level, anchor, name, node, doc):
    return f"{'#' * level} `{anchor}` {{ #{anchor} }}\n\n```python\n{signature(name, node)}\n```\n\n{doc}"


def ndimage_page(root):
    names, text = texts_of_ndimage(root)
    nodes = {}
    for module, its in names.MODULES.items():
        tree = parsed(root, f"_ndimage_{module}.py")
        nodes.update({name: named(tree, name) for name in its})
    stubs = {name: ast.parse(f"def {name}({words.replace(' ', ', ')}): ...").body[0] for name, words in names.SCIPYS.items()}
    groups = [(GROUPS[module], its) for module, its in names.MODULES.items()] + [("SciPy's own", tuple(names.SCIPYS))]
    doc = ast.get_docstring(parsed(root, "ndimage.py")).partition("\n")[2]
    rows = [[title, ", ".join(f"[`{name}`](#{name})" for name in sorted(its))] for title, its in groups]
    page = ["# `glproc.ndimage`", "**scipy.ndimage on the GPU: the same names, parameters, defaults and modes, and the same bits.**", rendered(doc),
            table(["", "functions"], rows), "In formulas, `in` is the input and indices count values along an axis.",
            '<div class="filtered" data-rows=".entry" data-word="gaussian"></div>']
    for title, its in groups:
        page.append(f"## {title}")
        for name in sorted(its):
            if name in stubs:
                node, doc = stubs[name], text.scipys_docstring(name)
            else:
                node = nodes[name]
                doc = text.docstring(name, " ".join(ast.get_docstring(node).split()), parameters_of(node))
            page.append(f'<div class="entry" markdown="1">\n\n{function_part(3, name, name, node, rendered(doc))}\n\n</div>')
    page.append("## Coverage")
    coverage = named(parsed(root, "ndimage.py"), "coverage")
    page.append(function_part(3, "coverage", "coverage", coverage, doc_of(coverage)))
    return "\n\n".join(page) + "\n"


def class_part(tree, name, title):
    node = named(tree, name)
    page = [f"## {title}", function_part(3, name, f"glproc.{name}", named(ast.Module(node.body, []), "__init__"), doc_of(node))]
    for method in node.body:
        if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
            is_property = any(isinstance(one, ast.Name) and one.id == "property" for one in method.decorator_list)
            call = f"{name.lower()}.{method.name}"
            if is_property:
                page.append(f"#### `{call}` {{ #{name}.{method.name} }}\n\n{doc_of(method)}")
            else:
                page.append(f"#### `{call}()` {{ #{name}.{method.name} }}\n\n```python\n{signature(call, method)}\n```\n\n{doc_of(method)}")
    return "\n\n".join(page)


def errors_table(root):
    tree = parsed(root, "errors.py")
    rows = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            bases = ", ".join(f"`{ast.unparse(base)}`" for base in node.bases)
            rows.append([f'<a id="{node.name}"></a>`{node.name}`', bases, prose(" ".join(ast.get_docstring(node).split()))])
    return table(["exception", "is a", "when"], rows)


def glproc_page(root):
    tree, contexts = parsed(root, "__init__.py"), parsed(root, "_contexts.py")
    page = ["# `glproc`", rendered(ast.get_docstring(tree)),
            "Functions of operations have a table of their own: [Python functions](../python-functions.md). Pages of operations explain each "
            "parameter.",
            "## Files"]
    files = parsed(root, "_files.py")
    page += [function_part(3, name, f"glproc.{name}", named(files, name), doc_of(named(files, name))) for name in ("read", "write")]
    for file, name, title in CLASSES:
        page.append(class_part(parsed(root, file), name, title))
    page.append(function_part(3, "device", "glproc.device", named(contexts, "device"), doc_of(named(contexts, "device"))))
    page += ["## Errors", errors_table(root), "[Errors](../errors.md) lists all messages with their cure."]
    return "\n\n".join(page) + "\n"


def dask_page(root, site):
    tree, local = parsed(root, "dask/__init__.py"), parsed(root, "dask/ndimage.py")
    names, _ = texts_of_ndimage(root)
    makers = [op.name for op in site.operations if op.makes_image()]
    page = ["# `glproc.dask`", rendered(ast.get_docstring(tree)), "## Operations",
            ", ".join(f"[`{name}`](../operations/{name}.md)" for name in makers) + ".", "## Counts"]
    page += [function_part(3, name, f"glproc.dask.{name}", named(tree, name), doc_of(named(tree, name))) for name in ("histogram", "stats")]
    page += ["## `glproc.dask.ndimage` { #ndimage }", rendered(ast.get_docstring(local)),
             ", ".join(f"[`{name}`](ndimage.md#{name})" for name in sorted(names.LOCAL | {"generate_binary_structure", "iterate_structure"})) + "."]
    return "\n\n".join(page) + "\n"


def pages(root, site):
    """By their place on the site."""
    return {"python/glproc.md": glproc_page(root), "python/ndimage.md": ndimage_page(root), "python/dask.md": dask_page(root, site)}
