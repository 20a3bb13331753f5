/* Addresses of analysers: "unix:@NAME" (a socket of this machine that has no file) and "tcp:HOST:PORT", where HOST is a numeric address; or a
 * list of them with commas, to be tried in turn. */
#ifndef TARRY_CHECK_PROTOCOL_ADDRESS_H
#define TARRY_CHECK_PROTOCOL_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

struct check_address {
	struct sockaddr_storage socket;
	socklen_t size;
};

/* One of a list, up to a comma or the end. False: it is none. */
bool address_parse(const char *text, struct check_address *address);

/* To one of a list: a blocking socket that is connected, closed on exec, with small messages sent at once. -1: errno; ETIMEDOUT after `timeout_ms`
 * for each of them; EACCES if another user listens at a local one: then no other is tried, and nothing is sent. */
int address_connect(const char *text, int timeout_ms);

/* A local socket knows whose process is at its other end: neither this user's nor root's. */
bool address_is_of_another_user(int fd);

#endif
