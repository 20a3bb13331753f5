"""Planted mismatches and their correct twins: the data of processes, and the expected findings."""
from protocol import IN_PLACE, NONBLOCKING, PERSISTENT

PAIR = (("INT", 1), ("DOUBLE", 1))
SCENARIOS = []


def scenario(*expected, size=2):
    """expected: (check, lines of its calls, values that it has)."""
    def add(function):
        SCENARIOS.append((function, expected, size))
        return function
    return add


# Messages

@scenario()
def messages_that_fit(p):
    p[0].send(1, times=1000)
    p[1].receive(0, times=500, data=("INT", 2))
    p[1].receive(0, times=500, line=3)
    p[1].send(0, data=(PAIR, 2))
    p[0].receive(1, data=((("INT", 1), ("DOUBLE", 1), (PAIR, 1)), 1))
    p[0].send(1, tag=5, data=("PACKED", 8))
    p[1].receive_any(0, 5, data=("DOUBLE", 1))
    p[0].send(0, tag=9, function="Isend")
    p[0].receive(0, tag=9)


@scenario(("message.type-mismatch", [1, 2], {"element": "3", "sent": "MPI_INT", "received": "MPI_DOUBLE"}))
def other_type(p):
    p[1].receive(0, data=((("INT", 1), ("DOUBLE", 1), ("INT", 1), ("DOUBLE", 3)), 1))
    p[0].send(1, data=((("INT", 1), ("DOUBLE", 1), ("INT", 2)), 1))


@scenario(("message.similar-type", [1, 2], {"element": "0", "sent": "MPI_INT", "received": "MPI_INTEGER"}))
def similar_type(p):
    p[0].send(1, data=("INT", 4))
    p[1].receive(0, data=("INTEGER", 4))


@scenario(("message.truncated", [1, 2], {"sent": "40", "room": "36"}))
def truncated(p):
    p[0].send(1, data=("INT", 10), times=3)
    p[1].receive(0, data=("INT", 9), times=3)


@scenario(("message.truncated", [1, 3], {"sent": "40", "room": "36"}))
def truncated_by_wildcard(p):
    p[1].receive_any(0, 7, data=("INT", 9))
    p[0].send(1, tag=7, data=("INT", 10))


@scenario(("message.lost", [1], {"dest": "1", "tag": "3", "comm": "MPI_COMM_WORLD"}))
def lost(p):
    p[0].send(1, tag=3, times=2)
    p[1].receive(0, tag=3)


@scenario(("message.unmatched-receive", [2], {"source": "0", "tag": "3", "comm": "MPI_COMM_WORLD"}))
def unmatched_receive(p):
    p[1].receive(0, tag=3, function="Irecv")


@scenario(("message.unmatched-receive", [3], {"source": "MPI_ANY_SOURCE", "tag": "MPI_ANY_TAG"}))
def receive_of_anything(p):
    p[0].receive_any(0, -1, unresolved=True)


@scenario(("message.tag-mismatch", [1, 2], {"sent_tag": "3", "received_tag": "4"}))
def other_tag(p):
    p[0].send(1, tag=3)
    p[1].receive(0, tag=4, function="Irecv")


@scenario(("message.communicator-mismatch", [1, 2], {"sent_comm": "MPI_COMM_WORLD", "received_comm": "other"}))
def other_communicator(p):
    comm = p[0].world * 16 + 5
    for process in p:
        process.add_comm(comm, "other", process.rank, 2)
    p[0].send(1, tag=3)
    p[1].receive(0, tag=3, comm=comm, function="Irecv")


@scenario()
def cancelled(p):
    receive = p[1].receive(0, tag=3, function="Irecv")
    p[1].cancel(receive)
    send = p[0].send(1, tag=4, function="Isend")
    p[0].send(1, tag=4, line=8)
    p[1].receive(0, tag=4)
    p[0].cancel(send)


