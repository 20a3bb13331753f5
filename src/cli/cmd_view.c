#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/trace_analysis.h"
#include "output/timeline/timeline.h"

#include <stdio.h>

#ifdef TARRY_HAS_MICROHTTPD
#include "cli/view_folder.h"
#include "cli/view_server.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#endif

/* About 640 MB. */
enum { CALLS_MAX = 16000000, PORT_MAX = 65535 };

static struct {
	struct rule_choice rules;
	const char *symbols;
	struct string_list sources;
	int64_t jobs, port;
} choice;

static const struct option_spec options[] = {{"port", 'p', "N",
                                              "listen on this port of localhost; default: a free one",
                                              OPTION_COUNT, &choice.port},
                                             RULE_OPTIONS(choice.rules),
                                             SYMBOLS_OPTION(choice.symbols),
                                             SOURCE_OPTION(choice.sources),
                                             JOBS_OPTION(choice.jobs),
                                             OPTIONS_END};

#ifdef TARRY_HAS_MICROHTTPD
/* For a run with more calls than are kept, each request takes a pass over the trace. */
struct viewed {
	const struct report *report;
	struct timeline *timeline;
};

static bool answer_window(void *context, const struct view_request *request, struct text *out,
                          const char **type)
{
	struct viewed *viewed = context;
	struct time_span window;

	(void)type;
	if (!view_window(request, &window.from, &window.to))
		return false;
	if (timeline_keeps_all(viewed->timeline)) {
		timeline_window_json(viewed->timeline, window, out);
	} else {
		struct timeline *timeline = report_timeline(viewed->report, 0, &window);
		timeline_json(timeline, out);
		timeline_free(timeline);
	}
	return true;
}

static void wait_for_signal(void)
{
	sigset_t ends;
	int which;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigwait(&ends, &which);
}

/* For another machine: forwards the same port there to this one. */
static void say_how_to_open(const struct view_server *server)
{
	const char *user = getenv("USER"), *colon = strrchr(server->address, ':');
	const char *port = colon ? colon + 1 : "";
	const int digits = (int)strspn(port, "0123456789");
	char host[HOST_NAME_MAX + 1] = "";

	if (gethostname(host, sizeof host - 1) != 0 || !*host)
		snprintf(host, sizeof host, "HOST");
	say("open this address in a browser on this machine; Ctrl-C ends the server");
	say("from another machine, run this there first: ssh -L %.*s:127.0.0.1:%.*s %s%s%s", digits, port,
	    digits, port, user ? user : "", user && *user ? "@" : "", host);
}

/* Call it before threads are started, because they inherit it. */
static void block_signals(void)
{
	sigset_t ends;

	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &ends, NULL);
}

/* Runs until a signal ends it. `stop` is called first; may be NULL. */
static int serve(struct view_server *server, void (*stop)(void *context))
{
	int code = EXIT_FINE;

	block_signals();
	if (view_server_start(server, (uint16_t)choice.port) == OK) {
		printf("%s\n", server->address);
		fflush(stdout);
		say_how_to_open(server);
		wait_for_signal();
		if (stop)
			stop(server->context);
	} else {
		code = report_failure();
	}
	view_server_stop(server);
	return code;
}

static int serve_trace(struct trace_analysis *analysed)
{
	struct viewed viewed = {analysed->report, NULL};
	struct text page = {0};
	struct view_server server = {.page = &page, .answer = answer_window, .context = &viewed};
	int code;

	viewed.timeline = report_timeline(analysed->report, CALLS_MAX, NULL);
	report_served_page(analysed->report, viewed.timeline, &page);
	say_refused_source(analysed->sources);
	code = serve(&server, NULL);
	timeline_free(viewed.timeline);
	text_release(&page);
	return code;
}

static bool answer_of_folder(void *context, const struct view_request *request, struct text *out,
                             const char **type)
{
	return view_folder_answer(context, request, out, type);
}

static void stop_folder(void *context)
{
	view_folder_stop(context);
}

static int serve_folder(const char *path)
{
	struct view_folder folder = {.path = path,
	                             .rules = &choice.rules,
	                             .symbols = choice.symbols,
	                             .sources = &choice.sources,
	                             .jobs = choice.jobs};
	struct text page = {0};
	struct view_server server = {
		.page = &page, .answer = answer_of_folder, .context = &folder, .is_parallel = true};
	int code = EXIT_FAILED;

	if (view_folder_read(&folder) == OK) {
		view_folder_page(&folder, &page);
		code = serve(&server, stop_folder);
	} else {
		code = report_failure();
	}
	view_folder_release(&folder);
	text_release(&page);
	return code;
}

static int view_trace(const char *path)
{
	struct trace_analysis analysed;
	struct trace_analysis_options how = {.rules = choice.rules,
	                                     .symbols = choice.symbols,
	                                     .sources = choice.sources,
	                                     .jobs = jobs_given(choice.jobs),
	                                     .report = {.profile = true}};
	int code = analyze_trace(path, &how, &analysed);

	if (code != EXIT_FINE)
		return code;
	if (add_checked_findings(&analysed, path, NULL, choice.symbols) == OK)
		code = serve_trace(&analysed);
	else
		code = report_failure();
	trace_analysis_release(&analysed);
	return code;
}

static int run_view(const struct invocation *given)
{
	const char *path = given->argv[0];

	if (choice.port > PORT_MAX)
		return misuse(&command_view, "option '--port' must be at most %d", PORT_MAX);
	return is_folder_of_runs(path) ? serve_folder(path) : view_trace(path);
}
#else
static int run_view(const struct invocation *given)
{
	(void)given;
	say("this Tarry was built without libmicrohttpd: write a page with 'tarry report --html FILE', or install "
	    "libmicrohttpd's headers and build again");
	return EXIT_FAILED;
}
#endif

const struct command command_view = {
	.name = "view",
	.summary = "show every call of a trace, or all runs of a folder, in a browser",
	.usage = "[options] TRACE|FOLDER",
	.example = "tarry view run.tarry\n"
		   "tarry view --port 8080 run.tarry\n"
		   "tarry view runs",
	.options = options,
	.operands = {1, 1},
	.run = run_view,
};
