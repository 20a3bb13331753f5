/* Findings in SARIF 2.1.0, which code-scanning viewers show next to the source. */
#include "base/hash.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/paths.h"
#include "base/sarif.h"
#include "calls/calls.h"
#include "language/language.h"
#include "output/findings/findings.h"
#include "output/findings/wait_picture.h"
#include "output/findings/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void add_rule(struct json *json, const struct findings *findings, const struct check_info *info)
{
	json_open(json, NULL, '{');
	json_text(json, "id", info->id);
	sarif_message(json, "shortDescription", translate(findings->lang, info->name));
	sarif_message(json, "fullDescription", translate(findings->lang, info->why));
	sarif_message(json, "help", translate(findings->lang, info->fix));
	json_open(json, "defaultConfiguration", '{');
	json_text(json, "level", severity_id(info->severity));
	json_close(json, '}');
	json_open(json, "properties", '{');
	json_text(json, "standard", info->standard);
	json_open(json, "tags", '[');
	json_text(json, NULL, "correctness");
	json_text(json, NULL, info->group);
	json_close_all(json, "]}}");
}

static void add_frame(struct json *json, const struct findings *findings, const struct stack_frame *frame,
                      const char *name)
{
	sarif_place(json, findings->options.root, frame ? frame->file : NULL, frame ? frame->line : 0,
	            frame && frame->function ? frame->function : name);
}

static void add_location(struct json *json, const struct findings *findings, const struct shown_call *call,
                         const char *message, int64_t id)
{
	json_open(json, NULL, '{');
	if (id)
		json_number(json, "id", id);
	add_frame(json, findings, call->stack.count ? &call->stack.items[0] : NULL,
	          all_calls[call->first->function].name);
	sarif_message(json, "message", message);
	json_close(json, '}');
}

/* "sent: MPI_Send, rank 0". */
static void add_call(struct json *json, const struct findings *findings, const struct shown_call *call,
                     int64_t id)
{
	const char *note = findings_note(call->first->note, findings->lang);
	scoped_text words = {0};

	text_add(&words, "%s%s%s", note, *note && *findings_function(call->first) ? ": " : "",
	         findings_function(call->first));
	if (call->first->rank != UINT32_MAX)
		text_add(&words, ", %s%" PRIu32, translate(findings->lang, "rank "), call->first->rank);
	add_location(json, findings, call, text_get(&words), id);
}

/* "rank 0: MPI_Recv, waits for a message from rank 1". */
static void add_node(struct json *json, const struct findings *findings, const struct picture_node *node,
                     int64_t id)
{
	const char *state = picture_node_state(findings, node);
	scoped_text words = {0};

	picture_node_name(findings, node, &words);
	text_add(&words, ": %s", all_calls[node->call->function].name);
	for (size_t i = 0; i < node->wait_count; i++) {
		text_add(&words, ", ");
		picture_wait_describe(findings, node, &node->waits[i], &words);
	}
	if (!node->wait_count)
		text_add(&words, ", %s", state ? state : findings_note(node->call->note, findings->lang));
	add_location(json, findings, node->shown, text_get(&words), id);
}

static void add_related_nodes(struct json *json, const struct findings *findings,
                              const struct wait_picture *picture)
{
	int64_t id = 1;

	for (size_t i = 1; i < picture->count; i++)
		add_node(json, findings, &picture->nodes[i], id++);
	for (size_t i = 0; i < picture->behind_count; i++)
		add_node(json, findings, &picture->behind[i], id++);
	for (size_t i = 0; i < picture->count; i++)
		for (size_t j = 0; j < picture->nodes[i].began_count; j++)
			add_call(json, findings, picture->nodes[i].began[j].shown, id++);
}

static void add_stacks(struct json *json, const struct findings *findings,
                       const struct shown_finding *finding)
{
	json_open(json, "stacks", '[');
	for (size_t i = 0; i < finding->call_count; i++) {
		const struct shown_call *call = &finding->calls[i];
		json_open(json, NULL, '{');
		sarif_message(json, "message", all_calls[call->first->function].name);
		json_open(json, "frames", '[');
		for (size_t j = 0; j < call->stack.count; j++) {
			json_open(json, NULL, '{');
			json_open(json, "location", '{');
			add_frame(json, findings, &call->stack.items[j], "?");
			json_close_all(json, "}}");
		}
		json_close_all(json, "]}");
	}
	json_close(json, ']');
}

