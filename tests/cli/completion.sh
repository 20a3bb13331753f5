# The installed shells accept the scripts, and bash's completes.
for shell in bash zsh fish; do
	tarry completion "$shell" >"$shell"
	! command -v "$shell" >/dev/null || "$shell" -n "$shell"
done
cat >ask <<'END'
source ./bash
ask() {
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_tarry
	echo "$*: $(printf '%s\n' "${COMPREPLY[@]}" | sort -u | tr '\n' ' ')"
}
: >trace.tarry
ask tarry r
ask tarry run --
ask tarry run -o trace.t
ask tarry doctor --j
ask tarry bench --la
ask tarry export --r
ask tarry dump --f
ask tarry bench --mpi o
END
bash ./ask | sed 's/ $//'
