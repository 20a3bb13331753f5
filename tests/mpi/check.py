"""Compares a trace with the expectations in the programs that made it (planted.py).

    tarry dump run.tarry | check.py PROGRAM-SOURCE ...

Each event must be at a line that calls its function, each planted call must be there as often and with
such fields as planted, on the ranks where it was planted. Then come the properties that hold for every
trace (properties.py)."""

import sys
from collections import defaultdict

import planted
import properties
from dumped import read_dump, read_members


class Variables:
    """Values of $names (the same everywhere) and %names (the same in one process)."""

    def __init__(self):
        self.values = {}

    def key(self, name, process):
        return name if name[0] == "$" else (name, process.world, process.rank)

    def agrees(self, name, value, process):
        return self.values.setdefault(self.key(name, process), value) == value

    def mark(self):
        return len(self.values)

    def forget_since(self, mark):
        """Removes names bound since then by a match that finally failed."""
        while len(self.values) > mark:
            self.values.popitem()


def value_matches(wanted, values, process, variables):
    """`values`: all that the field has."""
    if wanted == "*":
        return bool(values)
    if "," in wanted:
        return values == wanted.split(",")
    if not values:
        return wanted.endswith("?")
    wanted, value = wanted.rstrip("?"), values[0]
    if wanted[0] in "$%":
        return value != "0x0" and variables.agrees(wanted, value, process)
    if ".." in wanted:
        low, high = map(int, wanted.split(".."))
        return low <= int(value) <= high
    return int(value, 0) == int(wanted, 0) if is_number(value) and is_number(wanted) else value == wanted


def is_number(text):
    try:
        int(text, 0)
    except ValueError:
        return False
    return True


def fields_match(wanted, fields, process, variables):
    for key, value in wanted:
        wanted_name = key.lstrip("!")
        values = [text for name, text in fields if name == wanted_name]
        if key.startswith("!"):
            if values:
                return False
        elif not value_matches(value, values, process, variables):
            return False
    return True


def groups_match(wanted, groups, process, variables):
    """Whether each wanted group is one of the groups, and none is left over."""
    if not wanted:
        return not groups
    for i, group in enumerate(groups):
        mark = variables.mark()
        if (fields_match(wanted[0], group, process, variables)
                and groups_match(wanted[1:], groups[:i] + groups[i + 1:], process, variables)):
            return True
        variables.forget_since(mark)
    return False


def found_nothing(event):
    return event.polls > 0 or event.first("flag") == "0" or (not event.groups and event.first("flag") is None)


def pattern_matches(pattern, event, process, variables):
    if event.function != pattern.function or pattern.polls and not found_nothing(event):
        return False
    wanted = [(key, value) for key, value in pattern.fields if key != "polls"]
    polls = dict(pattern.fields).get("polls")
    if polls and event.polls != int(polls):
        return False
    if "result" not in dict(wanted) and event.first("result"):
        return False
    if pattern.dones is not None:
        return bool(event.groups) and fields_match(wanted, event.fields, process, variables)
    return (fields_match(wanted, event.fields, process, variables)
            and (pattern.polls or groups_match(pattern.groups, event.groups, process, variables)))


class Check:
    def __init__(self, plan, processes):
        self.plan = plan
        self.processes = processes
        self.variables = Variables()
        self.problems = []
        self.located = "unlocated" not in plan.settings
        self.main_world = self.find_main_world()

    def find_main_world(self):
        """The world of the processes that the launcher started: spawned ones have another size."""
        second = int(self.plan.settings.get("also", 0))
        return next((p.world for p in self.processes if p.size != second), None)

    def complain(self, process, text):
        self.problems.append(f"rank {process.rank}: {text}")

    def patterns_of(self, process):
        """By (file, line), or by function where sources are not known."""
        found = defaultdict(list)
        for pattern in self.plan.patterns:
            if pattern.second_world == (process.world != self.main_world) and pattern.on(process.rank):
                name = pattern.where.split(":")[0]
                for place in [(name, line) for line in pattern.lines] if self.located else [pattern.function]:
                    found[place].append(pattern)
        return found

    def place_of(self, event):
        return (event.file, event.line) if self.located else event.function

    def check_event(self, process, event, patterns, hits):
        here = [p for p in patterns.get(self.place_of(event), []) if p.function == event.function]
        for pattern in here:
            full = pattern.at_most is not None and len(hits[id(pattern)]) >= pattern.at_most
            mark = self.variables.mark()
            if not full and pattern_matches(pattern, event, process, self.variables):
                hits[id(pattern)].append(event)
                return
            self.variables.forget_since(mark)
        if here:
            self.complain(process, f"{here[0].where}: no remark, or none so often, matches\n\t{event.text}")
        elif self.located and event.function not in self.plan.calls.get(event.file, {}).get(event.line, []):
            self.complain(process, f"no such call was made at '{event.file}:{event.line}'\n\t{event.text}")

    def check_process(self, process):
        patterns, hits = self.patterns_of(process), defaultdict(list)
        for event in process.events():
            self.check_event(process, event, patterns, hits)
        for pattern in {id(one): one for some in patterns.values() for one in some}.values():
            self.check_count(process, pattern, hits[id(pattern)])

    def check_count(self, process, pattern, events):
        if len(events) < pattern.at_least:
            self.complain(process, f"{pattern.where}: {pattern.function} was recorded {len(events)} times as "
                                   f"planted, not {pattern.at_least}")
        dones = sum(len(event.groups) for event in events)
        if pattern.dones is not None and dones != pattern.dones:
            self.complain(process, f"{pattern.where}: {dones} requests completed, not {pattern.dones}")

    def records_of(self, kind, identity):
        """(process, record) for every process that knows the object."""
        tables = [(p, p.comms if kind == "comm" else p.objects) for p in self.processes]
        return [(process, table[identity]) for process, table in tables if identity in table]

    def check_definition(self, definition):
        identity = self.variables.values.get(definition.variable)
        records = self.records_of(definition.kind, identity) if identity else []
        if not records:
            self.problems.append(f"{definition.where}: nothing defines '{definition.variable}' ({identity})")
        for process, record in records:
            for key, wanted in definition.fields:
                if not self.definition_agrees(process, record, key, wanted):
                    self.complain(process, f"{definition.where}: {key} is not {wanted} in {record}")

    def definition_agrees(self, process, record, key, wanted):
        if key == "members":
            given = record.get("members")
            return given is None or [str(rank) for _, rank in read_members(given)] == wanted.split(",")
        if key == "path":
            return record["name"].endswith(wanted)
        return value_matches(wanted, [record[key]], process, self.variables)

    def check_presence(self):
        settings = self.plan.settings
        wanted = int(settings["ranks"]) + int(settings.get("also", 0)) + int(settings.get("more", 0))
        if len(self.processes) != wanted:
            self.problems.append(f"the trace has {len(self.processes)} processes, not {wanted}")
        for process in self.processes:
            if len(process.threads) != int(settings.get("threads", 1)):
                self.complain(process, f"the trace has {len(process.threads)} threads")

    def run(self):
        self.check_presence()
        for process in self.processes:
            self.check_process(process)
        for definition in self.plan.definitions:
            self.check_definition(definition)
        self.problems += properties.check(self.processes, complete="incomplete" not in self.plan.settings)
        return self.problems


def check_text(plan, text):
    """Sentences, one for each error."""
    return Check(plan, read_dump(text)).run()


def main():
    plan = planted.join_plans([planted.read_plan(path) for path in sys.argv[1:]])
    problems = check_text(plan, sys.stdin.read())
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
