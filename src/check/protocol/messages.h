/* What agents (src/job/check) and analysers (src/check/analyser) tell each other: docs/check-protocol.md has it in words.
 *
 * A frame is a length (u32, little-endian, of what follows), a kind (one byte, enum message_kind) and a body of numbers
 * (base/bytes.h) and texts. Nobody trusts what comes: lengths are bounded, numbers are looked up, and a connection that breaks a rule
 * is closed. The first frames prove that both sides know the key of the run (handshake.h), then the connecting side says HELLO. Before that, nothing else is read
 * or allocated.
 *
 * Calls are announced once (MESSAGE_CALL gives a distinct call a number); an event is then that number, and what differs each
 * time. So an event mostly takes one or two bytes. */
#ifndef TARRY_CHECK_PROTOCOL_MESSAGES_H
#define TARRY_CHECK_PROTOCOL_MESSAGES_H

#include "check/protocol/finding.h"

enum {
	CHECK_PROTOCOL_VERSION = 10,
	CHECK_KEY_BYTES = 32,
	FRAME_HEADER_BYTES = 5,
	FRAME_BYTES_MAX = 4 << 20,
	RELAY_BYTES_MAX = FRAME_BYTES_MAX + 2 * VARINT_MAX, /* a frame with the two numbers of RELAY */
	HELLO_BYTES_MAX = 1024,    /* of a frame before the other side has proved the key, and of HELLO */
	CALL_NUMBER_MAX = 1 << 22, /* of calls and types; FORGET makes room */
};

enum message_kind {
	MESSAGE_HELLO = 1, /* who connected: struct check_hello */
	/* Between an analyser and the leader: a frame from or to a process. Number of the process on this connection, from 1; kind; body */
	MESSAGE_RELAY = 2,
	/* A communicator, window or file that calls name by its identity: struct checked_comm */
	MESSAGE_COMM = 3,
	MESSAGE_TYPE = 4,    /* a datatype, by the types that it consists of: check/signature/signature.h */
	MESSAGE_CALL = 5,    /* a distinct call: struct distinct_check_call */
	MESSAGE_EVENTS = 6,  /* calls that happened, in order */
	MESSAGE_FINDING = 7, /* an error that the agent found alone */
	/* Numbers of calls and types start again: those announced so far are never used again. */
	MESSAGE_FORGET = 8,
	/* The process has been in a call for a while: its number or 0, nanoseconds. In a RELAY: the process vanished; its last call, and, if a signal ended it, the content of
	 * struct unsent_crash */
	MESSAGE_STATE = 9,
	MESSAGE_BYE = 10, /* the process ends: enum process_end. Leader to analyser: it refuses the process */
	/* In a log: it is complete. Leader to analyser: all processes are gone; how they ended follows. */
	MESSAGE_END = 11,
	MESSAGE_MEMBER = 12, /* analyser to leader: a process came or ended: struct check_member */
	/* Leader to agent: where are your threads? Number of the question, 1 if stacks are wanted */
	MESSAGE_ASK = 14,
	MESSAGE_ANSWER = 15, /* agent to leader: struct check_answer */
	MESSAGE_STOP = 16,   /* leader to analysers, analysers to agents of their node: the run ends now */
	/* Agent to leader, after an ANSWER: number of the question, count, a call of each thread: NOTE_WAITS in MPI, NOTE_RUNS after its last call */
	MESSAGE_STACK = 17,
	/* Agent to the analyser of its node, after a BYE with END_FINALIZED: the process ends with exit code 0. */
	MESSAGE_EXIT = 18,
	MESSAGE_CHALLENGE = 19, /* version of the protocol, random number of the connecting side */
	MESSAGE_RESPONSE = 20,  /* random number of the listening side, its proof */
	MESSAGE_PROOF = 21,     /* proof of the connecting side */
	/* Between the parts of a run, over the leader: check/parts/part.h */
	MESSAGE_FACTS = 22,   /* world, facts for processes */
	MESSAGE_REACHED = 23, /* to the leader: members have made a collective call; from it: all have */
	MESSAGE_GATHER =
		24, /* number of the round; from a part, 0: the leader has to execute all processes */
	MESSAGE_WAITS =
		25, /* to a part: tell who waits; from it, empty: somebody does; else: who waits for whom */
};

enum process_end {
	END_FINALIZED = 0,
	END_ABORTED = 1,   /* MPI_Abort */
	END_EXITED = 2,    /* exit() without MPI_Finalize */
	END_UNCHECKED = 3, /* its agent stepped aside, with a note: how it ends is not known */
	END_VANISHED = 4,  /* no BYE came: it crashed or was killed */
	END_STOPPED = 5,   /* we ended it: a deadlock or a hang was reported */
	/* In logs: the launcher killed it inside of MPI_Finalize because another process failed. */
	END_IN_FINALIZE = 6,
	/* Only from one analyser to another. */
	END_FAILED = 7, /* it had finalized, and then ended otherwise than with exit code 0 */
};

