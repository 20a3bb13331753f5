#!/bin/sh
# tarry-test: ranks=2 runs=exit_code exit=7
#
# A shell script that starts the program, which the front end cannot see: the library has to find out for
# itself.
ls / >/dev/null
"$PROGRAM_FOLDER/exit_code"
exit $?
