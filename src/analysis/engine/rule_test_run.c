#include "analysis/engine/rule_test_run.h"

#include "analysis/engine/analysis.h"
#include "trace/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All of one problem on one process. */
struct total {
	uint64_t count;
	int64_t ns;
};

enum { ANY_RANK = -1 };

static int64_t rank_of(const struct analysis *analysis, const struct finding *finding)
{
	return analysis->reader->processes[finding->at.process].rank;
}

static struct total total_found(const struct analysis *analysis, const char *id, int64_t rank)
{
	struct total total = {0};

	for (size_t i = 0; i < analysis->finding_count; i++) {
		const struct finding *finding = &analysis->findings[i];
		if (strcmp(finding->problem->id, id) != 0 ||
		    (rank != ANY_RANK && rank_of(analysis, finding) != rank))
			continue;
		total.count += finding->count;
		total.ns += finding->total_ns;
	}
	return total;
}

static int64_t expected_rank(const struct rule_test_expectation *expectation)
{
	return expectation->has_rank ? (int64_t)expectation->rank : ANY_RANK;
}

static bool is_same(const struct rule_test_expectation *a, const struct rule_test_expectation *b)
{
	return strcmp(a->id, b->id) == 0 && expected_rank(a) == expected_rank(b);
}

static void add_where(const char *id, int64_t rank, struct text *out)
{
	text_add(out, "'%s'", id);
	if (rank != ANY_RANK)
		text_add(out, " on rank %lld", (long long)rank);
}

enum { NS_IN_S = 1000000000 };

/* To the nanosecond: rounded times may look equal. */
static void add_time(int64_t ns, struct text *out)
{
	size_t before;

	text_add(out, "%s%lld.%09lld", ns < 0 ? "-" : "", llabs(ns / NS_IN_S), llabs(ns % NS_IN_S));
	for (before = out->length; out->bytes[before - 1] == '0'; before--)
		;
	before -= out->bytes[before - 1] == '.';
	out->length = before;
	out->bytes[before] = 0;
	text_add(out, " s");
}

/* Expectations of the same problem and rank count together. */
static void compare_expectation(const struct analysis *analysis, const struct rule_test *test,
                                const struct rule_test_expectation *like, struct text *out)
{
	struct total expected = {0}, found = total_found(analysis, like->id, expected_rank(like));
	bool has_duration = true, has_count = true, is_wrong_time, is_wrong_count;

	for (uint32_t i = 0; i < test->expectation_count; i++) {
		const struct rule_test_expectation *expectation = &test->expectations[i];
		if (!is_same(expectation, like))
			continue;
		has_duration &= expectation->has_duration;
		has_count &= expectation->count > 0;
		expected.count += expectation->count;
		expected.ns += expectation->duration_ns;
	}
	is_wrong_time = has_duration && found.ns != expected.ns;
	is_wrong_count = has_count && found.count != expected.count;
	if (found.count && !is_wrong_time && !is_wrong_count)
		return;
	text_add(out, "%s:%u: ", like->origin.file, like->origin.line);
	add_where(like->id, expected_rank(like), out);
	if (!found.count) {
		text_add(out, " is expected, but was not found");
	} else if (is_wrong_time) {
		text_add(out, " should be of ");
		add_time(expected.ns, out);
		text_add(out, ", is of ");
		add_time(found.ns, out);
	} else {
		text_add(out, " is expected %llu times, but was found %llu times",
		         (unsigned long long)expected.count, (unsigned long long)found.count);
	}
	text_add(out, "\n");
}

/* A file is responsible for its own problems, and for those that it names, on all ranks. 'expect nothing'
 * applies to all problems that the file knows. */
static bool is_unexpected(const struct rule_test *test, const struct problem *problem, int64_t rank)
{
	bool is_watched = strcmp(problem->origin.file, test->file) == 0;

	/* Metrics are counted even without a problem. */
	for (size_t i = 0; i < test->visible_count && !test->expectation_count && !problem->is_metric; i++)
		is_watched |= strcmp(problem->origin.file, test->visible[i]) == 0;
	for (uint32_t i = 0; i < test->expectation_count; i++) {
		const struct rule_test_expectation *expectation = &test->expectations[i];
		if (strcmp(expectation->id, problem->id) != 0)
			continue;
		is_watched = true;
		if (!expectation->has_rank || expectation->rank == rank)
			return false;
	}
	return is_watched;
}

static void compare(const struct analysis *analysis, const struct rule_test *test, struct text *out)
{
	for (uint32_t i = 0; i < test->expectation_count; i++) {
		uint32_t first = 0;

		while (!is_same(&test->expectations[first], &test->expectations[i]))
			first++;
		if (first == i)
			compare_expectation(analysis, test, &test->expectations[i], out);
	}
	for (size_t i = 0; i < analysis->finding_count; i++) {
		const struct problem *problem = analysis->findings[i].problem;
		int64_t rank = rank_of(analysis, &analysis->findings[i]);
		size_t first = 0;

		while (analysis->findings[first].problem != problem ||
		       rank_of(analysis, &analysis->findings[first]) != rank)
			first++;
		if (first < i || !is_unexpected(test, problem, rank))
			continue;
		text_add(out, "%s:%u: ", test->origin.file, test->origin.line);
		add_where(problem->id, rank, out);
		text_add(out, " of ");
		add_time(total_found(analysis, problem->id, rank).ns, out);
		text_add(out, " was found, which is not expected\n");
	}
}

static enum status run_in(const char *folder, const struct rulebook *book, const struct rule_test *test,
                          struct text *complaints)
{
	struct text trace = {0}, path = {0};
	struct analysis *analysis = NULL;
	struct reader *reader = NULL;
	enum status status;

	rule_test_trace(book, test, &trace);
	text_add(&path, "%s/test.tarry", folder);
	status = trace_assemble("its calls as a trace", text_get(&trace), trace.length, text_get(&path),
	                        CHUNK_DEFAULT);
	if (status == OK)
		status = reader_open(text_get(&path), &reader);
	if (status == OK)
		status = analyze(reader, book, &(struct analysis_options){.jobs = 1}, &analysis);
	if (status == OK) {
		compare(analysis, test, complaints);
		analysis_free(analysis);
	}
	if (reader)
		reader_close(reader);
	unlink(text_get(&path));
	text_release(&trace);
	text_release(&path);
	return status;
}

enum status rule_test_run(const struct rulebook *book, const struct rule_test *test, struct text *complaints)
{
	const char *place = getenv("TMPDIR");
	struct text folder = {0};
	enum status status;

	/* Of no calls nothing can be found. */
	if (!test->event_count && !test->expectation_count)
		return OK;
	TRY(rule_test_fields(book, test));
	text_add(&folder, "%s/tarry-test-XXXXXX", place && *place ? place : "/tmp");
	if (!mkdtemp(folder.bytes)) {
		status = fail("cannot create '%s': %s; name another place with TMPDIR", text_get(&folder),
		              strerror(errno));
	} else {
		status = run_in(text_get(&folder), book, test, complaints);
		rmdir(text_get(&folder));
	}
	text_release(&folder);
	if (status != OK)
		return because("%s:%u: test \"%s\"", test->origin.file, test->origin.line, test->name);
	return OK;
}
