#include "output/findings/findings.h"

#include "base/map.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/units.h"
#include "base/user_files.h"
#include "check/checks/checks.h"
#include "language/language.h"
#include "output/findings/wait_picture.h"
#include "output/findings/words.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool names_any_check(const char *pattern)
{
	for (uint32_t check = CHECK_NONE + 1; check < CHECKS_END; check++)
		if (fnmatch(pattern, check_table[check].id, 0) == 0)
			return true;
	return false;
}

static enum status unknown_check(const char *path, unsigned number, const char *word)
{
	struct nearest nearest = {.word = word};

	for (uint32_t check = CHECK_NONE + 1; check < CHECKS_END; check++)
		nearest_offer(&nearest, check_table[check].id);
	if (nearest_found(&nearest))
		return fail("%s:%u: unknown check '%s', did you mean '%s'?", path, number, word,
		            nearest_found(&nearest));
	return fail("%s:%u: unknown check '%s'; docs/checks.md lists all", path, number, word);
}

static enum status read_line(struct suppressions *list, const char *path, unsigned number, char *line)
{
	static const char blanks[] = " \t\r\n";
	char *rest, *check, *place, *more;

	line[strcspn(line, "#")] = 0;
	check = strtok_r(line, blanks, &rest);
	if (!check)
		return OK;
	place = strtok_r(NULL, blanks, &rest);
	more = place ? strtok_r(NULL, blanks, &rest) : NULL;
	if (more)
		return fail("%s:%u: unexpected '%s': a line is a check and one place", path, number, more);
	if (!names_any_check(check))
		return unknown_check(path, number, check);
	array_add_in(&list->arena, &list->list,
	             (struct suppression){.file = arena_text(&list->arena, path),
	                                  .line = number,
	                                  .check = arena_text(&list->arena, check),
	                                  .place = place ? arena_text(&list->arena, place) : NULL});
	return OK;
}

enum status suppressions_read(struct suppressions *list, const char *path)
{
	FILE *file = open_user_stream(path, "r");
	enum status status = OK;
	char *line = NULL;
	size_t room = 0;

	if (!file)
		return fail("cannot open '%s': %s", path, file_error());
	for (unsigned number = 1; status == OK && getline(&line, &room, file) >= 0; number++)
		status = read_line(list, path, number, line);
	if (status == OK && ferror(file))
		status = fail("cannot read '%s': %s", path, strerror(errno));
	free(line);
	fclose(file);
	return status;
}

void suppressions_release(struct suppressions *list)
{
	arena_release(&list->arena);
	*list = (struct suppressions){0};
}

static bool is_file(const char *pattern, const char *file)
{
	return fnmatch(pattern, strchr(pattern, '/') ? file : path_name(file), 0) == 0;
}

static bool names_frame(const char *place, const struct stack_frame *frame)
{
	const char *colon = strrchr(place, ':');
	char pattern[1024];

	if (frame->function && fnmatch(place, frame->function, 0) == 0)
		return true;
	if (!frame->file)
		return false;
	if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")])
		return is_file(place, frame->file);
	snprintf(pattern, sizeof pattern, "%.*s", (int)(colon - place), place);
	return strtol(colon + 1, NULL, 10) == frame->line && is_file(pattern, frame->file);
}

bool suppression_names(const struct suppression *line, const char *check, const struct stack_frames *stacks,
                       size_t count)
{
	if (fnmatch(line->check, check, 0) != 0)
		return false;
	for (size_t i = 0; i < count && line->place; i++)
		for (size_t j = 0; j < stacks[i].count; j++)
			if (names_frame(line->place, &stacks[i].items[j]))
				return true;
	return !line->place;
}

/* Calls that MPI rejected (class "call" of checks) are dropped if another finding explains the rejection. */

static bool is_rejection(const struct shown_finding *shown)
{
	return strcmp(shown->info->group, "call") == 0;
}

static bool is_same_place(const struct check_call *a, const struct check_call *b)
{
	if (!a->stack_count || !b->stack_count)
		return a->stack_count == b->stack_count;
	return a->stack[0].offset == b->stack[0].offset && a->stack[0].line == b->stack[0].line &&
	       strcmp(a->stack[0].module, b->stack[0].module) == 0;
}

