"""The checker itself: it accepts a right trace, and objects to each of these faults."""

import os
import tempfile
import unittest

import check
import planted

SOURCE = """/* tarry-test: ranks=2 */
	MPI_Init(&argc, &argv);
	/* @* */
	MPI_Isend(out, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request);
	/* @0 comm=$world peer=1 tag=7 sent=4 request=0 */
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	/* @0 done=0 */
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Recv(in, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
	/* @1 comm=$world peer=any tag=7
	 * received=4 source=0 !request */
	MPI_Finalize();
	/* @* */
/* @comm $world size=2 members=0,1 */
"""

DUMP = """tarry trace 1
process world=aa rank=0 size=2 run=bb
comm 0xc parent=0x0 kind=intra rank=0 size=2 remote=0 members=aa:0-1 "MPI_COMM_WORLD"
thread 0 tid=10 main "a"
10 20 MPI_Init site=1+0x10  # a.c:2
30 40 MPI_Isend site=1+0x14 comm=0xc peer=1 tag=7 sent=4 request=0  # a.c:4
50 60 MPI_Wait site=1+0x18 done=0  # a.c:6
70 80 MPI_Finalize site=1+0x20  # a.c:12
process world=aa rank=1 size=2 run=bb
comm 0xc parent=0x0 kind=intra rank=1 size=2 remote=0 ""
thread 0 tid=11 main "a"
10 20 MPI_Init site=1+0x10  # a.c:2
22 23 MPI_Comm_rank site=1+0x11 comm=0xc  # a.c:8
30 40 MPI_Recv site=1+0x1c comm=0xc peer=any tag=7 room=4 received=4 source=0 source_tag=7  # a.c:9
70 80 MPI_Finalize site=1+0x20  # a.c:12
"""

FAULTS = {
    "another tag": ("peer=1 tag=7", "peer=1 tag=8"),
    "fewer bytes": ("received=4", "received=3"),
    "another line": ("# a.c:9", "# a.c:10"),
    "another function": ("MPI_Recv", "MPI_Mrecv"),
    "a missing field": (" source=0", ""),
    "an unwanted field": ("room=4", "room=4 request=1"),
    "an unknown request": (" done=0", " done=3"),
    "no completion": (" done=0", ""),
    "an error": (" done=0", " result=5 done=0"),
    "an undefined communicator": ("0x1c comm=0xc", "0x1c comm=0xd"),
    "overlapping events": ("30 40 MPI_Isend", "15 40 MPI_Isend"),
    "an end before the start": ("50 60 MPI_Wait", "50 45 MPI_Wait"),
    "a wrong member": ("members=aa:0-1", "members=aa:1-2"),
    "members from nobody": (" members=aa:0-1", ""),
    "a wrong size": ("rank=1 size=2 remote", "rank=1 size=3 remote"),
    "a call too many": ("70 80 MPI_Finalize", "61 62 MPI_Wait  # a.c:6\n70 80 MPI_Finalize"),
    "a call that nobody made": ("70 80 MPI_Finalize", "61 62 MPI_Barrier  # a.c:3\n70 80 MPI_Finalize"),
    "a thread too many": ("process world=aa rank=1", "thread 1\nprocess world=aa rank=1"),
}


class CheckTest(unittest.TestCase):
    def setUp(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.c")
            with open(path, "w", encoding="utf-8") as file:
                file.write(SOURCE)
            self.plan = planted.read_plan(path)

    def test_accepts_what_was_planted(self):
        self.assertEqual(check.check_text(self.plan, DUMP), [])

    def test_objects_to_each_fault(self):
        for fault, (right, wrong) in FAULTS.items():
            with self.subTest(fault):
                self.assertIn(right, DUMP)
                self.assertNotEqual(check.check_text(self.plan, DUMP.replace(right, wrong, 1)), [])

    def test_objects_to_a_missing_process(self):
        self.assertNotEqual(check.check_text(self.plan, DUMP.partition("process world=aa rank=1")[0]), [])

    def test_objects_to_unequal_messages(self):
        text = DUMP.replace("sent=4", "sent=8")
        self.plan.patterns = [p for p in self.plan.patterns if p.function != "MPI_Isend"]
        self.assertTrue(any("never" in problem for problem in check.check_text(self.plan, text)))


if __name__ == "__main__":
    unittest.main()
