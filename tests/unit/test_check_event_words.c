/* The words that the agent pushes into the ring of events for calls of MPI. The real agent from its events to the ring, on the fake MPI
 * library; nothing is taken out.
 *
 * Words are written as text:  MPI_Send  an event;  MPI_Send#5  with a hash;  takes 1(2,7);  MPI_Waitall{2,1}, MPI_Waitany{2|1};  completes 1;
 * drops 1;  void 1;  thread 1;  MPI_Mrecv receives 1;  rejected MPI_Bcast;  got 1:6  data of a receive;  comm;  ends. */
#include "agent_stubs.h"

bool message_contents_wanted;

/* Calls */

static void find_status(struct agent_call *call)
{
	static _Thread_local MPI_Status own[FAKE_MANY];
	const int one = call_parameter(call->id, KIND_status), many = call_parameter(call->id, KIND_statuses);
	const int at = one < 0 ? many : one;

	if (at < 0)
		return;
	call->status = (void *)(uintptr_t)call->arguments[at];
	if (!call->status) {
		memcpy(own, fake->statuses, sizeof own);
		call->status = own;
	}
}

void check_enter(struct agent_call *call, int line)
{
	current_line = line;
	agent_self->entered++;
	find_status(call);
	requests_before(call);
	events_before(call);
}

void check_leave(struct agent_call *call, int result)
{
	requests_after(call, result);
	events_after(call, result);
}

void check_require(bool holds, const char *condition, int line)
{
	if (holds)
		return;
	fprintf(stderr, "line %d: %s\n", line, condition);
	_exit(1);
}

/* Words as text */

static char text[8192];

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void add(const char *format, ...)
{
	const size_t size = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + size, sizeof text - size, format, arguments);
	va_end(arguments);
}

static uint64_t word_at(uint64_t position)
{
	return unsent_events->words[position % UNSENT_WORDS];
}

static uint32_t distance_at(uint64_t first, uint64_t i)
{
	return (uint32_t)(word_at(first + i / 2) >> 32 * (i % 2));
}

static uint64_t add_waits(const struct announced_call *call, uint64_t at)
{
	const uint64_t count = word_at(at++);

	add("%s{", all_calls[call->call.call.function].name);
	for (uint64_t i = 0; i < count; i++)
		add("%s%u", i ? call->call.flags & CHECK_CALL_ANY ? "|" : "," : "", distance_at(at, i));
	add("} ");
	return at + (count + 1) / 2;
}

/* The text after the name of a call. */
static const char *marks(const struct announced_call *call)
{
	return call->call.flags & CHECK_CALL_TOGETHER ? "&" : "";
}

static uint64_t add_word(uint64_t word, uint64_t at)
{
	const uint64_t number = word >> UNSENT_KIND_BITS;
	const enum unsent_kind kind = word % (1 << UNSENT_KIND_BITS);
	const bool names_call = kind <= UNSENT_REJECTED || kind == UNSENT_WAITS || kind == UNSENT_CONTENT;
	const struct announced_call *call = names_call ? numbered_call(number) : NULL;
	const char *name = call ? all_calls[call->call.call.function].name : "";

	switch (kind) {
	case UNSENT_EVENT:
		add("%s%s ", name, marks(call));
		return at;
	case UNSENT_EVENT_WITH:
		add(word_at(at) ? "%s#%d " : "%s ", name, (int)word_at(at));
		return at + 1;
	case UNSENT_RECEIVES:
		add("%s receives %d ", name, (int)word_at(at));
		return at + 1;
	case UNSENT_REJECTED:
		add("rejected %s ", name);
		return at;
	case UNSENT_CONTENT:
		add("got %d:%d ", (int)word_at(at), (int)word_at(at + 2));
		return at + 3;
	case UNSENT_TAKES:
		add("takes %d(%d,%d) ", (int)number, (int)(word_at(at) >> 32), (int)word_at(at));
		return at + 1;
	case UNSENT_WAITS:
		return add_waits(call, at);
	case UNSENT_COMPLETES:
		for (uint64_t i = 0; i < number; i++)
			add("completes %u ", distance_at(at, i));
		return at + (number + 1) / 2;
	case UNSENT_DROPS:
		add("%s %d ", number & 1 ? "void" : "drops", (int)(number >> 1));
		return at;
	case UNSENT_THREAD:
		add("thread %d ", (int)number);
		return at;
	case UNSENT_COMM:
		add("comm ");
		return at;
	case UNSENT_ENDS:
		add("ends ");
		return at + 1;
	default:
		add("?? ");
		return at + 1;
	}
}

