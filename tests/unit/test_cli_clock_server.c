#include "base/clock_service.h"
#include "base/settings.h"
#include "cli/clock_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

bool __wrap_clock_service_receive(int socket, struct clock_datagram *datagram);
bool __real_write_fully(int fd, const void *bytes, size_t size);
bool __wrap_write_fully(int fd, const void *bytes, size_t size);

static atomic_uint received, received_late;
static atomic_bool is_over;

/* Both are linked in place of the real ones (CMakeLists.txt). This one is called when the server is to stop. */
bool __wrap_write_fully(int fd, const void *bytes, size_t size)
{
	bool written = __real_write_fully(fd, bytes, size);

	atomic_store(&is_over, true);
	return written;
}

/* There is always one more packet. */
bool __wrap_clock_service_receive(int socket, struct clock_datagram *datagram)
{
	(void)socket;
	*datagram = (struct clock_datagram){0};
	atomic_fetch_add(&received, 1);
	atomic_fetch_add(&received_late, atomic_load(&is_over));
	return true;
}

/* Wakes it. */
static void send_one(uint16_t port)
{
	struct sockaddr_in server = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port)};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	assert_int_equal(sendto(fd, "?", 1, 0, (struct sockaddr *)&server, sizeof server), 1);
	close(fd);
}

/* "counter@machine frequency key port addresses" */
static bool find_port(uint16_t *port)
{
	const char *setting = getenv(SETTING_CLOCK);
	unsigned found = 0;

	if (!setting || sscanf(setting, "%*s %*s %*s %u", &found) != 1)
		return false;
	*port = (uint16_t)found;
	return true;
}

/* It would answer until it is interrupted for a while, and `tarry run` would not end. One answer may be on its way. */
static void a_flood_does_not_hold_up_the_end(void **state)
{
	uint16_t port = 0;

	(void)state;
	assert_int_equal(clock_server_start(), OK);
	if (!find_port(&port))
		skip();
	send_one(port);
	while (atomic_load(&received) < 100)
		sched_yield();
	clock_server_stop();
	assert_in_range(atomic_load(&received_late), 0, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_flood_does_not_hold_up_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
