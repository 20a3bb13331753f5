#include "cli/coll_job.h"

#include "base/array.h"
#include "base/files.h"
#include "base/json.h"
#include "base/own_folder.h"
#include "base/paths.h"
#include "base/settings.h"
#include "base/text.h"
#include "base/user_files.h"
#include "cli/command.h"
#include "cli/installation.h"
#include "cli/job_settings.h"
#include "cli/launcher.h"
#include "cli/recorded_job.h"
#include "cli/recording.h"
#include "coll/choice/catalogue.h"
#include "coll/choice/levels.h"
#include "coll/choice/outcome.h"
#include "coll/choice/override.h"
#include "topo/machine/machine.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The algorithms that the processes of a job have chosen for collective operations, summarised for people and for
 * programs.
 *
 *	struct coll_summary summary = {0};
 *	coll_summary_read(&summary, folder);
 *	coll_summary_text(&summary, has_failed, &text);
 *	coll_summary_release(&summary); */

/* An outcome, with the process that wrote it. */
struct coll_summary_item {
	struct coll_outcome outcome;
	size_t writer;
};

struct coll_summary {
	struct coll_summary_item *items;
	size_t count, room;
};

enum { FASTER_SHOWN = 9 };

/* Reading */

/* A later line about the same operation replaces an earlier one. */
static void add_outcome(struct coll_summary *summary, const struct coll_outcome *outcome, size_t writer)
{
	for (size_t i = summary->count; i-- > 0;) {
		struct coll_summary_item *item = &summary->items[i];

		if (item->writer != writer)
			break;
		if (item->outcome.comm == outcome->comm && item->outcome.size_class == outcome->size_class &&
		    strcmp(item->outcome.operation, outcome->operation) == 0) {
			item->outcome = *outcome;
			return;
		}
	}
	array_add(summary, ((struct coll_summary_item){*outcome, writer}));
}

static void read_file(struct coll_summary *summary, int folder, const char *name, size_t writer)
{
	int fd = open_regular(folder, name, O_RDONLY | O_NOFOLLOW);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	struct coll_outcome outcome;
	char line[OUTCOME_LINE];

	if (!file) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while (fgets(line, sizeof line, file))
		if (coll_outcome_parse(line, &outcome))
			add_outcome(summary, &outcome, writer);
	fclose(file);
}

/* Text */

enum coll_verdict { VERDICT_FASTER, VERDICT_FORCED, VERDICT_LIBRARY, VERDICT_UNTRIED, VERDICT_UNDECIDED };

/* Outcomes of one operation and one algorithm. */
struct coll_row {
	enum coll_verdict verdict;
	const struct coll_outcome *first;
	uint64_t bytes_min, bytes_max, calls;
	double library_s, rival_s; /* of all calls */
};

struct coll_rows {
	struct coll_row *items;
	size_t count, room;
};

static enum coll_verdict verdict_on(const struct coll_outcome *outcome)
{
	if (!outcome->is_decided)
		return VERDICT_UNDECIDED;
	if (outcome->is_library)
		return outcome->rival_s > 0 ? VERDICT_LIBRARY : VERDICT_UNTRIED;
	return outcome->is_forced ? VERDICT_FORCED : VERDICT_FASTER;
}

static bool belongs_to(const struct coll_row *row, const struct coll_outcome *outcome)
{
	const enum coll_verdict verdict = verdict_on(outcome);

	return row->verdict == verdict && strcmp(row->first->operation, outcome->operation) == 0 &&
	       (verdict >= VERDICT_LIBRARY || strcmp(row->first->chosen, outcome->chosen) == 0);
}

static void add_to_rows(struct coll_rows *rows, const struct coll_outcome *outcome)
{
	struct coll_row *row = NULL;

	for (size_t i = 0; i < rows->count && !row; i++)
		if (belongs_to(&rows->items[i], outcome))
			row = &rows->items[i];
	if (!row) {
		row = array_new_item(rows);
		*row = (struct coll_row){
			.verdict = verdict_on(outcome), .first = outcome, .bytes_min = outcome->bytes_min};
	}
	if (outcome->bytes_min < row->bytes_min)
		row->bytes_min = outcome->bytes_min;
	if (outcome->bytes_max > row->bytes_max)
		row->bytes_max = outcome->bytes_max;
	row->calls += outcome->calls;
	row->library_s += (double)outcome->calls * outcome->library_s;
	row->rival_s += (double)outcome->calls * outcome->rival_s;
}

/* Those that gained most come first. */
static int by_gain(const void *a, const void *b)
{
	const struct coll_row *one = a, *other = b;
	const double gain = one->library_s - one->rival_s, others = other->library_s - other->rival_s;

	if (one->verdict != other->verdict)
		return one->verdict < other->verdict ? -1 : 1;
	return gain > others ? -1 : gain < others;
}

