#!/usr/bin/env python3
"""docs/checks.md has every check, in the order of the table, with the table's name, severity, section, why and fix, and a wrong and a correct
program. The shown output is the actual output. Deadlocks have separate output, from such a program, with the table's texts.

    document.py DOCS [--repair]        writes the texts of the table for each check again"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "src/check/checks"))
import generate  # noqa: E402

problems = []
PAGE = pathlib.Path(sys.argv[1]) / "checks.md"
PROGRAMS = re.compile(r"\n```c\n/\* wrong \*/\n(.+?)\n\n/\* right \*/\n(.+?)\n```\n", re.S)


def for_many(text):
    """{value:one/# of many} as it is for many."""
    return re.sub(r"\{(\w+):[^/{}]*/([^{}]*)\}", lambda form: form.group(2).replace("#", f"{{{form.group(1)}}}"), text)


def with_names(text):
    text = for_many(text)
    return re.sub(r"\{(\w+)\}", lambda match: f"*{match.group(1).replace('_', ' ')}*", text)


def standard(check):
    return "OpenSHMEM 1.4" if check.group == "shmem" else "MPI 4.0"


def description(check):
    return (f"**{check.text('name', 'en')}** ({check.severity}, {standard(check)} section {check.standard}). {with_names(check.text('why', 'en'))}\n"
            f"{with_names(check.text('fix', 'en'))}\n")


def look_at(check, section):
    told, code, programs = section.partition("\n```c\n")
    if told != description(check):
        problems.append(f"{check.id}: use --repair, the table says:\n{description(check)}")
    match = PROGRAMS.match("\n```c\n" + programs)
    if not code or not match or match.group(1) == match.group(2):
        problems.append(f"{check.id}: no wrong and right program")
    elif ("shmem_" if check.group == "shmem" else "MPI_") not in section and check.group != "end":
        problems.append(f"{check.id}: a program without {standard(check)}")


def template(text):
    """A pattern of what the text becomes when values are put in."""
    pattern = ""
    for part in re.split(r"(\{[^{}]*\})", text):
        form = re.fullmatch(r"\{\w+:(.*)/(.*)\}", part)
        if form:
            pattern += f"(?:{re.escape(form.group(1))}|{re.escape(form.group(2))})".replace(r"\#", ".+?")
        else:
            pattern += ".+?" if part.startswith("{") else re.escape(part)
    return pattern.replace(r"\ ", " ")


def look_at_output(check, section):
    shown = re.search(r"\n```\n((?:error|warning) \d+: .*?)```\n", section, re.S)
    words = " ".join(shown.group(1).split()) if shown else ""
    wanted = (rf"{check.severity} \d+: {template(check.text('name', 'en'))} \[{re.escape(check.id)}\] .+ why: "
              rf"{template(check.text('why', 'en').rstrip('.'))} \(MPI 4.0, section {re.escape(check.standard)}\)\. fix: {template(check.text('fix', 'en'))}")
    if not re.match(wanted, words):
        problems.append(f"{check.id}: no output, or not with the texts of the table")


def repaired(page, checks):
    for check in checks:
        page = re.sub(rf"(### {re.escape(check.id)}\n\n).*?\n(?=\n```c\n)",
                      lambda match, check=check: match.group(1) + description(check), page, flags=re.S)
    return page


def main():
    page, checks = PAGE.read_text(), generate.Table().checks
    if "--repair" in sys.argv:
        PAGE.write_text(repaired(page, checks))
        page = PAGE.read_text()
    sections = dict(re.findall(r"^### (\S+)\n\n(.*?)(?=^##|\Z)", page, re.S | re.M))
    if list(sections) != [check.id for check in checks]:
        problems.append(f"other checks than in the table: {sorted(set(sections) ^ {check.id for check in checks}) or 'order'}")
    for check in checks:
        look_at(check, sections.get(check.id, ""))
        if check.group == "deadlock":
            look_at_output(check, sections.get(check.id, ""))
    shown = re.search(r"```\n(Check complete.*?)```", page, re.S)
    if not shown or not (HERE / "english.out").read_text().replace("Note: A note.\n", "").startswith(shown.group(1).rstrip("\n")):
        problems.append("the output at the beginning is not what is printed")
    drawn = re.search(r"```\nA deadlock ended the run.*?\n\n(.*?)```", page, re.S)
    if not drawn or not (HERE / "pictures.out").read_text().startswith(drawn.group(1)):
        problems.append("the picture at the beginning is not what is printed")
    print("\n".join(problems) or f"{len(sections)} checks are described")
    sys.exit(bool(problems))


main()
