/* Passes that the analysis makes over a trace if rules have surveys. */
#include "analysis/engine/analysis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "from_text.h"

/* The survey and the problem both need delays. */
static const char rules[] = "declare composite event late_calls\n"
			    "member( call as c where c.delay > 1 us )\n"
			    "group by c.is_upc\n"
			    "parameters( calls = count(c), late = sum(c.delay) );\n"
			    "parameter lateness = survey(late_calls.late, 0 s) \"delay of all calls\";\n"
			    "declare composite event late_call\n"
			    "member( call as c where c.delay > 1 us )\n"
			    "parameters( late = c.delay + lateness, at = c );\n"
			    "declare problem mine.late for late_call\n"
			    "when late > 0 s\n"
			    "parameters( name = \"Late\", duration = late );\n";

static const char trace[] =
	"process rank=0\n"
	"clock monotonic 1000000000 tick=0 ns=1000000\n"
	"comm 0xc rank=0 size=1 members=1:0-0 \"MPI_COMM_WORLD\"\n"
	"0 10 MPI_Send comm=0xc peer=null tag=0 sent=0\n"
	"1000000 1000010 MPI_Send comm=0xc peer=null tag=0 sent=0 delay_before=300 delay_inside=0\n";

static unsigned delay_passes;

struct propagated_delays *__real_propagated_delays_new(struct analysis_session *session);
struct propagated_delays *__wrap_propagated_delays_new(struct analysis_session *session);

struct propagated_delays *__wrap_propagated_delays_new(struct analysis_session *session)
{
	delay_passes++;
	return __real_propagated_delays_new(session);
}

static struct rulebook *load_rules(void)
{
	char path[] = "/tmp/tarry-unit-XXXXXX";
	const char *files[] = {path, NULL};
	struct rulebook *book;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, rules, sizeof rules - 1), sizeof rules - 1);
	close(fd);
	assert_int_equal(
		rulebook_load(&(struct rule_options){.files = files, .without_shipped = true}, &book), OK);
	unlink(path);
	return book;
}

static void delays_of_the_survey_are_kept(void **state)
{
	struct reader *reader = read_text(trace);
	struct rulebook *book = load_rules();
	struct analysis *analysis;

	(void)state;
	assert_int_equal(analyze(reader, book, &(struct analysis_options){.jobs = 1}, &analysis), OK);
	assert_int_equal(analysis->finding_count, 1);
	assert_int_equal(analysis->findings[0].total_ns, 600000);
	assert_int_equal(delay_passes, 1);
	analysis_free(analysis);
	rulebook_free(book);
	reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(delays_of_the_survey_are_kept)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
