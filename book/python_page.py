"""The reference of the Python package, from its docstrings, which are read without importing the package."""

from __future__ import annotations

import ast
import re
import textwrap
from pathlib import Path

from sphinx.ext.napoleon import Config
from sphinx.ext.napoleon.docstring import NumpyDocstring

CONFIG = Config(napoleon_use_ivar=True, napoleon_use_rtype=False)
Definition = ast.ClassDef | ast.FunctionDef


def text(package: Path) -> str:
    """Return the page, as reStructuredText."""
    modules = {
        path.stem: ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(package.glob("*.py"))
    }
    definitions: dict[str, Definition] = {}
    for module in modules.values():
        named = (node for node in module.body if isinstance(node, ast.ClassDef | ast.FunctionDef))
        definitions |= {node.name: node for node in named}
    public = _public(modules["__init__"])
    parts = [
        "The Python package\n==================\n",
        _docstring(modules["__init__"]),
        ".. py:module:: rosenblatt\n",
    ]
    for name in public:
        parts.append(_heading(name))
        parts.append(_described(definitions[name], definitions))
    return "\n".join(parts)


def _public(module: ast.Module) -> list[str]:
    for node in ast.walk(module):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_MODULE_OF":
            return [name for name in ast.literal_eval(node.value) if not name.startswith("_")]
    message = "the package has no _MODULE_OF"
    raise ValueError(message)


def _heading(name: str) -> str:
    return f"{name}\n{'-' * len(name)}\n"


def _docstring(node: Definition | ast.Module) -> str:
    found = ast.get_docstring(node) or ""
    # A name that ends with `_` outside of code would be read as a reference.
    found = re.sub(r"(?<![`\w.])(\w+_)(?=[,)])", r"``\1``", found)
    return str(NumpyDocstring(found, CONFIG)) + "\n"


def _described(node: Definition, definitions: dict[str, Definition]) -> str:
    """Return the directive of a class or function, with the methods of a class."""
    if isinstance(node, ast.FunctionDef):
        head = f".. py:function:: {node.name}({_arguments(node)})\n\n"
        return head + textwrap.indent(_docstring(node), "   ")
    methods = _methods(node, definitions)
    first = methods.pop("__init__", None)
    head = f".. py:class:: {node.name}({_arguments(first) if first else ''})\n\n"
    body = _docstring(node)
    for name, method in methods.items():
        is_property = any(
            ast.unparse(d) in ("property", "cached_property") for d in method.decorator_list
        )
        if name.startswith("_") or not ast.get_docstring(method):
            continue
        kind = (
            f"py:property:: {name}" if is_property else f"py:method:: {name}({_arguments(method)})"
        )
        body += f"\n.. {kind}\n\n" + textwrap.indent(_docstring(method), "   ")
    return head + textwrap.indent(body, "   ")


def _methods(node: ast.ClassDef, definitions: dict[str, Definition]) -> dict[str, ast.FunctionDef]:
    """Return the methods of a class and of its bases in the package, its own first."""
    methods = {child.name: child for child in node.body if isinstance(child, ast.FunctionDef)}
    for base in node.bases:
        found = definitions.get(ast.unparse(base))
        if isinstance(found, ast.ClassDef):
            methods = methods | {
                k: v for k, v in _methods(found, definitions).items() if k not in methods
            }
    return methods


def _arguments(node: ast.FunctionDef) -> str:
    """Return the arguments without annotations and without `self`."""
    arguments = node.args
    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
        argument.annotation = None
    for argument in (arguments.vararg, arguments.kwarg):
        if argument:
            argument.annotation = None
    words = ast.unparse(arguments)
    return words.removeprefix("self").removeprefix("cls").removeprefix(", ")
