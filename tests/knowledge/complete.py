"""Every shipped problem is documented: a section of the manual with a picture, a bad and a good program (of UPC's
problems, those of their group), texts in English and Russian with the same values, and a line in the manual's index.

    complete.py TARRY SOURCE_TREE"""

import glob
import json
import os
import re
import subprocess
import sys

# Problems of UPC programs: in collective operations, in synchronisation, in data movement, by roles.
UPC = """in-sync out-sync late-broadcast early-gather early-prefix-reduce in-sync-n-to-n out-sync-n-to-n wait-inside
    lock-contention barrier-wait barrier-completion alloc-wait fence-wait split-barrier-wait atomic-wait
    frequent-communication large-messages unbalanced-communication
    slow-workers overloaded-master""".split()
CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
TEXT = r'"((?:\\.|[^"\\])*)"'


def problems(tarry):
    done = subprocess.run([tarry, "rules", "list", "--json"], check=True, capture_output=True, text=True)
    return {entry["id"]: entry["name"] for entry in json.loads(done.stdout) if entry["kind"] == "problem"}


def declaration(tarry, problem):
    """As it is written, with the values of its variant."""
    shown = subprocess.run([tarry, "rules", "show", problem], check=True, capture_output=True, text=True).stdout
    found = re.search(rf"^\s*declare problem {re.escape(problem)} .*?\);$", shown, re.MULTILINE | re.DOTALL)
    return found.group(0) if found else ""


def sections(root):
    """Id -> text."""
    found = {}
    for path in glob.glob(os.path.join(root, "docs", "patterns", "*.md")):
        with open(path, encoding="utf-8") as file:
            for part in re.split(r"^## ", file.read(), flags=re.MULTILINE)[1:]:
                found[part.split()[0].strip("`")] = part
    return found


def picture_and_programs(problem, section):
    """The picture's name, and the folder of the programs that show it."""
    paradigm, _, name = problem.partition(".")
    if paradigm == "mpi":
        return name, f"examples/patterns/{name}"
    found = re.search(rf"examples/{paradigm}/[\w-]+", section)
    return f"{paradigm}-{name}", found.group(0) if found else f"examples/{paradigm}"


def lacks(tarry, root, problem, name, manual, index):
    section = manual.get(problem, "")
    text = declaration(tarry, problem)
    picture, folder = picture_and_programs(problem, section)
    if not section:
        yield "a section in docs/patterns"
    elif f"pictures/{picture}.svg" not in section or folder not in section:
        yield "its picture and its programs in the section"
    elif not re.search(rf"^\*\*{re.escape(name)}\.\*\* ", section, re.MULTILINE):
        yield f"its name '{name}' at the beginning of the section"
    if not re.search(rf"\[{re.escape(problem)}\]\([^)]*\), \*\*{re.escape(name)}\*\*:", index):
        yield f"a line with its name '{name}' in docs/patterns.md"
    for program in ("bad", "good"):
        if not glob.glob(os.path.join(root, folder, program + ".*")):
            yield f"a program {folder}/{program}"
    for parameter in ("name", "description", "advice"):
        found = re.search(rf"^\t+{parameter} = (.*?)(?=^\t+\w+ = |\Z)", text, re.MULTILINE | re.DOTALL)
        if not found or not CYRILLIC.search(found.group(1)):
            yield f"its {parameter} in Russian"


def translations(root):
    """A text has the same values in every language, with any nouns."""
    for path in sorted(glob.glob(os.path.join(root, "rules", "*.rules"))):
        with open(path, encoding="utf-8") as file:
            for text in re.finditer(TEXT + r"\s*ru\s*" + TEXT, file.read()):
                english, russian = (set(value.strip() for value in re.findall(r"{([^}|]*)", words)) for words in text.groups())
                if english != russian:
                    values = " ".join(sorted(english ^ russian))
                    yield f"{os.path.basename(path)}: {values} only in one language: {text.group(1)[:60]}…"


def main():
    tarry, root = sys.argv[1:3]
    manual = sections(root)
    with open(os.path.join(root, "docs", "patterns.md"), encoding="utf-8") as file:
        index = file.read()
    shipped = problems(tarry)
    missing = [f"{problem} lacks {what}" for problem, name in shipped.items()
               for what in lacks(tarry, root, problem, name, manual, index)]
    missing += [f"{problem} is in the manual, and is no problem" for problem in manual if problem not in shipped]
    missing += [f"upc.{name} is no problem" for name in UPC if f"upc.{name}" not in shipped]
    missing += translations(root)
    if missing:
        sys.exit("\n".join(missing))
    print(f"{len(shipped)} problems are complete")


main()
