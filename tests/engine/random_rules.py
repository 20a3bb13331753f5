"""Random rules on random programs: the engine must find the same as a brute-force interpreter (language.py).

Usage: random_rules.py TARRY PRINT_FINDINGS [COUNT [FIRST_SEED]]
"""

import math
import operator
import random

from analyzed import analyze, compare_findings
from language import (Everything, Expr, Filter, Group, Join, Member, Neighbours, Problem, Real, Run, SharedRight, Simple,
                      absent, aggregate, as_real, column_of, is_present, is_real, met_absent, natives)
from programs import Program
from seeds import try_all
from waits import Times

INSTANT, TIME, BYTES, COUNT, RANK, BOOL = "instant", "time", "bytes", "count", "rank", "bool"
FUNCTIONS = ("MPI_Send", "MPI_Isend", "MPI_Recv", "MPI_Irecv", "MPI_Waitall", "MPI_Wait", "MPI_Barrier", "MPI_Bcast",
             "MPI_Sendrecv", "MPI_Start", "MPI_Allreduce", "MPI_Ssend")
UNORDERED = ("min", "max", "sum", "count", "mean", "distinct", "argmin", "argmax")
LITERALS = {TIME: ("0 s", 0), BYTES: ("64 B", 64), COUNT: ("1", 1)}


def microseconds(number):
    return Expr("%d us" % number, TIME, lambda env: 1000 * number)


def unit(kind, *parts):
    """The kind of what is calculated of these: real, if one of them is."""
    return Real(kind) if any(is_real(part.kind) for part in parts) else kind


def evaluate_all(parts, env):
    """Together with a real number, whole ones are real."""
    values = [part.value(env) for part in parts]
    return [as_real(value) for value in values] if any(is_real(part.kind) for part in parts) else values


def binary(one, word, other, kind, value):
    """An expression with an absent value is absent; comparisons are defined for absent values."""
    def evaluate(env):
        values = evaluate_all((one, other), env)
        return value(*values) if kind == BOOL or None not in values else None
    return Expr("%s %s %s" % (one.text, word, other.text), kind if kind == BOOL else unit(kind, one, other), evaluate)


def choice(condition, one, other, kind):
    which = unit(kind, one, other)

    def evaluate(env):
        value = (one if condition.value(env) else other).value(env)
        return as_real(value) if is_real(which) else value
    return Expr("(if %s then %s else %s)" % (condition.text, one.text, other.text), which, evaluate)


def extreme(word, parts, kind):
    """The minimum is absent if one of them is, the maximum if all are."""
    which = unit(kind, *parts)

    def evaluate(env):
        values = evaluate_all(parts, env)
        present = [value for value in values if is_present(value)]
        if word == "min":
            return min(values) if len(present) == len(values) else absent(which)
        return max(present, default=absent(which))
    return Expr("%s(%s)" % (word, ", ".join(p.text for p in parts)), which, evaluate)


# Absent values: those that no division gives.
NO_TIME, NO_REAL_TIME = (Expr("0 us % 0 us", TIME, lambda env: None),
                         Expr("0 us / 0", Real(TIME), lambda env: absent(Real(TIME))))


def grouped(expr):
    return Expr("(%s)" % expr.text, expr.kind, expr.value)


def quarter(expr):
    """A real number of which sums are exact."""
    return Expr("(%s) / 4" % expr.text, Real(expr.kind), lambda env: as_real(expr.value(env)) / 4)


def both(one, other):
    return binary(grouped(one), "and", grouped(other), BOOL, lambda a, b: a and b)


def compared(compare):
    """An absent integer is less than all others; an absent real number is neither less, equal nor greater."""
    def low(value):
        return -math.inf if value is None else value
    return lambda a, b: compare(low(a), low(b))


COMPARISONS = {"<": compared(operator.lt), "<=": compared(operator.le), ">": compared(operator.gt),
               ">=": compared(operator.ge), "!=": compared(operator.ne), "=": compared(operator.eq)}


