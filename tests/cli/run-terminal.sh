# On a terminal the job is in the foreground: Ctrl-C goes to it and not to tarry, Ctrl-Z stops both, and fg continues.
install_tarry openmpi
python3 -c 'import pty; pty.openpty()' 2>/dev/null || { echo "skipped: there are no terminals here"; exit 77; }
cat >launcher.py <<'END'
import os, signal, sys
count = 0
def interrupted(number, frame):
    global count
    count += 1
    os.write(1, b"interrupted\n")
signal.signal(signal.SIGINT, interrupted)
print("foreground" if os.tcgetpgrp(0) == os.getpgrp() else "background", flush=True)
for line in sys.stdin:
    print("read", line.strip(), count, flush=True)
    if line.strip() == "end":
        sys.exit(2)
END
cat >session.py <<'END'
import os, pty, re, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.environ.update(PS1="", PS2="", TERM="dumb")
    os.execvp("bash", ["bash", "--norc", "--noprofile", "--noediting", "-i"])
seen = ""
def expect(text):
    global seen
    deadline = time.monotonic() + 30
    while text not in seen:
        if time.monotonic() > deadline:
            sys.exit(f"never came: {text!r}, but {seen!r}")
        seen += os.read(terminal, 4096).decode()
    seen = seen[seen.index(text) + len(text):]
    print("seen:", text)
def send(text):
    os.write(terminal, text.encode())
send("stty -echo; set +o history; echo re''ady\n")
expect("ready")
send("tarry run python3 launcher.py 2>/dev/null; echo code=$?\n")
expect("foreground")
send("\x03")
expect("interrupted")
send("one\n")
expect("read one 1")
send("\x1a")
expect("Stopped")
expect("code=")
send("fg\n")
send("two\n")
expect("read two 1")
send("end\n")
expect("read end 1")
send("echo back=$?\n")
expect("back=2")
END
python3 session.py
