"""The rule language by brute force: rules as objects that know their own text and what it means, after
docs/rule-language.md and nothing else. Every composite event of every type is a list; a join looks at all pairs.

An expression has a text, a type and a function of an environment, {name: event or value}. Types are words: "instant",
"time", "bytes", "count", "rank", "bool", things ("process", "place", "comm", "function", "instance", "completion"), and
an event type. An absent value is None, and of real numbers not-a-number.
"""

import itertools
import math
from collections import defaultdict


class Real(str):
    """The type of a real number: equal to that of whole ones of the same unit."""


def is_real(kind):
    return isinstance(kind, Real)


def absent(kind):
    return math.nan if is_real(kind) else None


def is_present(value):
    return value is not None and value == value


def as_real(value):
    return math.nan if value is None else value


class Expr:
    def __init__(self, text, kind, value):
        self.text, self.kind, self.value = text, kind, value


class EventType:
    """A type with columns {name: (type, function of an event)}, and all its events in the order of being told, which is
    known only among those of one process."""

    def __init__(self, name, columns, events):
        self.name, self.columns, self.events = name, columns, events
        self.is_ordered = True


class Composite:
    def __init__(self, parameters, members):
        self.parameters, self.members = parameters, members


def column_of(name, expr, kind, getter):
    return Expr("%s.%s" % (expr.text, name), kind, lambda env: getter(expr.value(env)))


# What the model tells


class Transfer:
    def __init__(self, message, is_send):
        self.message, self.is_send, self.is_probe = message, is_send, False
        self.wait, self.post = message.send_wait if is_send else message.receive_wait, message.post


class Probe(Transfer):
    """Of one that waited for its message."""

    def __init__(self, message):
        super().__init__(message, False)
        self.is_probe, self.wait, self.post = True, message.probe, message.probe


class Participant:
    def __init__(self, meeting, rank):
        self.meeting, self.rank = meeting, rank
        self.call, self.wait = meeting.calls[rank], meeting.waits[rank]


class Life:
    def __init__(self, start, wait, is_persistent):
        self.start, self.wait, self.is_persistent = start, wait, is_persistent


def call_type(program, times):
    columns = {
        "start": ("instant", times.start),
        "end": ("instant", times.end),
        "duration": ("time", lambda c: times.end(c) - times.start(c)),
        "rank": ("rank", lambda c: c.rank),
        "process": ("process", lambda c: c.rank),
        "function": ("function", lambda c: c.function),
        "place": ("place", lambda c: (c.shown, c.line)),
    }
    return EventType("call", columns, [call for own in program.calls for call in own])


def transfer_type(program, calls, times):
    columns = {
        "send": (calls, lambda t: t.message.send),
        "post": (calls, lambda t: t.post),
        "wait": (calls, lambda t: t.wait),
        "is_send": ("bool", lambda t: t.is_send),
        "is_probe": ("bool", lambda t: t.is_probe),
        "bytes": ("bytes", lambda t: t.message.size),
        "tag": ("count", lambda t: t.message.tag),
        "comm": ("comm", lambda t: t.message.comm),
        "source": ("rank", lambda t: t.message.source),
        "dest": ("rank", lambda t: t.message.dest),
        "completion": ("completion", lambda t: (t.wait.rank, t.wait.number)),
    }
    events = [Transfer(message, is_send) for message in program.messages for is_send in (False, True)]
    events += [Probe(m) for m in program.messages if m.probe and times.start(m.send) > times.start(m.probe)]
    events.sort(key=lambda t: (t.wait.rank, t.wait.number, t.message.order[t.is_send]))
    return EventType("transfer", columns, events)


def collective_type(program, calls, times):
    columns = {
        "call": (calls, lambda c: c.call),
        "wait": (calls, lambda c: c.wait),
        "start": ("instant", lambda c: times.start(c.call)),
        "end": ("instant", lambda c: times.end(c.wait)),
        "function": ("function", lambda c: c.call.function),
        "instance": ("instance", lambda c: id(c.meeting)),
        "comm": ("comm", lambda c: c.meeting.comm),
        "rank": ("rank", lambda c: c.meeting.members.index(c.rank)),
        "size": ("count", lambda c: len(c.meeting.members)),
        "sent": ("bytes", lambda c: c.call.fields["sent"]),
        "received": ("bytes", lambda c: c.call.fields["received"]),
    }
    events = [Participant(meeting, rank) for meeting in program.meetings for rank in meeting.members]
    events.sort(key=lambda c: (c.rank, c.wait.number))
    return EventType("collective_call", columns, events)


def life_type(program, calls):
    columns = {
        "start": (calls, lambda l: l.start),
        "wait": (calls, lambda l: l.wait),
        "is_persistent": ("bool", lambda l: l.is_persistent),
    }
    events = [Life(*life) for life in program.lives]
    events.sort(key=lambda l: (l.wait.rank, l.wait.number))
    return EventType("request_life", columns, events)


def natives(program, times):
    calls = call_type(program, times)
    return [calls, transfer_type(program, calls, times), collective_type(program, calls, times), life_type(program, calls)]


