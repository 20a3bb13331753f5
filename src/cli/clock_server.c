#include "cli/clock_server.h"

#include "base/clock.h"
#include "base/clock_service.h"
#include "base/files.h"
#include "base/machine.h"
#include "base/text.h"
#include "cli/job_settings.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	CLOCKS_REMEMBERED = 4096,
	RECENT_MS = 200, /* a clock that was compared within this time need not be compared again */
};

static struct {
	int socket;
	int stop; /* an eventfd */
	pthread_t thread;
	bool runs;
	atomic_bool is_stopping; /* as `stop`, in case questions keep arriving */
	uint8_t key[CLOCK_KEY_BYTES];
	uint64_t frequency;
	struct {
		uint64_t clock;
		uint64_t asked; /* ticks */
	} seen[CLOCKS_REMEMBERED];
} server;

/* True if another process with this clock has just begun to compare it; otherwise notes that this one
 * begins. */
static enum clock_verdict verdict_on(uint64_t clock, uint64_t now)
{
	uint64_t recent = server.frequency / 1000 * RECENT_MS;
	size_t slot = (size_t)(clock % CLOCKS_REMEMBERED);

	if (server.seen[slot].clock == clock && now - server.seen[slot].asked < recent)
		return CLOCK_ENOUGH;
	server.seen[slot].clock = clock;
	server.seen[slot].asked = now;
	return CLOCK_GO_ON;
}

static bool key_is_right(const uint8_t *key)
{
	uint8_t differs = 0;

	for (int i = 0; i < CLOCK_KEY_BYTES; i++)
		differs |= key[i] ^ server.key[i];
	return !differs;
}

/* False: nobody asked. */
static bool answer_one(void)
{
	struct clock_datagram datagram;
	struct clock_question question;
	struct clock_answer answer;

	if (!clock_service_receive(server.socket, &datagram))
		return false;
	answer.arrived = clock_ticks() - datagram.age_ns * server.frequency / 1000000000u;
	if (!clock_question_take(datagram.bytes, datagram.size, &question) || !key_is_right(question.key))
		return true;
	answer.number = question.number;
	answer.verdict = question.first ? verdict_on(question.clock, answer.arrived) : CLOCK_GO_ON;
	answer.left = clock_ticks();
	clock_answer_put(datagram.bytes, &answer);
	sendto(server.socket, datagram.bytes, CLOCK_MESSAGE_BYTES, MSG_DONTWAIT | MSG_NOSIGNAL,
	       (struct sockaddr *)&datagram.from, datagram.from_size);
	return true;
}

static void *serve(void *unused)
{
	struct pollfd wanted[] = {{server.socket, POLLIN, 0}, {server.stop, POLLIN, 0}};

	while (poll(wanted, 2, -1) >= 0 || errno == EINTR) {
		if (wanted[1].revents)
			break;
		if (wanted[0].revents) {
			uint64_t patience = server.frequency / 1000000 * CLOCK_AWAKE_US;

			for (uint64_t last = clock_ticks();
			     !atomic_load(&server.is_stopping) && clock_ticks() - last < patience;)
				if (answer_one())
					last = clock_ticks();
		}
	}
	return unused;
}

/* For IPv6 and, through it, IPv4; only for IPv4 if the system has no IPv6. */
static int open_socket(uint16_t *port)
{
	struct sockaddr_in6 any6 = {.sin6_family = AF_INET6, .sin6_addr = in6addr_any};
	struct sockaddr_in any4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
	struct sockaddr_in6 bound = {0}; /* the port is at the same place in both */
	socklen_t size = sizeof bound;
	int no = 0, fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && (setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) != 0 ||
	                bind(fd, (struct sockaddr *)&any6, sizeof any6) != 0)) {
		close(fd);
		fd = -1;
	}
	if (fd < 0) {
		fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
		if (fd >= 0 && bind(fd, (struct sockaddr *)&any4, sizeof any4) != 0) {
			close(fd);
			return -1;
		}
	}
	if (fd < 0 || getsockname(fd, (struct sockaddr *)&bound, &size) != 0)
		return -1;
	*port = ntohs(bound.sin6_port);
	return fd;
}

/* Can other machines reach it? */
static bool is_useful(const struct ifaddrs *interface)
{
	const struct sockaddr *address = interface->ifa_addr;

	if (!address || !(interface->ifa_flags & IFF_UP) || (interface->ifa_flags & IFF_LOOPBACK))
		return false;
	if (address->sa_family == AF_INET6)
		return !IN6_IS_ADDR_LINKLOCAL(&((const struct sockaddr_in6 *)address)->sin6_addr);
	return address->sa_family == AF_INET;
}

static int add_addresses(struct text *setting)
{
	struct ifaddrs *interfaces = NULL;
	int count = 0;

	if (getifaddrs(&interfaces) != 0)
		return 0;
	for (const struct ifaddrs *at = interfaces; at && count < CLOCK_ADDRESSES_MAX; at = at->ifa_next) {
		char address[INET6_ADDRSTRLEN];
		const void *number;

		if (!is_useful(at))
			continue;
		number = at->ifa_addr->sa_family == AF_INET
		                 ? (const void *)&((const struct sockaddr_in *)at->ifa_addr)->sin_addr
		                 : (const void *)&((const struct sockaddr_in6 *)at->ifa_addr)->sin6_addr;
		if (inet_ntop(at->ifa_addr->sa_family, number, address, sizeof address)) {
			text_add(setting, " %s", address);
			count++;
		}
	}
	freeifaddrs(interfaces);
	return count;
}

enum status clock_server_start(void)
{
	char machine[MACHINE_TEXT];
	uint16_t port = 0;
	sigset_t all, before;
	int error;
	struct text setting = {0};
	enum status status;

	unsetenv(SETTING_CLOCK);
	if (!machine_identity(machine) || !machine_counter_is_sane() ||
	    getrandom(server.key, sizeof server.key, 0) != sizeof server.key)
		return OK;
	server.frequency = clock_frequency();
	server.socket = open_socket(&port);
	server.stop = eventfd(0, EFD_CLOEXEC);
	clock_service_prepare(server.socket);
	text_add(&setting, CLOCK_NAME "@%s %" PRIu64 " ", machine, server.frequency);
	for (int i = 0; i < CLOCK_KEY_BYTES; i++)
		text_add(&setting, "%02x", server.key[i]);
	text_add(&setting, " %u", port);
	add_addresses(&setting);
	status = setting_set(SETTING_CLOCK, text_get(&setting));
	text_release(&setting);
	TRY(status);
	if (server.socket < 0 || server.stop < 0)
		return OK;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&server.thread, NULL, serve, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	server.runs = error == 0;
	return error ? fail("cannot start a thread: %s", strerror(error)) : OK;
}

void clock_server_stop(void)
{
	uint64_t one = 1;

	if (!server.runs)
		return;
	atomic_store(&server.is_stopping, true);
	if (!write_fully(server.stop, &one, sizeof one))
		return; /* it ends with the process */
	pthread_join(server.thread, NULL);
	close(server.socket);
	close(server.stop);
	server.runs = false;
}
