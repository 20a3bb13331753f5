"""A job under 'tarry top', on a terminal: the screen shows the awaited rank, the waiting ranks and their places, even when the terminal is resized;
without waits it shows none. Afterwards the terminal is restored, the program's output is there once, and the exit code is the program's.

    top.py --mpi mpich --mpicc mpicc.mpich --launcher mpiexec.mpich --bin build/bin --work DIR programs/top.c"""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

import job

PATIENCE = 90
LEAVE = "\x1b[?1049l"


class Watched(job.Job):
    def start(self, *options):
        self.seen = b""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(self.options.work)
            os.environ.update(job.FOR_OPEN_MPI, TERM="xterm", LANG="C.UTF-8")
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))
            os.execv(job.ON_ONE_MACHINE, [job.ON_ONE_MACHINE, self.tarry, "top", "-o", self.trace, *options, "--",
                                          *self.launch_line()])
        self.modes = termios.tcgetattr(self.terminal)

    def read(self, seconds):
        """False at the end."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            more = os.read(self.terminal, 65536)
        except OSError:
            more = b""
        self.seen += more
        return bool(more)

    def screen(self):
        frames = re.findall(r"\x1b\[H(.*?)\x1b\[J", self.seen.decode(errors="replace"), re.DOTALL)
        return re.sub(r"\x1b\[[0-9;]*[mK]|\r", "", frames[-1]).split("\n") if frames else []

    def wait_for(self, what, condition):
        until = time.monotonic() + PATIENCE
        while not condition(self.screen()):
            if not self.read(0.5) or time.monotonic() > until:
                sys.exit(f"{what}: not seen; the last is\n" + self.seen.decode(errors="replace")[-3000:])

    def wait_for_lines(self, *patterns):
        self.wait_for(patterns[0], lambda lines: all(any(re.search(pattern, line) for line in lines) for pattern in patterns))

    def place(self, mark):
        with open(self.options.source, encoding="utf-8") as source:
            return next(f"top.c:{number}" for number, text in enumerate(source, 1) if f"/* {mark} */" in text)

    def has_seen(self, number):
        with open(os.path.join(self.options.work, f"seen-{number}"), "w", encoding="utf-8"):
            pass

    def resize(self, rows, columns):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def check(self):
        self.start("--interval", "0.2")
        late = r"rank 2 \(computing for .* after MPI_\w+ at top.c:\d+\) is waited for by 2 ranks: 0,1$"
        self.wait_for_lines(late, r"^  0 +in MPI .* MPI_Recv +%s +2$" % self.place("receives"),
                            r"^  1 +in MPI .* MPI_Barrier +%s +0,2$" % self.place("meets"), r"^  2 +computing ",
                            r"MPI_Init +top.c:\d+", "^  rank 2 is here")
        self.resize(9, 50)
        self.wait_for("a small screen", lambda lines: 0 < len(lines) <= 9 and max(map(len, lines)) <= 50
                      and any(line.startswith("  rank 2 (computing") for line in lines))
        self.resize(30, 120)
        self.wait_for_lines(late)
        self.has_seen(1)
        self.wait_for_lines(r"rank 0 \(computing for .* is waited for by .*1",
                            r"^  1 +in MPI .* MPI_Waitall +%s +0" % self.place("completes"))
        self.has_seen(2)
        self.wait_for("nobody waits", lambda lines: "3 computing" in lines and not any("waited" in line.lower() for line in lines))
        self.has_seen(3)
        while self.read(PATIENCE):
            pass
        yield from self.check_end(os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1]))

    def check_end(self, code):
        after = self.seen.decode(errors="replace").rpartition(LEAVE)[2]
        if code != 3:
            yield f"the exit code is {code}"
        if termios.tcgetattr(self.terminal) != self.modes:
            yield "the terminal has other modes than before"
        if "\x1b" in after:
            yield f"behind the screen there is {after!r}"
        for rank in range(3):
            if after.count(f"rank {rank} is here") != 1:
                yield f"the output of rank {rank} is there {after.count(f'rank {rank} is here')} times"
        if "see: tarry report" not in after or not os.path.exists(self.trace):
            yield f"no trace is left: {after!r}"
        left = [name for name in os.listdir(self.options.work) if "output-" in name or name.endswith(".parts")]
        if left:
            yield f"{left} was left"


def main():
    if not hasattr(pty, "fork"):
        job.skip("no terminals here")
    problems = list(Watched(job.read_options()).check())
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