class Simple(EventType):
    """declare event: calls of some functions."""

    def __init__(self, name, calls, functions):
        EventType.__init__(self, name, calls.columns, [c for c in calls.events if c.function in functions])
        self.functions = functions

    def text(self):
        return "declare event %s for %s;\n" % (self.name, ", ".join(self.functions))


# Members and conditions


class Member:
    def __init__(self, kind, name, is_shared=False, where=None, order=None):
        """`order`: ("last … before", "w") or ("first … after", "w")"""
        self.kind, self.name, self.is_shared, self.where, self.order = kind, name, is_shared, where, order

    def text(self):
        parts = ["shared"] * self.is_shared
        parts += [self.order[0]] if self.order else []
        parts += [self.kind.name, "as", self.name]
        if self.order:
            parts += ["before" if self.order[0] == "last" else "after", self.order[1]]
        return " ".join(parts) + (" where " + self.where.text if self.where else "")

    def events(self):
        return [event for event in self.kind.events if not self.where or self.where.value({self.name: event})]


def parameters_text(parameters):
    return "parameters( %s )" % ", ".join("%s = %s" % (name, expr.text) for name, expr in parameters.items())


def evaluated(parameters, env):
    env = dict(env)
    for name, expr in parameters.items():
        env[name] = expr.value(env)
    return {name: env[name] for name in parameters}


def all_true(conditions, env):
    return all(condition.value(env) for condition in conditions)


class Declaration(EventType):
    def __init__(self, name, members, conditions, parameters):
        columns = {key: (expr.kind, lambda c, key=key: c.parameters[key]) for key, expr in parameters.items()}
        EventType.__init__(self, name, columns, [])
        self.members, self.conditions, self.parameters = members, conditions, parameters

    def text(self):
        when = " and ".join("(%s)" % c.text for c in self.conditions)
        return "declare composite event %s\nmember( %s )\n%s%s%s;\n" % (
            self.name, ",\n\t".join(m.text() for m in self.members), self.middle(),
            "when %s\n" % when if when else "", parameters_text(self.parameters))

    def middle(self):
        return ""

    def add(self, env):
        self.events.append(Composite(evaluated(self.parameters, env), env))


class Filter(Declaration):
    def evaluate(self):
        name = self.members[0].name
        for event in self.members[0].events():
            if all_true(self.conditions, {name: event}):
                self.add({name: event})


class Join(Declaration):
    """Two members. Of two that are not shared each prefers the earliest partner, so the matching is found by letting the
    right ones choose in turn; one that is not shared is in a pair with the earliest of those that are."""

    def pairs_of(self, event, rest):
        left, right = self.members
        partners = [other for other in rest if all_true(self.conditions, {left.name: other, right.name: event})]
        return partners if right.is_shared else partners[:1]

    def evaluate(self):
        left, right = self.members
        self.is_ordered = False
        rest = left.events()
        for event in right.events():
            for other in self.pairs_of(event, rest):
                self.add({left.name: other, right.name: event})
                if not left.is_shared:
                    rest.remove(other)


class SharedRight(Join):
    """Only the right one is shared: each left one is in one pair, with the earliest right one."""

    def evaluate(self):
        left, right = self.members
        self.is_ordered = False
        for event in left.events():
            for other in right.events():
                env = {left.name: event, right.name: other}
                if all_true(self.conditions, env):
                    self.add(env)
                    break


class Everything(Declaration):
    """All members are shared: every combination."""

    def evaluate(self):
        self.is_ordered = False
        names = [member.name for member in self.members]
        for combination in itertools.product(*(member.events() for member in self.members)):
            env = dict(zip(names, combination))
            if all_true(self.conditions, env):
                self.add(env)


class Neighbours(Declaration):
    """The last before, or the first after; conditions are equalities of both."""

    def __init__(self, name, members, conditions, parameters, times):
        Declaration.__init__(self, name, members, conditions, parameters)
        self.times = times

    def distance(self, one, other):
        """How far `other` is away in the right direction; None if it is not there."""
        gap = (self.times.start(one) - self.times.end(other) if self.members[1].order[0] == "last"
               else self.times.start(other) - self.times.end(one))
        return None if gap < 0 or one is other else gap

    def evaluate(self):
        left, right = self.members
        chosen = []
        for one in left.events():
            near = [(self.distance(one, other), other) for other in right.events()
                    if all_true(self.conditions, {left.name: one, right.name: other})]
            near = [pair for pair in near if pair[0] is not None]
            if near:
                chosen.append((one, *min(near, key=lambda pair: pair[0])))
        for one, distance, other in chosen:
            if right.is_shared or distance == min(d for _, d, o in chosen if o is other):
                self.add({left.name: one, right.name: other})


