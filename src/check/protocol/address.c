#include "check/protocol/address.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

enum { ADDRESS_MAX = 128 };

static bool parse_unix(const char *name, struct check_address *address)
{
	struct sockaddr_un local = {.sun_family = AF_UNIX};
	size_t length = strlen(name);

	if (!length || length >= sizeof local.sun_path)
		return false;
	memcpy(local.sun_path, name, length);
	/* A name without a file begins with a zero byte. */
	if (name[0] == '@')
		local.sun_path[0] = '\0';
	memcpy(&address->socket, &local, sizeof local);
	address->size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
	return true;
}

static bool parse_tcp(const char *text, struct check_address *address)
{
	struct sockaddr_in four = {.sin_family = AF_INET};
	struct sockaddr_in6 six = {.sin6_family = AF_INET6};
	const char *colon = strrchr(text, ':');
	char host[INET6_ADDRSTRLEN], *end = NULL;
	const unsigned long value = colon && isdigit((unsigned char)colon[1]) ? strtoul(colon + 1, &end, 10)
	                                                                      : 0;
	const in_port_t port = htons((uint16_t)value);

	if (!value || value > UINT16_MAX || *end || (size_t)(colon - text) >= sizeof host)
		return false;
	memcpy(host, text, (size_t)(colon - text));
	host[colon - text] = '\0';
	if (inet_pton(AF_INET, host, &four.sin_addr) == 1) {
		four.sin_port = port;
		memcpy(&address->socket, &four, sizeof four);
		address->size = sizeof four;
		return true;
	}
	six.sin6_port = port;
	memcpy(&address->socket, &six, sizeof six);
	address->size = sizeof six;
	return inet_pton(AF_INET6, host, &((struct sockaddr_in6 *)&address->socket)->sin6_addr) == 1;
}

bool address_parse(const char *list, struct check_address *address)
{
	char text[ADDRESS_MAX];
	size_t length = strcspn(list, ",");

	memset(address, 0, sizeof *address);
	if (length >= sizeof text)
		return false;
	memcpy(text, list, length);
	text[length] = '\0';
	if (strncmp(text, "unix:", 5) == 0)
		return parse_unix(text + 5, address);
	if (strncmp(text, "tcp:", 4) == 0)
		return parse_tcp(text + 4, address);
	return false;
}

static bool wait_connected(int fd, int timeout_ms)
{
	struct pollfd wanted = {fd, POLLOUT, 0};
	int error = 0, ready;
	socklen_t size = sizeof error;

	do
		ready = poll(&wanted, 1, timeout_ms);
	while (ready < 0 && errno == EINTR);
	if (ready == 0)
		errno = ETIMEDOUT;
	if (ready <= 0 || getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0)
		return false;
	errno = error;
	return !error;
}

/* A lost network connection is closed within about a minute. */
static void tune(int fd)
{
	int yes = 1, idle_s = 30, interval_s = 10, probes = 3;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
	setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
}

bool address_is_of_another_user(int fd)
{
	struct ucred whose;
	socklen_t size = sizeof whose;

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &whose, &size) == 0 && size == sizeof whose &&
	       whose.pid > 0 && whose.uid != geteuid() && whose.uid != 0;
}

static int connect_one(const char *text, int timeout_ms)
{
	struct check_address address;
	int fd, flags, error;

	if (!address_parse(text, &address)) {
		errno = EINVAL;
		return -1;
	}
	fd = socket(address.socket.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -1;
	/* A local socket with a full backlog returns EAGAIN: try again. */
	for (int waited_ms = 0; connect(fd, (struct sockaddr *)&address.socket, address.size) != 0;
	     waited_ms++) {
		if (errno == EAGAIN && waited_ms < timeout_ms)
			usleep(1000);
		else if (errno == EINPROGRESS && wait_connected(fd, timeout_ms))
			break;
		else
			goto close_socket;
	}
	/* Any user may take the name of an analyser that has ended. */
	if (address.socket.ss_family == AF_UNIX && address_is_of_another_user(fd)) {
		errno = EACCES;
		goto close_socket;
	}
	flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) != 0)
		goto close_socket;
	if (address.socket.ss_family != AF_UNIX)
		tune(fd);
	return fd;

close_socket:
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

int address_connect(const char *list, int timeout_ms)
{
	int fd = -1;

	errno = EINVAL;
	while (fd < 0 && errno != EACCES && *list) {
		fd = connect_one(list, timeout_ms);
		list += strcspn(list, ",");
		list += *list == ',';
	}
	return fd;
}
