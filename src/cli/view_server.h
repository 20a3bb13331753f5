/* Serves one page to browsers of this machine, and answers its questions.
 *
 *	struct view_server server = {.page = &page, .answer = answer_window, .context = timeline};
 *	TRY(view_server_start(&server, port));
 *	say("open %s", server.address);
 *	…
 *	view_server_stop(&server);
 *
 * It listens on the loopback interface only. Every address begins with a random token, which nobody else on the machine knows; anything
 * without it is not found. Requests for other host names are refused, because a foreign page could point its own name at this machine (DNS rebinding). Only GET is answered; `answer` is called by one thread at a time. */
#ifndef TARRY_CLI_VIEW_SERVER_H
#define TARRY_CLI_VIEW_SERVER_H

#include "base/text.h"

#include <pthread.h>

struct view_server {
	const struct text *page;
	/* JSON for a window, in seconds, of which the first is before the second, and both at most 1e9 from 0. */
	void (*answer)(void *context, double from_s, double to_s, struct text *out);
	void *context;

	char token[33];
	char address[80]; /* "http://127.0.0.1:40001/TOKEN/" */
	struct MHD_Daemon *daemon;
	pthread_mutex_t lock;
};

/* A port of 0: one that is free. */
enum status view_server_start(struct view_server *server, uint16_t port) MUST_CHECK;
void view_server_stop(struct view_server *server);

#endif