class Group(Declaration):
    """Parameters and conditions see {name: list of members}."""

    def __init__(self, name, members, keys, conditions, parameters):
        Declaration.__init__(self, name, members, conditions, parameters)
        self.keys = keys

    def middle(self):
        return "group by %s\n" % ", ".join(key.text for key in self.keys)

    def key_of(self, event):
        return tuple(key.value({self.members[0].name: event}) for key in self.keys)

    def evaluate(self):
        self.is_ordered = False
        groups = defaultdict(list)
        for event in self.members[0].events():
            groups[self.key_of(event)].append(event)
        for members in groups.values():
            self.take(members)

    def situation(self):
        """How the engine goes about it."""
        closes_early = self.keys[0].text.endswith((".instance", ".completion"))
        return "a group that closes early" if closes_early else "a group that closes at the end"

    def take(self, members):
        env = {self.members[0].name: members, "situation": self.situation()}
        # A condition may use the parameters, and a parameter those before it.
        env.update(evaluated(self.parameters, env))
        if all_true(self.conditions, env):
            self.events.append(Composite({key: env[key] for key in self.parameters}, members))


class Run(Group):
    """Of events that follow each other; `while_` sees the event as {name}, the one before as {"previous." + name}."""

    def __init__(self, name, members, keys, while_, conditions, parameters):
        Group.__init__(self, name, members, keys, conditions, parameters)
        self.while_ = while_

    def situation(self):
        return "a run"

    def middle(self):
        return "run by %s while %s\n" % (", ".join(key.text for key in self.keys), self.while_.text)

    def evaluate(self):
        self.is_ordered = False
        name = self.members[0].name
        rows = defaultdict(list)
        for event in self.members[0].events():
            runs = rows[self.key_of(event)]
            if runs and self.while_.value({name: event, "previous." + name: runs[-1][-1]}):
                runs[-1].append(event)
            else:
                runs.append([event])
        for runs in rows.values():
            for run in runs:
                self.take(run)


# Aggregates


met_absent = set()  # "WORD in SITUATION": aggregates that had to skip a value


def aggregate(word, member, value, where=None, result=None):
    """An expression over env[member], a list. `value`, `where` and `result` see {member: one of them}."""
    def present(env, pairs):
        kept = [pair for pair in pairs if is_present(pair[0])]
        if len(kept) < len(pairs):
            met_absent.add("%s in %s" % (word, env["situation"]))
        return kept

    def each(env):
        for event in env[member]:
            own = dict(env, **{member: event})
            if not where or where.value(own):
                yield own

    def values(env):
        return [one for one, in present(env, [(value.value(own),) for own in each(env)])]

    def arg(env, choose):
        pairs = present(env, [(value.value(own), result.value(own)) for own in each(env)])
        return choose(pairs, key=lambda pair: pair[0])[1] if pairs else absent(result.kind)

    def at(env, place):
        everything = [value.value(own) for own in each(env)]
        return everything[place] if everything else absent(value.kind)

    def mean(env):
        return sum(values(env)) / len(values(env)) if values(env) else math.nan

    evaluations = {
        "count": lambda env: sum(1 for _ in each(env)),
        "min": lambda env: min(values(env), default=absent(value.kind)),
        "max": lambda env: max(values(env), default=absent(value.kind)),
        "sum": lambda env: sum(values(env)),
        "mean": mean,
        "distinct": lambda env: len(set(values(env))),
        "argmin": lambda env: arg(env, min),
        "argmax": lambda env: arg(env, max),
        "first": lambda env: at(env, 0),
        "last": lambda env: at(env, -1),
    }
    kinds = {"count": "count", "distinct": "count", "mean": Real("mean"), "argmin": result and result.kind, "argmax": result and result.kind}
    inside = member if word == "count" else value.text
    text = "%s(%s%s%s)" % (word, inside, ", " + result.text if result else "", " where " + where.text if where else "")
    return Expr(text, kinds.get(word) or value.kind, evaluations[word])


# Problems


class Problem:
    """For a composite, or for each member of a group."""

    def __init__(self, name, kind, condition, duration, at, partner, each=None):
        self.name, self.kind, self.condition, self.duration = name, kind, condition, duration
        self.at, self.partner, self.each = at, partner, each

    def text(self):
        parameters = {"duration": self.duration, "at": self.at}
        if self.partner:
            parameters["partner"] = self.partner
        text = 'name = "N", description = "D", advice = "A", ' + parameters_text(parameters)[len("parameters( "):]
        return "declare problem %s for %s%s\n%sparameters( %s;\n" % (
            self.name, "each %s of " % self.each if self.each else "", self.kind.name,
            "when %s\n" % self.condition.text if self.condition else "", text)

    def environments(self):
        for event in self.kind.events:
            if not self.each:
                yield event.parameters
                continue
            for member in event.members:
                yield dict(event.parameters, **{self.each: member, "all " + self.each: event.members})

    def findings(self):
        """(rank, line, partner's line) -> [occurrences, total, largest]"""
        found = defaultdict(list)
        for env in self.environments():
            if not self.condition or self.condition.value(env):
                at, partner = self.at.value(env), self.partner and self.partner.value(env)
                found[at.rank, at.line, partner.line if partner else None].append(round(self.duration.value(env)))
        return {key: (len(values), sum(values), max(values)) for key, values in found.items()}
