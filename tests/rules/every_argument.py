"""Every argument of every function of MPI can be used in a rule by its name in the standard.

    every_argument.py TARRY [HEADER]

A rule file uses all of them, each with all its parts, and is checked; the names are compared with those in MPICH's header, which has
those of the standard. Must be rejected: an array or a status without a part, a part of something else, and a name that the function does
not have."""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "..", "src", "calls", "generator"))
import table  # noqa: E402

# Where the header differs from the standard.
MISNAMED = {"indx": "index", "msg": "message", "MPI_Precv_init.dest": "source"}


def parts(parameter, large):
    """How the argument may be written, and how it may not."""
    declared = parameter.declare(large)
    name = parameter.name
    if parameter.kind.name in ("textlists", "outfortran", "infortran"):
        return [name], [f"{name}[0]", f"{name}.length"]
    is_array = "[" in declared or parameter.kind.name == "argv"
    if "MPI_Status" in declared:
        members = ["MPI_SOURCE", "MPI_TAG", "MPI_ERROR", "bytes"]
        start = f"{name}[3]" if is_array else name
        return [f"{start}.{member}" for member in members], [name, f"{name}.sum", start]
    if not is_array:
        return [name], [f"{name}[0]", f"{name}.sum", f"{name}.MPI_TAG"]
    numbers = re.search(r"\b(int|MPI_Aint|MPI_Count|MPI_Offset)\b", declared)
    of_all = [f"{name}.length"] + [f"{name}.{part}" for part in ("sum", "min", "max")] * bool(numbers)
    return [f"{name}[0]", f"{name}[12]"] + of_all, [name, f"{name}.MPI_TAG", f"{name}[0].sum"]


def write_rules(path, functions):
    with open(path, "w", encoding="utf-8") as file:
        for f in functions:
            wanted = [text for p in f.parameters for text in parts(p, f.large)[0]]
            values = ", ".join(f"p{i} = {text}" for i, text in enumerate(wanted))
            file.write(f"declare event e_{f.name} for {f.full_name}{f' parameters( {values} )' if wanted else ''};\n")


def check_file(tarry, path):
    return subprocess.run([tarry, "rules", "check", "--no-shipped", path], capture_output=True, text=True, check=False)


def check_refused(tarry, folder, functions):
    """One function in 20, and an error for each of its wrong words. So many are reported at once."""
    path = os.path.join(folder, "wrong.rules")
    for f in functions[::20]:
        wrong = ([text for p in f.parameters for text in parts(p, f.large)[1]] + ["surely_not"])[:20]
        with open(path, "w", encoding="utf-8") as file:
            for i, text in enumerate(wrong):
                file.write(f"declare event e{i} for {f.full_name} parameters( p = {text} );\n")
        lines = set(re.findall(r":(\d+):\d+: error:", check_file(tarry, path).stderr))
        if len(lines) != len(wrong):
            sys.exit(f"FAILED: some of {wrong} of {f.full_name} are accepted: errors in lines {lines}")


def compare_names(header, functions):
    with open(header, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    ours = {f.full_name: [p.name for p in f.parameters] for f in functions}
    compared = 0
    for name, words in re.findall(r"\bint (MPI_\w+)\(([^()]+)\)", text):
        names = [re.findall(r"\w+", re.sub(r"\[.*", "", word))[-1] for word in words.split(",") if word.strip() != "..."]
        names = [MISNAMED.get(f"{name}.{word}", MISNAMED.get(word, word)) for word in names]
        if name in ours and len(names) == len(ours[name]) and names != ["void"]:
            compared += 1
            if names != ours[name]:
                sys.exit(f"FAILED: {name} has {names} in {header}, not {ours[name]}")
    if compared < 300:
        sys.exit(f"FAILED: only {compared} functions found in {header}")


def main():
    tarry, header = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    functions = table.read_functions()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "all.rules")
        write_rules(path, functions)
        result = check_file(tarry, path)
        if result.returncode != 0:
            sys.exit(f"FAILED: {result.stdout}{result.stderr}")
        check_refused(tarry, folder, functions)
    if header:
        compare_names(header, functions)


main()
