"""A job as text in which every message has a unique tag, to distinguish it from all others."""


def message_lines(rank, size, steps):
    """Each message of the job has a unique tag. Process 1 is late, so that others wait for it."""
    time = 1000 * rank + (5000 if rank == 1 else 0)
    right, left = (rank + 1) % size, (rank - 1) % size
    for step in range(steps):
        sent, got = 100 * step + 10 * rank, 100 * step + 10 * left
        bytes_sent, bytes_got = 8 + sent, 8 + got
        yield time, time + 5, "MPI_Irecv comm=0x1 peer=any tag=-1 request=0 room=9999"
        yield time + 6, time + 9, "MPI_Isend comm=0x1 peer=%d tag=%d sent=%d request=1" % (right, sent, bytes_sent)
        yield time + 10, time + 6000, "MPI_Waitall count=2 done=0 source=%d source_tag=%d received=%d done=1" % (
            left, got, bytes_got)
        yield time + 6001, time + 12000, (
            "MPI_Sendrecv comm=0x1 peer=%d tag=%d sent=%d recv_peer=%d recv_tag=%d source=%d source_tag=%d received=%d"
            % (right, sent + 1, bytes_sent + 1, left, got + 1, left, got + 1, bytes_got + 1))
        time += 13000
    yield time, time + 1, "MPI_Send_init comm=0x1 peer=%d tag=%d sent=3 request=0 persistent=1" % (right, 9000 + rank)
    yield time + 2, time + 3, "MPI_Start request=0"
    yield time + 4, time + 9000, "MPI_Recv comm=0x1 peer=%d tag=%d source=%d source_tag=%d received=3" % (
        left, 9000 + left, left, 9000 + left)
    yield time + 9001, time + 9002, "MPI_Wait request=0 done=0"


def message_job(size, steps):
    for rank in range(size):
        yield "process world=7 rank=%d size=%d run=1" % (rank, size)
        yield 'property host "node%d"' % rank
        yield "clock monotonic 1000000000 tick=0 ns=1700000000000000000"
        members = " members=7:0-%d" % (size - 1) if not rank else ""
        yield 'comm 0x1 parent=0x0 kind=intra rank=%d size=%d remote=0%s "MPI_COMM_WORLD"' % (rank, size, members)
        yield 'thread 0 tid=%d main "app"' % (rank + 5)
        for line in message_lines(rank, size, steps):
            yield "%d %d %s" % line
