# Ctrl-C, and a signal, end the current and later jobs: with 128 + the signal, and no measured data is lost. The launcher reports
# success, like Hydra.
install_tarry
sed '/"complete"/s/true/false/' "$(dirname "$1")/../bench/data/before.json" >measured.json
python3 - "$(dirname "$1")/../bench/data/before.json" <<'END'
import copy, json, sys
results = json.load(open(sys.argv[1], encoding="utf-8"))
untuned = {**results["points"][0], "variant": "untuned"}
faster = {**copy.deepcopy(untuned), "variant": "binomial"}
for name in (name for name in faster if name.endswith("_s") and faster[name] is not None):
    values = faster[name]
    faster[name] = [value / 2 for value in values] if isinstance(values, list) else values / 2
results["points"] = [untuned, faster]
results["facts"]["tuning"] = {"library": "openmpi", "MPI_Bcast binomial": "6 4 0"}
json.dump(results, open("measured-all.json", "w", encoding="utf-8"))
END
python3 -c 'import pty; pty.openpty()' 2>/dev/null || { echo "skipped: there are no terminals here"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_MCA_rmaps_base_oversubscribe=1
script prefix/bin/mpirun <<'END'
case $1 in --version) echo 'mpirun (Open MPI) 4.1.4'; exit ;; esac
while [ "${1#/}" = "$1" ]; do shift; done
trap 'kill $!; exit 0' INT
"$@" &
wait $!
END
script prefix/bin/tarry-bench-openmpi <<'END'
case $* in *--dry-run*) exit 0 ;; esac
for word; do
	case $word in
	--json=*) results=${word#--json=} ;;
	--journal=*) echo 'MPI_Bcast 2 8 binomial' >"${word#--journal=}" ;;
	all) case $* in *--each-algorithm*) cp measured-all.json "$results"; exit 0 ;; esac ;;
	measured) cp measured.json "$results" ;;
	esac
done
printf '\036tarry 0.5 1/2 MPI_Bcast\n' >&2
echo started >started
exec sleep 100
END
cat >session.py <<'END'
import os, pty, signal, subprocess, sys, time

signal.signal(signal.SIGINT, signal.default_int_handler)  # also where a shell has it ignored

def wait_for_job():
    for _ in range(3000):
        if os.path.exists("started"):
            break
        time.sleep(0.01)
    os.remove("started")
    time.sleep(0.1)

def by_key(command):
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "dumb"
        os.execvp("tarry", command)
    wait_for_job()
    os.write(terminal, b"\x03")
    seen = b""
    try:
        while more := os.read(terminal, 4096):
            seen += more
    except OSError:
        pass
    text = seen.decode().replace("^C", "").replace("\r\n", "\n")
    return text, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

def by_signal(command):
    job = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    wait_for_job()
    job.send_signal(signal.SIGINT)
    return job.stderr.read(), job.wait()

how, command = sys.argv[1], ["tarry", "bench", *sys.argv[2:]]
said, code = {"key": by_key, "signal": by_signal}[how](command)
print(f"$ {' '.join(command)}   # {how}\n{said}exit code {code}")
END
python3 session.py key tune -n 2 nothing
python3 session.py key tune -n 2 measured
grep -c '"MPI_Bcast"' tuned.rules.measured.json
python3 session.py signal tune -n 2 -o made --results kept.json measured
grep '"complete"' kept.json
python3 session.py key tune -n 2 -o made all | sed "s,$PWD,.,; s/^Open MPI [0-9.]* reads/Open MPI VERSION reads/"
python3 session.py key --memory --ranks 2,4
ls | grep -v -e prefix -e session.py -e '^measured'
