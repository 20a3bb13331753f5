# Tests in rule files: passing and failing ones.
cat >paper.rules <<'END'
declare problem for point_to_point
when
send_start_time > recv_wait_start_time
parameters(
name = "Поздняя посылка сообщения",
description = "Функция посылки сообщения вызывается
позднее функции приема. Из-за этого блокирующая
функция приема вынуждена простаивать.",
advice = "Улучшить синхронизацию приемов и передач
сообщений, оправляя сообщения по
возможности раньше, или
использовать неблокирующие функции приема.",
duration = send_start_time - recv_wait_start_time);
END
cat >mine.rules <<'END'
import "./paper.rules";
declare event io_write for "ssize_t write(int fd, const void *buf, size_t count)"
parameters( asked = count as bytes in, written = result as bytes out );
declare problem slow-write for io_write when duration > 1 ms and written < asked
parameters( duration = duration );
declare composite event halves member( collective_call as c where c.function = MPI_Barrier ) group by c.instance
parameters( all = count(c), latest = max(c.start) );
declare problem half-barrier for each c of halves when latest > c.start parameters( duration = latest - c.start );

test "the paper's rule" {
	rank 0: MPI_Send(peer=1, tag=0, sent=8) from 5 s to 6 s at "a.c":10;
	rank 1: MPI_Recv(peer=0, tag=0, received=8) from 1 s to 6.5 s at "b.c":20;
	rank 0: MPI_Send(peer=1, tag=0, sent=8) from 7 s to 8 s at "a.c":10;
	rank 1: MPI_Recv(peer=0, tag=0, received=8) from 6.75 s to 8 s at "b.c":20;
	expect paper.point_to_point on rank 1 of 4.25 s, 2 times;
	expect mpi.late-standard-send on rank 1 of 4 s;
	expect mpi.late-standard-send on rank 1 of 250 ms;
}
test "a function of the user's" {
	rank 0: write(asked=4 KiB, written=10 B) from 0 s to 3 ms at "io.c":7;
	rank 0: write(asked=4 KiB, written=4 KiB) from 3 ms to 6 ms at "io.c":7;
	rank 1: MPI_Barrier() from 1 ms to 2 ms;
	rank 0: MPI_Barrier() from 7 ms to 8 ms;
	expect slow-write on rank 0 of 3 ms;
	expect half-barrier on rank 1;
}
test "two communicators" {
	rank 0: MPI_Barrier(comm=left) from 1 s to 3 s;
	rank 1: MPI_Barrier(comm=left) from 2 s to 3 s;
	rank 2: MPI_Barrier(comm=right) from 4 s to 9 s;
	rank 3: MPI_Barrier(comm=right) from 8 s to 9 s;
	expect half-barrier on rank 0 of 1 s;
	expect half-barrier on rank 2 of 4 s;
}
test "nobody waits" {
	rank 0: MPI_Barrier() from 1 s to 2 s;
	rank 1: MPI_Barrier() from 1 s to 2 s;
	expect nothing;
}
test "empty" { }
END
try tarry rules test mine.rules
try tarry rules test --verbose mine.rules
cat >wrong.rules <<'END'
import "./mine.rules";
declare problem any-barrier for each c of halves parameters( duration = c.end - c.start );
test "all of it is wrong" {
	rank 0: MPI_Barrier() from 1 s to 2 s;
	rank 1: MPI_Barrier() from 1.5 s to 2 s;
	expect any-barrier on rank 0 of 2.5 s;
	expect half-barrier on rank 1;
	expect half-barrier on rank 0, 2 times;
}
test "an unknown field" { rank 0: MPI_Barrier(colour=1) from 1 s to 2 s; }
test "half a rank" {
	rank 0: MPI_Barrier() from 1 s to 2 s;
	rank 0: MPI_Send(peer=1.5, tag=0) from 2 s to 3 s;
}
test "more in a value than a number" { rank 0: MPI_Send(peer="1 tag=4", tag=3) from 1 s to 2 s; }
END
try tarry rules test wrong.rules
cat >epoch.rules <<'END'
declare problem late-post for exposure when post.start > start.start
parameters( name = "Late post", duration = min(post.start, start.end) - start.start, at = start, partner = post );
test "an epoch: ranks of the group are members" {
	rank 0: MPI_Win_post(member=1) from 3 s to 3.1 s;
	rank 0: MPI_Win_wait() from 4 s to 8.1 s;
	rank 1: MPI_Win_start(member=0) from 1 s to 3.2 s;
	rank 1: MPI_Put(target=0, sent=8) from 3.3 s to 3.4 s;
	rank 1: MPI_Win_complete() from 7 s to 8 s;
	expect late-post on rank 1 of 2 s;
}
test "any source" { rank 0: MPI_Recv(peer=any, tag=-1, received=8, source=1, source_tag=2) from 1 s to 2 s; expect nothing; }
END
try tarry rules test epoch.rules
try tarry rules test --no-shipped
echo 'parameter only = 5 us;' >none.rules
try tarry rules test none.rules
# All shipped rules pass their own tests.
tarry rules test | sed 's/^[0-9]* /N /'