/* All that was pushed since the last time. */
static void expect_words(const char *expected, int line)
{
	text[0] = '\0';
	while (unsent_events->tail != unsent_events->head)
		unsent_events->tail = add_word(word_at(unsent_events->tail), unsent_events->tail + 1);
	if (strcmp(text, expected) == 0)
		return;
	fprintf(stderr, "line %d: pushed: %s\n   expected: %s\n", line, text, expected);
	_exit(1);
}
#define EXPECT(words) expect_words(words, __LINE__)

void run_scenario(void (*scenario)(void))
{
	int status = 1;
	pid_t child;

	fake_reset();
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		signal(SIGSEGV, SIG_DFL);
		agent_self = &first_thread;
		checked.world = 77;
		checked.rank = 2;
		checked.size = 4;
		requests_start();
		comms_start();
		checked.phase = AGENT_IN_MPI;
		if (!unsent_events_start())
			_exit(1);
		comms_announce();
		EXPECT("comm ");
		scenario();
		_exit(0);
	}
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
}

static char buffer[64];

#define WORLD MPI_COMM_WORLD
#define SEND(to) DO(Send, buffer, 1, MPI_INT, to, 7, WORLD)
#define ISEND(request) DO(Isend, buffer, 1, MPI_INT, 1, 0, WORLD, request)
#define IRECV(from, request) DO(Irecv, buffer, 1, MPI_INT, from, 7, WORLD, request)
#define WAIT(request) DO(Wait, request, MPI_STATUS_IGNORE)

static void status_is(int i, int source, int tag)
{
	fake->statuses[i] = (MPI_Status){.MPI_SOURCE = source, .MPI_TAG = tag};
}

/* Scenarios */

static void scenario_blocking(void)
{
	SEND(1);
	DO(Recv, buffer, 1, MPI_INT, 1, 7, WORLD, MPI_STATUS_IGNORE);
	DO(Barrier, WORLD);
	SEND(MPI_PROC_NULL);
	EXPECT("MPI_Send MPI_Recv MPI_Barrier ");
}
SCENARIO(blocking)

static void scenario_wildcards(void)
{
	status_is(0, 3, 7);
	DO(Recv, buffer, 1, MPI_INT, MPI_ANY_SOURCE, 7, WORLD, MPI_STATUS_IGNORE);
	EXPECT("MPI_Recv takes 1(3,7) ");
}
SCENARIO(wildcards)

/* The execution does not wait for what matching waits for. */
static void scenario_second_wildcard_first(void)
{
	MPI_Request first, second, named;

	IRECV(MPI_ANY_SOURCE, &first);
	DO(Irecv, buffer, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &second);
	IRECV(1, &named);
	EXPECT("MPI_Irecv MPI_Irecv MPI_Irecv ");
	status_is(0, 3, 7);
	WAIT(&second);
	EXPECT("MPI_Wait{2} takes 2(3,7) ");
	WAIT(&named);
	EXPECT("MPI_Wait{1} ");
	status_is(0, 0, 7);
	WAIT(&first);
	EXPECT("MPI_Wait{3} takes 3(0,7) ");
}
SCENARIO(second_wildcard_first)

static void scenario_waits(void)
{
	MPI_Request requests[3];
	int index, count, indices[3];

	for (int i = 0; i < 3; i++)
		ISEND(&requests[i]);
	fake->index = 1;
	DO(Waitany, 3, requests, &index, MPI_STATUS_IGNORE);
	EXPECT("MPI_Isend MPI_Isend MPI_Isend MPI_Waitany{3|2|1} completes 2 ");
	fake->outcount = 1;
	fake->indices[0] = 0;
	DO(Waitsome, 3, requests, &count, indices, MPI_STATUSES_IGNORE);
	EXPECT("MPI_Waitsome{3|1} completes 3 ");
	DO(Waitall, 3, requests, MPI_STATUSES_IGNORE);
	EXPECT("MPI_Waitall{1} ");
	DO(Waitall, 3, requests, MPI_STATUSES_IGNORE);
	EXPECT("");
}
SCENARIO(waits)

