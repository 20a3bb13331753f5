/* The messages between agents (src/job/check) and analysers (src/check/analyser); see docs/check-protocol.md.
 *
 * A frame is a length (u32, little-endian, of what follows), a kind (one byte, enum message_kind) and a body
 * of numbers (base/bytes.h) and texts. Input is not trusted: lengths are bounded, numbers are looked up, and
 * a connection that violates a rule is closed. The first frames prove that both sides know the key of the run
 * (handshake.h), then the connecting side sends HELLO. Before that, nothing else is read or allocated.
 *
 * Calls are announced once (MESSAGE_CALL gives a distinct call a number); an event is then that number and
 * the varying values. So an event usually takes one or two bytes. */
#ifndef TARRY_CHECK_PROTOCOL_MESSAGES_H
#define TARRY_CHECK_PROTOCOL_MESSAGES_H

#include "check/protocol/finding.h"

enum {
	CHECK_PROTOCOL_VERSION = 16,
	CHECK_KEY_BYTES = 32,
	FRAME_HEADER_BYTES = 5,
	FRAME_BYTES_MAX = 4 << 20,
	ENVELOPE_BYTES = 2 * VARINT_MAX, /* the two numbers of RELAY and VIA */
	RELAY_BYTES_MAX = FRAME_BYTES_MAX + ENVELOPE_BYTES,
	VIA_BYTES_MAX = RELAY_BYTES_MAX + ENVELOPE_BYTES,
	HELLO_BYTES_MAX = 1024,    /* of a frame before the other side has proved the key, and of HELLO */
	CALL_NUMBER_MAX = 1 << 22, /* of calls and types; FORGET makes room */
};

enum message_kind {
	MESSAGE_HELLO = 1, /* the connecting side: struct check_hello */
	/* Between an analyser and the leader: a frame from or to a process. Number of the process on this connection, from 1; kind; body */
	MESSAGE_RELAY = 2,
	/* A communicator, window or file, to which calls refer by identity: struct checked_comm */
	MESSAGE_COMM = 3,
	MESSAGE_TYPE = 4,    /* a datatype, with its member types: check/signature/signature.h */
	MESSAGE_CALL = 5,    /* a distinct call: struct distinct_check_call */
	MESSAGE_EVENTS = 6,  /* calls in order */
	MESSAGE_FINDING = 7, /* an error detected by the agent alone */
	/* Numbers of calls and types start again: earlier ones are never used again. */
	MESSAGE_FORGET = 8,
	/* The process has been in a call for a while: its number or 0, nanoseconds. In a RELAY: the process vanished; its last call, and, if a signal ended it, the content of
	 * struct unsent_crash */
	MESSAGE_STATE = 9,
	MESSAGE_BYE = 10, /* the process ends: enum process_end. Leader to analyser: it rejects the process */
	/* In a log: it is complete. Leader to analyser: all processes are gone; how they ended follows. */
	MESSAGE_END = 11,
	MESSAGE_MEMBER = 12, /* analyser to leader: a process connected or ended: struct check_member */
	/* Leader to agent: where are your threads? Number of the question, 1 if stacks are wanted */
	MESSAGE_ASK = 14,
	MESSAGE_ANSWER = 15, /* agent to leader: struct check_answer */
	MESSAGE_STOP = 16,   /* leader to analysers, analysers to agents of their node: end the run now */
	/* Agent to leader, after an ANSWER: number of the question, count, a call of each thread: NOTE_WAITS in MPI, NOTE_RUNS after its last call */
	MESSAGE_STACK = 17,
	/* Agent to the analyser of its node, after a BYE with END_FINALIZED: the process
	 * ends with exit code 0. */
	MESSAGE_EXIT = 18,
	MESSAGE_CHALLENGE = 19, /* version of the protocol, random number of the connecting side */
	MESSAGE_RESPONSE = 20,  /* random number of the listening side, its proof */
	MESSAGE_PROOF = 21,     /* proof of the connecting side */
	/* Between the parts of a run, through the leader: check/parts/part.h */
	MESSAGE_FACTS = 22,   /* world, facts for processes */
	MESSAGE_REACHED = 23, /* to the leader: members have made a collective call; from it: all have */
	MESSAGE_GATHER =
		24, /* number of the round; from a part, 0: the leader has to execute all processes */
	MESSAGE_WAITS =
		25, /* to a part: request for its waits; from it: which process waits for which; empty: some wait */
	/* Between an analyser and its parent in the tree: a frame from or to an analyser further down. Its number on this connection, from 1; kind; body. The
	 * first is HELLO. BYE: it is gone; to it: it is refused. */
	MESSAGE_VIA = 26,
	/* To an analyser that said HELLO: addresses of another analyser to connect to; an empty text: this one is its parent */
	MESSAGE_PARENT = 27,
	MESSAGE_USES = 28, /* from a part: what its processes use (enum part_use) */
	/* The order of events of a process that is handed over: check/execution/order_handover.c */
	MESSAGE_ORDER = 29,
};