# Nothing is expected: that holds for imported problems too, and for a file that declares none.
cat >imported.rules <<'END'
import "./paper.rules";
test "a message that is late" {
	rank 0: MPI_Send(peer=1, tag=0, sent=8) from 5 s to 6 s;
	rank 1: MPI_Recv(peer=0, tag=0, received=8) from 1 s to 6.5 s;
	expect nothing;
}
test "a message that is there" {
	rank 0: MPI_Send(peer=1, tag=0, sent=8) from 1 s to 2 s;
	rank 1: MPI_Recv(peer=0, tag=0, received=8) from 5 s to 6 s;
	expect nothing;
}
END
cat >through.rules <<'END'
import "./imported.rules";
test "through another file" {
	rank 0: MPI_Send(peer=1, tag=0, sent=8) from 5 s to 6 s;
	rank 1: MPI_Recv(peer=0, tag=0, received=8) from 1 s to 6.5 s;
	expect nothing;
}
END
try tarry rules test imported.rules
try tarry rules test through.rules

# Each member of a group of composite events, which the model closes as well.
cat >odd.rules <<'END'
declare composite event part
member( collective_call as c where c.function = MPI_Barrier )
parameters( all = c.instance, again = all, begins = c.start, at = c.wait, rank = c.rank );
declare composite event odd
member( part as p where p.rank % 2 = 1 )
parameters( which = p.again, begins = p.begins, at = p.at );
declare composite event odd_barrier
member( odd as o )
group by o.which
when count(o) > 1
parameters( latest = max(o.begins), last = argmax(o.begins, o.at) );
declare problem odd-wait for each o of odd_barrier
when latest > o.begins
parameters( duration = latest - o.begins, at = o.at, partner = last );
test "two of four" {
	rank 0: MPI_Barrier() from 1 s to 9 s;
	rank 1: MPI_Barrier() from 2 s to 9 s;
	rank 2: MPI_Barrier() from 8 s to 9 s;
	rank 3: MPI_Barrier() from 5 s to 9 s;
	rank 0: MPI_Barrier() from 11 s to 19 s;
	rank 1: MPI_Barrier() from 17 s to 19 s;
	rank 2: MPI_Barrier() from 18 s to 19 s;
	rank 3: MPI_Barrier() from 15 s to 19 s;
	expect odd-wait on rank 1 of 3 s;
	expect odd-wait on rank 3 of 2 s;
}
test "one of three" {
	rank 0: MPI_Barrier() from 1 s to 9 s;
	rank 1: MPI_Barrier() from 2 s to 9 s;
	rank 2: MPI_Barrier() from 8 s to 9 s;
	expect nothing;
}
END
try tarry rules test --no-shipped odd.rules

# Delays by their former names.
cat >former.rules <<'END'
test "a delay" {
	rank 0: MPI_Send(peer=1, tag=0, sent=8, stolen_before=500000, stolen_inside=0) from 1 s to 2 s;
	rank 1: MPI_Recv(peer=0, tag=0, received=8) from 1.5 s to 2 s;
	expect nothing;
}
END
try tarry rules test --no-shipped former.rules
