"""What a test program says about itself, in comments.

The first lines have its settings:

    tarry-test: ranks=2 mpi=mpich exit=3

A remark that begins with @ follows its call and says what the trace must contain for it:

    MPI_Recv(in, 10, MPI_INT, 1, 3, comm, &status);
    /* @0 peer=1 tag=3 room=40 received=16
     * @2 x5 peer=1 done=0 source=1 received=8 */

@0,1  on these ranks; @* on all; @also:0 in the second world (of spawned processes)
x5    this many times; x? at most once; x+ at least once; x* any number of times; otherwise once
polls, first: any number of unsuccessful tries
MPI_X first: the function, where the line itself does not name it
k=v   the field has this value; 3..5 one of these; 1,2 the field is there twice; * it is there; !k it is not
$name the same value wherever this name occurs; %name the same, but only in this process
done= opens a group, as in the trace: a call has exactly the groups that are stated
dones=4: all matching calls of a rank together have this many groups

Definitions are stated by remarks @comm, @win and @file with the name of a value:

    /* @comm $half size=2 kind=intra members=0,2 parent=$world */
"""

import os
import re
from collections import namedtuple
from dataclasses import dataclass, field

CALL = re.compile(r"\b(MPI_[A-Z]\w*|tarry_\w+)\s*\(", re.IGNORECASE)
CALL_NAME = re.compile(r"(MPI|tarry)_\w+")
COUNTS = {"?": (0, 1), "+": (1, None), "*": (0, None)}

Definition = namedtuple("Definition", "kind variable fields where")


@dataclass
class Pattern:
    """One remark: which events it means."""

    where: str
    lines: list  # where the call may be said to be
    ranks: object = None  # a set, or None for all
    second_world: bool = False
    at_least: int = 1
    at_most: object = 1
    polls: bool = False
    function: str = ""
    fields: list = field(default_factory=list)  # (key, value) outside of groups
    groups: list = field(default_factory=list)  # lists of (key, value), each opened by `done`
    dones: object = None

    def on(self, rank):
        return self.ranks is None or rank in self.ranks


@dataclass
class Plan:
    settings: dict
    patterns: list
    definitions: list
    calls: dict  # file name -> line -> functions called there


def normal_name(name):
    if name.startswith("tarry_"):
        return name
    return "MPI_" + name[4].upper() + name[5:].lower()


def read_settings(path):
    with open(path, encoding="utf-8") as source:
        for line in source.readlines()[:3]:
            if "tarry-test:" in line:
                words = line.split("tarry-test:")[1].replace("*/", "").split()
                return dict(word.split("=", 1) for word in words)
    return {}


def set_ranks(pattern, word):
    if word.startswith("also:"):
        pattern.second_world = True
        word = word[5:]
    if word != "*":
        pattern.ranks = {int(rank) for rank in word.split(",")}


def set_count(pattern, word):
    if word in COUNTS:
        pattern.at_least, pattern.at_most = COUNTS[word]
    else:
        pattern.at_least = pattern.at_most = int(word)


def add_word(pattern, word):
    if re.fullmatch(r"x(\d+|[?+*])", word):
        set_count(pattern, word[1:])
    elif word == "polls":
        pattern.polls = True
        set_count(pattern, "*")
    elif CALL_NAME.fullmatch(word):
        pattern.function = word
    elif word.startswith("dones="):
        pattern.dones = int(word[6:])
    else:
        key, _, value = word.partition("=")
        if key == "done":
            pattern.groups.append([])
        (pattern.groups[-1] if pattern.groups else pattern.fields).append((key, value))


def read_pattern(words, where, lines, functions):
    pattern = Pattern(where=where, lines=lines)
    set_ranks(pattern, words[0])
    for word in words[1:]:
        add_word(pattern, word)
    if not pattern.function:
        if len(functions) != 1:
            raise ValueError(f"{where}: the remark needs one call on the line before it, not {functions}")
        pattern.function = functions[0]
    return pattern


def remarks_of(lines):
    """(line number of the call before, words of the remark, line number of the remark).

    In a block comment a remark continues until the next @ or the end of the comment. One that names its
    function belongs to the last line of code, whatever it calls."""
    call_line, code_line, words, start = 0, 0, [], 0
    for number, line in enumerate([*lines, ""], 1):
        remark = re.match(r"\s*(/\*|\*|//|!|C|#)\s*(@?)(\S.*)", line)
        begins = remark and remark.group(2)
        goes_on = remark and words and remark.group(1) == "*"
        if words and (begins or not goes_on):
            yield code_line if any(map(CALL_NAME.fullmatch, words)) else call_line, words, start
            words = []
        if begins:
            start = number
        if begins or goes_on:
            words = words + remark.group(3).replace("*/", "").split()
        elif CALL.search(line):
            call_line = code_line = number
        elif line.strip():
            code_line = number


def calls_of(lines):
    """Line -> functions called there."""
    found = {}
    for number, line in enumerate(lines, 1):
        names = [normal_name(name) for name in CALL.findall(line)]
        if names:
            found[number] = names
    return found


def read_plan(path):
    name = os.path.basename(path)
    with open(path, encoding="utf-8") as source:
        lines = source.read().splitlines()
    plan = Plan(read_settings(path), [], [], {name: calls_of(lines)})
    for call_line, words, number in remarks_of(lines):
        where = f"{name}:{number}"
        if words[0] in ("comm", "win", "file"):
            fields = [tuple(word.split("=", 1)) for word in words[2:]]
            plan.definitions.append(Definition(words[0], words[1], fields, where))
        else:
            functions = plan.calls[name].get(call_line, [])
            plan.patterns.append(read_pattern(words, where, [call_line], functions))
    return plan


def join_plans(plans):
    joined = Plan(plans[0].settings, [], [], {})
    for plan in plans:
        joined.patterns += plan.patterns
        joined.definitions += plan.definitions
        joined.calls.update(plan.calls)
    return joined