/* Who connects */
enum hello_role {
	HELLO_AGENT = 0,
	HELLO_ANALYSER = 1,
};

struct check_hello {
	enum hello_role role;
	uint64_t world;
	uint32_t rank, size; /* size 0: not known yet */
	uint32_t pid;
	const char *host;    /* its node */
	const char *address; /* of an analyser: where it listens (address.h) */
};

/* A process as the leader counts it. */
enum { MEMBER_CAME = 0, MEMBER_ENDED = 1 /* + enum process_end */ };

struct check_member {
	uint64_t world;
	uint32_t rank, size;
	uint32_t state;
	bool is_stuck;    /* it ended in a call that it had been in for a while */
	bool was_outside; /* it vanished between calls */
	bool was_in_finalize;
};

struct checked_comm {
	uint64_t identity;
	uint32_t rank, size, remote_size; /* remote_size 0: an intracommunicator */
	uint32_t side;                    /* 1: the second group of an intercommunicator; else 0 */
	const char *name;                 /* "MPI_COMM_WORLD", "made by MPI_Comm_split" */
	/* Of a topology: ranks of the neighbours in the order of neighbourhood calls; -1: none */
	uint32_t source_count, dest_count;
	int32_t *sources, *dests;
};

/* A datatype: a basic one, or what it consists of, in the order of its signature. Parts are announced before what is made of them. */
struct checked_type_part {
	uint32_t type; /* number */
	uint64_t times;
};

struct checked_type {
	uint32_t number; /* 1 … */
	uint32_t basic;  /* enum basic_type; 0: it has parts */
	uint32_t bytes;  /* of a basic one */
	uint32_t part_count;
	struct checked_type_part *parts;
};

/* What a distinct call does that other processes have to do with. */
enum check_operation {
	OPERATION_NONE = 0,
	OPERATION_SEND = 1,
	OPERATION_RECEIVE = 2,
	OPERATION_COLLECTIVE = 3,
	OPERATION_PROBE = 4,         /* MPI_Probe: waits for a message, and leaves it where it is */
	OPERATION_MATCHED_PROBE = 5, /* MPI_Mprobe, MPI_Improbe: takes it, like a receive */
	OPERATION_WAIT = 6,          /* completes requests: its event says which */
	OPERATION_WINDOW = 7,        /* synchronisation or access of a window: `window` says which */
};

/* What an OPERATION_WINDOW does. Fences, and making and freeing windows, are collective calls of the window. */
enum window_operation {
	WINDOW_NONE = 0,
	WINDOW_POST = 1,     /* `ranks`: of the group, in the window */
	WINDOW_START = 2,    /* waits for the posts of `ranks` */
	WINDOW_COMPLETE = 3, /* ends what WINDOW_START began */
	WINDOW_WAIT = 4,     /* waits for the completes of the group of WINDOW_POST; or MPI_Win_test */
	WINDOW_LOCK = 5,     /* of `peer`; CHECK_CALL_SHARED or exclusive */
	WINDOW_UNLOCK = 6,
	WINDOW_LOCK_ALL = 7,
	WINDOW_UNLOCK_ALL = 8,
	WINDOW_FLUSH = 9, /* of `peer`; -1: of all */
	WINDOW_FLUSH_LOCAL = 10,
	WINDOW_SYNC = 11,
	WINDOW_GET = 12, /* accesses of the memory of `peer`: an event says where */
	WINDOW_PUT = 13,
	WINDOW_ACCUMULATE = 14, /* `operator` and the basic type of `receive` tell which */
	WINDOW_FETCH = 15, /* MPI_Get_accumulate, MPI_Fetch_and_op, MPI_Compare_and_swap: reads and writes */
	/* After the creation, and when an info object changes: `ranks` are bytes, disp_unit, enum window_memory (0: the program's own, 1: MPI's,
	 * 2: shared, 3: dynamic) and enum accumulate_hint. */
	WINDOW_MEMORY = 16,
	WINDOW_LOCKED = 17, /* MPI_Win_lock or MPI_Win_lock_all has returned */
	/* The program read or wrote memory of `peer`, its own or shared: the event says the first byte, `ranks` how many. If
	 * `tag` is not 0, a call did so with its buffer, and `ranks` are runs from there on. A one-sided operation on this window has its target + 1
	 * as the tag: the buffer is in use until the operation is complete. */
	WINDOW_LOADED = 18,
	WINDOW_STORED = 19,
	WINDOW_GET_COMPLETE = 20, /* an MPI_Rget of `peer`: the event has the number of the access */
};

