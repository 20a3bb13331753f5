/* Addresses of analysers: "unix:@NAME" (a local socket without a file) and "tcp:HOST:PORT", where HOST is a
 * numeric address; or a comma-separated list of them, to be tried in turn. */
#ifndef TARRY_CHECK_PROTOCOL_ADDRESS_H
#define TARRY_CHECK_PROTOCOL_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

struct check_address {
	struct sockaddr_storage socket;
	socklen_t size;
};

/* One address of a list, up to a comma or the end. False: invalid. */
bool address_parse(const char *text, struct check_address *address);

/* Connects to one of a list: a blocking socket, closed on exec, that sends small messages at once. -1: errno;
 * ETIMEDOUT after `timeout_ms` for each of them; EACCES if another user listens at a local address: then no
 * other is tried, and nothing is sent. */
int address_connect(const char *text, int timeout_ms);

/* For a local socket: true if the process at the other end belongs neither to this user nor to root. */
bool address_is_of_another_user(int fd);

#endif
