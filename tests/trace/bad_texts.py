#!/usr/bin/env python3
"""The assembler's messages about wrong text, by line and column. Usage: bad_texts.py TARRY"""

import os
import sys
import tempfile

from harness import check, finish, run

WRONG = [
    ("1 2 MPI_Send tagg=5", "1:14: unknown field 'tagg'; did you mean 'tag'?"),
    ("tarry trace 1\nprocess\n\n1 2 MPI_Send peer=x", "4:19: a number is expected here"),
    ("1 2 MPI_Send peer", "1:14: 'peer' should be followed by '=' and a value"),
    ("1 2 MPI_Send field=5", "1:14: unknown field 'field'"),
    ("1 2 MPI_Send field4294967296=5", "1:14: unknown field 'field4294967296'"),
    ("1 2 MPI_Send site=1", "1:20: a site is written MODULE+OFFSET"),
    ("1 2 MPI_Send path=1+2,3", "1:24: a site is written MODULE+OFFSET"),
    ("1 2 MPI_Send site=4294967296+1", "1:19: a module's number is below 2^32"),
    ("1 2 MPI_Send path=1+2,4294967296+1", "1:23: a module's number is below 2^32"),
    ("1 2 MPI_Send path=" + ",".join(["1+2"] * 257), "a path has at most 256 sites"),
    ("1 2 write param=\"x\" real=much", "1:26: a number such as 2.5 is expected"),
    ("source 1", "1:9: "),
    ("stamp 1 sise=3", "did you mean 'size'?"),
    ("1 2 MPI_Send tag=9223372036854775808", "1:18: the number is more than 64 bits with a sign can hold"),
    ("1 18446744073709551616 MPI_Send", "1:3: the number is more than 64 bits can hold"),
    ("5 4 MPI_Send", "1:1: the event ends before it starts"),
    ("open MPI_Send", "1:6: a number is expected here"),
    ("open 5 MPI_Send polls=3 busy=1", "an open call has no polls and no scheduling delay"),
    ("1 2", "1:4: the line ends where a word is expected"),
    ("summed 5 1 1 1 1 MPI_Send", "1:18: a number is expected here"),
    ("summed 5 1 1 1 1 1 MPI_Send polls=3 busy=1", "sums have no polls and no scheduling delay"),
    ("skipped 5 MPI_Send", "1:11: a number is expected here"),
    ("skipped 5 0 MPI_Send", "1:11: the number of skipped calls is at least 1"),
    ("skipped 5 1 MPI_Send polls=3 busy=1", "skipped calls have no polls and no scheduling delay"),
    ("proces", "1:1: no line begins with 'proces'; did you mean 'process'?"),
    ("process wrld=5", "1:9: 'wrld' is not known here; did you mean 'world'?"),
    ("process rank=4294967295", "1:14: a rank is below 4294967295"),
    ("process world=1 rank=0\nprocess world=1 rank=0", "2:1: this process was described before"),
    ("tarry trace 2", "1:13: the text has version 2, but this tarry reads version 1"),
    ("tarry dance 1", "1:7: the first line of a trace is 'tarry trace 1'"),
    ("property host \"vm", "1:15: the string has no closing quote"),
    ("property host \"\\q\"", "a backslash is followed by"),
    ("property host \"\\x00\"", "needs two hexadecimal digits other than 00"),
    ("property host \"vm\" more", "1:20: the line should end here"),
    ("comm 1 kind=carte", "1:13: 'carte' is not known here; did you mean 'cart'?"),
    ("comm 1 members=5", "members are written WORLD:FIRST-LAST"),
    ("comm 1 size=4 members=1:0-2", "1:1: a group of 4 has 3 members"),
    ("comm 1 members=1:3-2", "the last rank is below the first"),
    ("comm 1 members=1:3/-1*5", "ranks are from 0 to 2147483647"),
    ("comm 1 others=1:0", "only a communicator of kind 'inter' has others"),
    ("clock tsc 5 tick=1", "the line ends where a word is expected"),
    ("module 1 build-id=abc", "bytes are pairs of hexadecimal digits"),
    ("thread 4294967295", "1:8: a thread's number is below 4294967295"),
    ("unknown kind=64", "a kind is at most 63"),
    ("unknown kind=17 bytes=00", "kind 17 is not unknown: use its own line"),
    ("thread 0\nunknown kind=3 bytes=00", "kind 3 is not unknown: use its own line"),
    ("", "it has no process and no event"),
    ("# nothing\n", "it has no process and no event"),
]


def main(tarry):
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "wrong.tarry")
        for text, sentence in WRONG:
            code, out, errors = run(tarry, "assemble", "-o", output, "-", stdin=text.encode())
            check(code == 1 and sentence in errors, "%r: expected '%s', got %d: %s" % (text, sentence, code, errors))
            check(not out and not os.listdir(folder), "%r: leaves something behind" % text)
    finish()


if __name__ == "__main__":
    main(sys.argv[1])
