/* The screen of a live job, drawn from invented looks. */
#include "cli/top_view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 300 };

struct shown_job {
	struct live_job job;
	struct live_process processes[MANY];
	struct call call; /* any: its information says which */
	struct top_view view;
	struct top_lines lines;
};

static void add_site(struct shown_job *s, const char *function, const char *place, uint64_t calls, double ns)
{
	array_add(&s->job.sites,
	          (struct live_site){.function = function, .place = place, .calls = calls, .ns = ns});
}

static struct live_process *add_rank(struct shown_job *s, enum live_state state, uint32_t site,
                                     int64_t for_ns)
{
	uint32_t rank = (uint32_t)s->job.processes.count;
	struct live_process *process = &s->processes[rank];

	*process = (struct live_process){
		.rank = rank, .world = 1, .state = state, .site = site, .for_ns = for_ns, .host = "here"};
	if (state == LIVE_IN_CALL) {
		process->call = &s->call;
		process->info = call_find(s->job.sites.items[site].function);
	}
	array_add(&s->job.processes, process);
	s->job.size = s->job.processes.count;
	return process;
}

static void begin(struct shown_job *s)
{
	memset(s, 0, sizeof *s);
	s->view = (struct top_view){.job = &s->job,
	                            .title = "./app",
	                            .trace = "app.tarry",
	                            .seconds = 12.3,
	                            .output = "",
	                            .rows = 24,
	                            .columns = 100};
	add_site(s, "MPI_Recv", "heat.c:70", 4000, 3e9);
	add_site(s, "MPI_Barrier", "heat.c:84", 12, 9e9);
}

static void end(struct shown_job *s)
{
	top_lines_release(&s->lines);
	array_release(&s->job.processes);
	array_release(&s->job.sites);
	text_release(&s->job.hidden_hosts);
}

static void draw(struct shown_job *s)
{
	top_lines_release(&s->lines);
	top_view_draw(&s->view, &s->lines);
	assert_in_range(s->lines.count, 1, s->view.rows);
	for (size_t i = 0; i < s->lines.count; i++)
		assert_true(text_width(s->lines.items[i].text) <= (size_t)s->view.columns);
}

static void expect(const struct shown_job *s, size_t at, const char *line)
{
	assert_true(at < s->lines.count);
	assert_string_equal(s->lines.items[at].text, line);
}

static bool has(const struct shown_job *s, const char *part)
{
	for (size_t i = 0; i < s->lines.count; i++)
		if (strstr(s->lines.items[i].text, part))
			return true;
	return false;
}

static void plant_late_rank(struct shown_job *s)
{
	static uint32_t late = 2, others[] = {0, 1, 3};
	static struct live_awaited awaited = {.process = 2, .waiters = others, .waiter_count = 3};

	for (uint32_t i = 0; i < 4; i++) {
		struct live_process *process = i == 2 ? add_rank(s, LIVE_COMPUTING, 0, 12300000000)
		                                      : add_rank(s, LIVE_IN_CALL, 1, 12000000000);
		process->partners = i == 2 ? NULL : &late;
		process->partner_count = i != 2;
	}
	s->job.awaited = &awaited;
	s->job.awaited_count = 1;
}

static void a_late_rank_is_shown(void **state)
{
	struct shown_job s;

	(void)state;
	begin(&s);
	plant_late_rank(&s);
	s.view.output = "step 1\nstep 2\n";
	draw(&s);
	expect(&s, 0, "tarry top  ./app  4 ranks  12 s");
	expect(&s, 1, "1 computing, 3 in MPI");
	expect(&s, 2, "RANKS THAT OTHERS WAIT FOR");
	expect(&s, 3,
	       "  rank 2 (computing for 12.3 s after MPI_Recv at heat.c:70) is waited for by 3 ranks: 0,1,3");
	expect(&s, 4, "RANKS   state         for      call              at                    waits for");
	expect(&s, 5, "  0     in MPI        12.0 s   MPI_Barrier       heat.c:84             2");
	expect(&s, 7, "  2     computing     12.3 s   after MPI_Recv    heat.c:70             ");
	expect(&s, 9, "CALL SITES time       calls         call               at");
	expect(&s, 10, "   75 %    9.00 s     12            MPI_Barrier        heat.c:84");
	expect(&s, 11, "   25 %    3.00 s     4 000         MPI_Recv           heat.c:70");
	expect(&s, 12, "OUTPUT");
	expect(&s, 14, "  step 2");
	assert_int_equal(s.lines.count, 15);
	assert_int_equal(s.lines.items[5].colour, COLOUR_WAITING);
	assert_int_equal(s.lines.items[7].colour, COLOUR_COMPUTING);
	end(&s);
}

static void a_wildcard_is_any_rank(void **state)
{
	struct shown_job s;

	(void)state;
	begin(&s);
	plant_late_rank(&s);
	s.processes[0].needs_any = s.processes[1].needs_any = true;
	s.processes[0].partner_count = 0;
	draw(&s);
	expect(&s, 5, "  0     in MPI        12.0 s   MPI_Barrier       heat.c:84             any rank");
	expect(&s, 6, "  1     in MPI        12.0 s   MPI_Barrier       heat.c:84             2, any rank");
	end(&s);
}

