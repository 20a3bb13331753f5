#include "cli/view_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/resource.h>

/* A client that sends nothing for this time is disconnected. There is room for many such clients, so that
 * they do not block a browser. Each takes little memory, and enough descriptors are left for the rest of the
 * program. */
enum { CONNECTIONS_MAX = 1000, FILES_LEFT = 64, CONNECTION_BYTES = 16 << 10, IDLE_SECONDS = 10 };
/* For a thread per connection. The other server answers in its only thread. */
enum { STACK_BYTES = 1 << 20 };

static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned code, const char *type,
                                 const struct text *text)
{
	struct MHD_Response *response = MHD_create_response_from_buffer(text->length, (void *)text_get(text),
	                                                                MHD_RESPMEM_MUST_COPY);
	enum MHD_Result result;

	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, "Content-Type", type);
	MHD_add_response_header(response, "Cache-Control", "no-store");
	MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(response, "X-Frame-Options", "DENY");
	MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
	MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
	result = MHD_queue_response(connection, code, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result refuse(struct MHD_Connection *connection)
{
	static const struct text nothing = {.bytes = (char *)"not found\n", .length = 10};

	return send_text(connection, MHD_HTTP_NOT_FOUND, "text/plain", &nothing);
}

const char *view_argument(const struct view_request *request, const char *name)
{
	return MHD_lookup_connection_value(request->connection, MHD_GET_ARGUMENT_KIND, name);
}

static bool parse_seconds(const char *text, double *value)
{
	return text && parse_real(text, value) == OK;
}

bool view_window(const struct view_request *request, int64_t *from_ns, int64_t *to_ns)
{
	/* About 30 years, so that nanoseconds do not overflow. */
	const double most_s = 1e9;
	double from_s, to_s;

	if (strcmp(request->name, "window") != 0 || !parse_seconds(view_argument(request, "from"), &from_s) ||
	    !parse_seconds(view_argument(request, "to"), &to_s) || !(from_s < to_s) || from_s < -most_s ||
	    to_s > most_s)
		return false;
	*from_ns = (int64_t)(from_s * 1e9);
	*to_ns = (int64_t)(to_s * 1e9);
	return true;
}

/* The idle limit is for clients. */
static void allow_slow_answer(struct MHD_Connection *connection)
{
	MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
}

static enum MHD_Result answer_question(struct view_server *server, const struct view_request *request)
{
	struct text out = {0};
	const char *type = "application/json";
	enum MHD_Result result;
	bool is_found;

	allow_slow_answer(request->connection);
	if (!server->is_parallel)
		pthread_mutex_lock(&server->lock);
	is_found = server->answer(server->context, request, &out, &type);
	if (!server->is_parallel)
		pthread_mutex_unlock(&server->lock);
	result = is_found ? send_text(request->connection, MHD_HTTP_OK, type, &out)
	                  : refuse(request->connection);
	text_release(&out);
	return result;
}

/* All characters are compared, so that the time reveals nothing. */
static bool has_token(const struct view_server *server, const char *url)
{
	unsigned char differences = 0;
	size_t length = strlen(server->token);

	if (strlen(url) < length + 2)
		return false;
	for (size_t i = 0; i < length; i++)
		differences |= (unsigned char)(url[1 + i] ^ server->token[i]);
	return !differences && url[1 + length] == '/';
}

/* Requests of a foreign page whose host name resolves to this machine (DNS rebinding) contain that name. A
 * tunnel may have another port. */
static bool is_for_this_machine(struct MHD_Connection *connection)
{
	static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);

	for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
		const size_t length = strlen(names[i]);

		if (strncasecmp(host, names[i], length) == 0 && (!host[length] || host[length] == ':'))
			return true;
	}
	return false;
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **state)
{
	struct view_server *server = context;
	const char *path;

	(void)version;
	(void)upload;
	(void)upload_size;
	(void)state;
	if (strcmp(method, "GET") != 0 || !is_for_this_machine(connection) || !has_token(server, url))
		return refuse(connection);
	path = url + strlen(server->token) + 2;
	if (!*path)
		return send_text(connection, MHD_HTTP_OK, "text/html; charset=utf-8", server->page);
	return answer_question(server, &(struct view_request){path, connection});
}

static unsigned connection_limit(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur > CONNECTIONS_MAX + FILES_LEFT)
		return CONNECTIONS_MAX;
	return files.rlim_cur > 2 * FILES_LEFT ? (unsigned)files.rlim_cur - FILES_LEFT : FILES_LEFT;
}

enum status view_server_start(struct view_server *server, uint16_t port)
{
	struct sockaddr_in here = {
		.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const union MHD_DaemonInfo *info;
	uint64_t random[2];

	if (getrandom(random, sizeof random, 0) != sizeof random)
		return fail("no random numbers for the address of the page: %s", strerror(errno));
	snprintf(server->token, sizeof server->token, "%016" PRIx64 "%016" PRIx64, random[0], random[1]);
	pthread_mutex_init(&server->lock, NULL);
	server->daemon = MHD_start_daemon(
		MHD_USE_POLL | MHD_USE_INTERNAL_POLLING_THREAD |
			(server->is_parallel ? MHD_USE_THREAD_PER_CONNECTION : 0),
		port, NULL, NULL, answer, server, MHD_OPTION_SOCK_ADDR, &here, MHD_OPTION_CONNECTION_LIMIT,
		connection_limit(), MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES,
		MHD_OPTION_CONNECTION_TIMEOUT, IDLE_SECONDS, MHD_OPTION_THREAD_STACK_SIZE,
		(size_t)STACK_BYTES, MHD_OPTION_LISTEN_BACKLOG_SIZE, CONNECTIONS_MAX, MHD_OPTION_END);
	if (!server->daemon)
		return port ? fail("cannot listen on port %u of this machine: %s; choose another with --port",
		                   port, strerror(errno))
		            : fail("cannot listen on this machine: %s", strerror(errno));
	info = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT);
	snprintf(server->address, sizeof server->address, "http://127.0.0.1:%u/%s/", info ? info->port : port,
	         server->token);
	return OK;
}

void view_server_stop(struct view_server *server)
{
	if (server->daemon)
		MHD_stop_daemon(server->daemon);
	pthread_mutex_destroy(&server->lock);
}