class Maker:
    def __init__(self, seed, program, times):
        self.random, self.times = random.Random(seed), times
        self.calls, self.transfers, self.collectives, self.lives = self.natives = natives(program, times)
        self.simple = [Simple("s%d" % i, self.calls, self.random.sample(FUNCTIONS, self.random.randrange(1, 5)))
                       for i in range(2)]
        self.declared, self.problems = [], []

    # Expressions

    def member(self, kind, name):
        return Expr(name, kind, lambda env: env[name])

    def reachable(self, base, depth=2):
        """All columns of an event, and of those that it refers to."""
        for name, (kind, getter) in base.kind.columns.items():
            column = column_of(name, base, kind, getter)
            yield column
            if not isinstance(kind, str) and depth > 1:
                yield from self.reachable(column, depth - 1)

    def of_kind(self, bases, kind):
        return [expr for base in bases for expr in
                (self.reachable(base) if not isinstance(base.kind, str) else [base])
                if expr.kind == kind or (kind is self.calls and self.is_call(expr.kind))]

    def is_call(self, kind):
        return kind is self.calls or isinstance(kind, Simple)

    def calls_of(self, bases):
        own = [base for base in bases if self.is_call(base.kind)]
        return own + self.of_kind(bases, self.calls)

    def time(self, bases, depth=2):
        instants, times = self.of_kind(bases, INSTANT), self.of_kind(bases, TIME)
        way = self.random.random()
        if depth and way < 0.15:
            word = self.random.choice(("min", "max"))
            parts = [self.time(bases, depth - 1) for _ in range(self.random.randrange(2, 4))]
            return extreme(word, parts, TIME)
        if depth and way < 0.25:
            word = self.random.choice("+-")
            one, other = self.time(bases, depth - 1), grouped(self.time(bases, depth - 1))
            return binary(one, word, other, TIME, (lambda a, b: a + b) if word == "+" else (lambda a, b: a - b))
        if depth and way < 0.32:
            condition, one, other = self.condition(bases, 1), self.time(bases, 0), self.time(bases, 0)
            return choice(condition, one, other, TIME)
        if depth and way < 0.38:
            factor, part = self.random.randrange(2, 5), grouped(self.time(bases, 0))
            return binary(Expr(str(factor), TIME, lambda env: factor), "*", part, TIME, lambda a, b: a * b)
        if times and (way < 0.65 or len(instants) < 2):
            return self.random.choice(times)
        if len(instants) >= 2:
            one, other = self.random.sample(instants, 2)
            return grouped(binary(one, "-", other, TIME, lambda a, b: a - b))
        return microseconds(self.random.randrange(1, 500))

    def uncertain(self, bases):
        """A time, whole or real, that some rows do not have."""
        part, way = self.time(bases, 1), self.random.random()
        if way < 0.2:
            return part
        if way < 0.6 and not is_real(part.kind):
            return choice(self.condition(bases, 1), part, NO_TIME, TIME)
        return choice(self.condition(bases, 1), quarter(part), NO_REAL_TIME, TIME)

    def comparison(self, bases):
        kind = self.random.choice((TIME, TIME, TIME, INSTANT, BYTES, COUNT, RANK))
        if kind == TIME:
            one = self.time(bases, 1)
            other = self.random.choice((self.time(bases, 1), microseconds(self.random.choice((0, 1, 20, 400, 2000)))))
        else:
            candidates = self.of_kind(bases, kind)
            if len(candidates) < 2:
                return self.comparison(bases)
            one, other = self.random.sample(candidates, 2)
            if kind in LITERALS and self.random.random() < 0.5:
                text, number = LITERALS[kind]
                other = Expr(text, kind, lambda env: number)
        word = self.random.choice(list(COMPARISONS))
        return binary(one, word, other, BOOL, COMPARISONS[word])

    def condition(self, bases, depth=2):
        way, truths, functions = self.random.random(), self.of_kind(bases, BOOL), self.of_kind(bases, "function")
        if depth and way < 0.2:
            word = self.random.choice(("and", "or"))
            one, other = grouped(self.condition(bases, depth - 1)), grouped(self.condition(bases, depth - 1))
            return binary(one, word, other, BOOL, (lambda a, b: a and b) if word == "and" else (lambda a, b: a or b))
        if depth and way < 0.3:
            part = grouped(self.condition(bases, depth - 1))
            return Expr("not " + part.text, BOOL, lambda env: not part.value(env))
        if truths and way < 0.4:
            return self.random.choice(truths)
        if functions and way < 0.55:
            return self.function_in(self.random.choice(functions))
        return self.comparison(bases)

    def function_in(self, function):
        chosen = self.random.sample(FUNCTIONS, self.random.randrange(1, 7))
        return Expr("%s in (%s)" % (function.text, ", ".join(chosen)), BOOL, lambda env: function.value(env) in chosen)

    def equality(self, one, other):
        return binary(one, "=", other, BOOL, lambda a, b: a == b)

    # Members

    def side(self, base):
        """A condition that keeps one side of a transfer, because the order of the two in a Sendrecv is not defined."""
        column = column_of("is_send", base, BOOL, lambda t: t.is_send)
        if self.random.random() < 0.5:
            return column
        return Expr("not " + column.text, BOOL, lambda env: not column.value(env))

    def ordered_member(self, name, other=None):
        """Of a type whose events have an order in each process, and no event that `other` has."""
        base = self.member(self.calls, name)
        if other is None or self.random.random() < 0.5:
            kind = self.transfers if other is None and self.random.random() < 0.6 else self.calls
        else:
            kind = self.transfers if other.kind is self.calls else self.calls
        base = self.member(kind, name)
        where = self.side(base) if kind is self.transfers else self.function_in(
            column_of("function", base, "function", lambda c: c.function))
        if other is not None and other.kind is kind:
            where = self.opposite(name, other)
        return Member(kind, name, where=where)

    def opposite(self, name, other):
        inner = Expr(other.where.text.replace(other.name + ".", name + "."), BOOL,
                     lambda env: other.where.value({other.name: env[name]}))
        return Expr("not (%s)" % inner.text, BOOL, lambda env: not inner.value(env))

    def process_of(self, member):
        base = self.member(member.kind, member.name)
        if self.is_call(member.kind):
            return column_of("process", base, "process", lambda c: c.rank)
        wait = column_of("wait", base, self.calls, lambda t: t.wait)
        return column_of("process", wait, "process", lambda c: c.rank)

    def any_member(self, name, is_shared=False):
        kind = self.random.choice(self.natives + self.simple + self.declared)
        base = self.member(kind, name)
        where = self.condition([base]) if self.random.random() < 0.5 else None
        return Member(kind, name, is_shared, where)

    def parameters(self, bases):
        parameters = {"w": self.random.choice(self.calls_of(bases))}
        parameters["q"] = self.random.choice(self.calls_of(bases))
        parameters["t"] = self.time(bases)
        parameters["u"] = self.time(bases)
        instants = self.of_kind(bases, INSTANT)
        if instants:
            parameters["i"] = self.random.choice(instants)
        for name, kind in (("z", BYTES), ("k", RANK)):
            candidates = self.of_kind(bases, kind)
            if candidates and self.random.random() < 0.5:
                parameters[name] = self.random.choice(candidates)
        return parameters

    # Declarations

    def filter(self, name):
        member = self.any_member("a")
        bases = [self.member(member.kind, "a")]
        return Filter(name, [member], [self.condition(bases)], self.parameters(bases))

    def join(self, name):
        way = self.random.random()
        if way < 0.5:
            left = self.ordered_member("a")
            right = self.ordered_member("b", left)
            left.is_shared, right.is_shared = self.random.choice(((False, False), (False, False), (True, False),
                                                                  (False, True)))
            keys = [self.equality(self.process_of(left), self.process_of(right))]
        else:
            left, right = self.any_member("a", True), self.any_member("b", True)
            keys = [self.shared_key(left, right)]
        bases = [self.member(left.kind, "a"), self.member(right.kind, "b")]
        conditions = keys + [self.condition(bases[:1]), self.condition(bases[1:])][:self.random.randrange(3)]
        if self.random.random() < 0.4:
            conditions.append(self.comparison(bases))
        kind = SharedRight if right.is_shared and not left.is_shared else Join
        return kind(name, [left, right], conditions, self.parameters(bases))

    def three(self, name):
        members = [Member(self.random.choice([self.calls, *self.simple]), letter, True) for letter in "abc"]
        bases = [self.member(member.kind, member.name) for member in members]
        for member, base in zip(members, bases):
            member.where = self.function_in(column_of("function", base, "function", lambda c: c.function))
        keys = [self.equality(*map(self.process_of, members[:2])), self.equality(*map(self.process_of, members[1:]))]
        conditions = keys + [self.comparison(bases) for _ in range(2)]
        return Everything(name, members, conditions, self.parameters(bases))

    def shared_key(self, left, right):
        bases = [self.member(left.kind, "a"), self.member(right.kind, "b")]
        for kind in self.random.sample(("process", "comm", "place", "function"), 4):
            columns = [self.of_kind([base], kind) for base in bases]
            if all(columns):
                return self.equality(*(self.random.choice(own) for own in columns))
        raise AssertionError("every type has a call in it")

    def neighbours(self, name):
        members = [Member(self.random.choice([self.calls, *self.simple]), letter) for letter in "ab"]
        for member in members:
            base = self.member(member.kind, member.name)
            member.where = self.function_in(column_of("function", base, "function", lambda c: c.function))
        members[1].is_shared = self.random.random() < 0.7
        members[1].order = (self.random.choice(("last", "first")), "a")
        bases = [self.member(member.kind, member.name) for member in members]
        keys = [self.equality(*map(self.process_of, members))]
        return Neighbours(name, members, keys, self.parameters(bases), self.times)

    def group_keys(self, base):
        if base.kind is self.collectives and self.random.random() < 0.7:
            return [column_of("instance", base, *base.kind.columns["instance"])]
        if base.kind is self.transfers and self.random.random() < 0.6:
            return [column_of("completion", base, *base.kind.columns["completion"])]
        candidates = [expr for kind in ("process", "place", "function", RANK, COUNT, "comm")
                      for expr in self.of_kind([base], kind)]
        return self.random.sample(candidates, self.random.randrange(1, 3))

    def of_uncertain(self, member, words, where):
        """Any aggregate of what some members do not have. Of several with the same value the order may not be known: then what
        argmin gives is the value itself."""
        base, word = self.member(member.kind, member.name), self.random.choice(words)
        value = self.uncertain([base])
        result = None
        if word in ("argmin", "argmax"):
            result = self.uncertain([base]) if "first" in words else value
        return aggregate(word, member.name, None if word == "count" else value, where, result)

    def aggregates(self, member, is_ordered):
        base = self.member(member.kind, member.name)
        where = self.condition([base], 1) if self.random.random() < 0.4 else None
        call = self.random.choice(self.calls_of([base]))
        start = column_of("start", call, *self.calls.columns["start"])
        chosen = self.random.choice(("argmin", "argmax"))
        parameters = {
            "w": aggregate(chosen, member.name, start, result=call),
            "n": aggregate("count", member.name, None, where),
            "t": aggregate(self.random.choice(("min", "max", "sum")), member.name, self.time([base], 1)),
            "u": aggregate("sum", member.name, self.time([base], 1), where),
            "i": aggregate(self.random.choice(("min", "max")), member.name, start),
            "d": aggregate("distinct", member.name, self.random.choice(self.of_kind([base], "process"))),
        }
        words = UNORDERED + (("first", "last") if is_ordered else ())
        parameters["v"] = self.of_uncertain(member, words, where)
        parameters["x"] = self.of_uncertain(member, words, self.random.choice((where, self.condition([base], 1))))
        parameters["q"] = aggregate(self.random.choice(("first", "last")) if is_ordered else chosen, member.name,
                                    call if is_ordered else start, result=None if is_ordered else call)
        return parameters

    def size_condition(self, member):
        least = self.random.randrange(0, 3)
        return binary(aggregate("count", member.name, None), ">", Expr(str(least), COUNT, lambda env: least), BOOL,
                      COMPARISONS[">"])

    def group(self, name):
        member = self.any_member("m")
        keys = self.group_keys(self.member(member.kind, "m"))
        return Group(name, [member], keys, [self.size_condition(member)], self.aggregates(member, False))

    def run(self, name):
        member = self.ordered_member("m")
        base, before = self.member(member.kind, "m"), Expr("previous.m", member.kind, lambda env: env["previous.m"])
        keys = [self.process_of(member)]
        if self.random.random() < 0.5:
            keys.append(self.random.choice([e for kind in ("function", "place", RANK) for e in self.of_kind([base], kind)]))
        while_ = self.comparison([base, before])
        return Run(name, [member], keys, while_, [self.size_condition(member)], self.aggregates(member, True))

    # Problems

    def problem(self, name, declaration):
        bases = [Expr(key, kind, lambda env, key=key: env[key]) for key, (kind, _) in declaration.columns.items()]
        plain = [base for base in bases if isinstance(base.kind, str)]
        duration = self.time(plain, 1)
        means = [base for base in plain if base.kind == "mean"]
        if means and self.random.random() < 0.6:
            duration = self.random.choice(means)
        condition = binary(duration, ">=", microseconds(0), BOOL, COMPARISONS[">="])
        if self.random.random() < 0.3:
            condition = both(condition, self.condition(bases, 1))
        partner = self.random.choice([base for base in bases if base.text == "q"] + [None])
        return Problem(name, declaration, condition, duration, next(b for b in bases if b.text == "w"), partner)

    def each_problem(self, name, group):
        member = group.members[0]
        base = self.member(member.kind, member.name)
        bases = [base] + [Expr(key, kind, lambda env, key=key: env[key]) for key, (kind, _) in group.columns.items()
                          if isinstance(kind, str)]
        duration = self.prefix(bases) if self.random.random() < 0.7 else self.time(bases)
        if duration.kind == COUNT:
            duration = binary(grouped(duration), "*", microseconds(1), TIME, lambda a, b: a * b)
        condition = binary(duration, ">=", microseconds(0), BOOL, COMPARISONS[">="])
        at = self.random.choice(self.calls_of([base]))
        return Problem(name, group, condition, duration, at, None, member.name)

    def prefix(self, bases):
        """An aggregate over the members that compare in some way with the one that the value is for."""
        base, name = bases[0], bases[0].text
        column = self.random.choice(self.of_kind([base], RANK) + self.of_kind([base], INSTANT) + [self.uncertain([base])])
        word = self.random.choice(list(COMPARISONS))
        inner = self.of_uncertain(Member(base.kind, name), UNORDERED, None)
        mine = column.text.replace(name + ".", "mine.")

        def evaluate(env):
            own = column.value({name: env[name]})
            members = [event for event in env["all " + name] if COMPARISONS[word](column.value({name: event}), own)]
            return inner.value({"situation": "a comparison with mine", name: members})
        return Expr("%s where %s %s %s)" % (inner.text[:-1], column.text, word, mine), inner.kind, evaluate)

    def try_for_some(self, make, how_many, tries=6):
        """The first with any events or findings, or the last of this many: random rules rarely find anything."""
        for _ in range(tries):
            thing = make()
            if how_many(thing):
                break
        return thing

    def declare(self, name):
        makers = (self.filter, self.join, self.join, self.three, self.neighbours, self.group, self.group, self.run)
        declaration = self.random.choice(makers)(name)
        declaration.evaluate()
        return declaration

    def make(self, count):
        for i in range(count):
            declaration = self.try_for_some(lambda: self.declare("c%d" % i), lambda d: d.events)
            self.declared.append(declaration)
            self.problems.append(self.try_for_some(lambda: self.problem("p%d" % i, declaration), Problem.findings))
            key = declaration.keys[0].text if type(declaration) is Group else ""
            if key in ("m.instance", "m.completion"):
                self.problems.append(self.try_for_some(lambda: self.each_problem("e%d" % i, declaration),
                                                       Problem.findings))

    def text(self):
        return "\n".join(thing.text() for thing in self.simple + self.declared + self.problems)


def check(tools, seed):
    tarry, printer = tools
    pick = random.Random(seed)
    program = Program(seed, pick.randrange(2, 7), pick.choice((10, 20, 40)))
    maker = Maker(seed, program, Times())
    maker.make(6)
    told = analyze(tarry, printer, program.trace.text(), rules=maker.text(), threads=1 + seed % 2)
    expected = {(problem.name, *key): value for problem in maker.problems for key, value in problem.findings().items()}
    compare_findings(expected, told.findings)
    return met_absent | {"a finding"} if expected else set()


if __name__ == "__main__":
    SITUATIONS = "a group that closes early", "a group that closes at the end", "a run", "a comparison with mine"
    SKIPPING = [word for word in UNORDERED if word != "count"]
    try_all(check, 2, ["a finding"] + ["%s in %s" % (word, where) for word in SKIPPING for where in SITUATIONS], enough=60)
