"""scripts/packages.txt is well formed, and docs/dependencies.md explains every package in it."""

from tree import finish, lines_of

TABLE = "scripts/packages.txt"
DOCUMENT = "docs/dependencies.md"
COLUMNS = 9
STAGES = {"build", "test", "long", "bench", "fuzz"}
NEEDS = {"stop", "less"}
MACHINES = {"any", "aarch64", "x86_64"}
PROBES = {"program", "pkg", "file", "python"}


def complaint(row, document):
    if len(row) != COLUMNS:
        return f"{len(row)} columns, {COLUMNS} are needed"
    stage, need, package, machine, probe, purpose = row[:6]
    if stage not in STAGES or need not in NEEDS or machine not in MACHINES or probe.split()[0] not in PROBES:
        return "a word that the head of the table does not explain"
    if not purpose:
        return "does not say what it is for"
    if f"`{package}`" not in document:
        return f"{DOCUMENT} does not mention `{package}`"
    return None


def main():
    document = "\n".join(lines_of(DOCUMENT))
    rows = [(number, line.split("|")) for number, line in enumerate(lines_of(TABLE), 1)
            if line and not line.startswith("#")]
    problems = []
    for number, row in rows:
        wrong = complaint(row, document)
        if wrong:
            problems.append(f"{TABLE}:{number}: {wrong}")
    finish(problems, len(rows))


main()
