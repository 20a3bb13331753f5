/* The run as a graph of events, replayed with changed weights: t(v) = max over predecessors u of t(u) + w(u, v).
 *
 *	struct event_graph *graph = event_graph_new(threads, scenarios, count);    scenario 0 is the recorded run
 *	event_graph_call(graph, thread, &call);                in the order of each thread
 *	event_graph_need(graph, &wait, &need, 1);                 after the calls of both sides, in any order
 *	event_graph_finish(graph);
 *	event_graph_end_ns(graph, 1);                          when the run ends in scenario 1
 *	event_graph_free(graph);
 *
 * Events are the starts and ends of calls. Weights are those of the recording:
 *	from the end of a call to the start of the next one of its thread: computing, and scheduling delay
 *	from the start of a call to its end: the time after everything that it needed had come (the residual)
 *	from an event of another thread that it needed to its end: the residual as well, or, if the message had arrived before the call
 *	could wait for it, the estimated time of the transfer
 * So scenario 0 gives exactly the recorded times (event_graph_error_ns). Fruitless tests and the call that ends them are one wait.
 *
 * All scenarios are replayed at once: each event has a vector of shifts, how much later than recorded it is, which it shares with the event before it
 * if they are equal (event_replay.h). Edges lead forward in recorded time, so calls are resolved in the order of their ends. Memory is that of the
 * last calls of each thread. */
#ifndef TARRY_ANALYSIS_WHATIF_EVENT_GRAPH_H
#define TARRY_ANALYSIS_WHATIF_EVENT_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Masks of scenarios have a bit for each. */
enum { SCENARIOS_MAX = 64 };

/* Factors of the recorded times. */
struct scenario_factors {
	double transfer; /* of residuals that are transfers */
	double library;  /* of the rest of the time in calls */
	double delay;    /* of scheduling delays */
	bool is_placed;  /* messages take `moved_ns` longer (struct event_need) */
};

#define FACTORS_RECORDED ((struct scenario_factors){.transfer = 1, .library = 1, .delay = 1})
/* Communication takes no time. */
#define FACTORS_IDEAL_NETWORK ((struct scenario_factors){.transfer = 0, .library = 0, .delay = 1})

/* Effects of scenarios on calls: a bit for each scenario. */
struct call_changes {
	uint64_t removed;   /* takes no time and waits for nobody */
	uint64_t unbound;   /* waits for nobody */
	uint64_t hidden;    /* its transfers take no time, and it takes less time by at least … */
	uint64_t shortened; /* takes less time, as does the other side of its message, … */
	uint64_t evened;    /* its members meet at the mean of their arrivals: they share work evenly */
	int64_t hidden_ns[SCENARIOS_MAX]; /* … so much in each scenario */
	int64_t less_ns[SCENARIOS_MAX];   /* … by so much in each scenario */
};

struct event_call {
	int64_t start, end;
	int64_t delay_before, delay_inside; /* scheduling delays; at most the time before and inside */
	uint32_t work;                      /* kind of the computing before it (event_graph_work) */
	double even;                        /* factor of this computing in scenarios with even work */
	uint32_t changes;                   /* number (event_graph_changes); 0: none */
	uint32_t gains;                     /* number (event_graph_gains); 0: none */
	bool is_fixed;                      /* starts and ends as recorded in all scenarios: MPI_Init */
	bool is_last;                       /* the run of its thread ends where it starts: MPI_Finalize */
	bool is_fruitless;                  /* tests: the wait goes on */
	bool has_work;                      /* between these tests: they are no wait */
	bool is_simple;                     /* never needs anybody */
	bool keeps_time;                    /* neither transfer nor library: input and output, for example */
	bool is_heard;                      /* the listener gets its start (event_graph_listen) */
};

/* The call that waits. */
struct event_wait {
	uint32_t thread;
	int64_t start, end;
};

