# corpus: ranks=4 mpi=openmpi needs=mpi4py unrecorded=MPI_Comm_free_keyval
#
# Counting words with map and reduce, in Python: rank 0 hands out texts as Python objects (scatter), each rank counts and
# sends every word's count to the rank that collects it (isend, recv from any source: pickled, of any length), and the most
# frequent words come back (gather). Numbers go as buffers: a total (Allreduce), a ring of checksums (Sendrecv), the
# loads of even and odd ranks (Split, Allgather). mpi4py itself cleans up in a callback of MPI_Finalize.
#
# Check: the counts are those of a count in one place.
import sys
import zlib
from array import array
from collections import Counter

from mpi4py import MPI

WORDS = ("wait", "send", "receive", "reduce", "barrier", "gather", "scatter", "probe", "rank", "tag")
TEXTS_OF_A_RANK, TAG_COUNTS = 3, 1


def make_text(number):
    state, words = number + 1, []
    for _ in range(40 + number * 3):
        state = state * 48271 % 2147483647
        words.append(WORDS[state % len(WORDS) * (state >> 8) % len(WORDS)])
    return " ".join(words)


def collector_of(word, size):
    return zlib.crc32(word.encode()) % size


def exchange_counts(world, counts):
    """What all ranks counted of the words that are collected here."""
    parts = [{} for _ in range(world.Get_size())]
    for word, count in counts.items():
        parts[collector_of(word, world.Get_size())][word] = count
    requests = [world.isend(part, dest=rank, tag=TAG_COUNTS) for rank, part in enumerate(parts)]
    collected = Counter()
    for _ in parts:
        collected.update(world.recv(source=MPI.ANY_SOURCE, tag=TAG_COUNTS))
    MPI.Request.waitall(requests)
    return collected


def total_of(world, counts):
    own, total = array("l", [sum(counts.values())]), array("l", [0])
    world.Allreduce(own, total, op=MPI.SUM)
    return total[0]


def pass_checksums(world, counts):
    """Everybody's checksum, after each went round."""
    rank, size = world.Get_rank(), world.Get_size()
    own = array("L", [zlib.crc32(repr(sorted(counts.items())).encode())])
    seen = [own[0]]
    for _ in range(size - 1):
        arrived = array("L", [0])
        world.Sendrecv(own, dest=(rank + 1) % size, recvbuf=arrived, source=(rank - 1) % size)
        own = arrived
        seen.append(own[0])
    return seen


def loads_of_half(world, counts):
    half = world.Split(color=world.Get_rank() % 2, key=-world.Get_rank())
    loads = array("l", [0] * half.Get_size())
    half.Allgather(array("l", [len(counts)]), loads)
    half.Free()
    return loads.tolist()


def main():
    world = MPI.COMM_WORLD
    rank, size = world.Get_rank(), world.Get_size()
    texts = None
    if rank == 0:
        texts = [[make_text(i * TEXTS_OF_A_RANK + j) for j in range(TEXTS_OF_A_RANK)] for i in range(size)]
    own = world.scatter(texts, root=0)
    counts = Counter(word for text in own for word in text.split())
    collected = exchange_counts(world, counts)
    total = total_of(world, collected)
    checksums = pass_checksums(world, collected)
    loads = loads_of_half(world, collected)
    everything = world.gather((collected, sorted(checksums), loads), root=0)
    world.Barrier()
    if rank == 0:
        right = Counter(word for some in texts for text in some for word in text.split())
        merged = sum((part for part, _, _ in everything), Counter())
        same = all(sums == everything[0][1] for _, sums, _ in everything)
        fits = sum(sum(loads) for _, _, loads in everything[:2]) == len(right)
        print("ok" if merged == right and total == sum(right.values()) and same and fits else "wrong",
              ":", total, "words,", merged.most_common(1)[0][0], "is the most frequent one")
    sys.stdout.flush()


main()