/* Everything but line numbers, so that it stays the same when lines move. */
static uint64_t fingerprint(const struct findings *findings, const struct shown_finding *finding)
{
	scoped_text key = {0};

	text_add(&key, "%s", finding->info->id);
	for (size_t i = 0; i < finding->call_count; i++) {
		const struct shown_call *call = &finding->calls[i];
		const struct stack_frame *frame = call->stack.count ? &call->stack.items[0] : NULL;
		if (call->is_other_path)
			continue;
		text_add(&key, "\n%s %s %s", all_calls[call->first->function].name,
		         frame && frame->function ? frame->function : "",
		         frame && frame->file ? path_below(findings->options.root, frame->file) : "");
	}
	return hash_bytes(text_get(&key), key.length);
}

static void add_result(struct json *json, const struct findings *findings, size_t number, int64_t rule,
                       const uint64_t *fingerprints)
{
	const struct shown_finding *finding = &findings->items[number];
	scoped_text words = {0};

	json_open(json, NULL, '{');
	json_text(json, "ruleId", finding->info->id);
	json_number(json, "ruleIndex", rule);
	json_text(json, "level", severity_id(finding->info->severity));
	finding_message(finding, &words);
	text_add(&words, " %s", finding->fix);
	sarif_message(json, "message", text_get(&words));
	json_open(json, "locations", '[');
	if (finding->picture)
		add_node(json, findings, &finding->picture->nodes[0], 0);
	else if (finding->call_count)
		add_call(json, findings, &finding->calls[0], 0);
	json_close(json, ']');
	json_open(json, "relatedLocations", '[');
	if (finding->picture)
		add_related_nodes(json, findings, finding->picture);
	for (size_t i = 1; !finding->picture && i < finding->call_count; i++)
		if (!finding->calls[i].is_other_path)
			add_call(json, findings, &finding->calls[i], (int64_t)i);
	json_close(json, ']');
	add_stacks(json, findings, finding);
	sarif_fingerprint(json, "tarryCheck/v1", fingerprints, number);
	json_number(json, "occurrenceCount", (int64_t)finding->times);
	json_open(json, "properties", '{');
	json_open(json, "ranks", '[');
	for (size_t i = 0; i < finding->ranks.count; i++)
		if (finding->ranks.items[i].rank != UINT32_MAX)
			json_number(json, NULL, finding->ranks.items[i].rank);
	json_close_all(json, "]}}");
}

/* Rules: one for each check that found something, in the order of its first finding. */
void findings_sarif(const struct findings *findings, struct text *out)
{
	int64_t rule_of[CHECKS_END] = {0}, count = 0; /* places in the list of rules, from 1 */
	uint64_t *fingerprints = memory_new(findings->count + 1, sizeof *fingerprints);
	struct json document = {.out = out}, *json = &document;

	sarif_begin(json, TARRY_VERSION);
	for (size_t i = 0; i < findings->count; i++) {
		enum check check = findings->items[i].check;

		fingerprints[i] = fingerprint(findings, &findings->items[i]);
		if (rule_of[check])
			continue;
		rule_of[check] = ++count;
		add_rule(json, findings, check_info(check));
	}
	json_close_all(json, "]}}");
	json_open(json, "invocations", '[');
	json_open(json, NULL, '{');
	json_bool(json, "executionSuccessful", findings->trust.is_complete);
	json_open(json, "toolExecutionNotifications", '[');
	for (size_t i = 0; i < findings->trust.reason_count; i++)
		sarif_notification(json, "warning", findings->trust.reasons[i]);
	for (size_t i = 0; i < findings->run->notes.count; i++)
		sarif_notification(json, "note", findings->run->notes.items[i]);
	json_close_all(json, "]}]");
	json_text(json, "language", findings->lang);
	sarif_root(json, findings->options.root);
	json_open(json, "results", '[');
	for (size_t i = 0; i < findings->count; i++)
		add_result(json, findings, i, rule_of[findings->items[i].check] - 1, fingerprints);
	json_close_all(json, "]}]}");
	free(fingerprints);
}
