"""The recipes of packaging agree with the table of packages, with the version, and with what is installed.

    packaging.py BUILD VERSION"""

import ast
import fnmatch
import os
import re
import subprocess
import sys
import tempfile

from tree import finish, lines_of

TABLE = "scripts/packages.txt"
DEBIAN = "packaging/debian"
RECIPE = "packaging/spack/packages/tarry/package.py"


def needed(column):
    """What the build needs, by the names of one column of the table."""
    rows = [line.split("|") for line in lines_of(TABLE) if line.startswith("build|")]
    return {row[column] for row in rows if row[column]}


def compare(place, named, wanted):
    return ([f"{place}: '{name}' of {TABLE} is missing" for name in sorted(wanted - named)] +
            [f"{place}: '{name}' is not in {TABLE}" for name in sorted(named - wanted)])


def debian_dependencies():
    text = "\n".join(lines_of(f"{DEBIAN}/control"))
    field = re.search(r"^Build-Depends:(.*?)^\S", text, re.DOTALL | re.MULTILINE).group(1)
    return {entry.split()[0] for entry in field.split(",")}


def check_debian_dependencies():
    # The package serves both MPI libraries; debhelper makes it.
    return compare(f"{DEBIAN}/control", debian_dependencies(), needed(2) | {"debhelper-compat", "libmpich-dev"})


def calls_in_recipe():
    """The directives of the recipe as (name, first argument)."""
    recipe = next(node for node in ast.parse("\n".join(lines_of(RECIPE))).body if isinstance(node, ast.ClassDef))
    calls = [node.value for node in recipe.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    return [(call.func.id, call.args[0].value) for call in calls]


def check_recipe(version):
    calls = calls_in_recipe()
    named = {re.split("[@ +]", package)[0] for directive, package in calls if directive == "depends_on"}
    # Any MPI library is enough, and Spack always has a compiler.
    wanted = needed(7) - {"openmpi"} | {"mpi", "c"}
    problems = compare(RECIPE, named, wanted)
    if ("version", version) not in calls:
        problems.append(f"{RECIPE}: does not have version {version}")
    return problems


def check_changelog(version):
    first = lines_of(f"{DEBIAN}/changelog")[0]
    return [] if first.startswith(f"tarry ({version}) ") else [f"{DEBIAN}/changelog: does not begin with version {version}"]


def installed(build):
    with tempfile.TemporaryDirectory() as stage:
        subprocess.run(["cmake", "--install", build, "--prefix", "/usr"], env={**os.environ, "DESTDIR": stage},
                       stdout=subprocess.DEVNULL, check=True)
        return {os.path.relpath(os.path.join(folder, name), stage) for folder, _, names in os.walk(stage) for name in names}


def check_contents(build):
    """Every file is in one package or declared to be in none, and every line of the lists has files."""
    lists = [name for name in os.listdir(DEBIAN) if name.endswith(".install")] + ["not-installed"]
    patterns = [(name, line) for name in sorted(lists) for line in lines_of(f"{DEBIAN}/{name}") if line and line[0] != "#"]
    files = installed(build)
    problems, left = [], set(files)
    for name, pattern in patterns:
        found = {file for file in files if fnmatch.fnmatch(file, pattern) or file.startswith(pattern + "/")}
        if not found:
            problems.append(f"{DEBIAN}/{name}: nothing is installed as '{pattern}'")
        if found - left:
            problems.append(f"{DEBIAN}/{name}: '{pattern}' is in another package as well")
        left -= found
    return problems + [f"{DEBIAN}: '{file}' is in no package" for file in sorted(left)]


def main():
    build, version = sys.argv[1:]
    problems = check_debian_dependencies() + check_recipe(version) + check_changelog(version) + check_contents(build)
    finish(problems, 4)


main()
