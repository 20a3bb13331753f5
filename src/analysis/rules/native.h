/* What rules can ask of the model: the types of values, what is known of every call, and the relations between calls
 * that are MPI's own semantics. One table for each; the language knows them by name, the engine by number. */
#ifndef TARRY_ANALYSIS_RULES_NATIVE_H
#define TARRY_ANALYSIS_RULES_NATIVE_H

#include <stdbool.h>
#include <stdint.h>

/* Values are 64-bit integers (times in ns, bytes, ranks, numbers of things) or doubles (`is_real`). */
enum base_type {
	TYPE_BOOL,
	TYPE_NUMBER, /* with a unit: powers of seconds and bytes; an instant is a point in time */
	TYPE_RANK,
	TYPE_TEXT,     /* a string, interned */
	TYPE_FUNCTION, /* MPI_Send */
	TYPE_PLACE,    /* in the source: equal for calls of one function from one place */
	TYPE_IDENTITY, /* of a thing: only equal or not; `thing` tells of what kind */
	TYPE_EVENT,
};

enum thing {
	THING_PROCESS,
	THING_THREAD,
	THING_NODE,
	THING_COMM,
	THING_WINDOW,
	THING_FILE,
	THING_REQUEST,
	THING_MUTEX,
	THING_INSTANCE,
	THING_COMPLETION,
	THING_PHASE,
	THING_EVENT
};

struct type {
	enum base_type base;
	bool is_real;
	bool is_instant;
	bool is_late; /* known when all was told: can only be shown, alone or with times added to it */
	int8_t seconds, bytes;
	enum thing thing;
};

/* Columns of every call: CALL(NAME, "name", type macro, what it is). */
#define CALL_COLUMNS(CALL) \
	CALL(START, "start", INSTANT, "just before the call") \
	CALL(END, "end", INSTANT, "just after the call") \
	CALL(DURATION, "duration", TIME, "end - start") \
	CALL(IDENTITY, "id", EVENT_ID, "this very call") \
	CALL(POSITION, "position", COUNT, \
	     "number of the call among those of its thread that communicate, from 0") \
	CALL(PHASE, "phase", PHASE, "the user's innermost phase or region around it, this very time") \
	CALL(RANK, "rank", RANK, \
	     "of the process in MPI_COMM_WORLD; MYTHREAD of a thread of UPC, unless it uses MPI too") \
	CALL(PROCESS, "process", PROCESS, "which made it") \
	CALL(THREAD, "thread", THREAD, "which made it") \
	CALL(NODE, "node", NODE, "on which its process runs") \
	CALL(FUNCTION, "function", FUNCTION, "that was called") \
	CALL(PLACE, "place", PLACE, "in the source; with --callpath, the way to it too") \
	CALL(REGION, "region", TEXT, "name of the user's innermost region around it; \"\" if there is none") \
	CALL(LAG, "lag", TIME, \
	     "how late it starts because its thread, or one it waited for before, wanted a processor and had none") \
	CALL(END_LAG, "end_lag", TIME, \
	     "how late it ends for this reason, also because it had no processor to go on when it could") \
	CALL(COMM, "comm", COMM, "communicator") \
	CALL(COMM_SIZE, "comm_size", COUNT, "processes of the communicator") \
	CALL(COMM_RANK, "comm_rank", RANK, "of the process in the communicator") \
	CALL(DEST, "dest", RANK, "to which it sends, in the communicator") \
	CALL(SOURCE, "source", RANK, "from which it receives; -1: any") \
	CALL(TAG, "tag", COUNT, "of the message") \
	CALL(ROOT, "root", RANK, "of a collective call") \
	CALL(SENT, "sent", BYTES, "by this call") \
	CALL(RECEIVED, "received", BYTES, "by this call") \
	CALL(REQUEST, "request", REQUEST, "that it begins") \
	CALL(WINDOW, "window", WINDOW, "of one-sided communication") \
	CALL(TARGET, "target", RANK, \
	     "of a one-sided operation, in the communicator (of its window); thread on which a lock of UPC lives") \
	CALL(FILE, "file", FILE, "of MPI's input and output") \
	CALL(IS_UPC, "is_upc", BOOL, "its function is one of UPC") \
	CALL(SYNC_IN, "sync_in", COUNT, \
	     "how a collective call of UPC begins: 1 UPC_IN_ALLSYNC, 2 UPC_IN_MYSYNC, 3 UPC_IN_NOSYNC; 0: another call") \
	CALL(SYNC_OUT, "sync_out", COUNT, "how it ends: likewise, UPC_OUT_ALLSYNC and so on") \
	CALL(MUTEX, "mutex", MUTEX, "lock of UPC") \
	CALL(COUNT, "count", COUNT, "elements, or requests") \
	CALL(RESULT, "result", COUNT, "error code; 0: fine")

