#!/bin/sh
# Makes the recorder for programs with MPI linked in: one object file in an archive. Its only global symbols are MPI's functions and those of
# tarry.h, so it cannot collide with the program.
#
#	static_recorder.sh CC LD OBJCOPY AR EXPORTS OUTPUT OBJECT...		EXPORTS: functions of the MPI library, as nm lists them
set -eu
cc=$1 ld=$2 objcopy=$3 ar=$4 exports=$5 output=$6
shift 6
folder=$(dirname "$output")
mkdir -p "$folder"
# The wrappers refer to MPI's functions weakly, and a linker does not search archives for weak references.
{
	echo '.section .tarry_needs,"",%progbits'
	sed -n 's/.* [TW] \(PMPI_[A-Za-z0-9_]*\).*/.8byte \1/p' "$exports" | sort -u
	echo '.section .note.GNU-stack,"",%progbits'
} >"$folder/needs.s"
$cc -c -o "$folder/needs.o" "$folder/needs.s"
# Wrappers of Fortran functions are left out: they look for MPI's own in shared libraries. MPI's Fortran functions call the C functions, which are recorded.
for object; do
	shift
	case $object in
	*wrap_fortran*) ;;
	*) set -- "$@" "$object" ;;
	esac
done
$ld -r -o "$folder/all.o" "$folder/needs.o" "$@"
$objcopy --localize-hidden "$folder/all.o" "$folder/tarry.o"
rm -f "$output"
$ar rcs "$output" "$folder/tarry.o"
rm -f "$folder/needs.s" "$folder/needs.o" "$folder/all.o" "$folder/tarry.o"
