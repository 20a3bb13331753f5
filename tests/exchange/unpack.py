"""Archives as text: a line `file NAME`, then the file's bytes in base64.

    unpack.py ARCHIVE.txt FOLDER         makes the files
    unpack.py --pack FOLDER > ARCHIVE.txt"""

import base64
import os
import sys

WIDTH = 108


def unpack(path, folder):
    """The path of the archive's .otf2 file."""
    files = {}
    with open(path, encoding="ascii") as text:
        for line in map(str.strip, text):
            if line.startswith("file "):
                name = line[len("file "):]
                files[name] = ""
            else:
                files[name] += line
    for name, content in files.items():
        place = os.path.join(folder, name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "wb") as file:
            file.write(base64.b64decode(content))
    return os.path.join(folder, next(name for name in files if name.endswith(".otf2")))


def pack(folder):
    for path, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            place = os.path.join(path, name)
            with open(place, "rb") as file:
                content = base64.b64encode(file.read()).decode()
            print("file " + os.path.relpath(place, folder))
            for i in range(0, len(content), WIDTH):
                print(content[i:i + WIDTH])


if __name__ == "__main__":
    if sys.argv[1] == "--pack":
        pack(sys.argv[2])
    else:
        print(unpack(*sys.argv[1:]))
