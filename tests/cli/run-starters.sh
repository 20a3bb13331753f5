# A trace is named after the program, not after a command that only starts it; a launcher after such a command still gets its
# options.
install_tarry openmpi
mkdir tools
for tool in nice env time timeout stdbuf numactl taskset ionice setarch chrt xvfb-run nohup setsid mpirun; do
	script tools/$tool <<'END'
echo "started: $(basename "$0") $*" >>started
while [ "$1" != mpirun ] && [ "$1" != bash ] && [ "${1%app}" = "$1" ]; do shift; done
exec "$@"
END
done
PATH=$PWD/tools:$PATH
script app <<'END'
cp made.tarry "$TARRY_OUTPUT"
END
echo 'process
10 20 MPI_Send peer=1' | tarry assemble -o made -
named() {
	echo "$* -> $(tarry run --no-analyze --replace -- "$@" 2>&1 | sed -n 's/^tarry: trace: .*\///p')"
	rm -f ./*app.tarry started
}
named nice -n 5 mpirun -n 2 ./app
named nice ./app
named nice -5 env -u HOME A=1 B= ./app x
named env -- ./app
named time -f %e -p ./app
named timeout -k 5 --signal=INT 60 ./app
named stdbuf -oL -e 0 ./app
named numactl -N 0 --membind=0 -- ./app
named taskset -c 0-3 ./app
named ionice -c 2 -n 0 ./app
named setarch -R ./app
named setarch x86_64 -R ./app
named chrt -f 10 ./app
named xvfb-run -n 9 -a ./app
named nohup setsid ./app
named mpirun -n 2 numactl -m 0 ./app
named sh -c './app x'
named sh -c 'exec mpirun -n 2 nice ./app'
named nice bash -c "mpirun -n 2 './app'"
echo "members of a job array have names of their own:"
export SLURM_ARRAY_TASK_ID=3
named nice mpirun -n 2 ./app
export SLURM_ARRAY_TASK_ID=../3
named ./app
unset SLURM_ARRAY_TASK_ID
for variable in PBS_ARRAY_INDEX=4 PBS_ARRAYID=5 LSB_JOBINDEX=6 LSB_JOBINDEX=0; do
	export "$variable"
	named ./app
	unset "${variable%=*}"
done
rm -f app-*.tarry
echo "what is not simple is named after the shell:"
for line in './app; true' 'A=1 ./app' './app >/dev/null'; do
	tarry run --no-analyze -- sh -c "$line" 2>&1 | sed -n 's/.*trace: .*\//-> /p'
	rm -f sh.tarry
done
echo "the launcher is told:"
tarry run --no-analyze -- nice -n 5 mpirun -x A=1 -n 2 ./app 2>/dev/null
sed 's/-x TARRY_[A-Z]* //g' started
tarry exec nice -n 5 ./app
ls app.tarry