static void scenario_tests(void)
{
	MPI_Request requests[2], wildcard;
	int flag;

	ISEND(&requests[0]);
	DO(Ibarrier, WORLD, &requests[1]);
	IRECV(MPI_ANY_SOURCE, &wildcard);
	EXPECT("MPI_Isend MPI_Ibarrier MPI_Irecv ");
	fake->flag = 0;
	DO(Testall, 2, requests, &flag, MPI_STATUSES_IGNORE);
	EXPECT("");
	fake->flag = 1;
	DO(Testall, 2, requests, &flag, MPI_STATUSES_IGNORE);
	EXPECT("completes 3 completes 2 ");
	status_is(0, 1, 7);
	DO(Test, &wildcard, &flag, MPI_STATUS_IGNORE);
	EXPECT("takes 1(1,7) ");
}
SCENARIO(tests)

/* What events know nothing of may end a wait for any. */
static void scenario_unknown_requests(void)
{
	MPI_Request requests[2];
	int index;

	ISEND(&requests[0]);
	DO(Isend, buffer, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, &requests[1]);
	fake->index = 1;
	DO(Waitany, 2, requests, &index, MPI_STATUS_IGNORE);
	EXPECT("MPI_Isend ");
	DO(Isend, buffer, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, &requests[1]);
	DO(Waitall, 2, requests, MPI_STATUSES_IGNORE);
	EXPECT("MPI_Waitall{1} ");
}
SCENARIO(unknown_requests)

static void scenario_sendrecv(void)
{
	char other[64];

	DO(Sendrecv, buffer, 1, MPI_INT, 1, 0, other, 1, MPI_INT, 3, 0, WORLD, MPI_STATUS_IGNORE);
	EXPECT("MPI_Sendrecv& MPI_Sendrecv& MPI_Sendrecv{2,1} ");
	DO(Sendrecv, buffer, 1, MPI_INT, MPI_PROC_NULL, 0, other, 1, MPI_INT, 3, 0, WORLD, MPI_STATUS_IGNORE);
	EXPECT("MPI_Sendrecv ");
	status_is(0, 0, 4);
	DO(Sendrecv, buffer, 1, MPI_INT, 1, 0, other, 1, MPI_INT, MPI_ANY_SOURCE, 4, WORLD,
	   MPI_STATUS_IGNORE);
	EXPECT("MPI_Sendrecv& MPI_Sendrecv& MPI_Sendrecv{2,1} takes 1(0,4) ");
}
SCENARIO(sendrecv)

static void scenario_probes(void)
{
	MPI_Message message;
	MPI_Request request;
	int flag;

	status_is(0, 1, 7);
	DO(Probe, MPI_ANY_SOURCE, 7, WORLD, &fake->statuses[0]);
	DO(Probe, 1, 7, WORLD, &fake->statuses[0]);
	EXPECT("MPI_Probe takes 1(1,7) MPI_Probe ");
	fake->flag = 0;
	DO(Iprobe, MPI_ANY_SOURCE, 7, WORLD, &flag, &fake->statuses[0]);
	EXPECT("");
	fake->flag = 1;
	DO(Iprobe, MPI_ANY_SOURCE, 7, WORLD, &flag, &fake->statuses[0]);
	DO(Iprobe, 1, 7, WORLD, &flag, &fake->statuses[0]);
	EXPECT("MPI_Iprobe takes 1(1,7) MPI_Iprobe completes 1 ");
	DO(Mprobe, MPI_ANY_SOURCE, 7, WORLD, &message, &fake->statuses[0]);
	EXPECT("MPI_Mprobe takes 1(1,7) ");
	DO(Mrecv, buffer, 1, MPI_INT, &message, &fake->statuses[0]);
	EXPECT("MPI_Mrecv receives 1 ");
	DO(Improbe, 1, 7, WORLD, &flag, &message, &fake->statuses[0]);
	EXPECT("MPI_Improbe completes 1 ");
	DO(Imrecv, buffer, 1, MPI_INT, &message, &request);
	WAIT(&request);
	EXPECT("MPI_Imrecv receives 1 ");
}
SCENARIO(probes)