enum process_end {
	END_FINALIZED = 0,
	END_ABORTED = 1,   /* MPI_Abort */
	END_EXITED = 2,    /* exit() without MPI_Finalize */
	END_UNCHECKED = 3, /* its agent stepped aside, with a note: its end is unknown */
	END_VANISHED = 4,  /* without BYE: it crashed or was killed */
	END_STOPPED = 5,   /* ended by Tarry: a deadlock or a hang was reported */
	/* In logs: the launcher killed it inside MPI_Finalize because another process failed. */
	END_IN_FINALIZE = 6,
	/* Only from one analyser to another. */
	END_FAILED = 7, /* it had finalized, and then ended with another exit code than 0 */
};

/* The connecting side */
enum hello_role {
	HELLO_AGENT = 0,
	HELLO_ANALYSER = 1,
};

struct check_hello {
	enum hello_role role;
	uint64_t world;
	uint32_t rank, size; /* size 0: not known yet. Size 1 of an analyser: it cannot reach others */
	uint32_t pid;
	const char *host;    /* its node */
	const char *address; /* of an analyser: its listening address (address.h) */
};

/* A process as counted by the leader. */
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
	/* In a topology: ranks of the neighbours in the order of neighbourhood calls; -1: none */
	uint32_t source_count, dest_count;
	int32_t *sources, *dests;
};

/* A datatype: a basic one, or its parts, in the order of its signature. Parts are announced before
 * types that contain them. */
struct checked_type_part {
	uint32_t type; /* number */
	uint64_t times;
};

struct checked_type {
	uint32_t number; /* 1 … */
	uint32_t basic;  /* enum basic_type; 0: it has parts */
	uint32_t bytes;  /* of a basic type */
	uint32_t part_count;
	struct checked_type_part *parts;
};

/* The operation of a distinct call that other processes take part in. */
enum check_operation {
	OPERATION_NONE = 0,
	OPERATION_SEND = 1,
	OPERATION_RECEIVE = 2,
	OPERATION_COLLECTIVE = 3,
	OPERATION_PROBE = 4,         /* MPI_Probe: waits for a message, without receiving it */
	OPERATION_MATCHED_PROBE = 5, /* MPI_Mprobe, MPI_Improbe: takes it, like a receive */
	OPERATION_WAIT = 6,          /* completes requests: its event lists them */
	OPERATION_WINDOW = 7,        /* synchronisation or access of a window: see `window` */
};

/* The action of an OPERATION_WINDOW. Fences, and creating and freeing windows, are collective
 * calls of the window. */
enum window_operation {
	WINDOW_NONE = 0,
	WINDOW_POST = 1,     /* `ranks`: of the group, in the window */
	WINDOW_START = 2,    /* waits for the posts of `ranks` */
	WINDOW_COMPLETE = 3, /* ends the epoch of WINDOW_START */
	WINDOW_WAIT = 4,     /* waits for the completes of the group of WINDOW_POST; or MPI_Win_test */
	WINDOW_LOCK = 5,     /* of `peer`; CHECK_CALL_SHARED or exclusive */
	WINDOW_UNLOCK = 6,
	WINDOW_LOCK_ALL = 7,
	WINDOW_UNLOCK_ALL = 8,
	WINDOW_FLUSH = 9, /* of `peer`; -1: of all */
	WINDOW_FLUSH_LOCAL = 10,
	WINDOW_SYNC = 11,
	WINDOW_GET = 12, /* accesses to the memory of `peer`: the event has the position */
	WINDOW_PUT = 13,
	WINDOW_ACCUMULATE = 14, /* which one: `operator` and the basic type of `receive` */
	WINDOW_FETCH = 15, /* MPI_Get_accumulate, MPI_Fetch_and_op, MPI_Compare_and_swap: reads and writes */
	/* After the creation, and when an info object changes: `ranks` are bytes, disp_unit, enum window_memory (0: the program's own, 1: MPI's,
	 * 2: shared, 3: dynamic) and enum accumulate_hint. */
	WINDOW_MEMORY = 16,
	WINDOW_LOCKED = 17, /* MPI_Win_lock or MPI_Win_lock_all has returned */
	/* The program read or wrote memory of `peer`, its own or shared: the event has the first byte,
	 * `ranks` the number of bytes. If `tag` is not 0, the buffer of a call did, and `ranks` are runs from
	 * there on. A one-sided operation on this window has its target + 1 as the tag: the buffer is in use
	 * until the operation is complete. */
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
	ASSERTION_STORED = 32, /* with NOSTORE: the process's own memory of the window has changed */
	ASSERTION_BROKEN =
		64, /* of a fence: an access reported by the process violates this one or the last */
};

