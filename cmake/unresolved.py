"""Checks that a library for jobs finds all its symbols: in itself, in its linked libraries, or in MPI.

    unresolved.py NM LIBRARY EXPORTS

No MPI library is linked, so the linker cannot check this. EXPORTS: the output of `nm -D` for the MPI library. Symbols that the linker found
in another library have that library's version after an `@`."""

import pathlib
import re
import subprocess
import sys


def main():
    nm, library, exports = sys.argv[1:]
    listed = subprocess.run([nm, "-D", "--undefined-only", library], stdout=subprocess.PIPE, text=True, check=True).stdout
    needed = {words[1] for words in map(str.split, listed.splitlines()) if words[0] == "U" and "@" not in words[1]}
    given = set(re.findall(r" \w (\w+)", pathlib.Path(exports).read_text()))
    missing = sorted(needed - given)
    if missing:
        sys.exit(f"'{library}' could not be loaded into a job: neither Tarry nor the MPI library defines {', '.join(missing)}")


main()
