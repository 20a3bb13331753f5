#!/bin/sh
# Builds both programs, lets Tarry find what is wrong with each, and prints how much faster the second one is: the shortest of
# three runs of each, in turn, without recording.
#
#	compare.sh [RANKS [MPICC [LAUNCHER]]]        4, mpicc and mpirun if they are left out
#
# LAUNCHER may have options: "mpirun --oversubscribe", where there are fewer processors than ranks.
set -eu

ranks=${1:-4} mpicc=${2:-mpicc} launcher=${3:-mpirun}
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for version in before after; do
	# GCC misreads the address that MPICH uses for MPI_STATUSES_IGNORE.
	$mpicc -O1 -g -Wno-stringop-overflow -o "$work/$version" "$here/$version.c"
	echo "== $version"
	tarry run --no-analyze -o "$work/$version.tarry" -- $launcher -n "$ranks" "$work/$version" 2> "$work/told" ||
		{ cat "$work/told"; exit 1; }
	tarry analyze "$work/$version.tarry" | tail -n +3
done

for run in 1 2 3; do
	for version in before after; do
		$launcher -n "$ranks" "$work/$version" >> "$work/$version.times"
	done
done
shortest() {
	sort -n "$work/$1.times" | awk 'NR == 1 { print $1 }'
}
sums=$(awk '{ print $NF }' "$work"/*.times | sort -u | wc -l)
[ "$sums" = 1 ] || { echo "the two do not compute the same"; exit 1; }
awk -v before="$(shortest before)" -v after="$(shortest after)" \
	'BEGIN { printf "== before %.2f s, after %.2f s: %.2f times as fast\n", before, after, before / after }'
