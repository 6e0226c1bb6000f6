"""The set-up: one complete lock, Binder on the same, and documents that name only what exists."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
DOCUMENTS = ("README.md", "CONTRIBUTING.md")
EXTRAS = ("course", "test", "dev")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def locked() -> list[Requirement]:
    lines = (line.split("#")[0].strip() for line in (ROOT / "requirements.txt").read_text().splitlines())
    return [Requirement(line) for line in lines if line]


def locked_here() -> dict[str, Version]:
    """Name and version of each package that the lock installs on this Python and system."""
    mine = [lock for lock in locked() if lock.marker is None or lock.marker.evaluate()]
    return {canonicalize_name(lock.name): Version(str(lock.specifier).removeprefix("==")) for lock in mine}


def asked_for() -> list[Requirement]:
    """Everything that pyproject.toml asks for."""
    return [
        Requirement(line)
        for line in (
            *PROJECT["dependencies"],
            *(line for extra in EXTRAS for line in PROJECT["optional-dependencies"][extra]),
        )
    ]


def test_the_lock_names_one_version_of_each_and_no_place_to_get_it_from():
    for lock in locked():
        assert re.fullmatch(r"==[^,*]+", str(lock.specifier)), lock
        assert lock.url is None
    text = (ROOT / "requirements.txt").read_text()
    assert not re.search(r"^\s*-|https?://", text, re.M)


def test_the_lock_needs_no_gpu_and_no_other_framework():
    heavy = re.compile(r"nvidia|cuda|^torch|tensorflow|triton")
    assert [lock.name for lock in locked() if heavy.search(lock.name)] == []


def test_the_lock_satisfies_pyproject():
    versions = locked_here()
    for requirement in asked_for():
        assert versions[canonicalize_name(requirement.name)] in requirement.specifier


def test_the_lock_is_complete():
    """Follow the installed packages' own requirements: each package reached is in the lock."""
    versions = locked_here()
    todo, seen = [(r.name, frozenset(r.extras)) for r in asked_for()], set()
    while todo:
        name, extras = todo.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        assert canonicalize_name(name) in versions
        for requirement in map(Requirement, metadata.requires(name) or []):
            marker = requirement.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
                todo.append((requirement.name, frozenset(requirement.extras)))
    assert len(seen) >= 100  # the walk went somewhere


def test_binder_installs_the_lock_and_the_package():
    lines = (ROOT / "binder" / "requirements.txt").read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == ["-r ../requirements.txt", "-e ."]
    python = (ROOT / "binder" / "runtime.txt").read_text().strip().removeprefix("python-")
    assert Version(python) in Requirement(f"python{PROJECT['requires-python']}").specifier


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))


@pytest.mark.parametrize("name", [*DOCUMENTS, ".ci/run", ".github/workflows/test.yml"])
def test_every_make_command_named_exists(name):
    named = set(re.findall(r"(?:^|[`\s])make ([a-z]+)(?=[`\s=]|$)", (ROOT / name).read_text(), re.M))
    assert named
    assert named <= make_targets()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_script_named_is_installed(name):
    scripts = {entry.name for entry in metadata.entry_points(group="console_scripts")} | {"python"}
    assert set(re.findall(r"\.venv/bin/([\w-]+)", (ROOT / name).read_text())) <= scripts
