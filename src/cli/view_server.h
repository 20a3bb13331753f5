/* Serves one page to browsers of this machine, and answers its requests.
 *
 *	struct view_server server = {.page = &page, .answer = answer_question, .context = timeline};
 *	TRY(view_server_start(&server, port));
 *	say("open %s", server.address);
 *	…
 *	view_server_stop(&server);
 *
 * The server listens only on the loopback interface. Every address begins with a random token, so other users
 * of the machine cannot read the page. Requests for other host names are refused, because a foreign page
 * could resolve its own name to this machine (DNS rebinding). Only GET is answered. `answer` is called by one
 * thread at a time unless the server `is_parallel`. */
#ifndef TARRY_CLI_VIEW_SERVER_H
#define TARRY_CLI_VIEW_SERVER_H

#include "base/text.h"

#include <pthread.h>

/* A request of the page: "window?from=0&to=1". */
struct view_request {
	const char *name; /* "window" */
	struct MHD_Connection *connection;
};

/* The value of an argument: "0" of "from"; NULL: not given. */
const char *view_argument(const struct view_request *request, const char *name);

/* The times of the request "window". False: it is another request, or the times are missing or out of
 * range. */
bool view_window(const struct view_request *request, int64_t *from_ns, int64_t *to_ns);

struct view_server {
	const struct text *page;
	/* Adds the answer and its type, such as "application/json". False: not found. */
	bool (*answer)(void *context, const struct view_request *request, struct text *out,
	               const char **type);
	void *context;
	bool is_parallel; /* answers may take minutes: several threads answer at the same time */

	char token[33];
	char address[80]; /* "http://127.0.0.1:40001/TOKEN/" */
	struct MHD_Daemon *daemon;
	pthread_mutex_t lock;
};

/* A port of 0: one that is free. */
enum status view_server_start(struct view_server *server, uint16_t port) MUST_CHECK;
void view_server_stop(struct view_server *server);

#endif
