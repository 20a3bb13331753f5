"""Random programs of habits (rows of small messages, one that collects from all, chains, barriers, uneven work, …) under the
shipped rules: no second is in two findings.

What a call lasts is either waiting, until the other side comes, or its own work after that. Findings of waits may add up to the
waiting of a process in a line, the findings of habits to its work there, and mpi.imbalance to what it computes before. Thresholds
are set so low that habits show early.

Usage: random_habits.py TARRY PRINT_FINDINGS RULES [COUNT [FIRST_SEED]]
"""

import random
from collections import defaultdict

from analyzed import analyze
from programs import EAGER, PAIRS, WORLD, Program
from seeds import try_all

OF_WORK = ("mpi.small-messages", "mpi.persistent-candidate", "mpi.hot-receiver", "mpi.serialised-chain",
           "mpi.needless-wildcard", "mpi.redundant-barrier", "mpi.close-send-recv")
# Of work too, but these programs have few or none.
SELDOM = ("mpi.small-collectives", "mpi.collective-completion", "mpi.barrier-before-collective")
OF_COMPUTING = "mpi.imbalance"
# Charge, in the line of a receive, computing before another line.
ELSEWHERE = ("mpi.server-queue", "mpi.serialised-work", "mpi.no-overlap")
SEEN = OF_WORK + (OF_COMPUTING, "mpi.just-above-eager", "mpi.barrier-wait", "mpi.late-standard-send")
RULES = """import "mpi";
override parameter often = 5;
override parameter burst = 2;
override parameter habit = 3;
override parameter matters = 0 s;
override parameter hot = 0 s;
override parameter prepared_share = 100 %;
override parameter prepared_matters = 0 s;
override parameter barrier_matters = 0 s;
override parameter overload = 5 %;
override parameter overload_matters = 0 s;
override parameter completion_matters = 0 s;
"""


class Habits(Program):
    """Each habit has lines of its own, and in each of them one function."""

    def plan(self, actions):
        steps, self.line = [[] for _ in range(self.size)], 100
        habits = [self.row, self.again, self.again, self.collect, self.chain, self.wild, self.barriers, self.uneven, self.just_above,
                  self.answers, self.sum_up]
        for _ in range(actions):
            habit, times = self.random.choice(habits), self.random.randrange(5, 20)
            self.line += 10
            habit(steps, times, *self.random.sample(range(self.size), 2))
        for own in steps:
            own.append((self.wait, 1000))
        return steps

    def process(self, rank):
        for step, *arguments in self.programs[rank]:
            yield self.random.choice((0.1, 0.1, 2, 30)) * self.random.random() + 0.01
            yield from step(rank, *arguments)

    def compute(self, rank, time):
        yield time * self.random.random() + 0.01

    def pass_message(self, steps, source, dest, size, name="MPI_Send", how="MPI_Recv", is_wild=False, lines=(0, 1)):
        """Tags differ between habits, so that a receive from any source does not get a message of another habit."""
        steps[source].append((self.send, PAIRS, dest, self.line, size, name, self.line + lines[0], {}))
        steps[dest].append((self.receive, PAIRS, None if is_wild else source, self.line, how, self.line + lines[1], {}))

    def some(self, *things):
        return self.random.choice(things)

    def row(self, steps, times, source, dest):
        name, how = self.some("MPI_Send", "MPI_Isend"), self.some("MPI_Recv", "MPI_Irecv")
        for _ in range(times):
            self.pass_message(steps, source, dest, self.some(8, 8, 100), name, how)
        steps[dest].append((self.wait, 1000))

    def again(self, steps, times, source, dest):
        how = self.some("MPI_Recv", "MPI_Irecv")
        for _ in range(times):
            for _ in range(self.some(1, 3, 3)):
                self.pass_message(steps, source, dest, 8, "MPI_Isend", how)
            steps[source].append((self.wait, 1000))
            steps[dest].append((self.wait, 1000))

    def collect(self, steps, times, root, _):
        is_wild = self.some(False, True)
        for _ in range(times):
            for source in range(self.size):
                if source != root:
                    self.pass_message(steps, source, root, self.some(8, 100), is_wild=is_wild)
            steps[root].append((self.compute, 200))

    def chain(self, steps, times, first, _):
        is_wild = self.some(False, True)
        for _ in range(times):
            for hop in range(self.size - 1):
                source, dest = ((first + hop + i) % self.size for i in range(2))
                self.pass_message(steps, source, dest, 100, is_wild=is_wild)

    def wild(self, steps, times, source, dest):
        for _ in range(times):
            self.pass_message(steps, source, dest, self.some(8, 100), is_wild=True)
            steps[source].append((self.compute, self.some(1, 50)))

    def barriers(self, steps, times, *_):
        for _ in range(times):
            self.all_meet(steps, "MPI_Barrier")

    def uneven(self, steps, times, slow, _):
        for _ in range(times):
            steps[slow].append((self.compute, 200))
            self.all_meet(steps, "MPI_Allreduce")

    def sum_up(self, steps, times, root, _):
        for _ in range(times):
            self.all_meet(steps, "MPI_Bcast", root)
            self.all_meet(steps, "MPI_Reduce", root, 1)

    def all_meet(self, steps, name, root=0, more=0):
        for rank in range(self.size):
            steps[rank].append((self.meet, WORLD, name, list(range(self.size)), root, "", self.line + more))

    def just_above(self, steps, times, source, dest):
        for _ in range(times):
            steps[dest].append((self.compute, 100))
            self.pass_message(steps, source, dest, EAGER + 100)

    def answers(self, steps, times, one, other):
        size, is_wild = self.some(8, 500), self.some(False, True)
        for _ in range(times):
            self.pass_message(steps, one, other, size, is_wild=is_wild)
            self.pass_message(steps, other, one, size, is_wild=is_wild, lines=(2, 3))


