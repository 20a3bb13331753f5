/* Writes a log of an analyser from lines of text, for tests of its readers:
 *
 *	finding argument.negative-count 3             times
 *	value parameter count                         of the last finding
 *	call 0 MPI_Send - dest = 1, count = -1        rank, function, note ("-": none), arguments
 *	at /src/app.c:12                              the next frame of the last call: a line that is known
 *	in /usr/bin/app 4f0                           or an offset in a file
 *	wait 0 1 message any                          from call, to call, why, "any" or "all"
 *	found 5                                       when the last finding was found; otherwise that is not written
 *	member 0 4 1                                  rank, size, state
 *	bytes 100                                     this many, which are not a frame
 *	end */
#include "calls/calls.h"
#include "check/checks/checks.h"
#include "check/protocol/messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 8192 };

static struct check_finding finding;
static bool has_finding;
static uint64_t found_ns;
static struct message_writer out;

static void give_up(const char *what, const char *line)
{
	fprintf(stderr, "%s: %s\n", what, line);
	exit(2);
}

static void put_finding(void)
{
	struct message_writer body = {0};

	if (!has_finding)
		return;
	finding_put(&body, &finding);
	if (found_ns)
		put_number(&body, found_ns);
	found_ns = 0;
	frame_put(&out, MESSAGE_FINDING, &body);
	writer_release(&body);
	has_finding = false;
}

static void begin_finding(const char *line)
{
	char id[128];
	uint64_t times = 1;

	put_finding();
	if (sscanf(line, "%127s %" SCNu64, id, &times) < 1)
		give_up("no check", line);
	finding = (struct check_finding){.check = check_find(id), .times = times};
	if (strcmp(id, "unknown") == 0)
		finding.check = CHECKS_END + 5;
	else if (!finding.check)
		give_up("no such check", id);
	finding.calls = calloc(FINDING_CALLS_MAX, sizeof *finding.calls);
	finding.values = calloc(FINDING_VALUES_MAX, sizeof *finding.values);
	finding.waits = calloc(FINDING_WAITS_MAX, sizeof *finding.waits);
	has_finding = true;
}

static void add_value(const char *line)
{
	size_t length = strcspn(line, " ");

	finding.values[finding.value_count++] = (struct check_value){
		strndup(line, length), strdup(line + length + (line[length] == ' '))};
}

static void add_call(const char *line)
{
	struct check_call *call = &finding.calls[finding.call_count++];
	char function[128], note[32];
	const struct call_info *info;
	int rank, length = 0;

	if (sscanf(line, "%d %127s %31s %n", &rank, function, note, &length) < 3)
		give_up("no call", line);
	info = call_find(function);
	if (!info)
		give_up("no such function", function);
	*call = (struct check_call){.world = 1,
	                            .rank = rank < 0 ? UINT32_MAX : (uint32_t)rank,
	                            .function = (uint32_t)(info - all_calls),
	                            .note = strcmp(note, "-") == 0 ? "" : strdup(note),
	                            .arguments = strdup(length ? line + length : "")};
	call->stack = calloc(FINDING_STACK_MAX, sizeof *call->stack);
}

static void add_wait(const char *line)
{
	struct check_wait *wait = &finding.waits[finding.wait_count++];
	char why[32], how[32];

	if (sscanf(line, "%" SCNu32 " %" SCNu32 " %31s %31s", &wait->from, &wait->to, why, how) != 4)
		give_up("no wait", line);
	wait->why = strdup(why);
	wait->is_one_of = strcmp(how, "any") == 0;
}

static void set_time(const char *line)
{
	found_ns = strtoull(line, NULL, 10);
}

static struct check_place *new_place(void)
{
	struct check_call *call = &finding.calls[finding.call_count - 1];
	struct check_place *place = &call->stack[call->stack_count++];

	place->build_id = "";
	return place;
}

static void add_line(const char *line)
{
	struct check_place *place = new_place();
	const char *colon = strrchr(line, ':');

	place->module = strndup(line, (size_t)(colon - line));
	place->line = (uint32_t)strtoul(colon + 1, NULL, 10);
}

static void add_offset(const char *line)
{
	struct check_place *place = new_place();
	size_t length = strcspn(line, " ");

	place->module = strndup(line, length);
	place->offset = strtoull(line + length, NULL, 16);
}

static void put_member(const char *line)
{
	struct check_member member = {.world = 1};
	struct message_writer body = {0};

	put_finding();
	if (sscanf(line, "%" SCNu32 " %" SCNu32 " %" SCNu32, &member.rank, &member.size, &member.state) != 3)
		give_up("no process", line);
	member_put(&body, &member);
	frame_put(&out, MESSAGE_MEMBER, &body);
	writer_release(&body);
}

static void put_garbage(const char *line)
{
	put_finding();
	for (unsigned long i = strtoul(line, NULL, 10); i; i--)
		put_raw(&out, "\xff", 1);
}

static void put_end(const char *line)
{
	(void)line;
	put_finding();
	frame_put(&out, MESSAGE_END, NULL);
}

static const struct {
	const char *word;
	void (*take)(const char *line);
} words[] = {
	{"finding", begin_finding}, {"value", add_value},   {"call", add_call},     {"at", add_line},
	{"in", add_offset},         {"member", put_member}, {"bytes", put_garbage}, {"end", put_end},
	{"wait", add_wait},         {"found", set_time},
};

static void take_line(const char *line)
{
	size_t length = strcspn(line, " ");

	if (!*line)
		return;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strlen(words[i].word) == length && strncmp(words[i].word, line, length) == 0) {
			words[i].take(line + length + (line[length] == ' '));
			return;
		}
	give_up("not understood", line);
}

int main(void)
{
	char line[LINE_BYTES];

	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = 0;
		take_line(line);
	}
	put_finding();
	if (out.failed || fwrite(out.bytes, 1, out.size, stdout) != out.size)
		give_up("cannot write", "the log");
	return 0;
}
