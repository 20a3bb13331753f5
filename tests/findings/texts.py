#!/usr/bin/env python3
"""Every check has all texts in both languages, which use only values of its findings."""
import pathlib
import re
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "src/check/checks"))
import generate  # noqa: E402

problems = []
table = generate.Table()


def complain(check, what):
    problems.append(f"{check.id}: {what}")


def used(text):
    return set(re.findall(r"\{(\w+)[:}]", text))


def look_at_text(check, name, language):
    text = check.text(name, language)
    if not text:
        complain(check, f"no {name} in {language}")
        return
    for value in used(text) - set(check.values) - set(generate.COMMON_VALUES):
        complain(check, f"{name} in {language}: no value {{{value}}}")
    if "last" in used(text) and not {"size", "partitions"} & set(check.values):
        complain(check, f"{name} in {language}: {{last}} of nothing")
    if re.search(r"[{}]", re.sub(r"\{\w+(:[^{}/]+/[^{}/]+)?\}", "", text)):
        complain(check, f"{name} in {language}: a brace that ends nothing")
    if (language == "ru") != bool(re.search("[а-яА-Я]", text)):
        complain(check, f"{name} in {language}: another language: {text}")
    if name == "name" and (len(text) > 60 or text.endswith(".") or used(text)):
        complain(check, f"{name} in {language}: a name is short, and no sentence: {text}")
    if name != "name" and not text.endswith("."):
        complain(check, f"{name} in {language}: no full stop: {text}")


def look_at(check):
    if not re.fullmatch(r"[a-z]+\.[a-z]+(-[a-z]+)*", check.id):
        complain(check, "the id is not of the form class.name")
    if not check.severity or not re.fullmatch(r"\d+(\.\d+)*", check.standard):
        complain(check, "no severity or section")
    for name in generate.TEXTS:
        for language in generate.LANGUAGES:
            look_at_text(check, name, language)
        if used(check.text(name, "en")) != used(check.text(name, "ru")):
            complain(check, f"{name}: the languages use different values")


def look_at_all():
    ids = [check.id for check in table.checks]
    names = [check.text("name", language) for check in table.checks for language in generate.LANGUAGES]
    for twice in {text for text in ids + names if (ids + names).count(text) > 1}:
        problems.append(f"twice in the table: {twice}")
    if len(ids) < 70:
        problems.append(f"only {len(ids)} checks were read")
    for check in table.checks:
        look_at(check)


look_at_all()
print("\n".join(problems) or f"{len(table.checks)} checks have all texts")
sys.exit(bool(problems))
