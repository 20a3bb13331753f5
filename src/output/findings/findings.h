/* The findings of the checker in a run, for people and programs. Equal findings of all processes and
 * analysers are merged, even with different call paths; the worst are first.
 *
 *	struct check_run run;
 *	TRY(check_run_read("app.check", &run));
 *	struct findings *findings = findings_new(&run, &(struct findings_options){0});
 *	findings_text(findings, &(struct findings_style){.width = 80}, &out);
 *	findings_formats[FINDINGS_JSON].write(findings, &out);
 *	findings_free(findings);
 *	check_run_release(&run);
 *
 * The run must outlive them. */
#ifndef TARRY_OUTPUT_FINDINGS_FINDINGS_H
#define TARRY_OUTPUT_FINDINGS_FINDINGS_H

#include "analysis/symbols/symbols.h"
#include "base/arena.h"
#include "base/array.h"
#include "base/source_excerpts.h"
#include "base/status.h"
#include "base/text.h"
#include "check/checks/checks.h"
#include "check/protocol/finding.h"
#include "output/findings/run_log.h"

/* Gaps in the logs of a run: was everything checked? */

struct check_trust {
	bool is_complete;
	uint32_t processes;   /* checked processes; 0: unknown */
	const char **reasons; /* sentences: why it is incomplete */
	size_t reason_count;
};

/* Why processes vanished, as far as known. */
enum job_end {
	JOB_END_UNKNOWN,
	JOB_INTERRUPTED,    /* the user ended the job */
	JOB_ENDED_BY_ERROR, /* one of them takes part in an error for which MPI ends jobs */
	JOB_STOPPED,        /* Tarry ended it: a deadlock or a hang was found */
};

struct check_trust check_trust_of(const struct check_run *run, enum job_end end, const char *lang,
                                  struct arena *arena);

/* The stack of a call as source lines: inlined functions have their own frames, and the start code
 * below main has none. */

struct stack_frame {
	const char *function; /* short; NULL: unknown */
	const char *file;     /* as named by the compiler; NULL: unknown */
	int line;             /* 0: unknown */
	bool is_near;         /* the line is that of an enclosing construct */
	const char *module;   /* base name of the file of the program; NULL: unknown */
	uint64_t offset;      /* in it */
};

struct stack_frames {
	struct stack_frame *items; /* innermost first */
	size_t count;
};

/* In the arena. */
struct stack_frames stack_frames_of(struct symbols *symbols, const struct check_call *call,
                                    struct arena *arena);

/* "heat.c:42 (exchange)", "exchange in app", "app+0x4f0"; empty if unknown. */
void stack_frame_describe(const struct stack_frame *frame, struct text *out);

/* Suppressions: known findings that the user does not want to see, as lines of a file,
 *
 *	# MPI_Comm_dup of the library: known to its authors
 *	leak.communicator   libfft.c:120
 *	leak.*              fft_*          a function anywhere on the stack of one of the calls
 *	end.abort                          anywhere
 *
 * A check is an id or a shell pattern. A place is FILE:LINE, FILE or the name of a function, each as such a
 * pattern; a FILE without a folder matches that name in any folder. */

struct suppression {
	const char *file; /* that contains it */
	unsigned line;
	const char *check;
	const char *place; /* NULL: any */
	uint64_t used;     /* findings that it hid */
};

struct suppressions {
	struct arena arena;
	ARRAY(struct suppression) list;
};

/* Adds those of a file. Fails with the wrong line, also for an unknown check. */
enum status suppressions_read(struct suppressions *list, const char *path) MUST_CHECK;
void suppressions_release(struct suppressions *list);

/* True if it matches this check and one of these frames. */
bool suppression_names(const struct suppression *line, const char *check, const struct stack_frames *stacks,
                       size_t count);

struct world_rank {
	uint32_t world; /* in the order of appearance in findings, from 0 */
	uint32_t rank;  /* UINT32_MAX: before MPI_Init */
};

struct finding_ranks {
	struct world_rank *items; /* sorted, each once */
	size_t count;
};

