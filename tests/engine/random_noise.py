"""Random programs on a busy machine: findings charge the waits of a quiet one.

Each program is simulated twice, without and with times in which processes have no CPU, and the findings of the second run are
compared with the waits of the first. They must not be larger. They may be smaller if a waiting process was delayed itself and waited
less: but not smaller than its actual wait.

Usage: random_noise.py TARRY PRINT_FINDINGS RULES [COUNT [FIRST_SEED]]
"""

import collections
import random

from analyzed import analyze
from replayed import Trace, WORLD
from seeds import try_all

US = 1000
TAKES = 2 * US
AWAY = 3000 * US  # between the start and the end of what is not blocking
TOLERANCE = 20 * US
WINDOW = 0x7
UNCHARGED = 1000  # lines from this one on do not wait
PAIRS = "send", "ssend", "large", "irecv", "isend", "probe", "test", "iprobe", "post"
ROOTED = "bcast", "reduce"
ALL = {"barrier": "MPI_Barrier comm=0x%x" % WORLD, "allreduce": "MPI_Allreduce comm=0x%x sent=8 received=8" % WORLD,
       "window": "MPI_Win_create comm=0x%x" % WORLD, "dup": "MPI_Comm_dup comm=0x%x" % WORLD,
       "file": "MPI_File_open comm=0x%x" % WORLD, "fence": "MPI_Win_fence win=0x%x" % WINDOW}
# They charge no waits for others.
OTHER_FINDINGS = ("mpi.imbalance", "mpi.redundant-barrier", "mpi.serialised-chain", "mpi.small-messages", "mpi.close-send-recv",
                  "mpi.hot-receiver")


def steps_of(seed):
    """In an order in which no process can be stuck: (name, ranks…), or ("compute", rank, ns, ns without a processor)."""
    pick = random.Random(seed)
    size = pick.randrange(2, 6)
    steps = []
    for _ in range(pick.choice((6, 12, 30))):
        for rank in range(size):
            if pick.random() < 0.6:
                noise = pick.randrange(1, 20000) * US if pick.random() < 0.25 else 0
                steps.append(("compute", rank, pick.randrange(1, 10000) * US, noise))
        name = pick.choice((*PAIRS, *ROOTED, *ALL))
        ranks = pick.sample(range(size), 2) if name in PAIRS else [pick.randrange(size)] if name in ROOTED else []
        steps.append((name, *ranks))
    return size, [*steps, ("barrier",)]