/* MPI reports a truncated message where the program waits for it, and for several requests only
 * that one of them failed. */
static bool is_truncation(const struct shown_finding *rejection)
{
	const struct check_finding *finding = rejection->instances[0];

	for (uint32_t i = 0; i < finding->value_count; i++)
		if (strcmp(finding->values[i].name, "class") == 0)
			return strcmp(finding->values[i].text, "MPI_ERR_TRUNCATE") == 0 ||
			       strcmp(finding->values[i].text, "MPI_ERR_IN_STATUS") == 0;
	return false;
}

static bool explains(const struct shown_finding *finding, const struct shown_finding *rejection)
{
	const struct shown_call *rejected = &rejection->calls[0];

	if (is_rejection(finding) || finding->info->severity != SEVERITY_ERROR)
		return false;
	if (finding->check == CHECK_MESSAGE_TRUNCATED && is_truncation(rejection) &&
	    rank_list_contains(&finding->ranks, &rejection->ranks))
		return true;
	for (size_t i = 0; i < finding->call_count; i++)
		if (finding->calls[i].first->function == rejected->first->function &&
		    is_same_place(finding->calls[i].first, rejected->first) &&
		    rank_list_contains(&finding->ranks, &rejection->ranks))
			return true;
	return false;
}

static bool is_explained(const struct findings *findings, const struct shown_finding *shown)
{
	if (!is_rejection(shown) || !shown->call_count)
		return false;
	for (size_t i = 0; i < findings->count; i++)
		if (explains(&findings->items[i], shown))
			return true;
	return false;
}

/* Call paths of findings. An error in a function is one finding, whatever its callers: findings at the same
 * lines, with the same partners, are merged. The merged calls keep the stacks of all paths; the text shows
 * the first, and the number of others.
 *
 *	call_paths_group(findings);      merges findings that differ only in callers */

/* The visible properties of a call except its callers. */
static const char *line_key(struct findings *findings, const struct shown_call *call)
{
	const struct stack_frame *frame = call->stack.count ? &call->stack.items[0] : NULL;

	if (!frame)
		return arena_format(&findings->arena, "%" PRIu32 " %s\n", call->first->function,
		                    call->first->note);
	if (frame->file)
		return arena_format(&findings->arena, "%" PRIu32 " %s %s:%d\n", call->first->function,
		                    call->first->note, frame->file, frame->line);
	return arena_format(&findings->arena, "%" PRIu32 " %s %s+%" PRIx64 "\n", call->first->function,
	                    call->first->note, frame->module ? frame->module : "", frame->offset);
}

/* Deadlocks are not merged: each has its own picture. */
static const char *group_key(struct findings *findings, struct shown_finding *shown)
{
	const bool is_drawn = shown->instances[0]->wait_count > 0;
	scoped_text key = {0};

	text_add(&key, "%d\n", (int)shown->check);
	for (size_t i = 0; i < shown->call_count; i++) {
		shown->calls[i].line_key = is_drawn ? shown->calls[i].path_key
		                                    : line_key(findings, &shown->calls[i]);
		if (!strstr(text_get(&key), shown->calls[i].line_key))
			text_add(&key, "%s", shown->calls[i].line_key);
	}
	return arena_text(&findings->arena, text_get(&key));
}

static void add_ranks(struct findings *findings, struct finding_ranks *to, const struct finding_ranks *from)
{
	for (size_t i = 0; i < from->count; i++)
		arena_add(&findings->arena, to->items, to->count, from->items[i]);
	rank_list_sort(to);
}

/* The shown call for this line. It exists, because the finding has the same key. */
static struct shown_call *find_line(struct shown_finding *shown, const char *key)
{
	struct shown_call *call = shown->calls;

	while (call->is_other_path || strcmp(call->line_key, key) != 0)
		call++;
	return call;
}

static struct shown_call *find_path(const struct shown_finding *shown, const char *key)
{
	for (size_t i = 0; i < shown->call_count; i++)
		if (strcmp(shown->calls[i].path_key, key) == 0)
			return &shown->calls[i];
	return NULL;
}

