/* The network face of 'tarry view', with a small trace behind it: requests come over a socket. Nobody sees anything of the page without the token, and
 * the client after a bad request is served.
 * Bit 0: "TOKEN" becomes the server's token, otherwise one that differs from it in the last letter. Bit 1: "HUGE" becomes more than any
 * request may have, otherwise nothing. */
#define _GNU_SOURCE

#include "base/memory.h"
#include "cli/view_server.h"
#include "fuzz.h"
#include "output/timeline/timeline.h"
#include "trace/text.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { WITH_TOKEN = 1, HUGE_PARTS = 2, HUGE_BYTES = 100000, PATIENCE_SECONDS = 60, CHECK_EVERY = 16 };

const uint8_t fuzz_modes = 4;

static const char secret[] = "what only the owner of the trace may see";
static const char trace_text[] = "tarry trace 1\nprocess world=1 rank=0 size=1 run=1\n"
				 "clock monotonic 1000000000 tick=0 ns=1000000000\nthread 0\n"
				 "0 1000 MPI_Init\n2000 3000 MPI_File_open\n900000 1000000 MPI_Finalize\n";

static bool answer_window(void *context, const struct view_request *request, struct text *out,
                          const char **type)
{
	const int64_t most_ns = (int64_t)1e18;
	struct time_span window;

	(void)type;
	if (!view_window(request, &window.from, &window.to))
		return false;
	if (window.from > window.to || window.from < -most_ns || window.to > most_ns)
		give_up("the server accepts a window that is none");
	timeline_window_json(context, window, out);
	return true;
}

static struct timeline *make_timeline(void)
{
	const char *path = scratch_path("viewed.tarry");
	struct timeline_options options = {.start_ns = 1000000000, .length_ns = 1000000, .events = 3};
	struct reader *reader;

	if (trace_assemble("viewed", trace_text, strlen(trace_text), path, CHUNK_DEFAULT) != OK ||
	    reader_open(path, &reader) != OK)
		give_up(trail_text());
	options.session = session_new(reader);
	session_correct_time(options.session);
	options.source = symbols_new();
	return timeline_new(&options);
}

static struct view_server *start_server(void)
{
	static struct view_server server;
	static struct text page;

	if (server.daemon)
		return &server;
	text_add(&page, "%s", secret);
	server = (struct view_server){.page = &page, .answer = answer_window, .context = make_timeline()};
	if (view_server_start(&server, 0) != OK)
		give_up(trail_text());
	return &server;
}

/* Requests */

static bool is_word(const uint8_t *at, size_t left, const char *word)
{
	return left >= strlen(word) && memcmp(at, word, strlen(word)) == 0;
}

static void fill_in(struct text *request, const struct view_server *server, uint8_t mode, const uint8_t *data,
                    size_t size)
{
	char wrong[sizeof server->token];

	memcpy(wrong, server->token, sizeof wrong);
	wrong[sizeof wrong - 2] = wrong[sizeof wrong - 2] == '0' ? '1' : '0';
	for (size_t i = 0; i < size;) {
		if (is_word(data + i, size - i, "TOKEN")) {
			text_add(request, "%s", mode & WITH_TOKEN ? server->token : wrong);
			i += strlen("TOKEN");
		} else if (is_word(data + i, size - i, "HUGE")) {
			if (mode & HUGE_PARTS)
				text_add_repeated(request, 'a', HUGE_BYTES);
			i += strlen("HUGE");
		} else {
			text_add_bytes(request, (const char *)data + i++, 1);
		}
	}
}

static int connect_to(const struct view_server *server)
{
	struct timeval patience = {.tv_sec = PATIENCE_SECONDS};
	struct sockaddr_in there = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	there.sin_port = htons((uint16_t)strtoul(strrchr(server->address, ':') + 1, NULL, 10));
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) != 0 ||
	    connect(fd, (struct sockaddr *)&there, sizeof there) != 0)
		give_up("nobody listens");
	return fd;
}

/* The server may close the connection before it has read the whole request, and need not
 * answer an invalid one. */
static void ask(const struct view_server *server, const struct text *request, struct text *answer)
{
	int fd = connect_to(server);
	char part[4096];
	size_t sent = 0;
	ssize_t got;

	while (sent < request->length &&
	       (got = send(fd, request->bytes + sent, request->length - sent, MSG_NOSIGNAL)) > 0)
		sent += (size_t)got;
	shutdown(fd, SHUT_WR);
	errno = 0;
	while ((got = recv(fd, part, sizeof part, 0)) > 0)
		text_add_bytes(answer, part, (size_t)got);
	if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		give_up("the server neither answers nor hangs up");
	close(fd);
}

static void check_good_request(const struct view_server *server)
{
	struct text request = {0}, answer = {0};

	text_add(&request, "GET /%s/ HTTP/1.1\r\nHost: localhost\r\n\r\n", server->token);
	ask(server, &request, &answer);
	if (!text_begins(text_get(&answer), "HTTP/1.1 200 ") || !strstr(text_get(&answer), secret))
		give_up("after bad requests, a good one is not answered");
	text_release(&request);
	text_release(&answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static unsigned asked;
	const struct view_server *server = start_server();
	struct text request = {0}, answer = {0};

	if (!size)
		return 0;
	fill_in(&request, server, *data, data + 1, size - 1);
	ask(server, &request, &answer);
	if (answer.length && !text_begins(text_get(&answer), "HTTP/1."))
		give_up("an answer is none of HTTP");
	if (!(*data & WITH_TOKEN) && (memmem(text_get(&answer), answer.length, secret, strlen(secret)) ||
	                              memmem(text_get(&answer), answer.length, "\"sites\"", 7)))
		give_up("something is shown without the token");
	if (asked++ % CHECK_EVERY == 0)
		check_good_request(server);
	text_release(&request);
	text_release(&answer);
	return 0;
}
