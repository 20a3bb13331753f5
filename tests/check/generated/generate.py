"""Random MPI programs, as scripts for interpreter.c.

    generate.py SEED [--plant]      prints the script; with --plant one that must end in a deadlock

A script is a list of steps of the whole job, written down for each rank. A step can complete as soon as all its ranks have come to it,
even if every send waits for its receive and every collective call for all members: blocking calls of a step need nothing but the same step, and what
non-blocking ones need was begun no later. So no schedule leads into a deadlock. Messages of a pair on a communicator are begun in the same order
on both sides, so that each receive gets what the script says, whatever tags it names. A receive with MPI_ANY_SOURCE has a tag of its own,
so that no other process could be meant, except in `gather by anybody`, where several senders race: then `races` is true."""

import argparse
import random

COMMS = 5
WINDOW_KINDS = 3
BIG = 20000
COLLECTIVES = ("barrier", "bcast", "reduce", "allreduce", "gather", "scatter", "allgather", "alltoall", "scan", "dup")
SYNCHRONIZING = ("barrier", "allreduce", "allgather", "alltoall")
NONBLOCKING = ("ibarrier", "ibcast", "iallreduce")
FRESH_TAG = 1000


def members(comm, size):
    """Lists of world ranks, by rank in the communicator, one for each part of the job."""
    everybody = list(range(size))
    if comm == 2:
        return [part for part in (everybody[::2], everybody[1::2]) if part]
    if comm == 3:
        return [everybody[::-1]]
    if comm == 4:
        return [part for part in (everybody[:size // 2], everybody[size // 2:]) if part]
    return [everybody]


class Script:
    def __init__(self, seed, plant=False, accesses=False):
        self.random = random.Random(f"{seed} {plant}" + " accesses" * accesses)
        self.size = self.random.randint(3 if plant else 2, 3 if accesses else 6)
        self.accesses = accesses
        self.threads = accesses and self.random.random() < 0.5  # which call MPI
        self.polls = not plant and self.random.random() < 0.5  # a rank that polls is in no deadlock
        self.lines, self.races, self.planted = [], False, None
        self.pending = {rank: [] for rank in range(self.size)}  # slots
        self.used = {rank: set() for rank in range(self.size)}
        self.fresh, self.value = FRESH_TAG, 0
        steps = self.random.randint(10, 40)
        at = self.random.randrange(steps) if plant else None
        for i in range(steps):
            if i == at:
                self.plant()
            self.step()
        for rank in range(self.size):
            self.complete(rank, all_of_them=True)

    def say(self, rank, name, *numbers):
        self.lines.append(f"{rank} {name} {' '.join(map(str, numbers))}".rstrip())

    def new_value(self):
        self.value += 1
        return self.value

    def fresh_tag(self):
        self.fresh += 1
        return self.fresh

    def new_slot(self, rank):
        slot = next(i for i in range(200) if i not in self.used[rank])
        self.used[rank].add(slot)
        self.pending[rank].append(slot)
        return slot

    def group(self, least=1):
        """A communicator and the world ranks of one part of it."""
        fit = [(comm, part) for comm in range(COMMS) for part in members(comm, self.size) if len(part) >= least]
        return self.random.choice(fit)

    def step(self):
        kinds = [(self.message, 8), (self.complete_some, 5), (self.collective, 4), (self.nonblocking_collective, 2),
                 (self.ring, 2), (self.gather_by_anybody, 1), (self.epoch, 1), (self.lock_put, 1), (self.sleep, 1)]
        if self.accesses:
            kinds = [(self.access, 6), (self.use_buffers, 3), (self.message, 3), (self.complete_some, 3), (self.collective, 1),
                     (self.gather_by_anybody, 1)]
        self.random.choices([kind for kind, _ in kinds], [weight for _, weight in kinds])[0]()

    # Steps

    def message(self):
        comm, part = self.group(2)
        sender, receiver = self.random.sample(part, 2)
        tag, value = self.random.randrange(3), self.new_value()
        count = BIG if self.random.random() < 0.15 else self.random.randint(1, 3)
        source, asked = part.index(sender), tag
        if self.random.random() < 0.15:
            tag = asked = self.fresh_tag()
            source = -1
        elif self.random.random() < 0.1:
            asked = -1
        self.put_receive(receiver, [comm, source, asked, value, count])
        self.put_send(sender, [comm, part.index(receiver), tag, value, count])

    def put_send(self, rank, numbers):
        buffered = ("bsend", "ibsend") if numbers[4] < BIG else ()
        name = self.random.choice(("send", "ssend", "isend", "issend", "psend", *buffered))
        self.say(rank, name, *numbers, *self.slot_for(rank, name, ("isend", "issend", "psend", "ibsend")))

    def put_receive(self, rank, numbers):
        name = self.random.choice(("recv", "recv", "irecv", "irecv", "precv", "probe_recv", "mrecv"))
        self.say(rank, name, *numbers, *self.slot_for(rank, name, ("irecv", "precv")))

    def slot_for(self, rank, name, names):
        return [self.new_slot(rank)] if name in names else []

    def complete_some(self):
        self.complete(self.random.randrange(self.size))

    def complete(self, rank, all_of_them=False):
        while self.pending[rank]:
            chosen = self.pending[rank]
            if not all_of_them:
                chosen = self.random.sample(chosen, self.random.randint(1, len(chosen)))
            names = ("wait", "waitall", "waitany", "waitsome") + (("test", "testall") if self.polls else ())
            name = self.random.choice(names)
            if name in ("wait", "test"):
                chosen = chosen[:1]
            self.say(rank, name, *chosen)
            self.pending[rank] = [slot for slot in self.pending[rank] if slot not in chosen]
            self.used[rank] -= set(chosen)
            if not all_of_them:
                return

    def collective(self):
        name, comm = self.random.choice(COLLECTIVES), self.random.randrange(COMMS)
        for part in members(comm, self.size):
            root = self.random.randrange(len(part))
            for rank in part:
                self.say(rank, name, comm, root)

    def nonblocking_collective(self):
        name, comm = self.random.choice(NONBLOCKING), self.random.randrange(COMMS)
        for part in members(comm, self.size):
            root = self.random.randrange(len(part))
            for rank in part:
                self.say(rank, name, comm, root, self.new_slot(rank))

    def ring(self):
        """Each sends to the next and receives from the one before, in one call."""
        comm, part = self.group(2)
        chosen = self.random.sample(part, self.random.randint(2, len(part)))
        tag, values = self.random.randrange(3), [self.new_value() for _ in chosen]
        for i, rank in enumerate(chosen):
            self.say(rank, "sendrecv", comm, part.index(chosen[(i + 1) % len(chosen)]), tag, values[i],
                     part.index(chosen[i - 1]), tag, values[i - 1], 2)

    def gather_by_anybody(self):
        comm, part = self.group(2)
        receiver = self.random.choice(part)
        senders = [rank for rank in part if rank != receiver]
        tag, total = self.fresh_tag(), 0
        for rank in senders:
            value = self.new_value()
            total += value
            self.say(rank, self.random.choice(("send", "ssend")), comm, part.index(receiver), tag, value, 1)
            self.say(receiver, "recv_any", comm, tag)
        self.say(receiver, "any_sum", total)
        self.races |= len(senders) > 1

    def epoch(self):
        for rank in range(self.size):
            self.say(rank, "epoch", self.random.randrange(self.size))

    def lock_put(self):
        self.say(self.random.randrange(self.size), "lock_put", self.random.randrange(self.size))

    def all_ranks(self, name, *numbers):
        for rank in range(self.size):
            self.say(rank, name, *numbers)

    def access(self):
        """Loads and stores in a window, with one kind of synchronisation."""
        name = self.random.choice(("fence_access", "post_access", "lock_access", "atomic_access"))
        self.all_ranks(name, self.random.randrange(WINDOW_KINDS), self.new_value(), self.random.randrange(2))

    def use_buffers(self):
        name = self.random.choice(("exchange", "team", *(("threads", "two_threads") if self.threads else ())))
        self.all_ranks(name, self.new_value(), self.random.choice((1, 3, 1000, BIG)))

    def sleep(self):
        self.say(self.random.randrange(self.size), "sleep", self.random.randint(100, 5000))

    # What makes a deadlock, whatever the schedule and however much MPI buffers. Later steps need all ranks, at the latest those at the end.

    def plant(self):
        kinds = (self.plant_tag, self.plant_missing_send, self.plant_wrong_dest, self.plant_ssend_ring, self.plant_recv_ring,
                 self.plant_collective_order, self.plant_missing_collective, self.plant_missing_fence, self.plant_waitall,
                 self.plant_waitany_knot, self.plant_anybody_knot, self.plant_collective_and_message, self.plant_sendrecv)
        kind = self.random.choice(kinds)
        self.planted = kind.__name__[len("plant_"):]
        kind()

    def pair(self):
        comm, part = self.group(2)
        first, second = self.random.sample(part, 2)
        return comm, part, first, second

    def plant_tag(self):
        comm, part, sender, receiver = self.pair()
        value = self.new_value()
        self.put_send(sender, [comm, part.index(receiver), self.fresh_tag(), value, 1])
        self.say(receiver, self.random.choice(("recv", "probe_recv", "mrecv")), comm, part.index(sender), self.fresh_tag(), value, 1)

    def plant_missing_send(self):
        comm, part, sender, receiver = self.pair()
        source = self.random.choice((part.index(sender), -1))
        self.say(receiver, self.random.choice(("recv", "probe_recv", "mrecv")), comm, source, self.fresh_tag(), self.new_value(), 1)

    def plant_wrong_dest(self):
        comm, part = self.group(3)
        sender, receiver, other = self.random.sample(part, 3)
        tag, value = self.fresh_tag(), self.new_value()
        self.say(sender, "ssend", comm, part.index(other), tag, value, 1)
        self.say(receiver, "recv", comm, part.index(sender), tag, value, 1)

    def chain(self):
        comm, part = self.group(2)
        chosen = self.random.sample(part, self.random.randint(2, len(part)))
        return comm, part, chosen, self.fresh_tag(), [self.new_value() for _ in chosen]

    def plant_ssend_ring(self):
        comm, part, chosen, tag, values = self.chain()
        for i, rank in enumerate(chosen):
            self.say(rank, "ssend", comm, part.index(chosen[(i + 1) % len(chosen)]), tag, values[i], 1)
            self.say(rank, "recv", comm, part.index(chosen[i - 1]), tag, values[i - 1], 1)

    def plant_recv_ring(self):
        comm, part, chosen, tag, values = self.chain()
        for i, rank in enumerate(chosen):
            self.say(rank, "recv", comm, part.index(chosen[i - 1]), tag, values[i - 1], 1)
            self.say(rank, "send", comm, part.index(chosen[(i + 1) % len(chosen)]), tag, values[i], 1)

    def plant_sendrecv(self):
        """All receive from the one that they send to."""
        comm, part = self.group(3)
        tag, value = self.fresh_tag(), self.new_value()
        for i, rank in enumerate(part):
            after = (i + 1) % len(part)
            self.say(rank, "sendrecv", comm, after, tag, value, after, tag, value, 1)

    def plant_collective_order(self):
        name, victim = self.random.choice(SYNCHRONIZING), self.random.randrange(self.size)
        for rank in range(self.size):
            for comm in (1, 0) if rank == victim else (0, 1):
                self.say(rank, name, comm, 0)

    def plant_missing_collective(self):
        """The others wait on a communicator that is not used later: steps after this one do not use it."""
        victim = self.random.randrange(self.size)
        for rank in range(self.size):
            if rank != victim:
                self.say(rank, "barrier", 3, 0)
        for rank in range(self.size):
            self.say(rank, "barrier", 0, 0)

    def plant_missing_fence(self):
        victim = self.random.randrange(self.size)
        for rank in range(self.size):
            if rank != victim:
                self.say(rank, "fence", 0)
        for rank in range(self.size):
            self.say(rank, "barrier", 0, 0)

    def plant_waitall(self):
        comm, part, sender, receiver = self.pair()
        slots = [self.new_slot(receiver), self.new_slot(receiver)]
        tag, value = self.fresh_tag(), self.new_value()
        for slot in slots:
            self.say(receiver, "irecv", comm, part.index(sender), tag, value, 1, slot)
        self.say(sender, "isend", comm, part.index(receiver), tag, value, 1, self.new_slot(sender))
        self.say(receiver, "waitall", *slots)
        self.forget(receiver, slots)

    def forget(self, rank, slots):
        """They are completed, if ever, by a line that is there."""
        self.pending[rank] = [slot for slot in self.pending[rank] if slot not in slots]

    def plant_waitany_knot(self):
        comm, part = self.group(3)
        tag, value = self.fresh_tag(), self.new_value()
        for i, rank in enumerate(part):
            slots = [self.new_slot(rank), self.new_slot(rank)]
            for slot, distance in zip(slots, (1, 2)):
                self.say(rank, "irecv", comm, (i + distance) % len(part), tag, value, 1, slot)
            self.say(rank, self.random.choice(("waitany", "waitsome")), *slots)
            self.forget(rank, slots)

    def plant_anybody_knot(self):
        comm, part = self.group(2)
        tag = self.fresh_tag()
        for rank in part:
            self.say(rank, "recv_any", comm, tag)

    def plant_collective_and_message(self):
        comm, part, first, second = self.pair()
        tag, value = self.fresh_tag(), self.new_value()
        self.say(first, "recv", comm, part.index(second), tag, value, 1)
        for rank in part:
            self.say(rank, "barrier", comm, 0)
        self.say(second, "send", comm, part.index(first), tag, value, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("seed")
    parser.add_argument("--plant", action="store_true")
    options = parser.parse_args()
    script = Script(options.seed, options.plant)
    print(f"# {script.size} ranks, races: {script.races}, planted: {script.planted}")
    print("\n".join(script.lines))


if __name__ == "__main__":
    main()
