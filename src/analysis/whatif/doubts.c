#include "analysis/whatif/whatif.h"

const char *const whatif_doubt_names[DOUBTS_END] = {
	[DOUBT_NONE] = "none",
	[DOUBT_THREADS] = "threads",
	[DOUBT_INCOMPLETE] = "incomplete",
	[DOUBT_WILDCARDS] = "wildcards",
	[DOUBT_TESTS] = "tests",
	[DOUBT_PROGRESS] = "progress",
	[DOUBT_CROWDED] = "crowded",
	[DOUBT_CONTENTION] = "contention",
	[DOUBT_EAGER] = "eager",
	[DOUBT_ONE_NODE] = "one_node",
	[DOUBT_UNPLACED] = "unplaced",
	[DOUBT_WITHIN] = "within",
	[DOUBT_BETWEEN] = "between",
	[DOUBT_NO_REMEDY] = "no_remedy",
	[DOUBT_NOT_REPLAYED] = "not_replayed",
};

const char *const whatif_doubt_texts[DOUBTS_END] = {
	[DOUBT_NONE] = "",
	[DOUBT_THREADS] =
		"several threads of a rank communicate, and the trace does not show how they depend on each other",
	[DOUBT_INCOMPLETE] = "calls or messages are missing from the trace",
	[DOUBT_WILDCARDS] = "receives from any source would take other messages",
	[DOUBT_TESTS] = "the program tests for messages while it works, and would test more or less often",
	[DOUBT_PROGRESS] = "an operation makes progress only while its partner is inside MPI",
	[DOUBT_CROWDED] = "ranks wait for CPUs, and would wait at other times",
	[DOUBT_CONTENTION] = "messages compete for the network, and would compete differently",
	[DOUBT_EAGER] = "messages that were eager would wait for their receivers",
	[DOUBT_ONE_NODE] = "all ranks run on one node, and the trace does not show distances within it",
	[DOUBT_UNPLACED] = "the ranks cannot be placed",
	[DOUBT_WITHIN] = "no message within a node shows how long such messages take there",
	[DOUBT_BETWEEN] = "no message between nodes shows how long such messages take there",
	[DOUBT_NO_REMEDY] = "a replay cannot show this fix",
	[DOUBT_NOT_REPLAYED] = "the run was not replayed for this finding",
};
