"""The installed package: its version, its dependencies, and one binary for every CPython."""

from __future__ import annotations

import importlib
import re
import sys
from importlib.metadata import metadata, requires, version
from importlib.resources import files

import pytest
from conftest import ROOT

import rosenblatt
from rosenblatt import _extras, _native

try:
    import tomllib
except ImportError:
    import tomli as tomllib

WORKSPACE = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]


def test_the_version_is_that_of_the_workspace():
    assert version("rosenblatt") == rosenblatt.__version__ == WORKSPACE["package"]["version"]


def test_nothing_but_numpy_scipy_and_scikit_learn_is_needed():
    needed = [one for one in requires("rosenblatt") if "extra ==" not in one]
    names = {re.match(r"[\w.-]+", one)[0].lower() for one in needed}
    assert names == {"numpy", "scipy", "scikit-learn"}


def test_matplotlib_and_spark_are_extras():
    extras = [one for one in requires("rosenblatt") if "extra ==" in one]
    found = {
        extra: [re.split(r"[^\w.-]", one)[0] for one in extras if extra in one.partition(";")[2]]
        for extra in ("plot", "spark")
    }
    assert found == {"plot": ["matplotlib"], "spark": ["pyspark", "pyarrow", "pandas"]}
    assert len(extras) == 4


def test_the_part_for_spark_names_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspark", None)
    monkeypatch.delitem(sys.modules, "rosenblatt.spark", raising=False)
    with pytest.raises(ImportError, match="rosenblatt.spark needs PySpark 4.1 or later") as refused:
        importlib.import_module("rosenblatt.spark")
    assert str(refused.value).endswith('pip install "pyspark>=4.1" "pyarrow>=15" "pandas>=2.2,<3"')


def test_the_command_for_an_extra_has_what_the_manifest_has():
    manifest = tomllib.loads((ROOT / "python/pyproject.toml").read_text(encoding="utf-8"))
    for extra, needed in manifest["project"]["optional-dependencies"].items():
        words = " ".join(f'"{one}"' for one in needed)
        assert _extras.installation(extra) == f"pip install {words}"
    assert _extras.installation("none") == "install the extra `none`"


def test_python_3_10_is_enough():
    assert metadata("rosenblatt")["Requires-Python"] == ">=3.10"


def test_types_are_installed():
    package = files("rosenblatt")
    assert package.joinpath("py.typed").is_file()
    assert package.joinpath("_native.pyi").is_file()


def test_one_binary_serves_every_cpython():
    # Other binaries have the name of their interpreter, as in `_native.cp312-win_amd64.pyd`.
    assert re.search(r"_native(\.abi3\.so|\.pyd)$", _native.__file__)


@pytest.mark.parametrize("name", rosenblatt.__all__)
def test_what_is_public_is_there_and_documented(name):
    public = getattr(rosenblatt, name)
    assert isinstance(public, str) or public.__doc__