static void add_operation(struct text *out, const struct coll_row *row, bool with_size)
{
	text_add(out, "MPI_%c%s", toupper((unsigned char)row->first->operation[0]),
	         row->first->operation + 1);
	if (!row->bytes_max || !with_size)
		return;
	if (row->bytes_min != row->bytes_max)
		text_add(out, " of %s to %s", AS_SIZE(row->bytes_min), AS_SIZE(row->bytes_max));
	else
		text_add(out, " of %s", AS_SIZE(row->bytes_max));
}

static void add_gain(struct text *out, const struct coll_row *row)
{
	const double calls = row->calls ? (double)row->calls : 1;

	text_add(out, "  ");
	add_operation(out, row, true);
	text_add(out, ": ");
	if (row->verdict == VERDICT_FASTER) {
		text_add(out, "%.3g times faster by '%s' (%s → %s, ",
		         row->rival_s > 0 ? row->library_s / row->rival_s : 1, row->first->chosen,
		         AS_SECONDS(row->library_s / calls), AS_SECONDS(row->rival_s / calls));
	} else {
		text_add(out, "by '%s', as requested (", row->first->chosen);
	}
	text_add(out, "%s)\n", AS_COUNTED(row->calls, "call", "calls"));
}

/* True if another row has the same operation with other sizes. */
static bool is_elsewhere(const struct coll_rows *rows, size_t row)
{
	for (size_t i = 0; i < rows->count; i++)
		if (i != row &&
		    strcmp(rows->items[i].first->operation, rows->items[row].first->operation) == 0)
			return true;
	return false;
}

static void add_list(struct text *out, const struct coll_rows *rows, enum coll_verdict verdict,
                     const char *title)
{
	const char *between = title;

	for (size_t i = 0; i < rows->count; i++)
		if (rows->items[i].verdict == verdict) {
			text_add(out, "%s", between);
			add_operation(out, &rows->items[i], is_elsewhere(rows, i));
			between = ", ";
		}
	if (between != title)
		text_add(out, "\n");
}

/* At most 15 lines. A failed job may not have had time to write its choices. */
static void coll_summary_text(struct coll_summary *summary, bool has_failed, struct text *out)
{
	struct coll_rows rows = {0};
	size_t gained = 0, shown = 0;
	int32_t processes = 0, nodes = 0;

	for (size_t i = 0; i < summary->count; i++) {
		const struct coll_outcome *outcome = &summary->items[i].outcome;

		add_to_rows(&rows, outcome);
		if (outcome->processes > processes) {
			processes = outcome->processes;
			nodes = outcome->nodes;
		}
	}
	if (rows.count)
		qsort(rows.items, rows.count, sizeof *rows.items, by_gain);
	for (size_t i = 0; i < rows.count; i++)
		gained += rows.items[i].verdict == VERDICT_FASTER || rows.items[i].verdict == VERDICT_FORCED;
	if (!rows.count) {
		text_add(out, has_failed ? "collectives: the job failed before algorithms were chosen\n"
		                         : "collectives: all calls used the MPI library\n");
		return;
	}
	text_add(out, "collectives of %d processes on %d %s, measured by the slowest process:\n",
	         (int)processes, (int)nodes, nodes == 1 ? "node" : "nodes");
	for (; shown < gained && shown < FASTER_SHOWN; shown++)
		add_gain(out, &rows.items[shown]);
	if (gained > shown)
		text_add(out, "  and %zu more\n", gained - shown);
	add_list(out, &rows, VERDICT_LIBRARY, "  left to MPI, which is as fast: ");
	add_list(out, &rows, VERDICT_UNTRIED, "  left to MPI, without another choice: ");
	add_list(out, &rows, VERDICT_UNDECIDED, "  left to MPI, too few calls to decide: ");
	array_release(&rows);
}

/* JSON */