/* A call of a finding, merged over ranks. */
struct shown_call {
	const struct check_call *first; /* of the first rank */
	bool arguments_vary;            /* other ranks passed other arguments */
	bool is_other_path;             /* an earlier call of the finding is at the same line */
	size_t other_paths;             /* of the first call at its line: number of others */
	const char *path_key, *line_key;
	struct stack_frames stack;
	struct finding_ranks ranks; /* of the first call at its line: for all of them */
};

/* Equal findings: the same check, with the same calls at the same lines. */
struct shown_finding {
	enum check check;
	const struct check_info *info;
	uint64_t times;
	const struct check_finding **instances; /* in the order of the logs */
	size_t instance_count;
	size_t path_count; /* number of call paths: the first instance of each is among the first instances */
	struct shown_call *calls;
	size_t call_count;
	struct finding_ranks ranks; /* of all calls */
	const char *name, *why, *fix;
	const struct wait_picture *picture; /* of the first instance; NULL: no waits */
};

struct findings_options {
	const char *lang;                  /* "ru"; NULL, "en": English */
	const char *symbols;               /* folder with the program's files; NULL */
	const char *root;                  /* in SARIF, files are relative to it; NULL */
	struct suppressions *suppressions; /* counts hidden findings; NULL: none */
	struct source_files *sources;      /* for source lines, in text and pages; NULL: none */
	bool is_interrupted;               /* the user ended the job: vanished processes are not an error */
};

struct findings {
	struct arena arena;
	const struct check_run *run;
	struct findings_options options;
	const char *lang;
	struct symbols *symbols;
	struct source_excerpts *excerpts;
	/* Errors first, deadlocks before other errors, causes before consequences, notes of one check
	 * together, then in the order of discovery. */
	struct shown_finding *items;
	size_t count;
	size_t errors, warnings, notes, suppressed;
	uint64_t *worlds; /* by the numbers in struct world_rank */
	size_t world_count;
	enum job_end end;
	struct check_trust trust;
};

struct findings *findings_new(const struct check_run *run, const struct findings_options *options);
void findings_free(struct findings *findings);

/* For people. */
struct findings_style {
	size_t width;                /* columns */
	const char *strong, *faint;  /* escape sequences for a look; NULL: plain */
	const char *error, *warning; /* … of findings; notes are plain */
	const char *none;            /* resets all of these */
	bool stacks;                 /* with all frames of every call */
	bool all;                    /* a separate block for each note */
	bool suppressions;           /* with lines for a suppression file */
};

/* Notes of one check: the text shows the first of them, and the places of the others. They are
 * adjacent in the list. */
bool findings_are_alike(const struct shown_finding *a, const struct shown_finding *b);

void findings_text(const struct findings *findings, const struct findings_style *style, struct text *out);

/* For files: docs/checks.md. */
enum findings_format { FINDINGS_JSON, FINDINGS_SARIF, FINDINGS_SVG, FINDINGS_HTML, FINDINGS_FORMATS_END };

struct findings_back_end {
	const char *name;
	void (*write)(const struct findings *findings, struct text *out);
};

extern const struct findings_back_end findings_formats[FINDINGS_FORMATS_END];

void findings_json(const struct findings *findings, struct text *out);
void findings_sarif(const struct findings *findings, struct text *out);
/* A drawing of deadlocks and hangs. */
void findings_svg(const struct findings *findings, struct text *out);
/* For a page: JSON with source lines. */
void findings_page_json(const struct findings *findings, struct text *out);
/* A self-contained page. */
void findings_html(const struct findings *findings, struct text *out);

/* The lines around a frame; NULL: not readable, or the line is only near the call. */
const struct source_excerpt *stack_frame_excerpt(const struct findings *findings,
                                                 const struct stack_frame *frame);

/* The name of a finding and its reason: a line for programs. */
void finding_message(const struct shown_finding *finding, struct text *out);
/* The shown call that contains a call of one of its instances; NULL: none. */
struct shown_call *shown_call_find(const struct shown_finding *shown, const struct check_call *call);
/* The number of a world, by its identity. */
uint32_t findings_world(const struct findings *findings, uint64_t world);

#endif