static void merge_paths(struct findings *findings, struct shown_finding *to, const struct shown_finding *from)
{
	const struct check_finding *moved;

	to->times += from->times;
	add_ranks(findings, &to->ranks, &from->ranks);
	for (size_t i = 0; i < from->call_count; i++) {
		const struct shown_call *call = &from->calls[i];
		struct shown_call *same = find_path(to, call->path_key), *line;

		if (same) {
			add_ranks(findings, &same->ranks, &call->ranks);
		} else {
			struct shown_call other = *call;

			other.is_other_path = true;
			arena_add(&findings->arena, to->calls, to->call_count, other);
		}
		line = find_line(to, call->line_key);
		line->other_paths += !same;
		line->arguments_vary |= call->arguments_vary ||
		                        strcmp(line->first->arguments, call->first->arguments) != 0;
		if (line != same)
			add_ranks(findings, &line->ranks, &call->ranks);
	}
	/* The first instances of all paths precede others, so that a shortened list still shows each path. */
	moved = from->instances[0];
	for (size_t i = 0; i < from->instance_count; i++)
		arena_add(&findings->arena, to->instances, to->instance_count, from->instances[i]);
	to->instances[to->instance_count - from->instance_count] = to->instances[to->path_count];
	to->instances[to->path_count++] = moved;
}

/* The first of the findings provides texts and picture of a group. */
static void call_paths_group(struct findings *findings)
{
	struct text_map known = {0};
	size_t kept = 0;

	for (size_t i = 0; i < findings->count; i++) {
		struct shown_finding *shown = &findings->items[i];
		const uint32_t number = text_map_number(&known, group_key(findings, shown));

		shown->path_count = 1;
		if (number == kept)
			findings->items[kept++] = *shown;
		else
			merge_paths(findings, &findings->items[number], shown);
	}
	text_map_release(&known);
	findings->count = kept;
}

const struct findings_back_end findings_formats[FINDINGS_FORMATS_END] = {
	[FINDINGS_JSON] = {"json", findings_json},
	[FINDINGS_SARIF] = {"sarif", findings_sarif},
	[FINDINGS_SVG] = {"svg", findings_svg},
	[FINDINGS_HTML] = {"html", findings_html},
};

/* Ranks */

uint32_t findings_world(const struct findings *findings, uint64_t world)
{
	uint32_t number = 0;

	while (number < findings->world_count && findings->worlds[number] != world)
		number++;
	return number;
}

/* Equality */

static void add_call_key(struct text *key, const struct check_call *call)
{
	text_add(key, "%" PRIu32 " %s", call->function, call->note);
	for (uint32_t i = 0; i < call->stack_count; i++) {
		const struct check_place *place = &call->stack[i];
		text_add(key, "\t%s %" PRIx64 " %" PRIu32, *place->build_id ? place->build_id : place->module,
		         place->offset, place->line);
	}
	text_add(key, "\n");
}

struct shown_call *shown_call_find(const struct shown_finding *shown, const struct check_call *call)
{
	scoped_text key = {0};

	add_call_key(&key, call);
	return find_path(shown, text_get(&key));
}

/* Several ranks that made the same call are one line of the key, so that four ranks and five
 * give the same finding. */
static void add_finding_key(struct text *key, const struct check_finding *finding)
{
	scoped_text line = {0};

	text_add(key, "%" PRIu32 "\n", finding->check);
	for (uint32_t i = 0; i < finding->call_count; i++) {
		text_clear(&line);
		add_call_key(&line, &finding->calls[i]);
		if (!strstr(text_get(key), text_get(&line)))
			text_add(key, "%s", text_get(&line));
	}
}

/* Merging */

static struct shown_call *take_call(struct findings *findings, struct shown_finding *shown,
                                    const struct check_call *call)
{
	struct shown_call *known = shown_call_find(shown, call);

	if (!known) {
		struct shown_call made = {.first = call};
		scoped_text key = {0};
		add_call_key(&key, call);
		made.path_key = arena_text(&findings->arena, text_get(&key));
		made.stack = stack_frames_of(findings->symbols, call, &findings->arena);
		arena_add(&findings->arena, shown->calls, shown->call_count, made);
		known = &shown->calls[shown->call_count - 1];
	}
	known->arguments_vary |= strcmp(known->first->arguments, call->arguments) != 0;
	return known;
}

