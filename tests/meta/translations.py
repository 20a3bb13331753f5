#!/usr/bin/env python3
"""Compares the catalogue of translations with the texts in the code: translations.py REPOSITORY

Every text that is passed to a translating function has a translation, and every translation belongs to a text in the code."""
import importlib.util
import pathlib
import re
import sys

STRING = r'"((?:[^"\\]|\\.)*)"'
TRANSLATING = re.compile(r"\b(translate|translate_noun|filled_in|add_count_in|language_phrase|add_filled_phrase|add_counted|noun_form|phrase|say|"
                         r"sheet_labelled|sheet_title|page_word|report_counted|report_filled|add_reason|counted|add_labelled)\(")


def arguments(code, start):
    """The text between a parenthesis and its counterpart."""
    depth, at = 1, start
    while depth:
        match = re.compile(STRING + r"|[()]").search(code, at)
        depth += {"(": 1, ")": -1}.get(match.group(0), 0)
        at = match.end()
    return code[start:at - 1]


def literals(code):
    """String literals, those that follow each other as one."""
    for match in re.finditer(STRING + r'(?:\s*' + STRING + ")*", code):
        yield "".join(re.findall(STRING, match.group(0)))


def used_texts(code):
    """Texts in calls of translating functions. Calls inside others are looked at by themselves, formats of printf and commands are not texts."""
    for match in TRANSLATING.finditer(code):
        inside = arguments(code, match.end())
        inside = re.sub(r"\b\w+\([^()]*\)", "", inside)
        yield from (text for text in literals(inside) if re.search("[a-z]", text) and not re.search("%|^tarry ", text))


def main():
    root = pathlib.Path(sys.argv[1])
    spec = importlib.util.spec_from_file_location("translations", root / "src/language/translations.py")
    translations = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(translations)
    known = translations.read_catalogue(root / "src/language/ru.po")
    words = set(known) | {translation.plural for translation in known.values()}
    sources = [path for folder in ("output", "page", "analysis/engine", "analysis/whatif") for path in (root / "src" / folder).rglob("*.[cdj]*") if path.suffix in (".c", ".js", ".def")]
    sources.append(root / "src/cli/cmd_whatif.c")
    sources.append(root / "src/check/protocol/finding.h")  # notes are words
    code = {path: path.read_text(encoding="utf-8") for path in sources}
    faults = []
    for path in sources:
        if path.suffix == ".c" and path.parent.name in ("report", "findings"):
            faults += [f"{path}: no translation for \"{text}\"" for text in used_texts(code[path]) if text not in words]
        if path.suffix == ".def":
            labels = re.findall(r'"([^"]+)",\s+"[^"]*"\)$', code[path], re.MULTILINE)
            faults += [f"{path}: no translation for \"{label}\"" for label in labels if label not in words]
    all_literals = {text for path in sources for text in literals(code[path])}
    # Verbs are put into sentences by a macro of wait_words.c.
    faults += [f"ru.po: no code uses \"{text}\"" for text in known if text not in all_literals and not re.search(r"ranks? \$1 ", text)]
    print("\n".join(faults))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