enum event_need_kind {
	EVENT_NEEDED,
	EVENT_RECEIVER, /* of a message that is not eager */
	EVENT_ANY,      /* a message to a receive from anybody */
	EVENT_PROGRESS, /* a partner that has to be inside a call */
	EVENT_SERIAL,   /* of its own thread: the call ends `transfer_ns` later */
};

/* An event of another thread. */
struct event_need {
	uint32_t thread;
	enum event_need_kind kind;
	int64_t moment;
	int64_t transfer_ns; /* estimated; 0: not known */
	uint64_t absent;     /* scenarios without this edge; never scenario 0 */
	uint32_t changes;    /* of the call: if one side of a message takes less time, so does the other */
	int64_t moved_ns;    /* additional time of the transfer between the new places of its ranks */
	uint64_t queue;      /* EVENT_ANY: receives of the same queue may take each other's messages */
};

/* Needs that several calls share. */
struct shared_events;

struct event_graph *event_graph_new(uint32_t threads, const struct scenario_factors *scenarios,
                                    uint32_t count);
void event_graph_free(struct event_graph *graph);

/* A kind of computing, with a factor for each scenario. Number 0 exists: all factors are 1. */
uint32_t event_graph_work(struct event_graph *graph, const double *factors);
/* In these scenarios such computing also takes `even` times as long, as its call says. */
void event_graph_even_work(struct event_graph *graph, uint32_t kind, uint64_t scenarios);
double event_graph_work_factor(const struct event_graph *graph, uint32_t kind, uint32_t scenario);
uint32_t event_graph_changes(struct event_graph *graph, const struct call_changes *changes);
/* How much less time the computing before one call takes in each scenario. */
uint32_t event_graph_gains(struct event_graph *graph, const int64_t *gains_ns);
/* `heard` gets the shifts of the starts of calls: how much later than recorded they are in each scenario. */
void event_graph_listen(struct event_graph *graph,
                        void (*heard)(void *context, uint32_t thread, const int64_t *shifts), void *context);
void event_graph_call(struct event_graph *graph, uint32_t thread, const struct event_call *call);
/* When the tests began that the call at this time ends; the same time if there are none. Its thread was inside MPI again and again since then. */
int64_t event_graph_tests_since(const struct event_graph *graph, uint32_t thread, int64_t start);
void event_graph_need(struct event_graph *graph, const struct event_wait *wait,
                      const struct event_need *needs, uint32_t count);
/* The same for the first `needed` of several events, which other calls need too. */
struct shared_events *event_graph_share(const struct event_need *needs, uint32_t count, uint32_t scenarios);
void event_graph_need_shared(struct event_graph *graph, const struct event_wait *wait,
                             struct shared_events *shared, uint32_t needed);
void shared_events_release(struct shared_events *shared);
/* In these scenarios, the call ends so much later than an event of its own thread, whatever else it needs. */
void event_graph_replace(struct event_graph *graph, const struct event_wait *wait, int64_t moment, int64_t ns,
                         uint64_t scenarios);
void event_graph_finish(struct event_graph *graph);

/* After event_graph_finish(). Of the last thread to end. */
int64_t event_graph_end_ns(const struct event_graph *graph, uint32_t scenario);
/* Of one thread that has calls. */
int64_t event_graph_thread_end_ns(const struct event_graph *graph, uint32_t thread, uint32_t scenario);
/* The largest difference between recorded ends of calls and those of scenario 0. */
int64_t event_graph_error_ns(const struct event_graph *graph);

/* The longest time of one thread that makes a scenario doubtful. */
struct event_doubts {
	int64_t rematched_ns; /* receives from anybody would have taken other messages */
	int64_t progress_ns; /* waits for a partner to be inside a call, and messages that wait on neither side */
	int64_t tests_ns;    /* tests with work between them: how many there would be is not known */
	uint64_t late_needs; /* edges that came too late for their calls */
};

struct event_doubts event_graph_doubts(const struct event_graph *graph, uint32_t scenario);

#endif