/* Processes that vanished */

/* MPI ends a job because of such an error, and the launcher then ends all other processes. */
static bool explains_end(const struct check_run *run, const struct check_finding *finding)
{
	static const char *const classes[] = {"argument", "message", "collective", "request",
	                                      "buffer",   "leak",    "call",       "shmem"};
	const struct check_info *info = check_info(finding->check);
	bool fits = false;

	/* MPI ends the whole job for a call out of order, and launchers do for a process
	 * without MPI_Finalize. */
	if (strcmp(info->group, "order") == 0)
		return true;
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		fits |= strcmp(info->group, classes[i]) == 0;
	if (!fits || info->severity != SEVERITY_ERROR)
		return false;
	if (finding->check == CHECK_CALL_FATAL)
		return true;
	for (uint32_t i = 0; i < finding->call_count; i++) {
		const struct check_call *call = &finding->calls[i];
		const struct check_member *member = check_run_process(run, call->world, call->rank);

		if (member && member->state == MEMBER_ENDED + END_VANISHED)
			return true;
	}
	return false;
}

static bool was_stopped(const struct check_run *run)
{
	/* These findings end a run at once, whatever its processes have sent. */
	for (size_t i = 0; i < run->findings.count; i++) {
		const struct check_info *info = check_info(run->findings.items[i]->check);

		if (strcmp(info->group, "deadlock") == 0 && info->severity == SEVERITY_ERROR)
			return true;
	}
	for (size_t i = 0; i < run->processes.count; i++)
		if (run->processes.items[i].state == MEMBER_ENDED + END_STOPPED)
			return true;
	return false;
}

/* All processes that vanished by themselves were ended from outside. */
static bool was_ended_from_outside(const struct check_run *run)
{
	bool is_any = false;

	for (size_t i = 0; i < run->findings.count; i++) {
		const struct check_finding *finding = run->findings.items[i];
		const char *cause = finding->check == CHECK_END_CRASH ? finding_value(finding, "cause")
		                                                      : NULL;

		if (finding->check != CHECK_END_CRASH)
			continue;
		if (!cause || strcmp(cause, CAUSE_FROM_OUTSIDE) != 0)
			return false;
		is_any = true;
	}
	return is_any;
}

static enum job_end explain_end(const struct check_run *run, const struct findings_options *options)
{
	if (was_stopped(run))
		return JOB_STOPPED;
	if (options->is_interrupted || run->is_interrupted || was_ended_from_outside(run))
		return JOB_INTERRUPTED;
	for (size_t i = 0; i < run->findings.count; i++)
		if (explains_end(run, run->findings.items[i]))
			return JOB_ENDED_BY_ERROR;
	return JOB_END_UNKNOWN;
}

/* MPI's error class for a problem outside this call: libraries have no other for a lost connection. */
static bool is_unspecific(const char *class)
{
	return class && (strcmp(class, "MPI_ERR_OTHER") == 0 || strcmp(class, "MPI_ERR_INTERN") == 0 ||
	                 strcmp(class, "MPI_ERR_UNKNOWN") == 0);
}

/* A consequence of the end of the job. If the user ends it, some processes are gone while
 * others still call them. */
static bool is_consequence(const struct findings *findings, const struct check_finding *finding)
{
	if (finding->check == CHECK_END_CRASH)
		return findings->end != JOB_END_UNKNOWN;
	return finding->check == CHECK_CALL_FATAL && findings->end == JOB_INTERRUPTED &&
	       is_unspecific(finding_value(finding, "class"));
}

static bool is_same_call(const struct check_call *a, const struct check_call *b)
{
	if (a->world != b->world || a->rank != b->rank || a->function != b->function ||
	    a->stack_count != b->stack_count)
		return false;
	for (uint32_t i = 0; i < a->stack_count; i++)
		if (a->stack[i].offset != b->stack[i].offset || a->stack[i].line != b->stack[i].line ||
		    strcmp(a->stack[i].module, b->stack[i].module) != 0)
			return false;
	return true;
}

static const struct check_call *find_note(const struct check_finding *finding, const char *note)
{
	for (uint32_t i = 0; i < finding->call_count; i++)
		if (strcmp(finding->calls[i].note, note) == 0)
			return &finding->calls[i];
	return NULL;
}

