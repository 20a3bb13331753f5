/* Reports of wrong arguments, in a file of their own to keep them off the path of valid calls. */
#include "calls/calls.h"
#include "job/check/arguments/argument_check.h"
#include "job/check/objects/argument_text.h"
#include "job/check/objects/finding_draft.h"

#include <stdio.h>

#define COLD __attribute__((cold, noinline))

struct finding_draft argument_draft(struct argument_check *check, enum check which, int parameter)
{
	struct finding_draft draft = problem_draft(which, check->call);

	finding_draft_parameter(&draft, check->call, parameter);
	return draft;
}

static const char *parameter_name(const struct argument_check *check, int parameter)
{
	return call_parameter_name(check->call->id, (uint32_t)parameter);
}

static void report_number(struct argument_check *check, enum check which, int parameter, int64_t value)
{
	struct finding_draft draft = argument_draft(check, which, parameter);

	finding_draft_value(&draft, "value", "%lld", (long long)value);
	finding_report(&draft);
}

static void report_element(struct argument_check *check, enum check which, int parameter, int64_t index,
                           int64_t value)
{
	struct finding_draft draft = problem_draft(which, check->call);

	finding_draft_value(&draft, "parameter", "%s[%lld]", parameter_name(check, parameter),
	                    (long long)index);
	finding_draft_value(&draft, "value", "%lld", (long long)value);
	finding_report(&draft);
}

COLD void report_bad_value(struct argument_check *check, int parameter, int64_t value)
{
	report_number(check, CHECK_ARGUMENT_BAD_VALUE, parameter, value);
}

COLD void report_bad_word(struct argument_check *check, int parameter, const char *word)
{
	struct finding_draft draft = argument_draft(check, CHECK_ARGUMENT_BAD_VALUE, parameter);

	finding_draft_value(&draft, "value", "%s", word);
	finding_report(&draft);
}

COLD void report_bad_element(struct argument_check *check, int parameter, int64_t index, int64_t value)
{
	report_element(check, CHECK_ARGUMENT_BAD_VALUE, parameter, index, value);
}

COLD void report_negative(struct argument_check *check, int parameter, int64_t value)
{
	report_number(check, CHECK_ARGUMENT_NEGATIVE_COUNT, parameter, value);
}

COLD void report_negative_element(struct argument_check *check, int parameter, int64_t index, int64_t value)
{
	report_element(check, CHECK_ARGUMENT_NEGATIVE_COUNT, parameter, index, value);
}

static void report_rank_as(struct argument_check *check, enum check which, const char *name, int64_t rank,
                           int64_t size, const struct checked_object *object)
{
	char text[VALUE_TEXT];
	struct finding_draft draft = problem_draft(which, check->call);

	finding_draft_value(&draft, "parameter", "%s", name);
	finding_draft_value(&draft, "value", "%s", rank_text(rank, text));
	finding_draft_value(&draft, "size", "%lld", (long long)size);
	finding_draft_value(&draft, "comm", "%s", object_text(object, text));
	finding_report(&draft);
}

COLD void report_rank(struct argument_check *check, int parameter, int64_t rank, int64_t size,
                      const struct checked_object *object)
{
	report_rank_as(check, CHECK_ARGUMENT_RANK_OUTSIDE, parameter_name(check, parameter), rank, size,
	               object);
}

COLD void report_root(struct argument_check *check, int parameter, int64_t root)
{
	report_rank_as(check, CHECK_ARGUMENT_ROOT_OUTSIDE, parameter_name(check, parameter), root,
	               check->comm->peers, check->comm_object);
}

COLD void report_rank_element(struct argument_check *check, int parameter, int64_t index, int64_t rank,
                              int64_t size, const struct checked_object *object)
{
	char name[VALUE_TEXT];

	snprintf(name, sizeof name, "%s[%lld]", parameter_name(check, parameter), (long long)index);
	report_rank_as(check, CHECK_ARGUMENT_RANK_OUTSIDE, name, rank, size, object);
}

COLD void report_null(struct argument_check *check, int parameter, size_t bytes)
{
	struct finding_draft draft = argument_draft(check, CHECK_ARGUMENT_NULL_POINTER, parameter);

	finding_draft_value(&draft, "bytes", "%zu", bytes);
	finding_report(&draft);
}
