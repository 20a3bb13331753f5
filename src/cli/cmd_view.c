#include "cli/command.h"
#include "cli/terminal.h"
#include "cli/trace_analysis.h"
#include "output/timeline/timeline.h"

#include <stdio.h>

#ifdef TARRY_HAS_MICROHTTPD
#include "cli/view_server.h"

#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#endif

/* About 640 MB. */
enum { CALLS_MOST = 16000000, PORT_MOST = 65535 };

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
/* Of a run with more calls than are kept, each question takes a pass over the trace. */
struct viewed {
	const struct report *report;
	struct timeline *timeline;
};

static void answer_window(void *context, double from_s, double to_s, struct text *out)
{
	struct viewed *viewed = context;
	struct time_span window = {(int64_t)(from_s * 1e9), (int64_t)(to_s * 1e9)};

	if (timeline_keeps_all(viewed->timeline)) {
		timeline_window_json(viewed->timeline, window, out);
	} else {
		struct timeline *timeline = report_timeline(viewed->report, 0, &window);
		timeline_json(timeline, out);
		timeline_free(timeline);
	}
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

static int serve(struct trace_analysis *analysed)
{
	struct viewed viewed = {analysed->report, NULL};
	struct text page = {0};
	struct view_server server = {.page = &page, .answer = answer_window, .context = &viewed};
	sigset_t ends;
	int code = EXIT_FINE;

	viewed.timeline = report_timeline(analysed->report, CALLS_MOST, NULL);
	report_served_page(analysed->report, viewed.timeline, &page);
	say_refused_source(analysed->sources);
	/* Before threads are started, which inherit it. */
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &ends, NULL);
	if (view_server_start(&server, (uint16_t)choice.port) == OK) {
		printf("%s\n", server.address);
		fflush(stdout);
		say_how_to_open(&server);
		wait_for_signal();
	} else {
		code = report_failure();
	}
	view_server_stop(&server);
	timeline_free(viewed.timeline);
	text_release(&page);
	return code;
}
#else
static int serve(struct trace_analysis *analysed)
{
	(void)analysed;
	say("this Tarry was built without libmicrohttpd: write a page with 'tarry report --html FILE', or install "
	    "libmicrohttpd's headers and build again");
	return EXIT_FAILED;
}
#endif

static int run_view(const struct invocation *given)
{
	struct trace_analysis analysed;
	struct trace_analysis_options how = {.rules = choice.rules,
	                                     .symbols = choice.symbols,
	                                     .sources = choice.sources,
	                                     .jobs = jobs_given(choice.jobs),
	                                     .report = {.profile = true}};
	int code;

	if (choice.port > PORT_MOST)
		return misuse(&command_view, "option '--port': there are only ports up to %d", PORT_MOST);
	code = analyze_trace(given->argv[0], &how, &analysed);
	if (code != EXIT_FINE)
		return code;
	if (add_checked_findings(&analysed, given->argv[0], NULL, choice.symbols) == OK)
		code = serve(&analysed);
	else
		code = report_failure();
	trace_analysis_release(&analysed);
	return code;
}

const struct command command_view = {
	.name = "view",
	.summary = "show every call of a trace in a browser",
	.usage = "[options] TRACE",
	.example = "tarry view run.tarry\n"
		   "tarry view --port 8080 run.tarry",
	.options = options,
	.operands = {1, 1},
	.run = run_view,
};