static void scenario_persistent(void)
{
	MPI_Request requests[3];

	DO(Send_init, buffer, 1, MPI_INT, 1, 0, WORLD, &requests[0]);
	DO(Recv_init, buffer, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &requests[1]);
	EXPECT("");
	for (int i = 0; i < 2; i++) {
		DO(Startall, 2, requests);
		EXPECT("MPI_Send_init MPI_Recv_init ");
		status_is(1, 3, 0);
		DO(Waitall, 2, requests, MPI_STATUSES_IGNORE);
		EXPECT("MPI_Waitall{2,1} takes 1(3,0) ");
	}
	DO(Start, &requests[0]);
	DO(Request_free, &requests[0]);
	DO(Request_free, &requests[1]);
	EXPECT("MPI_Send_init drops 1 ");
}
SCENARIO(persistent)

static void scenario_persistent_collective(void)
{
	MPI_Request request;

	DO(Barrier_init, WORLD, MPI_INFO_NULL, &request);
	EXPECT("MPI_Barrier_init comm ");
	DO(Start, &request);
	WAIT(&request);
	EXPECT("MPI_Barrier_init MPI_Wait{1} ");
	DO(Request_free, &request);
	EXPECT("ends ");
}
SCENARIO(persistent_collective)

static void scenario_partitioned(void)
{
	MPI_Request request;

	DO(Psend_init, buffer, 4, 1, MPI_INT, 1, 0, WORLD, MPI_INFO_NULL, &request);
	EXPECT("comm ");
	DO(Start, &request);
	EXPECT("MPI_Psend_init ");
	DO(Pready_range, 0, 3, request);
	WAIT(&request);
	DO(Request_free, &request);
	EXPECT("MPI_Wait{1} ");
}
SCENARIO(partitioned)

static void scenario_failures(void)
{
	MPI_Request request;

	fake->codes[CALL_Send] = MPI_ERR_RANK;
	SEND(1);
	EXPECT("MPI_Send void 1 ");
	fake->codes[CALL_Recv] = MPI_ERR_RANK;
	DO(Recv, buffer, 1, MPI_INT, MPI_ANY_SOURCE, 7, WORLD, MPI_STATUS_IGNORE);
	EXPECT("MPI_Recv void 1 ");
	fake->codes[CALL_Barrier] = MPI_ERR_COMM;
	DO(Barrier, WORLD);
	EXPECT("MPI_Barrier void 1 ");
	fake->codes[CALL_Mprobe] = MPI_ERR_COMM;
	DO(Mprobe, 1, 7, WORLD, &(MPI_Message){0}, &fake->statuses[0]);
	EXPECT("MPI_Mprobe void 1 ");
	ISEND(&request);
	DO(Request_free, &request);
	EXPECT("MPI_Isend drops 1 ");
}
SCENARIO(failures)

static void scenario_cancelled(void)
{
	MPI_Request send, receive;

	ISEND(&send);
	IRECV(MPI_ANY_SOURCE, &receive);
	DO(Cancel, &send);
	DO(Cancel, &receive);
	fake->statuses[0].cancelled = 1;
	WAIT(&send);
	WAIT(&receive);
	EXPECT("MPI_Isend MPI_Irecv MPI_Wait{2} void 2 MPI_Wait{1} void 1 ");
}
SCENARIO(cancelled)

/* Each receive gets its content, once. */
static void scenario_contents(void)
{
	MPI_Request requests[3];
	MPI_Message message;

	contents_compared = true;
	SEND(1);
	DO(Recv, buffer, 1, MPI_INT, 1, 7, WORLD, MPI_STATUS_IGNORE);
	EXPECT("MPI_Send#5 MPI_Recv got 1:6 ");
	status_is(0, 3, 7);
	DO(Recv, buffer, 1, MPI_INT, MPI_ANY_SOURCE, 7, WORLD, MPI_STATUS_IGNORE);
	EXPECT("MPI_Recv got 1:6 takes 1(3,7) ");
	IRECV(MPI_ANY_SOURCE, &requests[0]);
	IRECV(1, &requests[1]);
	EXPECT("MPI_Irecv MPI_Irecv ");
	WAIT(&requests[1]);
	EXPECT("MPI_Wait{1} got 1:7 ");
	WAIT(&requests[0]);
	EXPECT("MPI_Wait{2} takes 2(3,7) got 2:7 ");
	DO(Mprobe, 1, 7, WORLD, &message, &fake->statuses[0]);
	DO(Imrecv, buffer, 1, MPI_INT, &message, &requests[0]);
	EXPECT("MPI_Mprobe MPI_Imrecv receives 1 ");
	WAIT(&requests[0]);
	EXPECT("got 1:7 ");
	DO(Recv_init, buffer, 1, MPI_INT, 1, 0, WORLD, &requests[0]);
	DO(Send_init, buffer, 1, MPI_INT, 1, 0, WORLD, &requests[1]);
	for (int i = 0; i < 2; i++) {
		DO(Startall, 2, requests);
		EXPECT("MPI_Recv_init MPI_Send_init#7 ");
		DO(Waitall, 2, requests, MPI_STATUSES_IGNORE);
		EXPECT("MPI_Waitall{2,1} got 2:7 ");
	}
}
SCENARIO(contents)

