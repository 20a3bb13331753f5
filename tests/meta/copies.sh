# Sourced: copies of the tree as git knows it, with what is not committed yet.
#
#	copy_tree FOLDER
fail() {
	echo "FAILED: $1"
	exit 1
}

copy_tree() {
	mkdir -p "$1"
	git ls-files -z --cached --others --exclude-standard | xargs -0 sh -c 'for path; do [ ! -e "$path" ] || printf "%s\0" "$path"; done' sh |
		tar -c --null -T - | tar -x -C "$1"
}

git rev-parse >/dev/null 2>&1 || {
	echo "skipped: this is no git checkout"
	exit 77
}
# A compiler cache would hide where a file was really compiled.
export CCACHE_DISABLE=1