/* A buffer in a window was changed, and no write of the program was seen: a conflicting call of
 * another process did. */
static bool is_part_of_race(const struct check_run *run, const struct check_finding *finding)
{
	const struct check_call *call = finding->check == CHECK_MEMORY_SEND_CHANGED ||
	                                                finding->check == CHECK_MEMORY_RECEIVE_WRITTEN
	                                        ? find_note(finding, NOTE_EARLIER)
	                                        : NULL;

	if (!call || find_note(finding, NOTE_WRITTEN))
		return false;
	for (size_t i = 0; i < run->findings.count; i++) {
		const struct check_finding *race = run->findings.items[i];

		for (uint32_t j = 0; race->check == CHECK_RACE_LOCAL_ACCESS && j < race->call_count; j++)
			if (is_same_call(&race->calls[j], call))
				return true;
	}
	return false;
}

static void merge_all(struct findings *findings)
{
	const struct check_run *run = findings->run;
	struct text_map known = {0};

	for (size_t i = 0; i < run->findings.count; i++) {
		const struct check_finding *finding = run->findings.items[i];
		struct shown_finding *shown;
		scoped_text key = {0};
		uint32_t number;

		if (is_consequence(findings, finding) || is_part_of_race(run, finding))
			continue;
		add_finding_key(&key, finding);
		number = text_map_number(&known, arena_text(&findings->arena, text_get(&key)));
		if (number == findings->count) {
			struct shown_finding made = {.check = (enum check)finding->check,
			                             .info = check_info(finding->check)};
			arena_add(&findings->arena, findings->items, findings->count, made);
		}
		shown = &findings->items[number];
		shown->times += finding->times ? finding->times : 1;
		arena_add(&findings->arena, shown->instances, shown->instance_count, finding);
		for (uint32_t j = 0; j < finding->call_count; j++) {
			rank_list_add(findings, &take_call(findings, shown, &finding->calls[j])->ranks,
			              &finding->calls[j]);
			rank_list_add(findings, &shown->ranks, &finding->calls[j]);
		}
	}
	text_map_release(&known);
	for (size_t i = 0; i < findings->count; i++) {
		rank_list_sort(&findings->items[i].ranks);
		for (size_t j = 0; j < findings->items[i].call_count; j++)
			rank_list_sort(&findings->items[i].calls[j].ranks);
	}
}

/* Suppressions */

static bool is_suppressed(struct findings *findings, const struct shown_finding *shown)
{
	struct suppressions *lines = findings->options.suppressions;
	struct stack_frames *stacks = memory_new(shown->call_count + 1, sizeof *stacks);
	bool hidden = false;

	for (size_t i = 0; i < shown->call_count; i++)
		stacks[i] = shown->calls[i].stack;
	for (size_t i = 0; lines && i < lines->list.count; i++)
		if (suppression_names(&lines->list.items[i], shown->info->id, stacks, shown->call_count)) {
			lines->list.items[i].used++;
			hidden = true;
		}
	free(stacks);
	return hidden;
}

static void suppress(struct findings *findings)
{
	size_t kept = 0;

	for (size_t i = 0; i < findings->count; i++)
		if (is_suppressed(findings, &findings->items[i]))
			findings->suppressed++;
		else
			findings->items[kept++] = findings->items[i];
	findings->count = kept;
}

enum { CLASS_ENDS_RUN, CLASS_CAUSE, CLASS_MISMATCH, CLASS_CONSEQUENCES };

/* Consequences, later ones last: a lost request keeps its buffer in use, leaks at the end,
 * the end of processes. */
static const char *const consequences[] = {"memory", "leak", "end"};

enum { CLASS_RANKS = CLASS_CONSEQUENCES + sizeof consequences / sizeof *consequences };

static int rank_of_class(const struct check_info *info)
{
	/* The mismatch that causes it is first. */
	if (info == check_info(CHECK_DEADLOCK_MISMATCH))
		return CLASS_MISMATCH;
	if (strcmp(info->group, "deadlock") == 0)
		return CLASS_ENDS_RUN;
	for (size_t i = 0; i < sizeof consequences / sizeof *consequences; i++)
		if (strcmp(info->group, consequences[i]) == 0)
			return CLASS_CONSEQUENCES + (int)i;
	return CLASS_CAUSE;
}

