"""The entry points of the preloaded library: debuggers can unwind from each of them, and they are marked for processors that check the targets
of indirect branches.

    entries.py LIBRARY OBJECT..."""

import re
import subprocess
import sys

LIBRARY, OBJECTS = sys.argv[1], sys.argv[2:]


def output_of(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def check_frames():
    """The frame information covers each function of the library."""
    frames = [(int(first, 16), int(last, 16)) for first, last in
              re.findall(r"FDE cie=\S+ pc=([0-9a-f]+)\.\.([0-9a-f]+)", output_of("readelf", "--debug-dump=frames", LIBRARY))]
    symbols = re.findall(r"^([0-9a-f]+) [tT] (MPI_\w+|mpi_\w+|first_call)$", output_of("nm", LIBRARY), re.MULTILINE)
    assert len(symbols) > 1000 and "first_call" in (name for _, name in symbols), len(symbols)
    missing = [name for address, name in symbols if not any(first <= int(address, 16) < last for first, last in frames)]
    assert not missing, f"{len(missing)} without frame information, such as {missing[0]}"


def check_note():
    entries = [path for path in OBJECTS if re.search(r"entry_\w+\.S", path)]
    assert len(entries) == 1, OBJECTS
    note = output_of("readelf", "-n", entries[0])
    assert "BTI" in note if "aarch64" in entries[0] else "IBT, SHSTK" in note, note


check_frames()
check_note()