enum call_column {
#define CALL(NAME, text, type, what) CALL_COLUMN_##NAME,
	CALL_COLUMNS(CALL)
#undef CALL
		CALL_COLUMNS_END,
};

/* Relations: RELATION(NAME, "name", "what one of it is"), and NATIVE(RELATION, NAME, "name", type macro, what). */
#define RELATIONS(RELATION) \
	RELATION(CALL, "call", "a call of any function of MPI or UPC, when it is over") \
	RELATION(TRANSFER, "transfer", \
	         "one side of a message: told once for its receiver and once for its sender") \
	RELATION(COLLECTIVE_CALL, "collective_call", "the part of one process in a collective operation") \
	RELATION(NEIGHBOUR, "neighbour_call", \
	         "the part of one process in a neighbourhood operation, if its topology is known") \
	RELATION(REQUEST, "request_life", \
	         "a request from the call that begins it to the call that completes it") \
	RELATION(EXPOSURE, "exposure", \
	         "one origin's access epoch to a target that exposed its window by Post and Wait") \
	RELATION(ACCESS_EPOCH, "access_epoch", \
	         "one target of an origin's access epoch, which Start and Complete enclose") \
	RELATION(FENCE, "fence", "the part of one process in a fence of a window") \
	RELATION(LOCK, "lock_hold", \
	         "a lock of a window, from the call that takes it to that which gives it back") \
	RELATION(MUTEX, "mutex_hold", \
	         "a lock of UPC, from the call that takes it to the upc_unlock that gives it back") \
	RELATION( \
		THREAD_FENCE, "thread_fence", \
		"upc_fence, and what its thread has read and written elsewhere since its last synchronisation") \
	RELATION(PASSIVE, "passive_call", \
	         "a call under a lock that names its target: an access, a flush, or the lock's own") \
	RELATION(ACCESS, "access", "a one-sided operation and the call that ends its epoch") \
	RELATION( \
		PARTITIONED, "partitioned_send", \
		"a partitioned send, from the start of its request to the calls that made partitions ready") \
	RELATION(POLLING, "polling", "tests of one thread in a row that found nothing complete") \
	RELATION(INVERSION, "inversion", \
	         "a call that waited for a message while one sent earlier was received only later") \
	RELATION(PHASE, "phase_time", "a phase or region of the user's, from begin to end") \
	RELATION(SITE, "site", "all calls of one process that are one distinct call, added up")

enum relation {
#define RELATION(NAME, text, what) RELATION_##NAME,
	RELATIONS(RELATION)
#undef RELATION
		RELATIONS_END,
};

