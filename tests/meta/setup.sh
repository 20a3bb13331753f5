# scripts/setup on imitated machines: an empty PATH with a fake package manager. Nothing is installed.
set -eu
setup=$PWD/scripts/setup
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
	echo "FAILED: $1"
	cat "$folder/out"
	exit 1
}

# A PATH with only the commands that the script itself runs.
mkdir "$folder/bin"
for tool in sh env awk dirname uname id find head sudo; do
	path=$(command -v "$tool") || continue
	ln -s "$path" "$folder/bin/$tool"
done

# `run STATUS ARGUMENT...`: setup must end with the status.
run() {
	wanted=$1
	shift
	status=0
	PATH=$folder/bin "$setup" "$@" >"$folder/out" 2>&1 || status=$?
	[ "$status" = "$wanted" ] || fail "setup $* ended with $status, not $wanted"
}

says() {
	grep -qF -- "$1" "$folder/out" || fail "not said: $1"
}

run 2
says "name a stage"

run 1 --check build
says "cmake: configures the build"
says "run make setup"

run 1 build
says "dnf install cmake"
says "spack install cmake"
says "conda install -c conda-forge cmake"
says "cannot go on without"

# A package manager that works, and one that fails.
cat >"$folder/bin/apt-get" <<END
#!/bin/sh
echo "\$*" >>"$folder/log"
for name in cmake ninja pkg-config python3 bison flex; do
	printf '#!/bin/sh\n' >"$folder/bin/\$name"
	/bin/chmod +x "$folder/bin/\$name"
done
END
chmod +x "$folder/bin/apt-get"
if [ "$(id -u)" = 0 ]; then
	run 0 build
	says "libdw-dev: source lines of call sites"
	grep -q 'install -y --no-install-recommends cmake .*libdw-dev' "$folder/log" || fail "nothing was installed"
	says "still missing: libopenmpi-dev"

	rm "$folder/log"
	printf '#!/bin/sh\n' >"$folder/bin/mpicc"
	chmod +x "$folder/bin/mpicc"
	run 0 build
	[ ! -e "$folder/log" ] || fail "something was installed although nothing was missing"
	[ ! -s "$folder/out" ] || fail "something was said although nothing was missing"

	rm "$folder/bin/cmake"
	printf '#!/bin/sh\nexit 100\n' >"$folder/bin/apt-get"
	run 1 build
	says "apt-get could not install everything"
	says "as root, run: apt-get install cmake"
fi
echo passed
