#include "base/json.h"
#include "cli/colour.h"
#include "cli/command.h"
#include "cli/doctor.h"

#include <stdio.h>

enum { VERDICT_WIDTH = 9, CHECK_WIDTH = 19 };

static struct {
	bool json;
} choice;

static const struct option_spec options[] = {
	{"json", 0, NULL, "print the findings as JSON", OPTION_FLAG, &choice.json},
	OPTIONS_END,
};

static const enum colour verdict_colours[VERDICTS] = {COLOUR_GOOD, COLOUR_DOUBTFUL, COLOUR_BAD};

static void print_text(const struct examination *examination)
{
	const char *plain = colour_code(COLOUR_NONE, stdout);

	for (size_t i = 0; i < examination->count; i++) {
		const struct finding *finding = &examination->findings[i];
		printf("%s%-*s%s%-*s%s\n", colour_code(verdict_colours[finding->verdict], stdout),
		       VERDICT_WIDTH, doctor_verdict_names[finding->verdict], plain, CHECK_WIDTH,
		       finding->check, finding->text);
		if (finding->advice)
			printf("%*s%s\n", VERDICT_WIDTH + CHECK_WIDTH, "", finding->advice);
	}
	puts(can_record(examination) ? "programs can be recorded here" : "nothing can be recorded here");
}

static void print_json(const struct examination *examination)
{
	struct text out = {0};
	struct json json = {.out = &out};

	json_open(&json, NULL, '{');
	json_bool(&json, "can_record", can_record(examination));
	json_open(&json, "findings", '[');
	for (size_t i = 0; i < examination->count; i++) {
		const struct finding *finding = &examination->findings[i];
		json_open(&json, NULL, '{');
		json_text(&json, "check", finding->check);
		json_text(&json, "verdict", doctor_verdict_names[finding->verdict]);
		json_text(&json, "text", finding->text);
		if (finding->advice)
			json_text(&json, "advice", finding->advice);
		json_close(&json, '}');
	}
	json_close(&json, ']');
	json_close(&json, '}');
	fputs(text_get(&out), stdout);
	text_release(&out);
}

static int run_doctor(int argc, char **argv)
{
	struct examination examination = {0};
	int code;

	(void)argc;
	(void)argv;
	examine(&examination);
	(choice.json ? print_json : print_text)(&examination);
	code = can_record(&examination) ? EXIT_FINE : EXIT_FAILED;
	arena_release(&examination.arena);
	return code;
}

const struct command command_doctor = {
	.name = "doctor",
	.summary = "tell what works here and what is missing",
	.usage = "[options]",
	.example = "tarry doctor",
	.options = options,
	.run = run_doctor,
};
