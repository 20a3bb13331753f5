#include "output/report/fields.h"

#include "analysis/model/file_usage.h"
#include "analysis/whatif/remedy.h"
#include "output/report/parts.h"

const struct json_field efficiency_fields[] = {
	JSON_FIELD(efficiency, "parallel", REAL, parallel, "mean computing time / length of the run"),
	JSON_FIELD(efficiency, "load_balance", REAL, load_balance, "mean computing time / longest"),
	JSON_FIELD(efficiency, "communication", REAL, communication, "longest computing time / length"),
	{0},
};

const struct json_field hybrid_fields[] = {
	JSON_FIELD(hybrid_efficiency, "parallel", REAL, parallel, "`efficiency.parallel` × `openmp`"),
	JSON_FIELD(hybrid_efficiency, "openmp", REAL, openmp,
                   "useful time of the threads / computing time × threads of the largest team"),
	JSON_FIELD(hybrid_efficiency, "threads", COUNT, threads,
                   "threads of the largest team of each process, in all"),
	{0},
};

const struct json_field communication_fields[] = {
	JSON_FIELD(communication_parts, "serialisation", REAL, serialisation,
                   "longest computing time / length on an ideal network"),
	JSON_FIELD(communication_parts, "transfer", REAL, transfer, "length on an ideal network / length"),
	{0},
};

const struct json_field counted_fields[] = {
	JSON_FIELD(counted_work, "computing_s", SECONDS, computing_ns,
                   "computing time that the counts cover, all threads"),
	JSON_FIELD(counted_work, "cycles", EXACT, cycles, "cycles in this time; null if not counted"),
	JSON_FIELD(counted_work, "instructions", EXACT, instructions,
                   "instructions in this time; null if not counted"),
	JSON_FIELD(counted_work, "instructions_per_cycle", EXACT, instructions_per_cycle,
                   "instructions / cycles; null if one is not known"),
	JSON_FIELD(counted_work, "cycles_per_s", EXACT, cycles_per_s,
                   "cycles / computing_s; null if one is not known"),
	JSON_FIELD(counted_work, "cpu_s", EXACT, cpu_s, "CPU time in this time; null if not counted"),
	{0},
};

const struct json_field run_fields[] = {
	JSON_FIELD(run_spans, "length_s", SECONDS, length_ns, "run time of the longest process"),
	JSON_FIELD(run_spans, "time_s", SECONDS, time_ns, "sum over all threads"),
	JSON_FIELD(run_spans, "elapsed_s", SECONDS, elapsed_ns, "from the first start to the last end"),
	{0},
};

const struct json_field run_sum_fields[] = {
	JSON_FIELD(figures, "computing_s", SECONDS, computing_ns, "outside calls, all threads"),
	JSON_FIELD(figures, "ready_s", SECONDS, parts.ready_ns,
                   "ready to run without a CPU, part of computing_s"),
	JSON_FIELD(figures, "blocked_s", SECONDS, parts.blocked_ns,
                   "blocked in the kernel (sleep, input and output, page faults), part of computing_s"),
	JSON_FIELD(figures, "communication_s", SECONDS, communication_ns, "inside calls, all threads"),
	JSON_FIELD(figures, "tool_s", SECONDS, tool_ns, "inside the recorder"),
	JSON_FIELD(figures, "unrecorded_s", SECONDS, unrecorded_ns, "lost in the middle of a trace"),
	{0},
};

const struct json_field run_edge_fields[] = {
	JSON_FIELD(run_spans, "init_s", SECONDS, init_ns, "inside MPI_Init, all processes"),
	JSON_FIELD(run_spans, "finalize_s", SECONDS, finalize_ns, "inside MPI_Finalize, all processes"),
	{0},
};

const struct json_field rank_time_fields[] = {
	JSON_FIELD(rank_figures, "length_s", SECONDS, length_ns, "run time"),
	JSON_FIELD(rank_figures, "computing_s", SECONDS, computing_ns, "outside calls, mean of its threads"),
	JSON_FIELD(rank_figures, "ready_s", SECONDS, parts.ready_ns,
                   "ready to run without a CPU, part of computing_s"),
	JSON_FIELD(rank_figures, "blocked_s", SECONDS, parts.blocked_ns,
                   "blocked in the kernel (sleep, input and output, page faults), part of computing_s"),
	JSON_FIELD(rank_figures, "communication_s", SECONDS, communication_ns,
                   "inside calls, mean of its threads"),
	JSON_FIELD(rank_figures, "without_processor_s", SECONDS, without_processor_ns,
                   "ready to run without a CPU, part of both, mean of its threads"),
	{0},
};

const struct json_field rank_fields[] = {
	JSON_FIELD(rank_figures, "init_s", SECONDS, init_ns, "inside MPI_Init"),
	JSON_FIELD(rank_figures, "finalize_s", SECONDS, finalize_ns, "inside MPI_Finalize"),
	JSON_FIELD(rank_figures, "calls", COUNT, calls, "calls of MPI and UPC"),
	JSON_FIELD(rank_figures, "sent_bytes", COUNT, sent_bytes, "sent by all calls"),
	JSON_FIELD(rank_figures, "received_bytes", COUNT, received_bytes, "received by all calls"),
	{0},
};

