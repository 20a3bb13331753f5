# tarry check: the folder of a run, the settings of a job, exit codes, output. Jobs are stand-ins for MPI jobs: they leave logs like
# analysers.
install_tarry openmpi
write_log=$(dirname "$(command -v write-log)")/write-log
script prefix/bin/tarry-analyser <<'END'
exit 0
END
cat >clean.txt <<'END'
member 0 2 1
member 1 2 1
end
END
cat >wrong.txt <<'END'
finding argument.negative-count
value parameter count
value value -1
call 0 MPI_Send - count = -1
at app.c:3
member 0 2 1
member 1 2 1
end
END
# A job that leaves this log, and ends with that code.
script app <<END
"$write_log" <"\$1" >"\$TARRY_CHECK/analyser-0.log"
echo "output of the program"
exit \$2
END
unset TARRY_OUTPUT

echo "the environment:"
script environment <<'END'
ls -ld "$TARRY_CHECK" | cut -c1-10
ls -l "$TARRY_CHECK/key" | awk '{ print substr($1, 1, 10), $5 }'
echo "$TARRY_CHECK $TARRY_HANG_TIMEOUT ${TARRY_OUTPUT-nothing is recorded}"
case $LD_PRELOAD in */libtarry-preload.so) echo preloaded ;; esac
cp clean.log "$TARRY_CHECK/analyser-0.log"
END
"$write_log" <clean.txt >clean.log
try tarry check -- ./environment
try tarry check --hang-timeout 0 -o named -- ./environment
ls -d *.check
ls named.check

echo "exit codes:"
try tarry check -- ./app clean.txt 0
try tarry check --replace -- ./app clean.txt 7
try tarry check --replace -- ./app wrong.txt 0
try tarry check --replace -- ./app wrong.txt 9
grep -v '^end' clean.txt >cut.txt
try tarry check --replace -- ./app cut.txt 0
try tarry check --replace -- ./app cut.txt 3

echo "a run that was stopped: its exit code says nothing, and its launcher has to end:"
script stopped <<END
: >"\$TARRY_CHECK/stopped"
./app wrong.txt \$1
END
echo "argument.negative-count" >wanted
try tarry check --replace -- ./stopped 0
try tarry check --replace --suppress wanted -- ./stopped 7
ls stopped.check
script endless <<END
./app clean.txt 0
: >"\$TARRY_CHECK/stopped"
exec python3 -c 'import signal, time
signal.signal(signal.SIGTERM, lambda *_: print("asked to end", flush=True))
while True: time.sleep(1)'
END
try tarry check --replace -- ./endless

echo "earlier runs are kept:"
tarry check -- ./app clean.txt 0 2>&1 | grep renamed
ls -d app*.check

echo "shown again, and for programs:"
tarry check --replace --json - -- ./app wrong.txt 0 2>/dev/null | sed 1d | python3 -c '
import json, sys
for finding in json.load(sys.stdin)["findings"]:
    print(finding["id"], finding["class"], finding["severity"], finding["ranks"], finding["message"])'
try tarry check --json -- ./app wrong.txt 0
try tarry check --show app
try tarry check --show app.check/analyser-0.log
try tarry check --show nothing

echo "nothing was checked:"
echo 'int main(void) { return 0; }' | compile without
try tarry check ./without
script silent <<'END'
exit 6
END
try tarry check ./silent
script mpirun <<'END'
exit 2
END
try tarry check ./mpirun -n 2 ./missing
script mpiexec <<'END'
exit 0
END
try tarry check ./mpiexec -wdir elsewhere -n 2 ./missing
script notes <<'END'
echo "the agent stepped aside: no memory" >"$TARRY_CHECK/notes"
END
try tarry check ./notes
ls -d without.check silent.check missing.check notes.check 2>/dev/null || echo "no folder is left"

echo "wrong use:"
try tarry check
try tarry check --show app ./app
try tarry check --hang-timeout -1 -- ./app clean.txt 0
try tarry check --hang-timeout soon -- ./app clean.txt 0
echo "leak.nothing" >known
try tarry check --suppress known -- ./app clean.txt 0
try tarry check ./missing
: >taken.check
try tarry check -o taken -- ./app clean.txt 0

echo "tarry exec --check:"
cc -shared -o libmpi.so.40 -Wl,-soname,libmpi.so.40 -x c - <<'END'
int MPI_Init(int *c, char ***v) { return 0; }
END
compile mpi libmpi.so.40 -Wl,-rpath,'$ORIGIN' <<'END'
#include <stdio.h>
#include <stdlib.h>
int MPI_Init(int *c, char ***v);
int main(void)
{
	printf("%s %s\n", getenv("TARRY_CHECK"), getenv("TARRY_OUTPUT") ? "recorded" : "not recorded");
	return MPI_Init(0, 0);
}
END
export PMIX_NAMESPACE=job-1
for rank in 0 1; do
	PMIX_RANK=$rank try tarry exec --check ./mpi
done
ls mpi.check
cp clean.log mpi.check/analyser-0.log
: >mpi.check/node-here
try tarry check --show mpi
ls mpi.check
rm mpi.check/node-here
try tarry check --show mpi.check
ls mpi.check
PMIX_NAMESPACE=job-2 PMIX_RANK=1 try tarry exec --check ./mpi
ls -d mpi*.check
PMIX_RANK=0 try tarry exec --check ./without
try tarry exec --record ./mpi
