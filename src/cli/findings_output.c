#include "cli/findings_output.h"

#include "cli/outputs.h"
#include "cli/terminal.h"
#include "cli/trace_files.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_WIDTH = 80 };

enum status findings_choice_check(struct findings_choice *choice)
{
	struct output_option outputs[FINDINGS_FORMATS_END];

	for (int i = 0; i < FINDINGS_FORMATS_END; i++)
		outputs[i] = (struct output_option){findings_formats[i].name, choice->outputs[i], NULL};
	TRY(outputs_check(outputs, FINDINGS_FORMATS_END, (char *[]){NULL}));
	if (!choice->lang)
		choice->lang = getenv("TARRY_LANG");
	if (choice->lang && *choice->lang && strcmp(choice->lang, "en") != 0 &&
	    strcmp(choice->lang, "ru") != 0)
		return fail("language '%s' is not available: choose one of en, ru", choice->lang);
	return OK;
}

static struct findings_style style_for(const struct findings_choice *choice, FILE *stream)
{
	return (struct findings_style){
		.width = TEXT_WIDTH,
		.strong = colour_code(COLOUR_STRONG, stream),
		.faint = colour_code(COLOUR_FAINT, stream),
		.error = colour_code(COLOUR_BAD, stream),
		.warning = colour_code(COLOUR_DOUBTFUL, stream),
		.none = colour_code(COLOUR_NONE, stream),
		.stacks = choice->stacks,
		.all = choice->all,
		.suppressions = choice->print_suppressions,
	};
}

/* Files beside the folder of the run, as for a trace. */
static struct source_files *sources_for(const struct findings_choice *choice, const char *path)
{
	struct source_files *sources = named_sources(&choice->sources);

	source_files_allow_beside(sources, path);
	if (choice->program && strchr(choice->program, '/'))
		source_files_allow_beside(sources, choice->program);
	return sources;
}

static bool write_formats(const struct findings *findings, const struct findings_choice *choice)
{
	bool written = true;

	for (int i = 0; i < FINDINGS_FORMATS_END; i++) {
		struct text out = {0};
		if (!choice->outputs[i])
			continue;
		findings_formats[i].write(findings, &out);
		written = write_output(choice->outputs[i], &out) && written;
		text_release(&out);
	}
	return written;
}

int write_findings(const char *path, const struct findings_choice *choice, struct suppressions *suppressions,
                   FILE *stream, struct findings_verdict *verdict)
{
	char root[PATH_MAX];
	struct source_files *sources = sources_for(choice, path);
	struct findings_options options = {
		.lang = choice->lang,
		.symbols = choice->symbols,
		.root = realpath(choice->root ? choice->root : ".", root),
		.suppressions = suppressions,
		.sources = sources,
		.is_interrupted = choice->is_interrupted,
	};
	struct findings *findings;
	struct check_run run;
	bool written;

	if (check_run_read(path, &run) != OK) {
		source_files_free(sources);
		return report_failure();
	}
	findings = findings_new(&run, &options);
	written = write_formats(findings, choice);
	if (!any_is_stdout(choice->outputs, FINDINGS_FORMATS_END)) {
		struct findings_style style = style_for(choice, stream);
		struct text out = {0};

		findings_text(findings, &style, &out);
		if (!speaks_utf8())
			fold_to_ascii(&out);
		fwrite(text_get(&out), 1, out.length, stream);
		text_release(&out);
		fflush(stream);
	}
	say_refused_source(sources);
	say_warnings(findings->symbols);
	*verdict = (struct findings_verdict){findings->errors, findings->trust.is_complete};
	findings_free(findings);
	source_files_free(sources);
	check_run_release(&run);
	return written ? EXIT_FINE : EXIT_FAILED;
}

enum status findings_for_page(const char *folder, const char *lang, const char *symbols,
                              struct source_files *sources, struct text *json)
{
	struct findings_options options = {.lang = lang, .symbols = symbols, .sources = sources};
	struct findings *findings;
	struct check_run run;

	TRY(check_run_read(folder, &run));
	source_files_allow_beside(sources, folder);
	findings = findings_new(&run, &options);
	findings_page_json(findings, json);
	findings_free(findings);
	check_run_release(&run);
	return OK;
}
