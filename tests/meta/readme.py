"""README.md is correct as far as a test can check: its commands, options and links exist, its figures are those of
docs/performance.md, and its sample output has valid size. Links of all documents lead to files.

    readme.py"""

import os
import re

from tree import finish, lines_of, tracked

README = "README.md"
PERFORMANCE = "docs/performance.md"
SCREEN_LINES, SCREEN_COLUMNS = 25, 80
NESTED = ("bench", "rules")  # commands with commands of their own


def check_links():
    for path in tracked("*.md"):
        text = re.sub(r"```.*?```", "", "\n".join(lines_of(path)), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
            if "://" not in target and not os.path.exists(os.path.join(os.path.dirname(path), target)):
                yield f"{path}: there is no '{target}'"


def manual_of(words):
    """The text of the page that describes the command, or None."""
    name = "-".join(words[:2]) if words[0] in NESTED and len(words) > 1 else words[0]
    for page in (name, words[0]):
        path = f"docs/man/tarry-{page}.1"
        if os.path.exists(path):
            return "\n".join(lines_of(path))
    return None


def check_command(command):
    words = command.split(" -- ")[0].split()
    words = words[words.index("tarry") + 1:]
    manual = manual_of(words)
    if manual is None:
        return [f"{README}: there is no 'tarry {words[0]}'"]
    options = {word.lstrip("-") for word in words if re.fullmatch("--[a-z-]+", word)}
    return [f"{README}: 'tarry {words[0]}' has no option --{option}" for option in sorted(options)
            if f"Fl Fl {option}" not in manual]


def commands(text):
    return [command for command in re.findall(r"`([^`]*\btarry [a-z][^`]*)`", text) + re.findall(r"^    (tarry .*?)(?: {2,}#.*)?$", text, re.M)
            if not re.search(r"tarry [a-z]+\.", command)]


def check_screen(lines):
    """The block that begins with the command, and ends where its indentation does."""
    start = next((i for i, line in enumerate(lines) if line.startswith("    $ tarry report")), None)
    if start is None:
        return [f"{README}: the first screen is missing"]
    end = next(i for i in range(start, len(lines)) if lines[i] and not lines[i].startswith("    "))
    screen = [line[4:] for line in lines[start + 1:end]]
    while screen and not screen[-1]:
        screen.pop()
    problems = [f"{README}: a line of the screen is longer than {SCREEN_COLUMNS}: {line}" for line in screen if len(line) > SCREEN_COLUMNS]
    if not 5 <= len(screen) <= SCREEN_LINES:
        problems.append(f"{README}: the screen has {len(screen)} lines")
    return problems


def check_costs(text):
    """Every row is part of a row of the same name there."""
    known = [[cell.strip() for cell in line.split("|")] for line in lines_of(PERFORMANCE) if line.startswith("|")]
    table = text.split("## What it costs")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if re.match(r"\| .*\d ns", line)]
    problems = [] if rows else [f"{README}: there are no costs"]
    return problems + [f"{README}: {PERFORMANCE} does not say this: {' | '.join(row)}" for row in rows
                       if not any(set(row) <= set(cells) for cells in known)]


def main():
    lines = lines_of(README)
    text = "\n".join(lines)
    found = commands(text)
    problems = list(check_links()) + check_screen(lines) + check_costs(text)
    for command in found:
        problems += check_command(command)
    finish(problems, len(found))


main()