const struct json_field phase_fields[] = {
	JSON_FIELD(phase_figures, "name", TEXT, name, "name of the region or phase"),
	JSON_FIELD(phase_figures, "path", TEXT, path, "with the phases around it, the outermost first"),
	JSON_FIELD(phase_figures, "processes", COUNT32, processes, "processes that entered it"),
	JSON_FIELD(phase_figures, "times", COUNT, times, "how often they entered it"),
	JSON_FIELD(phase_figures, "calls", COUNT, calls, "calls in it that communicate"),
	JSON_FIELD(phase_figures, "length_s", SECONDS, length_ns, "the longest time of a process in it"),
	JSON_FIELD(phase_figures, "time_s", SECONDS, time_ns, "sum over all threads"),
	JSON_FIELD(phase_figures, "computing_s", SECONDS, computing_ns, "outside calls, all threads"),
	JSON_FIELD(phase_figures, "communication_s", SECONDS, communication_ns, "inside calls, all threads"),
	{0},
};

const struct json_field iteration_fields[] = {
	JSON_FIELD(iteration, "count", COUNT, count, "number of iterations"),
	JSON_FIELD(iteration, "mean_s", SECONDS, mean_ns, "mean length"),
	JSON_FIELD(iteration, "min_s", SECONDS, min_ns, "the shortest"),
	JSON_FIELD(iteration, "max_s", SECONDS, max_ns, "the longest"),
	JSON_FIELD(iteration, "first_third_s", SECONDS, first_third_ns, "mean of the first third"),
	JSON_FIELD(iteration, "last_third_s", SECONDS, last_third_ns, "mean of the last third"),
	JSON_FIELD(iteration, "share", REAL, part, "part of the run in iterations"),
	{0},
};

const struct json_field iteration_group_fields[] = {
	JSON_FIELD(iteration_group, "first", COUNT, first, "number of the first iteration, from 1"),
	JSON_FIELD(iteration_group, "count", COUNT, count, "number of iterations"),
	JSON_FIELD(iteration_group, "length_s", SECONDS, length_ns, "mean length"),
	JSON_FIELD(iteration_group, "communication_s", SECONDS, communication_ns, "inside calls, mean"),
	JSON_FIELD(iteration_group, "waiting_s", SECONDS, waiting_ns, "at least waiting, mean"),
	JSON_FIELD(iteration_group, "max_s", SECONDS, longest_ns, "the longest"),
	{0},
};

const struct json_field iteration_outlier_fields[] = {
	JSON_FIELD(iteration_outlier, "number", COUNT, number, "number of the iteration, from 1"),
	JSON_FIELD(iteration_outlier, "length_s", SECONDS, length_ns, "its length"),
	JSON_FIELD(iteration_outlier, "excess_s", SECONDS, late_ns, "additional computing of the rank"),
	{0},
};

const struct json_field collective_fields[] = {
	JSON_FIELD(collective_sizes, "call", TEXT, call, "function"),
	JSON_FIELD(collective_sizes, "calls", COUNT, count, "calls of all processes"),
	JSON_FIELD(collective_sizes, "bytes", COUNT, bytes, "bytes that they handed over"),
	{0},
};

const struct json_field traffic_fields[] = {
	JSON_FIELD(rank_traffic, "messages", COUNT, messages, "messages and UPC accesses"),
	JSON_FIELD(rank_traffic, "bytes", COUNT, bytes, "bytes in messages and UPC accesses"),
	JSON_FIELD(rank_traffic, "collective_bytes", COUNT, collective_bytes,
                   "bytes in collective operations"),
	JSON_FIELD(rank_traffic, "estimated", BOOL, is_estimated, "some of these are estimated"),
	{0},
};

const struct json_field file_fields[] = {
	JSON_FIELD(file_sums, "inside_s", SECONDS, inside_ns,
                   "time inside all calls on the file, all processes"),
	JSON_FIELD(file_sums, "other_s", SECONDS, other_ns, "time inside calls that neither read nor write"),
	JSON_FIELD(file_sums, "opens", COUNT, opens, "calls that opened it"),
	JSON_FIELD(file_sums, "seeks", COUNT, seeks, "seeks"),
	JSON_FIELD(file_sums, "stats", COUNT, stats, "queries, such as stat and access"),
	JSON_FIELD(file_sums, "syncs", COUNT, syncs, "fsync and fdatasync"),
	JSON_FIELD(file_sums, "maps", COUNT, maps, "calls that mapped it into memory"),
	JSON_FIELD(file_sums, "mapped_bytes", COUNT, mapped_bytes, "bytes that these calls mapped"),
	{0},
};

