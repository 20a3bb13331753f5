"""docs/rule-language.md is correct: its tables are those of src/analysis/relations/relations.table, and every example in it
loads and passes its own tests.

    documented.py TARRY SOURCE            checks
    documented.py --write SOURCE          brings the tables up to date"""

import os
import re
import subprocess
import sys
import tempfile

TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.S)
EXAMPLE = re.compile(r"^```rules\n(.*?)^```$", re.M | re.S)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def tables(source):
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.join(source, "src", "analysis", "relations"))
    import generate
    return generate.reference(generate.read_table())


def with_tables(page, made):
    return TABLE.sub(lambda match: f"{match[1]}\n{made[match[2]]}\n{match[3]}", page)


def problems_of_example(tarry, folder, number, text):
    path = os.path.join(folder, f"example{number}.rules")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    for command in "check", "test":
        done = subprocess.run([tarry, "rules", command, path], capture_output=True, text=True)
        if done.returncode != 0:
            yield f"example {number}, 'tarry rules {command}':\n{text}{done.stdout}{done.stderr}"


def main():
    source = sys.argv[-1]
    path = os.path.join(source, "docs", "rule-language.md")
    page = read(path)
    right = with_tables(page, tables(source))
    if sys.argv[1] == "--write":
        with open(path, "w", encoding="utf-8") as file:
            file.write(right)
        return
    problems = [] if page == right else [f"{path}: tables are not those of relations.table: documented.py --write {source}"]
    examples = EXAMPLE.findall(page)
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(examples, 1):
            problems += problems_of_example(sys.argv[1], folder, number, text)
    print("\n".join(problems) or f"{len(examples)} examples and all tables are right")
    sys.exit(1 if problems or not examples else 0)


main()
