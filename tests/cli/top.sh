# 'tarry top' uses the alternate screen while the job runs, follows the terminal's size, always restores it, and then prints the program's output.
# The job needs no MPI here. Without a terminal it prints plain lines.
install_tarry
python3 -c 'import pty; pty.openpty()' 2>/dev/null || { echo "skipped: there are no terminals here"; exit 77; }
try tarry top
try tarry top --interval 0 -- true
try tarry top --no-trace -o x -- true
mkfifo go
# It waits in the shell itself. A shell that is stopped while it starts a program does not stop before that program continues (vfork).
script app <<'END'
echo "out $1"
echo 'bad news' >&2
read -r _ <>go
case $1 in
crash) kill -SEGV $$ ;;
esac
printf 'no end of line'
exit 5
END
cat >session.py <<'END'
import fcntl, os, pty, re, select, signal, struct, subprocess, sys, termios, time

signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell has it ignored
ENTER, LEAVE = "\x1b[?1049h\x1b[?25l\x1b[?7l", "\x1b[?7h\x1b[?25h\x1b[?1049l"


class Session:
    def __init__(self, *words, rows=20, columns=70):
        self.seen = b""
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm", LANG="C.UTF-8")
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execvp("tarry", ["tarry", "top", *words])
        self.modes = termios.tcgetattr(self.terminal)

    def frame(self):
        """The lines of the last screen that is complete."""
        frames = re.findall(r"\x1b\[H(.*?)\x1b\[J", self.seen.decode(errors="replace"), re.DOTALL)
        return re.sub(r"\x1b\[[0-9;]*[mK]", "", frames[-1]).replace("\r", "").split("\n") if frames else []

    def read(self, seconds=None):
        if seconds is not None and not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            more = os.read(self.terminal, 65536)
        except OSError:
            more = b""
        self.seen += more
        return bool(more)

    def until(self, condition):
        until = time.monotonic() + 60
        while not condition(self.frame()):
            if not self.read(1) or time.monotonic() > until:
                sys.exit(f"not seen: {self.seen.decode()[-1000:]!r}")

    def resize(self, rows, columns):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def end(self, title):
        while self.read():
            pass
        text = self.seen.decode()
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        assert text.count(ENTER) == text.count(LEAVE) > 0, repr(text)
        assert termios.tcgetattr(self.terminal) == self.modes
        after = text.rsplit(LEAVE, 1)[1]
        assert "\x1b" not in after, repr(after)
        left = [name for name in os.listdir() if "output-" in name or name.endswith(".parts")]
        print(f"{title}: exit code {code}, left {left}, printed")
        for line in after.replace("\r", "").split("\n"):
            print("  |" + line)
        os.close(self.terminal)


def let_go():
    with open("go", "w") as file:
        file.write("\n")


def shows(*wanted):
    return lambda frame: all(any(part in line for line in frame) for part in wanted)


one = Session("--interval", "0.1", "--", "./app", "one")
one.until(shows("tarry top  ./app", "no process uses MPI yet", "OUTPUT", "out one", "bad news"))
one.resize(4, 24)
one.until(lambda frame: 0 < len(frame) <= 4 and max(map(len, frame)) <= 24)
one.resize(30, 90)
one.until(shows("out one"))
let_go()
one.end("one")

two = Session("--no-trace", "--", "./app", "two")
two.until(shows("out two"))
os.write(two.terminal, b"\x03")
two.end("Ctrl-C")

three = Session("--no-trace", "--", "./app", "three")
three.until(shows("out three"))
os.kill(three.pid, signal.SIGTERM)
three.end("SIGTERM")

four = Session("--no-trace", "--", "./app", "crash")
four.until(shows("out crash"))
let_go()
four.end("crash")

# Stopped and continued: the screen is restored in between. The job may also be stopped without the key.
five = Session("--no-trace", "--", "./app", "five")
five.until(shows("out five"))
group = os.tcgetpgrp(five.terminal)
assert group != five.pid
os.killpg(group, signal.SIGTSTP)
while five.seen.count(LEAVE.encode()) < 1:
    five.read()
while open(f"/proc/{five.pid}/stat").read().rsplit(")", 1)[1].split()[0] != "T":
    time.sleep(0.02)
os.kill(five.pid, signal.SIGCONT)
while five.seen.count(ENTER.encode()) < 2:
    five.read()
let_go()
five.end("stopped")

# Without a terminal, only the program's output is written.
plain = subprocess.Popen(["tarry", "top", "-i", "0.1", "--no-trace", "--", "./app", "plain"], stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
lines = [plain.stderr.readline() for _ in range(4)]
let_go()
out, error = plain.communicate()
lines += error.splitlines(keepends=True)
print("plain:", plain.returncode, repr(out), sorted({re.sub(r"\d+ s", "N s", line) for line in lines}))
END
python3 session.py
ls

# With the name of a trace it shows a job that another command records, and ends with it.
tarry run -o other.tarry -- ./app attached >/dev/null 2>&1 &
job=$!
while ! [ -e other.tarry.parts ]; do sleep 0.05; done
tarry top --interval 0.1 other.tarry 2>attached &
watcher=$!
while ! [ -s attached ]; do sleep 0.05; done
echo >go
wait $watcher
echo "exit code $?"
tail -n 1 attached
wait $job || :
try tarry top other.tarry