static void coll_summary_json(const struct coll_summary *summary, struct text *out)
{
	struct json json = {.out = out};

	json_open(&json, NULL, '{');
	json_open(&json, "collectives", '[');
	for (size_t i = 0; i < summary->count; i++) {
		const struct coll_outcome *outcome = &summary->items[i].outcome;

		json_open(&json, NULL, '{');
		json_text(&json, "operation", outcome->operation);
		json_number(&json, "bytes_min", (int64_t)outcome->bytes_min);
		json_number(&json, "bytes_max", (int64_t)outcome->bytes_max);
		json_number(&json, "processes", outcome->processes);
		json_number(&json, "nodes", outcome->nodes);
		json_number(&json, "levels", outcome->levels);
		json_number(&json, "calls", (int64_t)outcome->calls);
		json_bool(&json, "decided", outcome->is_decided);
		json_bool(&json, "forced", outcome->is_forced);
		json_text(&json, "done_by", outcome->is_library ? "mpi" : outcome->chosen);
		if (strcmp(outcome->chosen, "mpi") != 0)
			json_text(&json, "algorithm", outcome->chosen);
		if (outcome->library_s > 0)
			json_exact(&json, "mpi_seconds", outcome->library_s);
		if (outcome->rival_s > 0)
			json_exact(&json, "algorithm_seconds", outcome->rival_s);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
	text_add(out, "\n");
}

/* The switches above each node, for the processes of a job: lines "node switch switch ...", outermost first, in a file of the run's folder. A level counts
 * only if all processes of a job find theirs there. */

/* The switches from the outermost to a node, without the one above all nodes. */
static void add_switches(const struct machine *machine, const struct machine_part *part, struct text *out)
{
	if (part == machine->parts)
		return;
	add_switches(machine, &machine->parts[part->parent], out);
	text_add(out, " %s", part->name);
}

/* Write it as a whole: under 'tarry exec' each process of a job does this, and some may already read the
 * file. */
static bool write_file(int folder, const struct text *text)
{
	char name[64];
	int file;
	bool written;

	snprintf(name, sizeof name, COLL_SWITCHES_FILE "-%d", (int)getpid());
	file = private_file_create(folder, name, 0600);
	written = file >= 0 && write_fully(file, text_get(text), text->length);
	return file >= 0 && close(file) == 0 && written &&
	       renameat(folder, name, folder, COLL_SWITCHES_FILE) == 0;
}

/* Writes the file from the description of the machine, if it has switches. On an error, prints a message and
 * continues without the file. */
static void coll_switches_write(int folder)
{
	struct machine *machine;
	struct text text = {0};

	/* Damaged measurements were reported when the costs were read from them. */
	if (faccessat(folder, COLL_SWITCHES_FILE, F_OK, 0) == 0 || machine_check_measured() != OK)
		return;
	if (machine_open(NULL, &machine) != OK) {
		say("%s (this job continues without switches)", trail_text());
		return;
	}
	if (machine->tiers > 1 && !machine->is_this_host) {
		for (uint32_t i = 0; i < machine->node_count; i++) {
			const struct machine_part *node = machine_node(machine, i);

			text_add(&text, "%s", node->name);
			add_switches(machine, &machine->parts[node->parent], &text);
			text_add(&text, "\n");
		}
		if (!write_file(folder, &text))
			say("cannot write '" COLL_SWITCHES_FILE "': %s (this job continues without switches)",
			    strerror(errno));
	}
	text_release(&text);
	machine_free(machine);
}

enum status coll_choice_check(const struct coll_choice *choice)
{
	if (choice->off && choice->algorithm)
		return fail("options '--off' and '--algorithm' cannot be combined");
	if (choice->algorithm && !coll_overrides_are_valid(choice->algorithm))
		return fail("option '--algorithm': '%s' is not a list such as allgather=ring,bcast=mpi",
		            choice->algorithm);
	return coll_algorithms_check(choice->algorithm);
}

/* The job continues, whatever the file contains. */
static const char *measured_levels(struct arena *arena)
{
	struct coll_levels levels = COLL_LEVELS_DEFAULT;
	char path[PATH_MAX], text[COLL_LEVELS_TEXT];
	FILE *file = machine_measured_path(path, sizeof path) ? open_user_stream(path, "r") : NULL;
	int found;

	if (!file)
		return NULL;
	found = coll_levels_read(file, &levels);
	fclose(file);
	if (machine_check_measured() != OK) {
		say("%s (this job continues without it)", trail_text());
		return NULL;
	}
	if (!found)
		return NULL;
	coll_levels_print(&levels, text);
	return arena_text(arena, text);
}

enum status coll_job_plan(const struct coll_choice *choice, char *const *program, bool is_own,
                          struct arena *arena, struct coll_job *plan)
{
	const char *title = default_name(program, arena), *above;
	struct coll_job made = {.algorithm = choice->off ? COLL_OFF : choice->algorithm,
	                        .levels = measured_levels(arena)};

	if (is_own)
		title = arena_format(arena, "%s-%d", title, (int)getpid());
	TRY(path_absolute(arena_format(arena, "%s" COLL_SUFFIX, title), arena, &made.folder));
	above = path_folder(made.folder, arena);
	if (access(above, W_OK | X_OK) != 0)
		return fail("cannot write into '%s': %s; start the job in another folder", above,
		            strerror(errno));
	TRY(installation_libraries(arena, &made.libraries));
	TRY(preload_check(made.libraries, arena));
	*plan = made;
	return OK;
}

enum status coll_job_export(const struct coll_job *plan)
{
	static const struct wrapped_functions none;
	int folder = private_folder_open(plan->folder);

	if (folder < 0)
		return fail("cannot write into '%s': %s; start the job in another folder", plan->folder,
		            strerror(errno));
	coll_switches_write(folder);
	close(folder);
	if (!setting_get(SETTING_OUTPUT) && !setting_get(SETTING_CHECK))
		TRY(preload_export(plan->libraries, &none, false));
	TRY(setting_set(SETTING_COLL, plan->folder));
	TRY(setting_set(SETTING_COLL_ALGORITHM, plan->algorithm));
	return setting_set(SETTING_COLL_LEVELS, plan->levels);
}

static bool is_of_run(const char *name)
{
	return text_begins(name, COLL_CHOSEN_PREFIX) || text_begins(name, MEETING_PREFIX) ||
	       strcmp(name, NOTES_FILE) == 0 || text_begins(name, COLL_SWITCHES_FILE);
}

bool coll_job_tell(const char *folder, const char *json, int exit_code)
{
	struct coll_summary summary = {0};
	struct text text = {0};
	struct arena arena = {0};
	DIR *listing = opendir(folder);
	bool is_fine;
	size_t writers = 0;

	say_notes(arena_format(&arena, "%s/" NOTES_FILE, folder));
	/* Damaged files are left out. */
	for (struct dirent *entry; listing && (entry = readdir(listing));)
		if (text_begins(entry->d_name, COLL_CHOSEN_PREFIX))
			read_file(&summary, dirfd(listing), entry->d_name, writers++);
	if (listing)
		closedir(listing);
	coll_summary_text(&summary, exit_code != 0, &text);
	say_lines(text_get(&text));
	is_fine = summary.count != 0;
	if (json) {
		text_clear(&text);
		coll_summary_json(&summary, &text);
		is_fine = write_output(json, &text);
	}
	text_release(&text);
	array_release(&summary);
	arena_release(&arena);
	return is_fine;
}

bool coll_job_conclude(const struct coll_job *plan, const char *json, int exit_code)
{
	bool is_fine = coll_job_tell(plan->folder, json, exit_code);

	own_folder_discard(plan->folder, is_of_run);
	return is_fine || !json;
}

enum { NAMES_COLUMN = 24, SUMMARY_COLUMN = 21, WIDTH = 80 };

static bool begins_operation(int row)
{
	return row == 0 || strcmp(coll_catalogue[row].operation, coll_catalogue[row - 1].operation) != 0;
}

/* "ring, leaders": from this row to the end of its operation. */
static void add_names(int row, struct text *names)
{
	const char *operation = coll_catalogue[row].operation;

	for (int i = row; i < coll_catalogue_count && strcmp(coll_catalogue[i].operation, operation) == 0;
	     i++)
		text_add(names, "%s%s", i > row ? ", " : "", coll_catalogue[i].name);
}

void coll_algorithms_help(struct text *out)
{
	struct text names = {0};

	text_add(out, "\nALGORITHMS ('tarry coll show --algorithms' explains them)\n");
	for (int i = 0; i < coll_catalogue_count; i++) {
		if (!begins_operation(i))
			continue;
		text_clear(&names);
		add_names(i, &names);
		text_add(out, "  %-*s", NAMES_COLUMN - 2, coll_catalogue[i].operation);
		text_add_wrapped(out, text_get(&names), NAMES_COLUMN, WIDTH);
	}
	text_release(&names);
}

void coll_algorithms_list(struct text *out)
{
	for (int i = 0; i < coll_catalogue_count; i++) {
		if (begins_operation(i))
			text_add(out, "%s%s\n", i ? "\n" : "", coll_catalogue[i].operation);
		text_add(out, "  %-*s", SUMMARY_COLUMN - 2, coll_catalogue[i].name);
		text_add_wrapped(out, coll_catalogue[i].summary, SUMMARY_COLUMN, WIDTH);
	}
}

static enum status refuse_algorithm(const struct coll_override *override)
{
	struct text names = {0};
	enum status status;

	for (int i = 0; i < coll_catalogue_count; i++)
		if (begins_operation(i) && strcmp(coll_catalogue[i].operation, override->operation) == 0)
			add_names(i, &names);
	status = fail("option '--algorithm': %s has no algorithm '%s'; choose %s or " OVERRIDE_MPI,
	              override->operation, override->algorithm, text_get(&names));
	text_release(&names);
	return status;
}

enum status coll_algorithms_check(const char *list)
{
	struct coll_override override;

	while (list && coll_override_next(&list, &override))
		switch (coll_catalogue_check(&override)) {
		case OVERRIDE_OPERATION:
			return fail(
				"option '--algorithm': there is no operation '%s'; see 'tarry coll show --algorithms'",
				override.operation);
		case OVERRIDE_ALGORITHM:
			return refuse_algorithm(&override);
		case OVERRIDE_VALID:
			break;
		}
	return OK;
}