def needed_by(message):
    """Whether a send has to wait for its receiver."""
    return message.size > EAGER and not message.send.function.startswith("MPI_I")


def causes(program):
    """(rank, number of the call) -> when the other side had arrived, for each call that waits."""
    came = {}
    for message in program.messages:
        if message.receive_wait.function == "MPI_Recv":
            came[message.dest, message.receive_wait.number] = message.send.start
        if needed_by(message):
            came[message.source, message.send.number] = message.post.start
    for meeting in program.meetings:
        for rank, call in meeting.calls.items():
            came[rank, call.number] = max((meeting.calls[r].start for r in meeting.needed(rank)), default=call.start)
    return came


def budgets(program):
    """(rank, line) -> ns of waiting, of work, of computing before."""
    came, sums = causes(program), defaultdict(lambda: [0, 0, 0])
    for rank, calls in enumerate(program.calls):
        before = calls[0].start if calls else 0
        for call in calls:
            length, budget = call.end - call.start, sums[rank, call.line]
            waits = min(max(came.get((rank, call.number), call.start) - call.start, 0), length)
            if call.function.startswith("MPI_Wait") or call.function == "MPI_Test":
                waits = length
            budget[0] += waits
            budget[1] += length - waits
            budget[2] += max(call.start - before, 0)
            before = max(before, call.end)
    return sums


def kind_of(problem):
    return 2 if problem == OF_COMPUTING else 1 if problem in OF_WORK + SELDOM else 0


def check(tools, seed):
    tarry, print_findings, rules = tools
    pick = random.Random(seed)
    program = Habits(2 * seed + 1, pick.randrange(2, 9), pick.choice((1, 3, 6)))
    told = analyze(tarry, print_findings, program.trace.text(), RULES, threads=1 + seed % 2, shipped=rules)
    charged, who = defaultdict(lambda: [0, 0, 0]), defaultdict(list)
    for (problem, rank, line, _), (_, total, _) in told.findings.items():
        if problem in ELSEWHERE:
            continue
        charged[rank, line][kind_of(problem)] += total
        who[rank, line].append("%s %d" % (problem, total))
    there = budgets(program)
    for key, sums in charged.items():
        for name, kind in (("waits", 0), ("works", 1), ("computes", 2)):
            assert sums[kind] <= there[key][kind], "rank %d %s %d ns in line %d, and is charged with %d: %s" % (
                key[0], name, there[key][kind], key[1], sums[kind], ", ".join(who[key]))
    return {problem for problem, *_ in told.findings}


if __name__ == "__main__":
    try_all(check, 3, SEEN, enough=50)
