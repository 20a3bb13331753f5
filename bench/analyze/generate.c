/* Writes a trace with known waits: generate KIND TRACE [OPTIONS]. Prints the truth as JSON. */
#include "base/options.h"
#include "trace_file.h"

#include <stdio.h>
#include <string.h>

static struct {
	int64_t ranks, iterations, calls, jitter_ns;
} chosen = {.ranks = 16, .jitter_ns = 8000};

static const struct option_spec options[] = {
	{"ranks", 'n', "N", "processes (an even number; default: 16)", OPTION_NUMBER, &chosen.ranks},
	{"iterations", 'i', "N", "of each process", OPTION_NUMBER, &chosen.iterations},
	{"calls", 'c', "N", "of all processes together, approximately; instead of --iterations",
         OPTION_NUMBER, &chosen.calls},
	{"jitter", 'j', "NS", "maximum lateness of a process (default: 8000)", OPTION_NUMBER,
         &chosen.jitter_ns},
	OPTIONS_END};

/* Calls of a process in ten iterations. */
static const struct {
	const char *name;
	enum workload_kind kind;
	int64_t calls;
} kinds[] = {{"ring", WORKLOAD_RING, 20}, {"halo", WORKLOAD_HALO, 90}, {"mixed", WORKLOAD_MIXED, 92}};

static enum status find_kind(const char *name, struct workload *load, int64_t *calls)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (strcmp(kinds[i].name, name) == 0) {
			load->kind = kinds[i].kind;
			*calls = kinds[i].calls;
			return OK;
		}
	}
	return fail("unknown workload '%s': take ring, halo or mixed", name);
}

static enum status choose(const char *kind, struct workload *load)
{
	int64_t calls = 1;

	TRY(find_kind(kind, load, &calls));
	if (chosen.ranks < 2 || chosen.ranks % 2 || chosen.ranks > INT32_MAX)
		return fail("--ranks must be even");
	if (!chosen.iterations)
		chosen.iterations = chosen.calls * 10 / calls / chosen.ranks;
	if (chosen.iterations < 1)
		return fail("no iterations: give --iterations, or more --calls");
	if (chosen.jitter_ns < 0 || chosen.jitter_ns > INT32_MAX)
		return fail("--jitter must be below two seconds, in nanoseconds");
	load->ranks = (uint32_t)chosen.ranks;
	load->iterations = (uint64_t)chosen.iterations;
	load->jitter_ns = (uint64_t)chosen.jitter_ns;
	return OK;
}

static void print_truth(const struct workload *load, const struct truth *truth)
{
	printf("{\"ranks\": %u, \"iterations\": %llu, \"calls\": %llu, \"waits\": {", load->ranks,
	       (unsigned long long)load->iterations, (unsigned long long)truth->calls);
	for (int i = 0; i < WAIT_STATES; i++)
		printf("%s\"%s\": {\"occurrences\": %llu, \"total_ns\": %llu}", i ? ", " : "",
		       wait_state_names[i], (unsigned long long)truth->waits[i].occurrences,
		       (unsigned long long)truth->waits[i].total_ns);
	printf("}}\n");
}

static enum status run(int argc, char **argv)
{
	struct workload load = {0};
	struct operands operands;
	struct truth truth;
	enum status status;

	TRY(options_parse(options, OPTIONS_ANYWHERE, argc - 1, argv + 1, &operands));
	if (operands.help || operands.count != 2) {
		struct text help = {0};
		options_help(options, &help);
		printf("generate ring|halo|mixed TRACE [OPTIONS]\n%s", text_get(&help));
		text_release(&help);
		return OK;
	}
	TRY(choose(operands.at[0], &load));
	workload_init(&load);
	status = write_trace(&load, operands.at[1], &truth);
	workload_release(&load);
	if (status == OK)
		print_truth(&load, &truth);
	return status;
}

int main(int argc, char **argv)
{
	if (run(argc, argv) == OK)
		return 0;
	fprintf(stderr, "generate: %s\n", trail_text());
	return 1;
}
