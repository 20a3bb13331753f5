"""Logs of findings with waits, of all shapes, for tests of their output."""

STOPPED = 6  # state of a member: it was ended


def members(size, state=STOPPED):
    return "".join(f"member {rank} {size} {state}\n" for rank in range(size))


def finding(check, values, calls, waits):
    """Calls are (rank, function, note, arguments, lines), waits (from, to, why, "all" or "any")."""
    text = f"finding {check}\n" + "".join(f"value {name} {value}\n" for name, value in values.items())
    for rank, function, note, arguments, lines in calls:
        text += f"call {rank} {function} {note} {arguments}\n" + "".join(f"at app.c:{line}\n" for line in lines)
    return text + "".join(f"wait {wait[0]} {wait[1]} {wait[2]} {wait[3]}\n" for wait in waits)


def receive(rank, source, line=9, note="waits"):
    return (rank, "MPI_Recv", note, f"count = 5, datatype = MPI_INT, source = {source}, tag = 7, comm = MPI_COMM_WORLD", [line, 12])


def ring(size, check="deadlock.cycle", shown=None):
    """Every rank receives from the next."""
    calls = [receive(rank, (rank + 1) % size) for rank in range(shown or size)]
    return finding(check, {"processes": size, "behind": ""}, calls,
                   [(rank, (rank + 1) % size, "message", "all") for rank in range(shown or size) if (rank + 1) % size < len(calls)])


def sends():
    """Two processes send to each other; others are in a barrier."""
    calls = [(rank, "MPI_Send", "waits", f"count = 100000, datatype = MPI_DOUBLE, dest = {1 - rank}, tag = 7, comm = MPI_COMM_WORLD", [8, 12])
             for rank in (1, 0)]
    calls += [(rank, "MPI_Barrier", "behind", "comm = MPI_COMM_WORLD", [10]) for rank in range(2, 64)]
    return finding("deadlock.cycle", {"processes": 2, "behind": "2-63"}, calls, [(0, 1, "receive", "all"), (1, 0, "receive", "all")])


def bystanders():
    """Ranks 0 and 1 wait for each other; rank 2 waits for rank 1, and ranks 3 and 4 wait for all of them in a barrier."""
    calls = [receive(0, 1), receive(1, 0), receive(2, 1, line=8, note="behind")]
    calls += [(rank, "MPI_Barrier", "behind", "comm = MPI_COMM_WORLD", [10]) for rank in (3, 4)]
    return finding("deadlock.cycle", {"processes": 2, "behind": "2-4"}, calls, [
        (0, 1, "message", "all"), (1, 0, "message", "all"), (2, 1, "message", "all"), (3, 0, "collective", "all"), (3, 2, "collective", "all"),
        (4, 0, "collective", "all"), (4, 2, "collective", "all")])


def crowd():
    """More processes wait for the cycle than the finding has calls for."""
    calls = [receive(0, 1), receive(1, 0), (2, "MPI_Barrier", "behind", "comm = MPI_COMM_WORLD", [10])]
    return finding("deadlock.cycle", {"processes": 2, "behind": "2-4095"}, calls, [(0, 1, "message", "all"), (1, 0, "message", "all")])


def knot():
    """A receive from any source, a wait for any request, a barrier."""
    calls = [(0, "MPI_Recv", "waits", "source = MPI_ANY_SOURCE, tag = 7, comm = MPI_COMM_WORLD", [9]),
             (1, "MPI_Barrier", "waits", "comm = MPI_COMM_WORLD", [10]),
             (2, "MPI_Barrier", "waits", "comm = MPI_COMM_WORLD", [10]),
             (3, "MPI_Waitany", "waits", "count = 2", [11, 12]),
             (3, "MPI_Irecv", "began", "source = 1, tag = 8", [6]),
             (3, "MPI_Isend", "began", "dest = 0, tag = 9", [7])]
    return finding("deadlock.cycle", {"processes": 4, "behind": ""}, calls, [
        (0, 1, "message", "any"), (0, 2, "message", "any"), (0, 3, "message", "any"), (1, 0, "collective", "all"), (1, 3, "collective", "all"),
        (2, 0, "collective", "all"), (2, 3, "collective", "all"), (3, 1, "message", "any"), (3, 0, "receive", "any")])


def finished():
    """Rank 0 waits for a process in MPI_Finalize, which waits for all others; ranks 2 and 3 are in a barrier."""
    calls = [receive(0, 1), (1, "MPI_Finalize", "ended", "", [10])]
    calls += [(rank, "MPI_Barrier", "behind", "comm = MPI_COMM_WORLD", [8]) for rank in (2, 3)]
    return finding("deadlock.finished-process", {"processes": 1, "behind": "2-3", "finished": 1, "ended": 1}, calls,
                   [(0, 1, "message", "all"), (1, 0, "collective", "all")])