/* Of the root, which is rank 2 here, before the call, of others after it. */
static void scenario_broadcasts(void)
{
	MPI_Request requests[2];
	MPI_Comm other;

	contents_compared = true;
	DO(Bcast, buffer, 1, MPI_INT, 2, WORLD);
	DO(Bcast, buffer, 1, MPI_INT, 1, WORLD);
	EXPECT("MPI_Bcast got 1:5 MPI_Bcast got 2:6 ");
	DO(Comm_dup, WORLD, &other);
	EXPECT("MPI_Comm_dup comm ");
	DO(Ibcast, buffer, 1, MPI_INT, 2, WORLD, &requests[0]);
	DO(Ibcast, buffer, 1, MPI_INT, 1, other, &requests[1]);
	EXPECT("MPI_Ibcast MPI_Ibcast ");
	WAIT(&requests[1]);
	EXPECT("MPI_Wait{1} got 1:7 ");
	WAIT(&requests[0]);
	EXPECT("MPI_Wait{2} got 3:5 ");
	fake->codes[CALL_Bcast] = MPI_ERR_OTHER;
	DO(Bcast, buffer, 1, MPI_INT, 1, WORLD);
	EXPECT("MPI_Bcast got 4:0 ");
}
SCENARIO(broadcasts)

/* The data of a receive is unknown: it failed, was cancelled, or was freed. */
static void scenario_unknown_contents(void)
{
	MPI_Request receive;

	contents_compared = true;
	fake->codes[CALL_Recv] = MPI_ERR_TRUNCATE;
	DO(Recv, buffer, 1, MPI_INT, 1, 7, WORLD, MPI_STATUS_IGNORE);
	EXPECT("MPI_Recv got 1:0 ");
	fake->codes[CALL_Recv] = MPI_SUCCESS;
	IRECV(1, &receive);
	DO(Request_free, &receive);
	EXPECT("MPI_Irecv drops 1 got 1:0 ");
	IRECV(1, &receive);
	DO(Cancel, &receive);
	fake->statuses[0].cancelled = 1;
	WAIT(&receive);
	EXPECT("MPI_Irecv MPI_Wait{1} void 1 ");
}
SCENARIO(unknown_contents)

/* A failed wait may leave anything in the status. */
static void scenario_no_such_source(void)
{
	MPI_Request request;

	IRECV(MPI_ANY_SOURCE, &request);
	status_is(0, 99, 7);
	WAIT(&request);
	EXPECT("MPI_Irecv MPI_Wait{1} completes 1 ");
}
SCENARIO(no_such_source)

static void scenario_communicators(void)
{
	MPI_Comm comm;
	MPI_Request request;

	fake->other_size = 4;
	DO(Comm_dup, WORLD, &comm);
	EXPECT("MPI_Comm_dup comm ");
	DO(Isend, buffer, 1, MPI_INT, 1, 0, comm, &request);
	DO(Comm_free, &comm);
	EXPECT("MPI_Isend MPI_Comm_free "); /* its send is under way */
	WAIT(&request);
	EXPECT("MPI_Wait{2} ends ");
	DO(Comm_dup, WORLD, &comm);
	DO(Comm_free, &comm);
	EXPECT("MPI_Comm_dup comm MPI_Comm_free ends ");
}
SCENARIO(communicators)

static void scenario_communicator_with_receives(void)
{
	MPI_Comm comm;
	MPI_Request wildcard, named;

	fake->other_size = 4;
	DO(Comm_dup, WORLD, &comm);
	DO(Irecv, buffer, 1, MPI_INT, MPI_ANY_SOURCE, 7, comm, &wildcard);
	DO(Irecv, buffer, 1, MPI_INT, 1, 7, comm, &named);
	DO(Comm_free, &comm);
	EXPECT("MPI_Comm_dup comm MPI_Irecv MPI_Irecv MPI_Comm_free ");
	WAIT(&named);
	EXPECT("MPI_Wait{2} "); /* matching still waits for the other */
	status_is(0, 1, 7);
	WAIT(&wildcard);
	EXPECT("MPI_Wait{3} takes 3(1,7) ends ");
}
SCENARIO(communicator_with_receives)

