# Signals reach the launcher once, whether sent to tarry or to its group.
install_tarry openmpi
cat >launcher.py <<'END'
import os, signal, sys, time
names = {signal.SIGINT: "INT", signal.SIGTERM: "TERM", signal.SIGUSR1: "USR1"}
for number in names:
    signal.signal(number, lambda number, frame: os.write(1, f"got {names[number]}\n".encode()))
signal.signal(signal.SIGALRM, lambda number, frame: sys.exit(4))
open("ready", "w").close()
signal.alarm(60)
while not os.path.exists("enough"):
    time.sleep(0.01)
time.sleep(0.2)
sys.exit(3)
END
cat >send.py <<'END'
import os, signal, subprocess, sys, time
number, to_group = getattr(signal, sys.argv[1]), sys.argv[2] == "group"
for name in ("ready", "enough"):
    if os.path.exists(name):
        os.remove(name)
job = subprocess.Popen(["tarry", "run", "python3", "launcher.py"], start_new_session=True,
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
while not os.path.exists("ready"):
    time.sleep(0.01)
(os.killpg if to_group else os.kill)(job.pid, number)
print(sys.argv[1], "to", sys.argv[2] + ":", job.stdout.readline(), end="")
open("enough", "w").close()
print(job.stdout.read(), end="")
print("exit code", job.wait())
END
for name in SIGINT SIGTERM SIGUSR1; do
	python3 send.py "$name" tarry
	python3 send.py "$name" group
done