/* `tag` of WINDOW_POST, WINDOW_START and locks, and of the collective call MPI_Win_fence. */
enum window_assertion {
	ASSERTION_NOCHECK = 1,
	ASSERTION_NOSTORE = 2,
	ASSERTION_NOPUT = 4,
	ASSERTION_NOPRECEDE = 8,
	ASSERTION_NOSUCCEED = 16,
	ASSERTION_STORED = 32, /* with NOSTORE: the process's own memory of the window is not as it was */
	ASSERTION_BROKEN =
		64, /* of a fence: the process reported that an access breaks this one or the one before */
};

/* What a program gives up for its accumulates, by the info object of a window: the order of those of one process at one place, and MPI_NO_OP beside
 * another operation. */
enum accumulate_hint {
	ACCUMULATE_NO_RAW = 1, /* a read after a write */
	ACCUMULATE_NO_WAR = 2,
	ACCUMULATE_NO_WAW = 4,
	ACCUMULATE_UNORDERED = ACCUMULATE_NO_RAW | ACCUMULATE_NO_WAR | ACCUMULATE_NO_WAW,
	ACCUMULATE_SAME_OP = 8,
};

/* `operator` of accesses, beside predefined operations, which are odd. */
enum { WINDOW_OPERATOR_NONE = 2 /* MPI_NO_OP */, WINDOW_OPERATOR_SWAP = 4 /* MPI_Compare_and_swap */ };

enum check_call_flag {
	CHECK_CALL_NONBLOCKING = 1,
	CHECK_CALL_PERSISTENT = 2,
	CHECK_CALL_WILDCARD = 4, /* CHANGE_TAKES says which message it took */
	CHECK_CALL_IN_PLACE = 8,
	CHECK_CALL_BUFFERED = 16, /* modes of sends; none: standard */
	CHECK_CALL_SYNCHRONOUS = 32,
	CHECK_CALL_READY = 64,
	CHECK_CALL_REJECTED = 128,  /* a collective call that MPI did not accept: CHANGE_REJECTED */
	CHECK_CALL_SHARED = 256,    /* a lock of others' readers, too */
	CHECK_CALL_TOGETHER = 1024, /* one of several operations (MPI_Sendrecv): CHANGE_WAITS follows */
	CHECK_CALL_ANY = 512, /* OPERATION_WAIT: one of the requests is enough (MPI_Waitany, MPI_Waitsome) */
	CHECK_CALL_STATUS_IGNORED = 2048, /* MPI_STATUS_IGNORE: the program does not learn the source */
	CHECK_CALL_NEW_BUFFER = 4096,     /* the first buffered send since MPI_Buffer_attach */
	CHECK_CALL_CONTENT = 8192, /* data is compared: a send has a hash, CHANGE_CONTENT follows a receive */
	CHECK_CALL_WATCHED = 16384, /* of loads and stores: the compiler makes all of them known */
	CHECK_CALL_ONCE = 32768,    /* of loads: not in a loop, so it waits for nobody */
};

/* Data of a call: so many of a type. `type` is a number given by MESSAGE_TYPE; 0: no data. */
struct check_data {
	uint32_t type;
	uint64_t count;
};

/* In place of a root's rank: no root; MPI_ROOT and MPI_PROC_NULL of intercommunicators. */
enum check_root { ROOT_NONE = -1, ROOT_SELF = -2, ROOT_OTHER = -3 };

struct distinct_check_call {
	uint32_t number;
	uint32_t flags;
	enum check_operation operation;
	struct check_call call; /* for findings */
	uint64_t comm;          /* identity; of a window's or file's call: that of the window or file */
	/* point-to-point: ranks in the communicator, and in the world for the pair */
	int32_t peer, peer_in_world, tag;
	/* collective */
	int32_t root;      /* rank, or enum check_root */
	uint64_t operator; /* hash of the name of an operation, or of its place with bit 63; 0: none */
	struct check_data send, receive; /* of a send, a receive; of collectives each side's data per peer */
	/* of v- and w-collectives: data for each peer; their counts are 0 elsewhere */
	uint32_t send_list_count, receive_list_count;
	struct check_data *send_list, *receive_list;
	enum window_operation window;
	/* WINDOW_POST, WINDOW_START: ranks in the window's group. Accesses: pairs of the first byte of a run and its length, from the place that
	 * the event tells; rank_count counts both. None: the layout is not known. CHECK_CALL_BUFFERED: bytes that the message needs of the attached
	 * buffer, and the size of that; 0: not known. */
	uint32_t rank_count;
	int64_t *ranks;
	const char *detail; /* other arguments that have to agree, such as amode; mostly "" */
};