/* Guarantees that a program waives for its accumulates, by the info object of a window: the order of those of
 * one process at one place, and MPI_NO_OP together with another operation. */
enum accumulate_hint {
	ACCUMULATE_NO_RAW = 1, /* a read after a write */
	ACCUMULATE_NO_WAR = 2,
	ACCUMULATE_NO_WAW = 4,
	ACCUMULATE_UNORDERED = ACCUMULATE_NO_RAW | ACCUMULATE_NO_WAR | ACCUMULATE_NO_WAW,
	ACCUMULATE_SAME_OP = 8,
};

/* `operator` of accesses, in addition to predefined operations, which are odd. */
enum { WINDOW_OPERATOR_NONE = 2 /* MPI_NO_OP */, WINDOW_OPERATOR_SWAP = 4 /* MPI_Compare_and_swap */ };

enum check_call_flag {
	CHECK_CALL_NONBLOCKING = 1,
	CHECK_CALL_PERSISTENT = 2,
	CHECK_CALL_WILDCARD = 4, /* CHANGE_TAKES has its message */
	CHECK_CALL_IN_PLACE = 8,
	CHECK_CALL_BUFFERED = 16, /* modes of sends; none: standard */
	CHECK_CALL_SYNCHRONOUS = 32,
	CHECK_CALL_READY = 64,
	CHECK_CALL_REJECTED = 128,  /* a collective call that MPI rejected: CHANGE_REJECTED */
	CHECK_CALL_SHARED = 256,    /* a shared lock */
	CHECK_CALL_TOGETHER = 1024, /* one of several operations (MPI_Sendrecv): CHANGE_WAITS follows */
	CHECK_CALL_ANY = 512, /* OPERATION_WAIT: one of the requests is enough (MPI_Waitany, MPI_Waitsome) */
	CHECK_CALL_STATUS_IGNORED = 2048, /* MPI_STATUS_IGNORE: the program does not learn the source */
	CHECK_CALL_NEW_BUFFER = 4096,     /* the first buffered send since MPI_Buffer_attach */
	CHECK_CALL_CONTENT = 8192, /* data is compared: a send has a hash, CHANGE_CONTENT follows a receive */
	CHECK_CALL_WATCHED = 16384, /* of loads and stores: the compiler reports all of them */
	CHECK_CALL_ONCE = 32768,    /* of loads: not in a loop, so it does not wait for another process */
};

/* Data of a call: a count of a type. `type` is a number from MESSAGE_TYPE; 0: no data. */
struct check_data {
	uint32_t type;
	uint64_t count;
};

/* Instead of a root's rank: no root; MPI_ROOT and MPI_PROC_NULL of intercommunicators. */
enum check_root { ROOT_NONE = -1, ROOT_SELF = -2, ROOT_OTHER = -3 };

struct distinct_check_call {
	uint32_t number;
	uint32_t flags;
	enum check_operation operation;
	struct check_call call; /* for findings */
	uint64_t comm;          /* identity; for calls on a window or file, its identity */
	/* point-to-point: ranks in the communicator, and in the world for the pair */
	int32_t peer, peer_in_world, tag;
	/* collective */
	int32_t root;      /* rank, or enum check_root */
	uint64_t operator; /* hash of the name of an operation, or of its place with bit 63; 0: none */
	struct check_data send, receive; /* of a send, a receive; of collectives: per peer of each side */
	/* of v- and w-collectives: data for each peer; their counts are 0 elsewhere */
	uint32_t send_list_count, receive_list_count;
	struct check_data *send_list, *receive_list;
	enum window_operation window;
	/* WINDOW_POST, WINDOW_START: ranks in the window's group. Accesses: pairs of the first byte of a run
	 * and its length, relative to the position in the event; rank_count counts both. None: the layout is
	 * unknown. CHECK_CALL_BUFFERED: bytes that the message needs in the attached buffer, and the size of
	 * that buffer; 0: unknown. */
	uint32_t rank_count;
	int64_t *ranks;
	const char *detail; /* other arguments that must agree, such as amode; usually "" */
};

