/* An Ethernet switch in user space, for kernels that cannot delay packets: what is written into one TAP device comes out
 * of the others later, as over cables of a given rate and length.
 *
 *	vswitch MBIT DELAY_US FD...
 *
 * Each FD is an open TAP device, a port. The frame for port i is the one whose destination ends with the byte i + 1;
 * a group address goes to all. A frame occupies the sender's cable for its length, travels for the delay, and then
 * occupies the receiver's cable; a port that is more than a moment behind loses frames, as a real one does. It ends when
 * its standard input does. */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum {
	PORTS_MAX = 64,
	FRAME_MAX = 65600,
	FRAMES_AT_ONCE = 64,
	ON_THE_WIRE = 24, /* preamble, checksum and gap, which the device does not show */
	ADDRESS_END = 5,
	TIMER_SLACK_NS = 1000,
};

static const int64_t backlog_max_ns = 50 * 1000 * 1000;

struct frame {
	struct frame *next;
	int64_t due_ns;
	size_t size;
	uint8_t bytes[];
};

struct port {
	int fd;
	int64_t up_free_ns, down_free_ns; /* when the cable is free again, in each direction */
	struct frame *first, **end;       /* on their way to this port, in the order of their arrival */
};

static struct port ports[PORTS_MAX];
static int port_count;
static double ns_per_byte;
static int64_t delay_ns;

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void send_to(struct port *port, const uint8_t *bytes, size_t size, int64_t start_ns, int64_t length_ns)
{
	int64_t due_ns = later(start_ns + delay_ns, port->down_free_ns) + length_ns;
	struct frame *frame = due_ns - start_ns > backlog_max_ns ? NULL : malloc(sizeof *frame + size);

	if (!frame)
		return;
	port->down_free_ns = due_ns;
	*frame = (struct frame){.due_ns = due_ns, .size = size};
	memcpy(frame->bytes, bytes, size);
	*port->end = frame;
	port->end = &frame->next;
}

static void forward(struct port *from, const uint8_t *bytes, size_t size)
{
	int64_t length_ns = (int64_t)((double)(size + ON_THE_WIRE) * ns_per_byte);
	int64_t start_ns = later(now_ns(), from->up_free_ns);
	bool to_all = bytes[0] & 1;

	from->up_free_ns = start_ns + length_ns;
	for (int i = 0; i < port_count; i++)
		if (&ports[i] != from && (to_all || bytes[ADDRESS_END] == i + 1))
			send_to(&ports[i], bytes, size, start_ns, length_ns);
}

static void take_frames(struct port *port)
{
	static uint8_t bytes[FRAME_MAX];

	for (int i = 0; i < FRAMES_AT_ONCE; i++) {
		ssize_t size = read(port->fd, bytes, sizeof bytes);
		if (size <= ADDRESS_END)
			return;
		forward(port, bytes, (size_t)size);
	}
}

/* A frame that the device refuses is lost, which is what protocols are made for. */
static void deliver_due(struct port *port, int64_t now)
{
	while (port->first && port->first->due_ns <= now) {
		struct frame *frame = port->first;

		if (write(port->fd, frame->bytes, frame->size) < 0 && errno == EBADFD)
			exit(EXIT_FAILURE);
		port->first = frame->next;
		if (!port->first)
			port->end = &port->first;
		free(frame);
	}
}

static struct timespec until_next(void)
{
	int64_t wait_ns = 1000 * 1000 * 1000, now = now_ns();

	for (int i = 0; i < port_count; i++)
		if (ports[i].first && ports[i].first->due_ns - now < wait_ns)
			wait_ns = later(ports[i].first->due_ns - now, 0);
	return (struct timespec){wait_ns / 1000000000, wait_ns % 1000000000};
}

static void add_port(int fd)
{
	struct port *port = &ports[port_count++];

	port->fd = fd;
	port->end = &port->first;
}

static int run(void)
{
	struct pollfd polled[PORTS_MAX + 1];

	for (int i = 0; i < port_count; i++)
		polled[i] = (struct pollfd){.fd = ports[i].fd, .events = POLLIN};
	polled[port_count] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
	for (;;) {
		struct timespec wait = until_next();

		if (ppoll(polled, (nfds_t)port_count + 1, &wait, NULL) < 0 && errno != EINTR)
			return EXIT_FAILURE;
		if (polled[port_count].revents)
			return EXIT_SUCCESS;
		for (int i = 0; i < port_count; i++)
			if (polled[i].revents & POLLIN)
				take_frames(&ports[i]);
		for (int i = 0; i < port_count; i++)
			deliver_due(&ports[i], now_ns());
	}
}

int main(int count, char **words)
{
	double mbit = count > 1 ? strtod(words[1], NULL) : 0;

	if (count < 4 || count > 3 + PORTS_MAX || mbit <= 0) {
		fprintf(stderr, "usage: vswitch MBIT DELAY_US FD...\n");
		return 2;
	}
	ns_per_byte = 8 * 1000 / mbit;
	delay_ns = (int64_t)(strtod(words[2], NULL) * 1000);
	for (int i = 3; i < count; i++)
		add_port((int)strtol(words[i], NULL, 10));
	prctl(PR_SET_TIMERSLACK, TIMER_SLACK_NS);
	return run();
}
