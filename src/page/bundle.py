"""Bundles the modules of pages into one script and one style sheet, as C constants: bundle.py OUTPUT STYLE MODULE...

Modules use the browser's own imports, so that tests can load each by itself. In a page they are one script, in the given order: a
module follows the modules that it imports. All are in one scope then, so top-level names must be unique; duplicates are rejected
here, as a browser would."""

import re
import sys

IMPORT = re.compile(r"^import\s[^;]*?from\s+\"\./([a-z_]+\.js)\";\n", re.MULTILINE)
EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?function|const|class|let)", re.MULTILINE)
TOP_NAME = re.compile(r"^(?:async\s+)?(?:function|class|const|let)\s+(\w+)", re.MULTILINE)
# The names after the first one in 'const A = 1, B = 2;'.
NEXT_NAMES = re.compile(r"^(?:const|let)\s+\w+ = [^,\n]*((?:, \w+ = [^,\n]*)+);$", re.MULTILINE)
# The length of a string that every compiler supports.
PIECE = 2000


def module_text(path, before):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for used in IMPORT.findall(text):
        if used not in before:
            sys.exit(f"{path}: imports '{used}', which does not come before it in the list of modules")
    text = IMPORT.sub("", text)
    if re.search(r"^(import|export)\b", EXPORT.sub("", text), re.MULTILINE):
        sys.exit(f"{path}: only 'import {{…}} from \"./name.js\";' and 'export function|const|class' are understood")
    if "</script" in text or "<!--" in text:
        sys.exit(f"{path}: would end the script")
    return EXPORT.sub("", text)


def top_names(text):
    return TOP_NAME.findall(text) + [name for names in NEXT_NAMES.findall(text) for name in re.findall(r", (\w+) = ", names)]


def constant(name, text):
    data = text.encode()
    lines = []
    for at in range(0, len(data), PIECE):
        lines.append("\t\"" + "".join(chr(byte) if 32 <= byte < 127 and chr(byte) not in "\"\\?" else f"\\{byte:03o}"
                                      for byte in data[at:at + PIECE]) + "\"")
    return f"const char {name}[] =\n" + "\n".join(lines) + ";\n"


def main(output, style, modules):
    before, script, owners = [], "", {}
    for path in modules:
        text = module_text(path, before)
        for name in top_names(text):
            if owners.setdefault(name, path) != path:
                sys.exit(f"{path}: '{name}' is also the name of something in {owners[name]}")
        script += text
        before.append(path.rsplit("/", 1)[-1])
    with open(style, encoding="utf-8") as file:
        sheet = file.read()
    with open(output, "w", encoding="ascii") as file:
        file.write("#include \"page/bundle.h\"\n\n" + constant("bundled_style", sheet) + "\n" +
                   constant("bundled_script", script))


main(sys.argv[1], sys.argv[2], sys.argv[3:])