class Run:
    def __init__(self, seed, is_noisy):
        self.size, steps = steps_of(seed)
        self.is_noisy, self.pick = is_noisy, random.Random(seed)
        self.now, self.noise, self.until = [10**7] * self.size, [0] * self.size, [0] * self.size
        self.waits = collections.Counter()  # by rank and line
        self.trace = Trace(self.size)
        for rank in range(self.size):
            self.trace.head(rank, 'source 1 "program.c" "step"')
            self.trace.head(rank, 'property clock "shared"')
            self.trace.head(rank, "eager 1000 node")
            self.trace.head(rank, 'object win 0x%x comm=0x%x size=8 unit=1 ""' % (WINDOW, WORLD))
            self.call(rank, "MPI_Init", self.now[rank], 1)
        for line, (name, *values) in enumerate(steps, 10):
            self.line = line
            if name in ALL:
                self.meet(ALL[name])
            else:
                getattr(self, name)(*values)
        self.now = [max(self.now)] * self.size
        for rank in range(self.size):
            self.call(rank, "MPI_Finalize", self.now[rank], 2)

    def call(self, rank, text, can_end=0, line=None):
        """From now on until it can end. Without a processor then, it ends later; what it had none for before does not matter."""
        start, end = self.now[rank], max(self.now[rank], can_end) + TAKES
        late, spun, is_hit = self.pick.randrange(1, 8000) * US, self.pick.random(), self.pick.random() < 0.3
        inside = 0
        if self.is_noisy and is_hit and can_end > start:
            inside = late + int(spun * (end - start)) // US * US
            end += late
        if self.noise[rank] or inside:
            text += " delay_before=%d delay_inside=%d" % (self.noise[rank] // US, inside // US)
        function, _, fields = text.partition(" ")
        self.trace.add(rank, start, end, "%s site=1+%d %s" % (function, line or self.line, fields))
        self.noise[rank], self.now[rank] = 0, end
        return start

    def wait(self, rank, text, needed):
        """For what happens at that time."""
        self.waits[rank, self.line] += max(0, needed - self.now[rank])
        return self.call(rank, text, needed)

    def compute(self, rank, ns, noise):
        self.now[rank] += ns + (noise if self.is_noisy else 0)
        self.noise[rank] += noise if self.is_noisy else 0

    def meet(self, text):
        last = max(self.now)
        for rank in range(self.size):
            self.wait(rank, text, last)

    def bcast(self, root):
        sent = self.call(root, "MPI_Bcast comm=0x%x root=%d sent=8" % (WORLD, root))
        for rank in set(range(self.size)) - {root}:
            self.wait(rank, "MPI_Bcast comm=0x%x root=%d received=8" % (WORLD, root), sent)

    def reduce(self, root):
        last = max(self.now)
        for rank in set(range(self.size)) - {root}:
            self.call(rank, "MPI_Reduce comm=0x%x root=%d sent=8" % (WORLD, root))
        self.wait(root, "MPI_Reduce comm=0x%x root=%d sent=8 received=8" % (WORLD, root), last)

    def send(self, source, dest):
        sent = self.call(source, "MPI_Send peer=%d tag=0 comm=0x%x sent=100" % (dest, WORLD))
        self.wait(dest, "MPI_Recv peer=%d tag=0 comm=0x%x received=100" % (source, WORLD), sent)

    def both_wait(self, function, source, dest, size):
        sent, received = self.now[source], self.now[dest]
        self.wait(source, "%s peer=%d tag=0 comm=0x%x sent=%d" % (function, dest, WORLD, size), received)
        self.wait(dest, "MPI_Recv peer=%d tag=0 comm=0x%x received=%d" % (source, WORLD, size), sent)

    def ssend(self, source, dest):
        self.both_wait("MPI_Ssend", source, dest, 100)

    def large(self, source, dest):
        self.both_wait("MPI_Send", source, dest, 5000)

    def irecv(self, source, dest):
        self.call(dest, "MPI_Irecv peer=%d tag=0 comm=0x%x room=100 request=0" % (source, WORLD))
        self.now[dest] += AWAY
        sent = self.call(source, "MPI_Send peer=%d tag=0 comm=0x%x sent=100" % (dest, WORLD))
        self.wait(dest, "MPI_Wait done=0 received=100", sent)

    def isend(self, source, dest):
        sent = self.call(source, "MPI_Isend peer=%d tag=0 comm=0x%x sent=5000 request=0" % (dest, WORLD))
        self.now[source] += AWAY
        received = self.wait(dest, "MPI_Recv peer=%d tag=0 comm=0x%x received=5000" % (source, WORLD), sent)
        self.wait(source, "MPI_Wait done=0", received)

    def probe(self, source, dest):
        sent = self.call(source, "MPI_Send peer=%d tag=0 comm=0x%x sent=100" % (dest, WORLD))
        self.wait(dest, "MPI_Probe peer=%d tag=0 comm=0x%x received=100" % (source, WORLD), sent)
        self.call(dest, "MPI_Recv peer=%d tag=0 comm=0x%x received=100" % (source, WORLD), line=UNCHARGED)

    def poll(self, rank, text, needed):
        """Tests that find nothing, until then. Without a processor from the middle on until later, the last of them is the one in the
        middle; or the next one began before, and ends then."""
        start, span = self.now[rank], needed - self.now[rank]
        if span <= TAKES:
            self.now[rank] = max(self.now[rank], needed)
            return
        end, following, inside = needed - 1, needed, 0
        if self.is_noisy:
            inside, kind = int(self.pick.random() * span), self.pick.choice(("spins", "behind", "in"))
            if kind != "spins":
                end, following, inside = start + span // 2, needed + self.pick.randrange(1, 8000) * US, 0
            if kind == "behind":
                inside = following - end
            elif kind == "in":
                self.until[rank], following = following, end + 1
        self.waits[rank, self.line] += span
        text += " polls=%d busy=%d" % (10 + (end - start) // TAKES, (end - start) * 9 // 10)
        if self.noise[rank] or inside:
            text += " delay_before=%d delay_inside=%d" % (self.noise[rank] // US, inside // US)
        function, _, fields = text.partition(" ")
        self.trace.add(rank, start, end, "%s site=1+%d %s" % (function, self.line, fields))
        self.noise[rank], self.now[rank] = 0, following

    def last_test(self, rank, text):
        if not self.until[rank]:
            self.call(rank, text)
            return
        start, end = self.now[rank], self.until[rank]
        function, _, fields = text.partition(" ")
        self.trace.add(rank, start, end, "%s site=1+%d %s delay_before=0 delay_inside=%d" % (
            function, self.line, fields, (end - start) // US))
        self.now[rank], self.until[rank] = end, 0

    def test(self, source, dest):
        self.call(dest, "MPI_Irecv peer=%d tag=0 comm=0x%x room=100 request=0" % (source, WORLD))
        sent = self.call(source, "MPI_Send peer=%d tag=0 comm=0x%x sent=100" % (dest, WORLD))
        self.poll(dest, "MPI_Test flag=0", sent)
        self.last_test(dest, "MPI_Test flag=1 done=0 received=100")

    def iprobe(self, source, dest):
        sent = self.call(source, "MPI_Send peer=%d tag=0 comm=0x%x sent=100" % (dest, WORLD))
        self.poll(dest, "MPI_Iprobe flag=0", sent)
        self.last_test(dest, "MPI_Iprobe flag=1 peer=%d tag=0 comm=0x%x" % (source, WORLD))
        self.call(dest, "MPI_Recv peer=%d tag=0 comm=0x%x received=100" % (source, WORLD), line=UNCHARGED)

    def post(self, target, origin):
        posted = self.call(target, "MPI_Win_post win=0x%x member=%d" % (WINDOW, origin))
        self.wait(origin, "MPI_Win_start win=0x%x member=%d" % (WINDOW, target), posted)
        self.call(origin, "MPI_Put win=0x%x target=%d sent=8" % (WINDOW, target), line=UNCHARGED)
        completed = self.call(origin, "MPI_Win_complete win=0x%x" % WINDOW, line=UNCHARGED)
        self.call(target, "MPI_Win_wait win=0x%x" % WINDOW, completed, UNCHARGED)


def check(tools, seed):
    tarry, print_findings, rules = tools
    calm, busy = Run(seed, False), Run(seed, True)
    found = collections.Counter()
    told = analyze(tarry, print_findings, busy.trace.text(), shipped=rules)
    for (problem, rank, line, _), (_, total, _) in told.findings.items():
        if problem not in OTHER_FINDINGS and line < UNCHARGED:
            found[rank, line] += total
    for key in set(calm.waits) | set(found):
        most, least = calm.waits[key], min(calm.waits[key], busy.waits[key])
        assert least - TOLERANCE <= found[key] <= most + TOLERANCE, "rank %d, line %d: found %d ns, should be %d to %d: %s" % (
            *key, found[key], least, most, [finding for finding in told.findings if finding[1:3] == key])
    return {finding[0] for finding in told.findings}


if __name__ == "__main__":
    try_all(check, 3, ("mpi.late-standard-send", "mpi.early-standard-send", "mpi.early-synchronous-send", "mpi.wait-irecv-isend",
                       "mpi.wait-isend", "mpi.test-polling", "mpi.late-post", "mpi.fence-wait", "mpi.barrier-wait", "mpi.nxn-wait",
                       "mpi.late-broadcast", "mpi.early-reduce", "mpi.communicator-create-wait", "mpi.window-create-wait",
                       "mpi.io-collective-wait"))