const struct json_field transfer_fields[] = {
	JSON_FIELD(file_transfers, "calls", COUNT, calls, "number of calls"),
	JSON_FIELD(file_transfers, "bytes", COUNT, bytes, "bytes that they moved"),
	JSON_FIELD(file_transfers, "consecutive", COUNT, consecutive,
                   "calls that began where the previous one of the process ended"),
	JSON_FIELD(file_transfers, "strided", COUNT, strided,
                   "other calls that began at the same distance as the previous one"),
	JSON_FIELD(file_transfers, "inside_s", SECONDS, ns, "time inside them"),
	{0},
};

const struct json_field mpi_file_fields[] = {
	JSON_FIELD(mpi_file_calls, "calls", COUNT, calls, "calls of MPI functions"),
	JSON_FIELD(mpi_file_calls, "bytes", COUNT, bytes, "bytes passed to them"),
	JSON_FIELD(mpi_file_calls, "inside_s", SECONDS, ns, "time inside them"),
	{0},
};

const struct json_field profile_fields[] = {
	JSON_FIELD(profile_row, "calls", COUNT, calls, "number of calls"),
	JSON_FIELD(profile_row, "total_s", SECONDS, inside_ns, "time inside them, all threads"),
	{0},
};

const struct json_field local_fields[] = {
	JSON_FIELD(profile_row, "local", BOOL, is_local, "its time counts as computing"),
	JSON_FIELD(profile_row, "bytes", COUNT, bytes, "bytes that it sent"),
	{0},
};

const struct json_field action_fields[] = {
	JSON_FIELD(action, "thread", COUNT32, thread, "0 is the main thread"),
	JSON_FIELD(action, "start_s", SECONDS, start, "since the start of the run"),
	JSON_FIELD(action, "end_s", SECONDS, end, "since the start of the run"),
	{0},
};

const struct json_field cost_fields[] = {
	JSON_FIELD(process_cost, "occurrences", COUNT, count, "number of occurrences on the rank"),
	JSON_FIELD(process_cost, "total_s", SECONDS, total_ns, "cost for the rank"),
	JSON_FIELD(process_cost, "max_s", SECONDS, max_ns, "the longest occurrence on the rank"),
	{0},
};

const struct json_field partner_fields[] = {
	JSON_FIELD(partner, "occurrences", COUNT, count, "number of occurrences with this partner"),
	JSON_FIELD(partner, "total_s", SECONDS, total_ns, "cost with this partner"),
	{0},
};

const struct json_field cause_fields[] = {
	JSON_FIELD(report_cause, "occurrences", COUNT, instances, "number of waits to which it contributes"),
	JSON_FIELD(report_cause, "total_s", SECONDS, total_ns, "its part of the finding's total_s"),
	JSON_FIELD(report_cause, "blocked_s", SECONDS, blocked_ns,
                   "computing: of total_s, blocked in the kernel (sleep, input and output, page faults)"),
	{0},
};

const struct json_field metric_fields[] = {
	JSON_FIELD(metric, "occurrences", COUNT, count, "number of occurrences"),
	JSON_FIELD(metric, "total_s", SECONDS, total_ns, "total time"),
	{0},
};

const struct json_field path_fields[] = {
	JSON_FIELD(critical_path, "from_s", SECONDS, from, "start of the path, since the start of the run"),
	JSON_FIELD(critical_path, "to_s", SECONDS, to, "end of the path, since the start of the run"),
	JSON_FIELD(critical_path, "cut", BOOL, is_cut, "the part before from_s was too long to be kept"),
	JSON_FIELD(critical_path, "missed", COUNT, missed, "waits that were seen too late for the path"),
	{0},
};

const struct json_field reason_fields[] = {
	JSON_FIELD(trust_reason, "text", TEXT, text, "the reason in a few words"),
	JSON_FIELD(trust_reason, "detail", TEXT, detail, "consequence and remedy"),
	{0},
};

/* Findings: one function for each value. */

#define VALUE_TEXT text
#define VALUE_COUNT number
#define VALUE_SECONDS number
#define VALUE_REAL share
#define VALUE_BOOL is_true

#define FIELD(name, type, value, is_known, label, meaning) \
	static struct finding_value name##_of(const struct report *report, const struct report_entry *entry) \
	{ \
		(void)report; \
		return (struct finding_value){.is_unknown = !(is_known), .VALUE_##type = (value)}; \
	}
#include "output/report/finding_fields.def"
#undef FIELD

const struct json_field finding_fields[] = {
#define FIELD(name, type, value, is_known, label, meaning) \
	JSON_FIELD(finding_value, #name, type, VALUE_##type, meaning),
#include "output/report/finding_fields.def"
#undef FIELD
	{0},
};

const char *const finding_labels[] = {
#define FIELD(name, type, value, is_known, label, meaning) label,
#include "output/report/finding_fields.def"
#undef FIELD
};

struct finding_value finding_field_value(const struct report *report, const struct report_entry *entry,
                                         size_t field)
{
	static struct finding_value (*const values[])(const struct report *, const struct report_entry *) = {
#define FIELD(name, type, value, is_known, label, meaning) name##_of,
#include "output/report/finding_fields.def"
#undef FIELD
	};

	return values[field](report, entry);
}
