"""Every setting reaches the job: launchers forward it, and all readers and writers use its encoding (src/base/settings.h)."""

import re

from tree import finish, lines_of, tracked

TABLE = "src/base/settings.h"
CARRIED = "src/cli/job_settings.c"
# Not encoded: programs without our libraries read it.
PLAIN = "SETTING_PRELOAD"
# Linked into the user's program without the rest; it only asks whether there is a value.
WITHOUT_BASE = "src/job/gasp/"
BY_HAND = re.compile(r"\b(?:getenv|setenv)\((SETTING_\w+)")


def main():
    names = re.findall(r'^#define (SETTING_\w+) "TARRY_', "\n".join(lines_of(TABLE)), re.M)
    carried = re.search(r"job_variables\[\] = \{(.*?)\};", "\n".join(lines_of(CARRIED)), re.S)[1]
    problems = [f"{CARRIED}: {name} is missing in job_variables, so launchers do not carry it to other nodes"
                for name in names if not re.search(rf"\b{name}\b", carried)]
    for path in tracked("src/*.c", "src/*.h"):
        for number, line in enumerate(lines_of(path), 1):
            problems += [f"{path}:{number}: {name} is encoded: use setting_get() or setting_set()" for name in BY_HAND.findall(line)
                         if name != PLAIN and not path.startswith(WITHOUT_BASE)]
    finish(problems, len(names))


main()