/* An event in MESSAGE_EVENTS: the number of a call, whose operation begins; a send with CHECK_CALL_CONTENT is followed by the hash of its data
 * (0: not known). A number of 0 is followed by an enum event_change and its numbers.
 *
 * Events are in the order of each thread: operations begin, threads wait for them, and they complete. An operation (a send, receive,
 * collective call or probe) has a number, which nobody sends: 0 for the first one that the process began in any thread, and so on. Events name it by
 * its distance: 1 is the last one that began. */
enum event_change {
	/* Number of a call (a receive), distance: this call receives the message that a matched probe took. */
	CHANGE_RECEIVES = 1,
	/* A position in the ring of unsent_ring.h: all of its events before that were sent. Who sends the rest for a process that vanished gives the
	 * position of each in front of it: events that the process had sent itself are skipped. */
	CHANGE_POSITION = 2,
	CHANGE_REJECTED = 3, /* number of a collective call that MPI did not accept */
	/* Distance, rank of the source, tag (both signed): a receive or probe with a wildcard has this message, and is complete. */
	CHANGE_TAKES = 5,
	CHANGE_WAITS = 6, /* number of a call (OPERATION_WAIT), count, distances of operations */
	/* Count, distances: a test, or a wait for any, found that these are complete. After CHANGE_WAITS for all, the next event shows it. */
	CHANGE_COMPLETES = 7,
	CHANGE_DROPS = 8,   /* distance, 0: nobody waits for it (MPI_Request_free); 1: it never happened */
	CHANGE_THREAD = 9,  /* number of a thread (0: the first): the following events are of this thread */
	CHANGE_WINDOW = 10, /* number of a call (OPERATION_WINDOW), target_disp of an access or 0 */
	/* Identity of a communicator, window or file that its process has freed; nothing names it any more. */
	CHANGE_ENDS = 11,
	/* Number of a call, distance, bytes and hash (0: not known) of the data that this receive received. Distance 0: the data of this send is not
	 * compared. Of a broadcast: the data that the process sent or received, and the number of the broadcast on its communicator, from 1. */
	CHANGE_CONTENT = 12,
	CHANGE_LEFT = 13, /* number of a thread: it has left the call of its last event */
	/* Only between analysers: a process that one has executed so far goes on at the other (check/parts/part.h). */
	/* Identity of a communicator; collective calls that the process made on it; calls that all members made */
	CHANGE_RESUMES_COMM = 14,
	/* Number of a call, of the operation that it began, state (enum operation_state); of a collective call its number on the communicator */
	CHANGE_RESUMES = 15,
	/* Operations that have begun; number of the call that the thread is in, of the last call; 0: none. Then the events that are not executed. */
	CHANGE_RESUMED = 16,
};

/* A thread of a process, as it answers. */
struct thread_state {
	uint32_t thread;   /* as in CHANGE_THREAD */
	uint32_t call;     /* number of the call of its last event; 0: none */
	bool is_in_call;   /* and has not left it */
	bool is_elsewhere; /* it is in a call of MPI that has no event, such as MPI_Test or MPI_Iprobe */
	bool is_asleep; /* it is in no call, and waits for another thread of its process, without a time limit */
	uint64_t entered; /* calls that it made in all */
};

struct check_answer {
	uint64_t question;
	uint64_t position; /* of the ring: all before it was sent before this */
	uint32_t thread_count;
	struct thread_state *threads;
};

void answer_put(struct message_writer *out, const struct check_answer *answer);
bool answer_take(struct cursor *in, struct check_answer *answer);
void answer_release(struct check_answer *answer);

void hello_put(struct message_writer *out, const struct check_hello *hello);
bool hello_take(struct cursor *in, struct check_hello *hello);
void hello_release(struct check_hello *hello);

void comm_put(struct message_writer *out, const struct checked_comm *comm);
bool comm_take(struct cursor *in, struct checked_comm *comm);
void comm_release(struct checked_comm *comm);

void type_put(struct message_writer *out, const struct checked_type *type);
bool type_take(struct cursor *in, struct checked_type *type);
void type_release(struct checked_type *type);

void distinct_call_put(struct message_writer *out, const struct distinct_check_call *call);
bool distinct_call_take(struct cursor *in, struct distinct_check_call *call);
void distinct_call_release(struct distinct_check_call *call);

void member_put(struct message_writer *out, const struct check_member *member);
bool member_take(struct cursor *in, struct check_member *member);

/* A frame around what `body` holds; NULL: nothing. One that is too long is not put, and makes `out` failed. */
void frame_put(struct message_writer *out, enum message_kind kind, const struct message_writer *body);

#endif