static void *other_thread(void *unused)
{
	static struct agent_thread second = {.number = 1};

	agent_self = &second;
	SEND(1);
	return unused;
}

static void scenario_threads(void)
{
	pthread_t thread;

	checked.shared = true;
	SEND(1);
	pthread_create(&thread, NULL, other_thread, NULL);
	pthread_join(thread, NULL);
	SEND(1);
	SEND(1);
	EXPECT("MPI_Send thread 1 MPI_Send thread 0 MPI_Send MPI_Send ");
}
SCENARIO(threads)

/* A communicator that ends in its own frame must not use memory permanently, however often. */
static void scenario_many_communicators(void)
{
	enum { MANY = 100000 };
	MPI_Comm comm;

	fake->other_size = 4;
	for (int i = 0; i < MANY; i++) {
		DO(Comm_dup, WORLD, &comm);
		DO(Comm_free, &comm);
		unsent_events->tail = unsent_events->head;
	}
	require(forgotten > 0);
	require(unsent_events->frame_bytes <= UNSENT_FRAME_BYTES);
}
SCENARIO(many_communicators)

/* More than fit into a wait: the others complete by separate words. */
static void scenario_large_wait(void)
{
	enum { MANY = PUSHED_WAITS_MAX + 2 };
	static MPI_Request requests[MANY];
	uint64_t count;

	for (int i = 0; i < MANY; i++)
		DO(Isend, buffer, 1, MPI_INT, 1, 0, WORLD, &requests[i]);
	unsent_events->tail = unsent_events->head;
	DO(Waitall, MANY, requests, MPI_STATUSES_IGNORE);
	count = word_at(unsent_events->tail + 1);
	require(word_at(unsent_events->tail) % (1 << UNSENT_KIND_BITS) == UNSENT_WAITS);
	require(count > PUSHED_WAITS_MAX - 2 && count <= PUSHED_WAITS_MAX);
	unsent_events->tail += 2 + (count + 1) / 2;
	EXPECT(count == PUSHED_WAITS_MAX ? "completes 2 completes 1 "
	                                 : "completes 3 completes 2 completes 1 ");
}
SCENARIO(large_wait)

/* The call of the last event. */
static const struct announced_call *last_call(void)
{
	return numbered_call(word_at(unsent_events->head - 1) >> UNSENT_KIND_BITS);
}

static bool sends(uint64_t count)
{
	return last_call()->send.count == count && !last_call()->send.type == !count;
}

static bool gets(uint64_t count)
{
	return last_call()->receive.count == count && !last_call()->receive.type == !count;
}

/* The significant data in this process, which is rank 2. */
static void scenario_data_of_collectives(void)
{
	int counts[] = {1, 2, 3, 4}, places[] = {0, 1, 3, 6};
	char other[64];

	DO(Gather, buffer, 3, MPI_INT, other, 5, MPI_INT, 2, WORLD);
	require(sends(3) && gets(5) && last_call()->call.root == 2);
	DO(Gather, buffer, 3, MPI_INT, NULL, -1, 0, 0, WORLD);
	require(sends(3) && gets(0));
	DO(Gather, MPI_IN_PLACE, 3, MPI_INT, other, 5, MPI_INT, 2, WORLD);
	require(sends(0) && gets(5) && last_call()->call.flags & CHECK_CALL_IN_PLACE);
	DO(Scatter, buffer, 3, MPI_INT, other, 5, MPI_INT, 0, WORLD);
	require(sends(0) && gets(5));
	DO(Bcast, buffer, 7, MPI_INT, 2, WORLD);
	require(sends(7) && gets(0));
	DO(Bcast, buffer, 7, MPI_INT, 1, WORLD);
	require(sends(0) && gets(7));
	DO(Allreduce, buffer, other, 2, MPI_INT, MPI_SUM, WORLD);
	require(sends(2) && gets(0) && last_call()->call.operator);
	DO(Gatherv, buffer, 3, MPI_INT, other, counts, places, MPI_INT, 2, WORLD);
	require(sends(3) && last_call()->call.receive_list_count == 4);
	require(last_call()->receive_list[3].count == 4);
	DO(Alltoallv, buffer, counts, places, MPI_INT, other, counts, places, MPI_INT, WORLD);
	require(last_call()->call.send_list_count == 4 && last_call()->send_list[1].count == 2);
	require(last_call()->call.receive_list_count == 4 && sends(0) && gets(0));
	DO(Reduce_scatter, buffer, other, counts, MPI_INT, MPI_SUM, WORLD);
	require(last_call()->call.receive_list_count == 4 && last_call()->call.send_list_count == 0);
	DO(Barrier, WORLD);
	require(sends(0) && gets(0));
}
SCENARIO(data_of_collectives)

