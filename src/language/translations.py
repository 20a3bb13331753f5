#!/usr/bin/env python3
"""Makes tables of translations for programs and pages.

usage: translations.py table CATALOGUE CHECKS -o FILE                 for language.c: the texts of the catalogue and of the table of checks
       translations.py module CATALOGUE -o FILE --modules MODULE...   for pages: the texts that these modules of JavaScript contain
"""
import argparse
import collections
import importlib.util
import json
import pathlib
import re
import sys

PLURAL_FORMS = 3
Translation = collections.namedtuple("Translation", "plural forms")


def fail(path, line, what):
    raise SystemExit(f"{path}:{line}: {what}")


def read_catalogue(path):
    """From English text, after its context and a bar if it has one, to its plural in English and its forms in the other language."""
    texts, entry, key = {}, {}, None

    def finish(line):
        if entry.get("msgid"):
            context = entry["msgctxt"] + "|" if "msgctxt" in entry else ""
            forms = [entry[form] for form in sorted(entry) if form.startswith("msgstr")]
            if context + entry["msgid"] in texts:
                fail(path, line, f"\"{entry['msgid']}\" is translated twice: give one of them a context (msgctxt)")
            if len(forms) != (PLURAL_FORMS if "msgid_plural" in entry else 1):
                fail(path, line, f"\"{entry['msgid']}\" has {len(forms)} forms")
            texts[context + entry["msgid"]] = Translation(context + entry.get("msgid_plural", ""), forms)
        entry.clear()

    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = re.fullmatch(r'(?:(msg\w+(?:\[\d\])?) )?("(?:[^"\\]|\\.)*")', line)
        if not match:
            if line and not line.startswith("#"):
                fail(path, number, f"not understood: {line}")
            continue
        word, string = match.group(1), json.loads(match.group(2))
        if word in ("msgctxt", "msgid") and any(known.startswith("msgstr") for known in entry):
            finish(number)
        key = word or key
        entry[key] = entry.get(key, "") + string
    finish(number)
    return texts


def check_texts(path):
    """Texts of checks and words that values consist of, by the generator of their table."""
    spec = importlib.util.spec_from_file_location("generate", path.parent / "generate.py")
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    table = generate.Table(path)
    yield from table.words.items()
    for check in table.checks:
        for name in generate.TEXTS:
            yield check.text(name, "en"), check.text(name, "ru")


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def table_c(texts):
    rows = (f"\t{{{quoted(english)}, {{{', '.join(map(quoted, texts[english].forms))}}}}},"
            for english in sorted(texts, key=lambda text: text.encode()))
    return ["/* Made by src/language/translations.py. */", '#include "language/catalogue.h"', "",
            "const struct catalogue_entry russian[] = {", *rows, "};", "const size_t russian_count = sizeof russian / sizeof *russian;"]


def module_js(texts, modules):
    code = "".join(path.read_text(encoding="utf-8") for path in modules)
    used = {english: translation.forms for english, translation in texts.items() if f'"{english}"' in code}
    words = (f"\t{quoted(english)}: {quoted(forms[0])}," for english, forms in used.items())
    counted = (f"\t{quoted(english)}: {quoted(forms)}," for english, forms in used.items() if len(forms) > 1)
    return ["// Made by src/language/translations.py.", "", "export const RUSSIAN_WORDS = {", *words, "};", "",
            "// Of 1, of 2 to 4, and of more.", "export const RUSSIAN_COUNTED = {", *counted, "};"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("what", choices=("table", "module"))
    parser.add_argument("catalogue", type=pathlib.Path)
    parser.add_argument("checks", type=pathlib.Path, nargs="?")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--modules", type=pathlib.Path, nargs="*", default=[])
    arguments = parser.parse_args()
    texts = read_catalogue(arguments.catalogue)
    for english, russian in check_texts(arguments.checks) if arguments.checks else ():
        if texts.setdefault(english, Translation("", [russian])).forms[0] != russian:
            fail(arguments.checks, 1, f"\"{english}\" is translated in two ways")
    lines = table_c(texts) if arguments.what == "table" else module_js(texts, arguments.modules)
    arguments.output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