/* An event in MESSAGE_EVENTS: the number of a call, whose operation begins; a send with
 * CHECK_CALL_CONTENT is followed by the hash of its data (0: unknown). A number of 0 is followed by an
 * enum event_change and its numbers.
 *
 * Events are in the order of each thread: operations begin, threads wait for them, and they complete.
 * An operation (a send, receive, collective call or probe) has an implicit number: 0 for the first
 * one that the process began in any thread, and so on. Events refer to it by its distance: 1 is the
 * last one that began. */
enum event_change {
	/* Number of a call (a receive), distance: this call receives the message of a matched probe. */
	CHANGE_RECEIVES = 1,
	/* A position in the ring of unsent_ring.h: all of its events before that were sent. When the rest is
	 * sent for a process that vanished, each event follows its position: events that the process had
	 * sent itself are skipped. */
	CHANGE_POSITION = 2,
	CHANGE_REJECTED = 3, /* number of a collective call that MPI rejected */
	/* Distance, rank of the source, tag (both signed): a receive or probe with a wildcard got this
	 * message, and is complete. */
	CHANGE_TAKES = 5,
	CHANGE_WAITS = 6, /* number of a call (OPERATION_WAIT), count, distances of operations */
	/* Count, distances: a test, or a wait for any, found these complete. After CHANGE_WAITS for all, the
	 * next event shows it. */
	CHANGE_COMPLETES = 7,
	CHANGE_DROPS = 8,   /* distance, 0: no call waits for it (MPI_Request_free); 1: it never happened */
	CHANGE_THREAD = 9,  /* number of a thread (0: the first): the following events are of this thread */
	CHANGE_WINDOW = 10, /* number of a call (OPERATION_WINDOW), target_disp of an access or 0 */
	/* Identity of a communicator, window or file that its process has freed; later
	 * events do not refer to it. */
	CHANGE_ENDS = 11,
	/* Number of a call, distance, bytes and hash (0: unknown) of the data of this receive. Distance 0:
	 * the data of this send is not compared. For a broadcast: the data that the process sent or received,
	 * and the number of the broadcast on its communicator, from 1. */
	CHANGE_CONTENT = 12,
	CHANGE_LEFT = 13, /* number of a thread: it has left the call of its last event */
	/* Only between analysers: a process continues at another analyser (check/parts/part.h). */
	/* Identity of a communicator; number of collective calls that the process made on it; number
	 * that all members made */
	CHANGE_RESUMES_COMM = 14,
	/* Number of a call, of the operation that it began, state (enum operation_state); of a collective call its number on the communicator, of a
	 * receive or probe with a wildcard whose message is known the tag, of a send the hash of its data; the rank of the source of that message, else 0 */
	CHANGE_RESUMES = 15,
	/* Number of operations that have begun; number of the thread's current call, of the last call; 0:
	 * none. Then the events that are not executed. */
	CHANGE_RESUMED = 16,
	/* The message of a receive is known, but its data has not arrived, or no call has received the message of a matched probe: number of the call of the
	 * receive (0: none), distance, rank of the sender, number of its call in its process, number of the message in its channel, hash of the sent data, flags */
	CHANGE_AWAITS = 17,
	/* Data changed in transit: the same up to the number of the message, without the distance; then bytes, hash of the received data, times */
	CHANGE_CHANGED = 18,
	/* Identity, rank of the source in the communicator, tag, number of messages that are complete, flags */
	CHANGE_CHANNEL = 19,
};

enum {
	AWAITS_CERTAIN = 1,
	AWAITS_AGREES = 2, /* the two calls match */
	AWAITS_PROBED = 4  /* a matched probe took the message: the two calls are not compared yet */
};
enum { CHANNEL_UNORDERED = 1, CHANNEL_UNCOMPARED = 2 };

/* A thread of a process, in an answer. */
struct thread_state {
	uint32_t thread;   /* as in CHANGE_THREAD */
	uint32_t call;     /* number of the call of its last event; 0: none */
	bool is_in_call;   /* and has not left it */
	bool is_elsewhere; /* it is in an MPI call without an event, such as MPI_Test or MPI_Iprobe */
	bool is_asleep;    /* in no call: waits for another thread of its process, without a time limit */
	uint64_t entered;  /* number of all its calls */
};

struct check_answer {
	uint64_t question;
	uint64_t position; /* in the ring: everything before it was sent before this */
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

/* A frame around `body`; NULL: empty. A frame that is too long is not put, and makes `out` failed. */
void frame_put(struct message_writer *out, enum message_kind kind, const struct message_writer *body);
/* Takes the next frame, whose kind and body have at most `length_max` bytes. False: it is not whole, or, with in->bad, its length is wrong. */
bool frame_next(struct cursor *in, uint32_t length_max, enum message_kind *kind, struct cursor *body);

#endif