@scenario(size=4)
def both_directions_between_groups(p):
    """Ranks 0 and 1 are one side, 2 and 3 the other: rank 1 of one sends to rank 0 of the other, and the reverse."""
    comm = p[0].world * 16 + 6
    for q in p:
        q.add_comm(comm, "between", q.rank % 2, 2, 2, q.rank // 2)
    p[1].send(0, comm=comm, peer_in_world=2, data=("INT", 1))
    p[3].send(0, comm=comm, peer_in_world=0, data=("DOUBLE", 1))
    p[2].receive(1, comm=comm, peer_in_world=1, data=("INT", 1))
    p[0].receive(1, comm=comm, peer_in_world=3, data=("DOUBLE", 1))


# Collective calls


@scenario(size=4)
def collectives_that_fit(p):
    for q in p:
        q.collective("Barrier", times=100)
        q.collective("Bcast", root=2, send=("INT", 10) if q.rank % 2 else ((("INT", 5),), 2), line=20 + q.rank)
        q.collective("Ibarrier", flags=NONBLOCKING)
        q.collective("Allreduce", operator=3, send=("INT", 10))
        q.collective("Gather", root=1, send=("INT", 2), receive=("INT", 2) if q.rank == 1 else ("DOUBLE", 77))
        q.collective("Gatherv", root=1, send=("INT", q.rank),
                     receives=[("INT", i) for i in range(4)] if q.rank == 1 else [])
        q.collective("Scatterv", root=0, receive=("INT", q.rank),
                     sends=[("INT", i) for i in range(4)] if q.rank == 0 else [])
        q.collective("Allgatherv", send=("INT", q.rank), receives=[("INT", i) for i in range(4)])
        q.collective("Alltoallv", sends=[("INT", q.rank + 2 * i) for i in range(4)],
                     receives=[("INT", i + 2 * q.rank) for i in range(4)])
        q.collective("Scan", operator=1, send=("INT", 1), receive=("INT", 1), flags=IN_PLACE * (q.rank % 2))
        q.collective("Reduce", root=3, operator=1, send=None if q.rank == 3 else ("INT", 6),
                     receive=("INT", 6) if q.rank == 3 else None, flags=IN_PLACE * (q.rank == 3))
        q.collective("Bcast_c" if q.rank else "Bcast", root=0, send=("INT", 1), line=30)
        q.collective("Neighbor_allgather", send=("INT", 1), receive=("INT", q.rank))
        q.collective("Comm_dup")
        q.collective("Barrier_init", flags=PERSISTENT)


@scenario(("collective.call-mismatch", [10, 11], {"comm": "MPI_COMM_WORLD"}), size=4)
def one_of_four_calls_another(p):
    for q in reversed(p):
        q.collective("Gather" if q.rank == 1 else "Bcast", line=10 + q.rank, root=0, send=("INT", 1))


@scenario(("collective.root-mismatch", [10, 12], {"root": "1", "other_root": "2"}), size=4)
def one_of_four_has_another_root(p):
    for q in (p[2], p[3], p[1], p[0]):
        q.collective("Bcast", line=10 + q.rank, root=2 if q.rank == 2 else 1, send=("INT", 1))


MPI_ROOT, PROC_NULL = -2, -3


def broadcast_between(p, roots):
    """Ranks 0 and 1 are one side of an intercommunicator, 2 and 3 the other; in the order of arrival."""
    comm = p[0].world * 16 + 7
    for rank, root in roots:
        p[rank].add_comm(comm, "between", rank % 2, 2, 2, rank // 2)
        p[rank].collective("Bcast", comm=comm, line=10 + rank, root=root, send=None if root == PROC_NULL else ("INT", 1))


@scenario(size=4)
def the_root_is_on_the_other_side(p):
    broadcast_between(p, [(2, 1), (0, PROC_NULL), (3, 1), (1, MPI_ROOT)])


@scenario(("collective.root-mismatch", [11, 12], {"root": "MPI_ROOT (rank 1 of its group)", "other_root": "0"}), size=4)
def the_root_on_the_other_side_is_another(p):
    broadcast_between(p, [(2, 0), (0, PROC_NULL), (3, 0), (1, MPI_ROOT)])


@scenario(("collective.root-mismatch", [10, 11], {"root": "MPI_ROOT (rank 0 of its group)", "other_root": "MPI_ROOT (rank 1 of its group)"}),
          size=4)
def two_are_the_root(p):
    broadcast_between(p, [(0, MPI_ROOT), (1, MPI_ROOT), (2, 0), (3, 0)])


@scenario(("collective.missing-member", [11], {"missing": "0, 2"}), ("collective.missing-member", [13], {}), size=4)
def some_leave(p):
    for q in (p[2], p[3], p[1], p[0]):
        q.collective("Finalize" if q.rank in (0, 2) else "Barrier", line=10 + q.rank)


@scenario(("collective.missing-member", [10], {"missing": "2"}), ("collective.missing-member", [11], {}), size=3)
def one_leaves_and_the_others_go_on(p):
    for q in p[:2]:
        q.collective("Bcast", line=10 + q.rank, root=0, send=("INT", 1))
        q.collective("Finalize", line=20)
    p[2].collective("Finalize", line=20)


@scenario(size=2)
def one_leaves_unseen(p):
    p[0].collective("Finalize", line=20)


@scenario(size=4)
def all_leave(p):
    for q in p:
        q.collective("Finalize", line=10 + q.rank)


def ring(p, right):
    """Each sends as many elements as its rank to the next, which receives as many; rank 3 receives one more in the wrong
    case."""
    comm = p[0].world * 16 + 7
    for q in p:
        last, following = (q.rank + 3) % 4, (q.rank + 1) % 4
        q.add_comm(comm, "ring", q.rank, 4, sources=[last], dests=[following])
        q.collective("Neighbor_alltoallv", comm=comm, line=10 + q.rank, sends=[("INT", q.rank)],
                     receives=[("INT", last + (not right and q.rank == 3))])
        q.collective("Neighbor_allgather", comm=comm, line=20 + q.rank, send=("INT", 1), receive=("INT", 1))


@scenario(size=4)
def neighbours_that_fit(p):
    ring(p, True)


@scenario(("collective.count-mismatch", [12, 13], {"count": "2", "other_count": "3"}), size=4)
def neighbours_that_differ(p):
    ring(p, False)


@scenario(("collective.call-mismatch", [11, 12], {"comm": "MPI_COMM_WORLD"}))
def other_call(p):
    p[1].collective("Reduce", line=12, root=0, send=("INT", 1), operator=1)
    p[0].collective("Bcast", line=11, root=0, send=("INT", 1))
    p[0].collective("Barrier")
    p[1].collective("Bcast", root=0, send=("INT", 1))


@scenario(("collective.blocking-mismatch", [11, 12], {}))
def other_form(p):
    p[0].collective("Barrier", line=11)
    p[1].collective("Ibarrier", line=12, flags=NONBLOCKING)


@scenario(("collective.blocking-mismatch", [11, 12], {}))
def persistent_and_not(p):
    p[0].collective("Allreduce", line=11, send=("INT", 1), operator=1)
    p[1].collective("Allreduce_init", line=12, flags=PERSISTENT, send=("INT", 1), operator=1)


@scenario(("collective.root-mismatch", [11, 12], {"root": "0", "other_root": "1"}))
def other_root(p):
    p[1].collective("Bcast", line=12, root=1, send=("INT", 1))
    p[0].collective("Bcast", line=11, root=0, send=("INT", 1))


@scenario(("collective.operation-mismatch", [11, 12], {"operation": "MPI_SUM", "other_operation": "MPI_MAX"}))
def other_operation(p):
    p[0].collective("Allreduce", line=11, operator=3, send=("INT", 1), arguments="count=1, op=MPI_SUM, comm=x")
    p[1].collective("Allreduce", line=12, operator=1, send=("INT", 1), arguments="count=1, op=MPI_MAX, comm=x")


@scenario(("collective.count-mismatch", [11, 12], {"count": "3", "other_count": "4"}))
def other_count(p):
    p[0].collective("Bcast", line=11, root=0, send=("INT", 3))
    p[1].collective("Bcast", line=12, root=0, send=("INT", 4))


@scenario(("collective.type-mismatch", [11, 12], {"element": "1", "sent": "MPI_INT", "received": "MPI_FLOAT"}))
def other_type_in_a_collective(p):
    p[0].collective("Allreduce", line=11, operator=1, send=("INT", 3))
    p[1].collective("Allreduce", line=12, operator=1, send=((("INT", 1), ("FLOAT", 2)), 1))


@scenario(("collective.count-mismatch", [12, 11], {"count": "5", "other_count": "4"}), size=3)
def root_of_gather(p):
    for q in p:
        q.collective("Gather", line=11 if q.rank == 2 else 12, root=2, send=("INT", 5),
                     receive=("INT", 4) if q.rank == 2 else None)


@scenario(("collective.count-mismatch", [12, 11], {"count": "5", "other_count": "4"}))
def first_rank_is_root_of_gather(p):
    p[0].collective("Gather", line=11, root=0, send=("INT", 4), receive=("INT", 4))
    p[1].collective("Gather", line=12, root=0, send=("INT", 5))


@scenario(("collective.count-mismatch", [12, 11], {"count": "1", "other_count": "7"}), size=3)
def list_of_gatherv(p):
    for q in p:
        q.collective("Gatherv", line=11 if q.rank == 0 else 12, root=0, send=("INT", q.rank),
                     receives=[("INT", 0), ("INT", 7), ("INT", 2)] if q.rank == 0 else [])


@scenario(("collective.type-mismatch", [11, 12], {"sent": "MPI_INT", "received": "MPI_FLOAT"}), size=3)
def list_of_scatterv(p):
    for q in p:
        q.collective("Scatterv", line=11 if q.rank == 0 else 12, root=0,
                     receive=("FLOAT" if q.rank == 2 else "INT", 1), sends=[("INT", 1)] * 3 if q.rank == 0 else [])


@scenario(("collective.count-mismatch", [12, 13], {"count": "9", "other_count": "2"}), size=3)
def lists_of_alltoallv(p):
    for q in p:
        q.collective("Alltoallv", line=11 + q.rank, sends=[("INT", 9 if (q.rank, i) == (1, 2) else 2) for i in range(3)],
                     receives=[("INT", 2)] * 3)


@scenario(("collective.count-mismatch", [12, 11], {"count": "4", "other_count": "3"}))
def list_of_allgatherv(p):
    p[0].collective("Allgatherv", line=11, send=("INT", 1), receives=[("INT", 1), ("INT", 3)])
    p[1].collective("Allgatherv", line=12, send=("INT", 4), receives=[("INT", 1), ("INT", 3)])


@scenario(("collective.count-mismatch", [12, 11], {"count": "4", "other_count": "3"}))
def list_of_allgatherv_of_who_comes_first(p):
    p[1].collective("Allgatherv", line=12, send=("INT", 4), receives=[("INT", 1), ("INT", 3)])
    p[1].wait_until_heard()
    p[0].collective("Allgatherv", line=11, send=("INT", 1), receives=[("INT", 1), ("INT", 3)])


@scenario(("collective.count-mismatch", [11, 11], {"count": "5", "other_count": "4"}), size=1)
def root_alone(p):
    p[0].collective("Gather", line=11, root=0, send=("INT", 5), receive=("INT", 4))


@scenario(("collective.in-place-mismatch", [11, 12], {}))
def in_place_by_one(p):
    p[0].collective("Allreduce", line=11, operator=1, flags=IN_PLACE, receive=("INT", 1))
    p[1].collective("Allreduce", line=12, operator=1, send=("INT", 1), receive=("INT", 1))


@scenario(("collective.argument-mismatch", [11, 12], {"parameter": "amode", "value": "2", "other_value": "9"}))
def other_detail(p):
    p[0].collective("File_open", line=11, detail="info=x, amode=2")
    p[1].collective("File_open", line=12, detail="info=x, amode=9")


@scenario(("collective.missing-member", [10], {"missing": "1, 3"}), size=4)
def missing_members(p):
    for q in p:
        q.collective("Barrier")
    p[0].collective("Barrier")
    p[2].collective("Barrier")


@scenario(("collective.root-mismatch", [11, 12], {"root": "0", "other_root": "1"}), size=4)
def between_groups(p):
    comm = p[0].world * 16 + 6
    for q in p:
        q.add_comm(comm, "between", q.rank % 2, 2, 2, q.rank // 2)
        q.collective("Bcast", comm=comm, root=[-2, -3, 0, 0][q.rank], send=("INT", 1))
    for q in p:
        q.collective("Bcast", comm=comm, root=[-2, -3, 0, 1][q.rank], send=("INT", 1), line=9 + q.rank)


def in_world(process):
    """Its MPI_COMM_WORLD is the default communicator of all calls."""
    identity = process.world * 16 + 1
    process.comms = {}
    process.add_comm(identity, "MPI_COMM_WORLD", process.rank, process.size)
    for name in ("send", "receive", "receive_any", "collective"):
        use_comm(process, name, identity)
    return process


def use_comm(process, name, identity):
    method = getattr(process, name)
    setattr(process, name, lambda *positional, **named: method(*positional, **{"comm": identity, **named}))