#define NATIVE_COLUMNS(NATIVE) \
	NATIVE(TRANSFER, SEND, "send", EVENT, "the call that sent it, or started to") \
	NATIVE(TRANSFER, POST, "post", EVENT, "the call that posted the receive") \
	NATIVE(TRANSFER, WAIT, "wait", EVENT, \
	       "the call that ended this side: Recv or Send itself, or a Wait or Test") \
	NATIVE(TRANSFER, IS_SEND, "is_send", BOOL, "this is the sender's side") \
	NATIVE(TRANSFER, IS_PROBE, "is_probe", BOOL, \
	       "a third one: post and wait are a probe that had to wait for the message") \
	NATIVE(TRANSFER, BYTES, "bytes", BYTES, "of the message") \
	NATIVE(TRANSFER, TAG, "tag", COUNT, "of the message") \
	NATIVE(TRANSFER, COMM, "comm", COMM, "of the message") \
	NATIVE(TRANSFER, SOURCE, "source", RANK, "in the communicator") \
	NATIVE(TRANSFER, DEST, "dest", RANK, "in the communicator") \
	NATIVE(TRANSFER, EAGER, "eager", BYTES, \
	       "size up to which a standard send between these two does not wait; -1: not known") \
	NATIVE(TRANSFER, ESTIMATE, "estimate", ESTIMATE, \
	       "how long a message of this size takes between these nodes, by the fastest of the run") \
	NATIVE(TRANSFER, WILDCARD, "wildcard", BOOL, "the receive named no source or no tag") \
	NATIVE(TRANSFER, OVERTAKES, "overtakes", BOOL, \
	       "of the receiver's side: messages lay there that its sender had sent before it on this communicator") \
	NATIVE(TRANSFER, OVERTAKEN, "overtaken", BYTES, "of these messages, up to 4 GiB") \
	NATIVE(TRANSFER, MET, "met", INSTANT, \
	       "wait.start, or when the collective operations had come that `wait` completed too") \
	NATIVE(TRANSFER, COMPLETION, "completion", COMPLETION, \
	       "all that one call completed: the same for its transfers") \
	NATIVE(COLLECTIVE_CALL, CALL, "call", EVENT, "the call that entered it") \
	NATIVE(COLLECTIVE_CALL, WAIT, "wait", EVENT, "the call that ended it: the same, or a Wait or Test") \
	NATIVE(COLLECTIVE_CALL, SINCE, "since", INSTANT, \
	       "wait.start, or when other things had come that `wait` completed too: from then on it was for this") \
	NATIVE(COLLECTIVE_CALL, START, "start", INSTANT, "call.start") \
	NATIVE(COLLECTIVE_CALL, END, "end", INSTANT, "wait.end") \
	NATIVE(COLLECTIVE_CALL, FUNCTION, "function", FUNCTION, "that was called") \
	NATIVE(COLLECTIVE_CALL, INSTANCE, "instance", INSTANCE, "the operation: the same for all that met") \
	NATIVE(COLLECTIVE_CALL, COMM, "comm", COMM, "") \
	NATIVE(COLLECTIVE_CALL, RANK, "rank", RANK, "in the communicator") \
	NATIVE(COLLECTIVE_CALL, SIZE, "size", COUNT, \
	       "processes of the communicator; both groups of an intercommunicator") \
	NATIVE(COLLECTIVE_CALL, IS_ROOT, "is_root", BOOL, "") \
	NATIVE(COLLECTIVE_CALL, SENT, "sent", BYTES, "") \
	NATIVE(COLLECTIVE_CALL, RECEIVED, "received", BYTES, "") \
	NATIVE(COLLECTIVE_CALL, IS_COMPLETE, "is_complete", BOOL, \
	       "all members of the communicator are in the trace") \
	NATIVE(COLLECTIVE_CALL, POSITION, "position", COUNT, \
	       "number of the operation among those of its communicator") \
	NATIVE(COLLECTIVE_CALL, ALONE, "alone", TIME, \
	       "of upc_all_broadcast and its like: in which no other thread was in the operation; else 0") \
	NATIVE(NEIGHBOUR, CALL, "call", EVENT, "the call that entered it") \
	NATIVE(NEIGHBOUR, WAIT, "wait", EVENT, "the call that ended it: the same, or a Wait or Test") \
	NATIVE(NEIGHBOUR, LAST, "last", EVENT, \
	       "the call of the last to come of those from which it gets something") \
	NATIVE(NEIGHBOUR, SINCE, "since", INSTANT, "as of a collective_call") \
	NATIVE(NEIGHBOUR, RANK, "rank", RANK, "in the communicator") \
	NATIVE(NEIGHBOUR, SOURCES, "sources", COUNT, "from which it gets something") \
	NATIVE(REQUEST, START, "start", EVENT, "the call that begins it") \
	NATIVE(REQUEST, WAIT, "wait", EVENT, "the call that completes it") \
	NATIVE(REQUEST, POLLS, "polls", COUNT, "fruitless tests in between, of its thread") \
	NATIVE(REQUEST, IS_CANCELLED, "is_cancelled", BOOL, "") \
	NATIVE(REQUEST, IS_PERSISTENT, "is_persistent", BOOL, "") \
	NATIVE(EXPOSURE, POST, "post", EVENT, "the target's MPI_Win_post") \
	NATIVE(EXPOSURE, TARGET_WAIT, "wait", EVENT, "the target's MPI_Win_wait or successful MPI_Win_test") \
	NATIVE(EXPOSURE, START, "start", EVENT, "the origin's MPI_Win_start") \
	NATIVE(EXPOSURE, COMPLETE, "complete", EVENT, "the origin's MPI_Win_complete") \
	NATIVE(EXPOSURE, FIRST, "first", EVENT, \
	       "the origin's first access to this target; start, if there is none") \
	NATIVE(EXPOSURE, LAST, "last", EVENT, \
	       "the origin's last access to this target; start, if there is none") \
	NATIVE(EXPOSURE, ACCESSES, "accesses", COUNT, "to this target") \
	NATIVE(EXPOSURE, WINDOW, "window", WINDOW, "") \
	NATIVE(EXPOSURE, INSTANCE, "instance", INSTANCE, "the target's epoch: the same for all its origins") \
	NATIVE(ACCESS_EPOCH, START, "start", EVENT, "the origin's MPI_Win_start") \
	NATIVE(ACCESS_EPOCH, COMPLETE, "complete", EVENT, "the origin's MPI_Win_complete") \
	NATIVE(ACCESS_EPOCH, POST, "post", EVENT, "the target's MPI_Win_post") \
	NATIVE(ACCESS_EPOCH, FIRST, "first", EVENT, \
	       "the first access to this target; start, if there is none") \
	NATIVE(ACCESS_EPOCH, ACCESSES, "accesses", COUNT, "to this target") \
	NATIVE(ACCESS_EPOCH, TARGET, "target", RANK, "in the window's communicator") \
	NATIVE(ACCESS_EPOCH, WINDOW, "window", WINDOW, "") \
	NATIVE(ACCESS_EPOCH, INSTANCE, "instance", INSTANCE, \
	       "the origin's epoch: the same for all its targets") \
	NATIVE(FENCE, CALL, "call", EVENT, "MPI_Win_fence") \
	NATIVE(FENCE, LAST, "last", EVENT, \
	       "the last access of another process to this one in the epoch that ends here; call, if there is none") \
	NATIVE(FENCE, ACCESSES, "accesses", COUNT, \
	       "of other processes to this one in the epoch that ends here") \
	NATIVE(FENCE, ORIGINS, "origins", COUNT, "other processes that accessed this one in that epoch") \
	NATIVE(FENCE, RANK, "rank", RANK, "in the window's communicator") \
	NATIVE(FENCE, SIZE, "size", COUNT, "processes of the window") \
	NATIVE(FENCE, WINDOW, "window", WINDOW, "") \
	NATIVE(FENCE, INSTANCE, "instance", INSTANCE, "the fence: the same for all processes") \
	NATIVE(LOCK, TAKE, "take", EVENT, "MPI_Win_lock or MPI_Win_lock_all") \
	NATIVE(LOCK, GIVE, "give", EVENT, "MPI_Win_unlock or MPI_Win_unlock_all") \
	NATIVE(LOCK, BEFORE, "before", EVENT, \
	       "the unlock that it had to wait for: of the last conflicting hold before; take itself, if there is none") \
	NATIVE(LOCK, FIRST, "first", EVENT, "the first access under it; give, if there is none") \
	NATIVE(LOCK, IS_EXCLUSIVE, "is_exclusive", BOOL, "") \
	NATIVE(LOCK, TARGET, "target", RANK, "in the window's communicator; -1: all of them") \
	NATIVE(LOCK, WINDOW, "window", WINDOW, "") \
	NATIVE(MUTEX, TAKE, "take", EVENT, "upc_lock, or upc_lock_attempt that got it") \
	NATIVE(MUTEX, GIVE, "give", EVENT, "upc_unlock") \
	NATIVE(MUTEX, BEFORE, "before", EVENT, \
	       "the upc_unlock of another thread that it had to wait for; take itself, if there is none") \
	NATIVE(MUTEX, MUTEX, "mutex", MUTEX, "the lock") \
	NATIVE(MUTEX, TARGET, "target", RANK, "thread on which it lives") \
	NATIVE(THREAD_FENCE, CALL, "call", EVENT, "upc_fence") \
	NATIVE(THREAD_FENCE, LAST, "last", EVENT, \
	       "this thread's last access to memory of another since its last fence, barrier or collective call; call, if there is none") \
	NATIVE(THREAD_FENCE, ACCESSES, "accesses", COUNT, "to other threads since then") \
	NATIVE(THREAD_FENCE, BYTES, "bytes", BYTES, "of these") \
	NATIVE(PASSIVE, CALL, "call", EVENT, "Put, MPI_Win_flush, MPI_Win_unlock, …") \
	NATIVE(PASSIVE, NEXT, "next", EVENT, \
	       "the call with which the target came back to MPI; call itself, if it was not away") \
	NATIVE(PASSIVE, ABSENT, "absent", TIME, "of the call in which the target was in no call of MPI") \
	NATIVE(PASSIVE, CONTENDED, "is_contended", BOOL, "the lock had to wait for another one") \
	NATIVE(PASSIVE, TARGET, "target", RANK, "in the window's communicator") \
	NATIVE(PASSIVE, WINDOW, "window", WINDOW, "") \
	NATIVE(ACCESS, CALL, "call", EVENT, "Put, Get, Accumulate, …") \
	NATIVE(ACCESS, CLOSE, "close", EVENT, "the fence, complete or unlock that ends its epoch") \
	NATIVE(ACCESS, WINDOW, "window", WINDOW, "") \
	NATIVE(ACCESS, ORIGIN, "origin", RANK, "in the window's communicator") \
	NATIVE(ACCESS, TARGET, "target", RANK, "in the window's communicator") \
	NATIVE(ACCESS, BYTES, "bytes", BYTES, "") \
	NATIVE(PARTITIONED, START, "start", EVENT, \
	       "the start, as of the call that prepared it: its dest, tag, …") \
	NATIVE(PARTITIONED, FIRST, "first", EVENT, \
	       "the first MPI_Pready, MPI_Pready_range or MPI_Pready_list") \
	NATIVE(PARTITIONED, LAST, "last", EVENT, "the last of them") \
	NATIVE(PARTITIONED, READY, "ready", COUNT, "how many such calls") \
	NATIVE(POLLING, CALL, "call", EVENT, "MPI_Test, MPI_Iprobe, …: from the first to the last of them") \
	NATIVE(POLLING, POLLS, "polls", COUNT, "how many tests") \
	NATIVE(POLLING, BUSY, "busy", TIME, "inside of them") \
	NATIVE(INVERSION, WAIT, "wait", EVENT, \
	       "the call that waited: a receive, a probe, or a Wait or Test") \
	NATIVE(INVERSION, SEND, "send", EVENT, "of what it received, the call that sent the last message") \
	NATIVE(INVERSION, SAME_SOURCE, "same_source", BOOL, \
	       "its sender sent an earlier one, too; if not, only others did") \
	NATIVE(PHASE, BEGIN, "begin", EVENT, "") \
	NATIVE(PHASE, FINISH, "finish", EVENT, "") \
	NATIVE(PHASE, NAME, "name", TEXT, "") \
	NATIVE(PHASE, ID, "phase", PHASE, "what calls inside have in their column `phase`") \
	NATIVE(SITE, CALL, "call", EVENT, "the first of them, but `end` is that of the last") \
	NATIVE(SITE, COUNT, "count", COUNT, "calls; fruitless tests in a row are so many") \
	NATIVE(SITE, STARTS, "starts", COUNT, \
	       "how often what the call prepared was started; `count`, if it prepares nothing") \
	NATIVE(SITE, INSIDE, "inside", TIME, "in the calls, all together") \
	NATIVE(SITE, BEFORE, "before", TIME, \
	       "from the end of the call of this relation that its thread made before to the start: computing") \
	NATIVE(SITE, STOLEN, "stolen", TIME, \
	       "part of `before` in which the thread wanted a processor and had none; 0: not known") \
	NATIVE(SITE, BYTES, "bytes", BYTES, \
	       "sent by all starts together; received, by accesses of UPC that read") \
	NATIVE(SITE, PEER, "peer", RANK, \
	       "to which it sends, from which it really received, or whose memory it accesses, in the communicator") \
	NATIVE(SITE, EAGER, "eager", BYTES, \
	       "size up to which a standard send to its destination does not wait; -1: not known") \
	NATIVE(SITE, AGAIN, "again", COUNT, \
	       "sends to the same process without communication in between; UPC: accesses with only such in between") \
	NATIVE(SITE, AGAIN_INSIDE, "again_inside", TIME, "in these") \
	NATIVE(SITE, FOUND, "found", COUNT, "blocking receives whose message had been sent before") \
	NATIVE(SITE, FOUND_INSIDE, "found_inside", TIME, "in these") \
	NATIVE(SITE, LAIN, "lain", TIME, "from the start of the sends to the start of these, all together") \
	NATIVE(SITE, MOVING, "moving", TIME, \
	       "in the other blocking receives, from the start of the send on: when they waited no more") \
	NATIVE(SITE, PASSED_ON, "passed_on", COUNT, \
	       "blocking receives, not of MPI_Mrecv, that a send of as many bytes to another process followed directly") \
	NATIVE(SITE, UNTIL_PASSED, "until_passed", TIME, \
	       "from the end of these to the start of those sends, as far as the thread had a processor") \
	NATIVE(SITE, REPLIES, "replies", COUNT, \
	       "blocking receives that directly followed a blocking send to the same process") \
	NATIVE(SITE, REPLY_GAP, "reply_gap", TIME, "between these sends and receives, all together") \
	NATIVE(SITE, REPLY_SENT, "reply_sent", BYTES, "by these sends") \
	NATIVE(SITE, REPLY_SAVED, "reply_saved", TIME, \
	       "the shorter of the time in the send and that in the receive after both sides had come, all together") \
	NATIVE(SITE, ANSWERED, "answered", EVENT, \
	       "the send of these with the most of it; call, if there is none") \
	NATIVE(SITE, SETTLED, "settled", TIME, \
	       "in blocking collective calls, after the last process had come") \
	NATIVE(SITE, WORKED, "worked", TIME, "and of it, until the first one left: the operation itself") \
	NATIVE(SITE, STOLEN_INSIDE, "stolen_inside", TIME, \
	       "in blocking collective calls and in accesses of UPC, part of `inside` without a processor")