/* On a small screen, awaited ranks stay, and ranks with the same state share a row. */
static void a_small_screen_is_enough(void **state)
{
	struct shown_job s;

	(void)state;
	begin(&s);
	plant_late_rank(&s);
	s.view.output = "step 1\n";
	for (s.view.rows = 1; s.view.rows < 30; s.view.rows++)
		for (s.view.columns = 1; s.view.columns < 90; s.view.columns += 11)
			draw(&s);
	s.view.rows = 9;
	s.view.columns = 80;
	draw(&s);
	assert_true(has(&s, "rank 2 (computing"));
	end(&s);
}

static void many_ranks_share_rows(void **state)
{
	struct shown_job s;
	uint32_t late = 7;

	(void)state;
	begin(&s);
	for (uint32_t i = 0; i < MANY; i++) {
		struct live_process *process = i == 7 ? add_rank(&s, LIVE_COMPUTING, 0, 5000000000)
		                                      : add_rank(&s, LIVE_IN_CALL, 1, 4000000000 + i);
		process->partners = i == 7 ? NULL : &late;
		process->partner_count = i != 7;
	}
	draw(&s);
	expect(&s, 1, "1 computing, 299 in MPI");
	expect(&s, 3,
	       "  0-6,8-299           in MPI        4.00 s   MPI_Barrier       heat.c:84             7");
	expect(&s, 4,
	       "  7                   computing     5.00 s   after MPI_Recv    heat.c:70             ");
	end(&s);
}

/* More than fit, each on its own. */
static void the_rest_is_counted(void **state)
{
	struct shown_job s;
	uint32_t partners[MANY];

	(void)state;
	begin(&s);
	for (uint32_t i = 0; i < MANY; i++) {
		partners[i] = (i + 1) % MANY;
		struct live_process *process = add_rank(&s, LIVE_IN_CALL, 0, 1000000000);
		process->partners = &partners[i];
		process->partner_count = 1;
	}
	draw(&s);
	assert_true(has(&s, "  and 283 more ranks"));
	assert_true(has(&s, "MPI_Barrier        heat.c:84"));
	assert_int_equal(s.lines.count, s.view.rows);
	end(&s);
}

static void ranks_that_wait_for_each_other(void **state)
{
	struct shown_job s;
	uint32_t circle[] = {1, 0};
	struct text text = {0};

	(void)state;
	begin(&s);
	add_rank(&s, LIVE_IN_CALL, 0, 9000000000);
	add_rank(&s, LIVE_IN_CALL, 0, 1000000000);
	s.job.circle = circle;
	s.job.circle_count = 2;
	draw(&s);
	assert_false(has(&s, "each other")); /* not long enough */
	s.processes[1].for_ns = 3000000000;
	draw(&s);
	assert_true(has(
		&s,
		"ranks 0,1 have waited for each other for 3.00 s: see 'tarry info app.tarry' in another terminal"));
	top_view_summary(&s.view, &text);
	assert_string_equal(
		text_get(&text),
		"12 s: 2 in MPI; most time in MPI_Barrier at heat.c:84: 9.00 s\n"
		"ranks 0,1 have waited for each other for 3.00 s: see 'tarry info app.tarry' in another terminal");
	text_release(&text);
	end(&s);
}

static void what_is_not_seen_is_told(void **state)
{
	struct shown_job s;

	(void)state;
	begin(&s);
	draw(&s);
	expect(&s, 1, "no process uses MPI yet");
	add_rank(&s, LIVE_GONE, LIVE_NONE, -1);
	add_rank(&s, LIVE_FINISHED, LIVE_NONE, -1);
	add_rank(&s, LIVE_UNRECORDED, LIVE_NONE, -1)->rank = PROCESS_UNKNOWN;
	s.job.size = 4;
	draw(&s);
	expect(&s, 1, "1 not recorded, 1 finished, 1 gone");
	expect(&s, 2, "1 of 4 ranks are not seen: they have not started, or write elsewhere");
	assert_true(has(&s, "  ?     not recorded"));
	s.job.silent = 2;
	draw(&s);
	expect(&s, 2,
	       "2 processes cannot be seen: the file system of the trace cannot be mapped into memory");
	s.job.hidden = 1;
	text_add(&s.job.hidden_hosts, "n2");
	draw(&s);
	expect(&s, 2, "1 process on other nodes cannot be seen from here: n2");
	s.job.read_bytes = 30;
	s.job.skipped_bytes = 70;
	draw(&s);
	assert_true(has(&s, "at, from 30 % of what was recorded"));
	end(&s);
}

static void texts_are_cut_between_letters(void **state)
{
	(void)state;
	assert_int_equal(screen_fit("abc", 2), 2);
	assert_int_equal(screen_fit("abc", 9), 3);
	assert_int_equal(screen_fit("\xc2\xb5s", 1), 2);
	assert_int_equal(screen_fit("", 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wildcard_is_any_rank),   cmocka_unit_test(a_late_rank_is_shown),
		cmocka_unit_test(a_small_screen_is_enough), cmocka_unit_test(many_ranks_share_rows),
		cmocka_unit_test(the_rest_is_counted),      cmocka_unit_test(ranks_that_wait_for_each_other),
		cmocka_unit_test(what_is_not_seen_is_told), cmocka_unit_test(texts_are_cut_between_letters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