def one_sided():
    calls = [(0, "MPI_Win_start", "waits", "", [9]), (1, "MPI_Win_wait", "waits", "", [10]), (2, "MPI_Win_lock", "waits", "rank = 0", [11])]
    return finding("deadlock.cycle", {"processes": 3, "behind": ""}, calls,
                   [(0, 1, "exposure", "all"), (1, 2, "access", "all"), (2, 0, "lock", "all")])


def mismatch():
    """MPI_Ibarrier of rank 1 matched MPI_Barrier of the others: each of these waits for any other."""
    calls = [(rank, "MPI_Barrier", "waits", "comm = MPI_COMM_WORLD", [9]) for rank in (0, 2, 3, 4)]
    calls += [(1, "MPI_Wait", "waits", "", [10]), (1, "MPI_Ibarrier", "began", "comm = MPI_COMM_WORLD", [8])]
    return finding("deadlock.mismatch", {"processes": 5, "behind": ""}, calls,
                   [(one, other, "match", "any") for one in range(4) for other in range(5) if one != other] + [(4, other, "collective", "all") for other in range(4)])


def anybody():
    """Each of three ranks receives from any of the others."""
    calls = [receive(rank, "MPI_ANY_SOURCE") for rank in range(3)]
    return finding("deadlock.cycle", {"processes": 3, "behind": ""}, calls, [(one, other, "message", "any") for one in range(3) for other in range(3) if one != other])


def finished_ranks():
    """Rank 0 waits for any of two ranks that have finished."""
    calls = [receive(0, "MPI_ANY_SOURCE"), (1, "MPI_Finalize", "ended", "", [10]), (2, "MPI_Finalize", "ended", "", [10])]
    return finding("deadlock.finished-process", {"processes": 3, "behind": "", "finished": "1-2", "ended": 2}, calls, [(0, 1, "message", "any"), (0, 2, "message", "any")])


def alone():
    """A process sends to itself."""
    calls = [(2, "MPI_Ssend", "waits", "count = 1, datatype = MPI_INT, dest = 2, tag = 7, comm = MPI_COMM_WORLD", [8])]
    return finding("deadlock.cycle", {"processes": 1, "behind": ""}, calls, [(0, 0, "receive", "all")])


def shift():
    """MPI_Sendrecv in the wrong direction: each waits for two things from the same process."""
    calls = [(rank, "MPI_Sendrecv", "waits", f"dest = {(rank + 1) % 3}, source = {(rank + 1) % 3}, comm = made by MPI_Comm_split", [9])
             for rank in range(3)]
    return finding("deadlock.cycle", {"processes": 3, "behind": ""}, calls,
                   [(rank, (rank + 1) % 3, why, "all") for rank in range(3) for why in ("receive", "message")])


def potential(first=0, second=1):
    calls = [(rank, "MPI_Send", "waits", f"count = 10, datatype = MPI_INT, dest = {first + second - rank}, tag = 7, comm = MPI_COMM_WORLD",
              [8, 12]) for rank in (first, second)]
    return finding("deadlock.potential-send", {"processes": 2}, calls, [(0, 1, "receive", "all"), (1, 0, "receive", "all")])


def potential_knot():
    calls = [(0, "MPI_Bcast", "waits", "root = 0", [8]), (1, "MPI_Recv", "waits", "source = 0", [9]), (2, "MPI_Recv", "waits", "source = 0", [9])]
    return finding("deadlock.potential-collective", {"processes": 3}, calls, [
        (0, 1, "collective", "all"), (0, 2, "collective", "all"), (1, 0, "message", "all"), (2, 0, "message", "all")])


def race():
    calls = [(0, "MPI_Recv", "-", "source = MPI_ANY_SOURCE, tag = 7", [9, 12]), (1, "MPI_Send", "sent", "dest = 0, tag = 7", [8, 12]),
             (2, "MPI_Send", "other", "dest = 0, tag = 7", [8, 12])]
    return finding("race.message", {"source": 1, "other_source": 2, "comm": "MPI_COMM_WORLD"}, calls, [])


def hang(size=8):
    calls = [(rank, "MPI_Barrier", "waits", "comm = MPI_COMM_WORLD", [10]) for rank in range(size) if rank not in (3, 6)]
    calls += [(3, "MPI_Send", "late", "", [9, 12]), (6, "MPI_Test", "runs", "", [11, 12])]
    return finding("deadlock.hang", {"seconds": 300, "late": 3, "more": 0}, calls, [])
