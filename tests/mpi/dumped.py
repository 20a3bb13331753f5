"""Reads the text that `tarry dump` prints into plain objects."""

import functools
import re
from dataclasses import dataclass, field

TOKEN = re.compile(r'[^\s"]*"(?:\\.|[^"\\])*"|\S+')
PLACE = re.compile(r"([^\s/:#]+\.\w+):(\d+)")
RUN = re.compile(r"([0-9a-f]+):(\d+)(?:/(-?\d+)\*(\d+)|-(\d+))?$")


@dataclass
class Event:
    start: int
    end: int
    function: str
    fields: list  # (key, text) outside of groups
    groups: list  # of lists of (key, text)
    polls: int
    file: str
    line: int
    text: str

    def values(self, key):
        return [value for name, value in self.fields if name == key]

    def first(self, key):
        values = self.values(key)
        return values[0] if values else None


@dataclass
class Process:
    world: str
    rank: object
    size: int = 0
    comms: dict = field(default_factory=dict)  # identity -> fields
    objects: dict = field(default_factory=dict)
    properties: dict = field(default_factory=dict)
    threads: list = field(default_factory=list)  # lists of events
    thread_ids: list = field(default_factory=list)  # the system's, of each of them
    loss: bool = False

    def events(self):
        return [event for thread in self.threads for event in thread]


def unquote(text):
    if not text.endswith('"'):
        return text
    return re.sub(r"\\(.)", r"\1", text[text.index('"') + 1:-1])


def split_field(token):
    key, _, value = token.partition("=")
    return key, unquote(value)


@functools.lru_cache(maxsize=100000)
def read_call(text):
    """What follows the times: function, fields, groups, polls, file, line. Few are different."""
    text, _, remark = text.partition("  # ")
    place = PLACE.search(remark)
    tokens = TOKEN.findall(text)
    fields, groups, polls = [], [], 0
    for key, value in map(split_field, tokens[1:]):
        if key == "done":
            groups.append([])
        if key == "polls":
            polls = int(value)
        elif key not in ("busy", "site", "delay_before", "delay_inside", "blocked_before"):
            (groups[-1] if groups else fields).append((key, value))
    return (unquote(tokens[0]), fields, groups, polls,
            place.group(1) if place else "", int(place.group(2)) if place else 0)


def read_event(line):
    start, end, rest = line.split(" ", 2)
    return Event(int(start), int(end), *read_call(rest), line)


def read_members(text):
    """(world, rank) of each member, from `world:0-3,world:8/2*4`."""
    members = []
    for run in filter(None, text.split(",")):
        world, first, stride, count, last = RUN.match(run).groups()
        first = int(first)
        if count:
            members += [(world, first + i * int(stride)) for i in range(int(count))]
        else:
            members += [(world, rank) for rank in range(first, int(last or first) + 1)]
    return members


def read_process(tokens):
    fields = dict(map(split_field, tokens[1:]))
    rank = None if fields["rank"] == "unknown" else int(fields["rank"])
    return Process(fields["world"], rank, int(fields.get("size", 0)))


def read_record(process, tokens):
    kind = tokens[0]
    if kind == "comm":
        process.comms[tokens[1]] = dict(map(split_field, tokens[2:-1]))
    elif kind == "object":
        process.objects[tokens[2]] = dict(map(split_field, tokens[3:-1]), kind=tokens[1],
                                          name=unquote(tokens[-1]))
    elif kind == "property":
        process.properties.setdefault(tokens[1], []).append(unquote(tokens[2]))
    elif kind == "thread" and int(tokens[1]) == len(process.threads):
        process.threads.append([])
        process.thread_ids.append(int(dict(map(split_field, tokens[2:])).get("tid", 0)))
    elif kind == "loss":
        process.loss = True


def read_dump(text):
    """The processes of a trace, in the order of the text."""
    processes = []
    for line in text.splitlines()[1:]:
        if line[0].isdigit():
            processes[-1].threads[-1].append(read_event(line))
            continue
        tokens = TOKEN.findall(line.partition("  # ")[0])
        if tokens[0] == "process":
            processes.append(read_process(tokens))
        else:
            read_record(processes[-1], tokens)
    return processes