struct finding_order {
	int severity, rank, kind;
	size_t found;
};

static int by_order(const void *left, const void *right)
{
	const struct finding_order *a = left, *b = right;

	if (a->severity != b->severity)
		return a->severity < b->severity ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->found > b->found) - (a->found < b->found);
}

bool findings_are_alike(const struct shown_finding *a, const struct shown_finding *b)
{
	return a->info->severity == SEVERITY_NOTE && a->check == b->check;
}

/* Errors first, deadlocks before all others, causes before consequences, notes of one check together;
 * otherwise in their order. */
static void order(struct findings *findings)
{
	struct shown_finding *sorted = arena_array(&findings->arena, struct shown_finding,
	                                           findings->count + 1);
	struct finding_order *places = arena_array(&findings->arena, struct finding_order,
	                                           findings->count + 1);

	for (size_t i = 0; i < findings->count; i++) {
		const struct shown_finding *shown = &findings->items[i];
		const bool is_note = shown->info->severity == SEVERITY_NOTE;

		places[i] = (struct finding_order){(int)shown->info->severity, rank_of_class(shown->info),
		                                   is_note ? (int)shown->check : 0, i};
		findings->errors += shown->info->severity == SEVERITY_ERROR;
		findings->warnings += shown->info->severity == SEVERITY_WARNING;
		findings->notes += is_note;
	}
	qsort(places, findings->count, sizeof *places, by_order);
	for (size_t i = 0; i < findings->count; i++)
		sorted[i] = findings->items[places[i].found];
	findings->items = sorted;
}

/* Texts */

static const char *filled(struct findings *findings, const char *text, const struct shown_finding *shown)
{
	scoped_text out = {0};

	message_fill(&out, text, shown->instances[0], findings->lang);
	return arena_text(&findings->arena, text_get(&out));
}

void finding_message(const struct shown_finding *finding, struct text *out)
{
	text_add(out, "%s: %s", finding->name, finding->why);
}

/* Lines before and after that of a call. */
enum { LINES_AROUND = 2 };

const struct source_excerpt *stack_frame_excerpt(const struct findings *findings,
                                                 const struct stack_frame *frame)
{
	return frame->is_near ? NULL : source_excerpt_get(findings->excerpts, frame->file, frame->line);
}

struct findings *findings_new(const struct check_run *run, const struct findings_options *options)
{
	struct findings *findings = memory_new(1, sizeof *findings);
	struct shown_finding *kept;
	size_t count = 0;

	findings->run = run;
	findings->options = *options;
	findings->lang = locale_of(options->lang)->lang;
	findings->symbols = symbols_new();
	symbols_search(findings->symbols, options->symbols);
	findings->excerpts = arena_new(&findings->arena, struct source_excerpts);
	*findings->excerpts = (struct source_excerpts){.files = options->sources, .around = LINES_AROUND};
	findings->end = explain_end(run, options);
	merge_all(findings);
	/* Removes rejected calls that another finding explains. */
	kept = arena_array(&findings->arena, struct shown_finding, findings->count + 1);
	for (size_t i = 0; i < findings->count; i++)
		if (!is_explained(findings, &findings->items[i]))
			kept[count++] = findings->items[i];
	findings->items = kept;
	findings->count = count;
	suppress(findings); /* a suppression may name a caller */
	call_paths_group(findings);
	order(findings);
	for (size_t i = 0; i < findings->count; i++) {
		struct shown_finding *shown = &findings->items[i];
		shown->name = translate(findings->lang, shown->info->name);
		shown->why = filled(findings, translate(findings->lang, shown->info->why), shown);
		shown->fix = filled(findings, translate(findings->lang, shown->info->fix), shown);
		shown->picture = wait_picture_new(findings, shown);
	}
	findings->trust = check_trust_of(run, findings->end, findings->lang, &findings->arena);
	return findings;
}

void findings_free(struct findings *findings)
{
	source_excerpts_release(findings->excerpts);
	symbols_free(findings->symbols);
	arena_release(&findings->arena);
	free(findings);
}