/* Equal calls are one; numbers start again when they are forgotten, but for calls of requests under way. */
static void scenario_numbers(void)
{
	MPI_Request request;
	uint32_t number;

	for (int i = 0; i < 3; i++)
		SEND(1);
	require(last_call()->number == 1);
	ISEND(&request);
	number = last_call()->number;
	require(number == 2 && unsent_events->frame_bytes > 0);
	for (int tag = 0; !forgotten; tag++)
		DO(Send, buffer, 1, MPI_INT, 1, tag, WORLD);
	require(last_call()->number == 1);
	EXPECT("MPI_Send ");
	WAIT(&request);
	EXPECT("MPI_Wait{8192} ");
	require(unsent_events->current_call == ((uint64_t)2 << 1));
}
SCENARIO(numbers)

/* Writers wait for room. */
static void scenario_full_ring(void)
{
	uint64_t most = 0;

	for (uint64_t i = 0; i < 3 * UNSENT_WORDS; i++) {
		SEND(1);
		require(unsent_events->head - unsent_events->tail <= UNSENT_WORDS);
		most = unsent_events->head - unsent_events->tail > most
		               ? unsent_events->head - unsent_events->tail
		               : most;
	}
	require(most == UNSENT_WORDS);
}
SCENARIO(full_ring)

/* Communicators have identities that do not depend on handles; a part of one has its members by their ranks in the world. */
static void scenario_identities(void)
{
	MPI_Comm first, second;
	uint64_t identities[2];

	fake->other_size = 4;
	DO(Comm_dup, WORLD, &first);
	DO(Comm_dup, WORLD, &second);
	identities[0] = comm_find(HANDLE(first))->identity;
	identities[1] = comm_find(HANDLE(second))->identity;
	require(identities[0] != identities[1]);
	require(identities[0] != comm_find(HANDLE(WORLD))->identity);
	require(strcmp(comm_find(HANDLE(first))->announced->comm.name, "made by MPI_Comm_dup") == 0);
	require(strcmp(comm_find(HANDLE(WORLD))->announced->comm.name, "MPI_COMM_WORLD") == 0);
	require(comm_peer(comm_find(HANDLE(WORLD)), 3) == 3 && comm_peer(comm_find(HANDLE(WORLD)), 4) == -1);
	DO(Comm_free, &first);
	require(!comm_find(HANDLE(first)) || first == MPI_COMM_NULL);
	require(comm_find(HANDLE(second))->identity == identities[1]);
}
SCENARIO(identities)

int main(void)
{
	const struct CMUnitTest all[] = {
		cmocka_unit_test(blocking),
		cmocka_unit_test(wildcards),
		cmocka_unit_test(second_wildcard_first),
		cmocka_unit_test(waits),
		cmocka_unit_test(tests),
		cmocka_unit_test(unknown_requests),
		cmocka_unit_test(sendrecv),
		cmocka_unit_test(probes),
		cmocka_unit_test(persistent),
		cmocka_unit_test(persistent_collective),
		cmocka_unit_test(partitioned),
		cmocka_unit_test(failures),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(contents),
		cmocka_unit_test(broadcasts),
		cmocka_unit_test(unknown_contents),
		cmocka_unit_test(no_such_source),
		cmocka_unit_test(communicators),
		cmocka_unit_test(communicator_with_receives),
		cmocka_unit_test(threads),
		cmocka_unit_test(many_communicators),
		cmocka_unit_test(large_wait),
		cmocka_unit_test(data_of_collectives),
		cmocka_unit_test(numbers),
		cmocka_unit_test(full_ring),
		cmocka_unit_test(identities),
	};

	return cmocka_run_group_tests(all, NULL, NULL);
}