enum native_column {
#define NATIVE(RELATION, NAME, text, type, what) NATIVE_##RELATION##_##NAME,
	NATIVE_COLUMNS(NATIVE)
#undef NATIVE
		NATIVE_COLUMNS_END,
};

/* Figures of the whole run: run.length. */
#define RUN_FIGURES(RUN) \
	RUN(LENGTH, "length", TIME, "from the first start to the last end") \
	RUN(TIME, "time", TIME, \
	    "of all threads together, each from its first call to its last: what shares are of") \
	RUN(PROCESSES, "processes", COUNT, "in the trace") \
	RUN(NODES, "nodes", COUNT, "") \
	RUN(CALLS, "calls", COUNT, "in the trace") \
	RUN(UNCERTAINTY, "uncertainty", TIME, "how far clocks of different processes may be apart") \
	RUN(ACCESSES, "accesses", COUNT, \
	    "of UPC threads that move data between two of them, one-sided or collective; no shared scalars") \
	RUN(HUB, "hub", RANK, "the thread at one end of most of these, by its number in the team; -2: none") \
	RUN(HUB_ACCESSES, "hub_accesses", COUNT, \
	    "those with it at one end that it does not do to itself, too") \
	RUN(HUB_GIVES, "hub_gives", COUNT, "threads that get data from it") \
	RUN(HUB_TAKES, "hub_takes", COUNT, "threads that it gets data from") \
	RUN(PHASES, "phases", COUNT, \
	    "between barriers of UPC, of the thread that moves data between threads in most of them") \
	RUN(BUSY_PHASES, "busy_phases", COUNT, "those in which it does") \
	RUN(TWO_WAY_PHASES, "two_way_phases", COUNT, \
	    "those in which data goes to a thread and from it, of the thread with most of them")

enum run_figure {
#define RUN(NAME, text, type, what) RUN_##NAME,
	RUN_FIGURES(RUN)
#undef RUN
		RUN_FIGURES_END,
};

/* The tables above, by number. */
struct native_value {
	enum relation relation; /* of a native column */
	const char *name;
	struct type type;
	const char *what;
};

struct native_relation {
	const char *name;
	const char *what;
};

extern const struct native_value call_columns[CALL_COLUMNS_END];
extern const struct native_value native_columns[NATIVE_COLUMNS_END];
extern const struct native_value run_figures[RUN_FIGURES_END];
extern const struct native_relation native_relations[RELATIONS_END];

#endif
