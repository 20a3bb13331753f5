#include "check/analyser/server.h"

#include "base/files.h"
#include "base/notes.h"
#include "check/analyser/unsent_replay.h"
#include "check/protocol/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

struct server server;

uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void server_note(const char *sentence)
{
	note_write_at(server.folder, sentence);
}

void note_refused(const struct analysed_process *process)
{
	char sentence[128];

	if (process)
		snprintf(sentence, sizeof sentence,
		         "process %u is no longer checked: an analyser refused what it sent", process->rank);
	else
		snprintf(sentence, sizeof sentence,
		         "a process is not checked: an analyser refused what it sent");
	server_note(sentence);
}

/* Listening */

/* One more, if it fits. */
static void __attribute__((format(printf, 1, 2))) add_address(const char *format, ...)
{
	char address[sizeof server.addresses];
	size_t used = strlen(server.addresses);
	va_list values;

	va_start(values, format);
	vsnprintf(address, sizeof address, format, values);
	va_end(values);
	if (used + strlen(address) + 2 < sizeof server.addresses)
		snprintf(server.addresses + used, sizeof server.addresses - used, "%s%s", used ? "," : "",
		         address);
}

static bool listen_here(void)
{
	struct sockaddr_un local = {.sun_family = AF_UNIX};
	uint8_t random[16];
	int length, fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0 || getrandom(random, sizeof random, 0) != sizeof random)
		return false;
	length = snprintf(local.sun_path + 1, sizeof local.sun_path - 1, "tarry-");
	for (size_t i = 0; i < sizeof random; i++)
		length += snprintf(local.sun_path + 1 + length, 3, "%02x", random[i]);
	add_address("unix:@%s", local.sun_path + 1);
	server.listeners[0] = fd;
	return bind(fd, (struct sockaddr *)&local,
	            (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) == 0 &&
	       listen(fd, SOMAXCONN) == 0;
}

/* As text; false: other machines cannot reach it. */
static bool useful_host(const struct ifaddrs *interface, bool has_six, char *host, socklen_t size)
{
	const struct sockaddr *address = interface->ifa_addr;
	const struct in6_addr *six;

	if (!address || !(interface->ifa_flags & IFF_UP) || interface->ifa_flags & IFF_LOOPBACK)
		return false;
	if (address->sa_family == AF_INET)
		return inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, host, size);
	six = &((const struct sockaddr_in6 *)address)->sin6_addr;
	return has_six && address->sa_family == AF_INET6 && !IN6_IS_ADDR_LINKLOCAL(six) &&
	       inet_ntop(AF_INET6, six, host, size);
}

static void add_network_addresses(unsigned port, bool has_six)
{
	struct ifaddrs *interfaces = NULL;
	size_t before = strlen(server.addresses);
	char host[INET6_ADDRSTRLEN];

	if (getifaddrs(&interfaces) != 0)
		interfaces = NULL;
	for (const struct ifaddrs *at = interfaces; at; at = at->ifa_next)
		if (useful_host(at, has_six, host, sizeof host))
			add_address("tcp:%s:%u", host, port);
	if (strlen(server.addresses) == before)
		add_address("tcp:%s:%u", "127.0.0.1", port);
	if (interfaces)
		freeifaddrs(interfaces);
}

/* IPv6 and, through it, IPv4; or IPv4 alone. A machine without a network has neither, and needs none. */
static void listen_for_others(void)
{
	struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = in6addr_any};
	struct sockaddr_in four = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
	socklen_t size = sizeof six;
	int no = 0, fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool has_six = fd >= 0 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no) == 0 &&
	               bind(fd, (struct sockaddr *)&six, sizeof six) == 0;

	if (!has_six) {
		if (fd >= 0)
			close(fd);
		fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		if (fd >= 0 && bind(fd, (struct sockaddr *)&four, sizeof four) != 0) {
			close(fd);
			fd = -1;
		}
	}
	server.listeners[1] = fd;
	if (fd >= 0 && listen(fd, SOMAXCONN) == 0 && getsockname(fd, (struct sockaddr *)&six, &size) == 0)
		add_network_addresses(ntohs(six.sin6_port), has_six);
}

bool server_listen(void)
{
	server.began_ms = now_ms();
	server.epoll = epoll_create1(EPOLL_CLOEXEC);
	server.spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (server.epoll < 0 || !listen_here())
		return false;
	listen_for_others();
	for (int i = 0; i < 2; i++) {
		/* Connections that cannot be accepted now must not wake the analyser repeatedly. */
		struct epoll_event event = {.events = EPOLLIN | EPOLLET};
		if (server.listeners[i] >= 0 &&
		    epoll_ctl(server.epoll, EPOLL_CTL_ADD, server.listeners[i], &event) != 0)
			return false;
	}
	return true;
}

/* Strangers */

static void accept_from(int listener)
{
	while (listener >= 0 && server.strangers < STRANGERS_MAX) {
		const bool is_local = listener == server.listeners[0];
		int fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		struct peer *peer;
		if (fd < 0 && errno == EINTR)
			continue;
		if (fd < 0) {
			if ((errno == EMFILE || errno == ENFILE) && !server.is_full) {
				server.is_full = true;
				close(server.spare_fd); /* a note needs a file of its own */
				server_note(
					"an analyser cannot open more connections: raise the limit of open files (ulimit -n)");
				server.spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
			}
			return;
		}
		if (is_local && address_is_of_another_user(fd)) {
			close(fd);
			continue;
		}
		peer = peer_new(fd, PEER_STRANGER);
		if (peer)
			peer->is_local = is_local;
	}
}

/* Drops silent strangers, and sooner if others wait because of them. Local strangers belong to this user, and
 * may only lack a CPU. */
static void drop_strangers(uint64_t now)
{
	for (size_t i = 0; i < server.peers.count; i++) {
		struct peer *peer = server.peers.items[i];
		const uint64_t patience_ms = peer->kind != PEER_STRANGER ? PROOF_MS
		                             : server.strangers >= STRANGERS_MAX && !peer->is_local
		                                     ? STRANGER_SLOW_MS
		                                     : STRANGER_MS;
		if ((peer->kind == PEER_STRANGER || !peer->is_proven) && now - peer->since_ms > patience_ms)
			peer->is_closing = true;
	}
}

/* Processes of this node */

static void tell_leader(const struct peer *agent, uint32_t state, bool is_logged)
{
	const struct analysed_process *process = agent->process;
	struct check_member member = {.state = state, .is_stuck = agent->is_stuck};
	struct message_writer body = {0};

	if (process) {
		member.world = process->world;
		member.rank = process->rank;
		member.size = process->size;
		member.was_outside = process->vanished_outside;
		member.was_in_finalize = process_is_in_finalize(process);
	}
	member_put(&body, &member);
	if (process && is_logged)
		findings_log_frame(server.log, MESSAGE_MEMBER, &body);
	if (server.leader)
		leader_member(NULL, &member);
	else if (server.leader_link)
		peer_send(server.leader_link, MESSAGE_MEMBER, &body);
	writer_release(&body);
}

/* To the execution, here or at the leader. */
static bool process_frame(struct peer *agent, enum message_kind kind, struct cursor *in)
{
	const struct message_writer body = cursor_rest(in);

	if (parts_execute())
		return part_frame(server.part, agent->process, kind, in);
	if (server.leader)
		return server_process_frame(agent->process, kind, in);
	relay_to_leader(agent, kind, &body);
	return true;
}

static void process_frames(struct peer *agent, struct cursor in)
{
	enum message_kind kind;
	struct cursor body;

	while (frame_next(&in, FRAME_BYTES_MAX, &kind, &body) && process_frame(agent, kind, &body))
		;
}

/* The events that a process did not send before it vanished, and the call that it was in. */
static void replay_unsent(struct peer *agent)
{
	struct message_writer frames = {0}, call = {0};
	struct unsent_content content;

	if (!unsent_read(agent->unsent, &content))
		return;
	agent->process->vanished_outside = content.crash ||
	                                   (content.current_call && !(content.current_call & 1));
	if (unsent_frames(&content, &frames)) {
		put_number(&call, content.current_call >> 1);
		put_raw(&call, content.crash, content.crash_bytes);
		frame_put(&frames, MESSAGE_STATE, &call);
		process_frames(agent, writer_cursor(&frames));
	}
	unsent_release(&content);
	writer_release(&frames);
	writer_release(&call);
}

/* No more of its calls come. */
static void end_execution(struct peer *agent, enum process_end end)
{
	struct message_writer body = {0};

	agent->process->has_vanished = end == END_VANISHED;
	if (parts_execute()) {
		part_process_gone(server.part, agent->process, end);
		return;
	}
	if (server.leader) {
		leader_process_gone(agent->process, end);
		return;
	}
	put_number(&body, end);
	relay_to_leader(agent, MESSAGE_BYE, &body);
	writer_release(&body);
}

static void agent_ended(struct peer *peer, enum process_end end)
{
	if (peer->has_ended)
		return;
	/* It may be killed before it has sent its end. */
	if (server.is_stopping && end == END_VANISHED)
		end = END_STOPPED;
	peer->has_ended = true;
	peer->end = end;
	if (peer->process && peer->process->agent == peer)
		peer->process->agent = NULL;
	server.agents--;
	if (peer->process && peer->unsent >= 0 && end != END_FINALIZED && end != END_EXITED &&
	    end != END_UNCHECKED)
		replay_unsent(peer);
	if (peer->process)
		end_execution(peer, end);
	if (parts_are_aside() && end == END_FINALIZED)
		end = END_UNCHECKED;
	tell_leader(peer, MEMBER_ENDED + end, true);
}

/* Processes of this node that the launcher killed in MPI_Finalize: all their operations are known. */
static void correct_ends(const struct known *known)
{
	for (size_t i = 0; i < known->processes.count; i++) {
		const struct analysed_process *process = known->processes.items[i];
		const struct check_member member = {.world = process->world,
		                                    .rank = process->rank,
		                                    .size = process->size,
		                                    .state = MEMBER_ENDED + END_IN_FINALIZE};

		struct message_writer body = {0};

		if (!process->has_vanished ||
		    !process_has_finalized(&server.ends, process->world, process->rank))
			continue;
		member_put(&body, &member);
		findings_log_frame(server.log, MESSAGE_MEMBER, &body);
		writer_release(&body);
	}
}

void server_correct_ends(void)
{
	correct_ends(&server.analysis->known);
	if (server.part && !server.leader)
		correct_ends(&server.part->run->known);
}

static bool agent_hello(struct peer *peer, const struct check_hello *hello)
{
	if (hello->size && hello->rank >= hello->size)
		return false;
	/* It said so before it knew its rank. */
	if (peer->kind == PEER_AGENT)
		tell_leader(peer, MEMBER_ENDED + END_FINALIZED, true);
	else
		server.agents++;
	if (hello->size) {
		peer->process = parts_execute()
		                        ? part_process(server.part, hello->world, hello->rank, hello->size)
		                        : process_new(&server.analysis->known, hello->world, hello->rank,
		                                      hello->size);
		peer->process->agent = peer;
	}
	tell_leader(peer, MEMBER_CAME, true);
	if (hello->size && !server.leader && !parts_execute()) {
		struct message_writer body = {0};
		hello_put(&body, hello);
		relay_to_leader(peer, MESSAGE_HELLO, &body);
		writer_release(&body);
	}
	return true;
}

static bool take_hello(struct peer *peer, struct cursor *in)
{
	struct check_hello hello;
	bool again = peer->kind == PEER_AGENT && !peer->process, right;

	if ((peer->kind != PEER_STRANGER && !again) || !hello_take(in, &hello))
		return false;
	right = hello.role == HELLO_AGENT ? agent_hello(peer, &hello) : !again && tree_hello(peer, &hello);
	if (right && !again && hello.role == HELLO_AGENT)
		peer_becomes(peer, PEER_AGENT);
	hello_release(&hello);
	return right;
}

/* Frames */

static bool agent_frame(struct peer *peer, enum message_kind kind, struct cursor *in)
{
	struct check_finding *finding;
	bool right;
	uint64_t value, ns;

	if (peer->has_ended) {
		peer->exits_well = kind == MESSAGE_EXIT && peer->end == END_FINALIZED;
		return peer->exits_well;
	}
	switch (kind) {
	case MESSAGE_FINDING:
		finding = finding_take(in);
		right = finding && check_info(finding->check);
		if (right)
			findings_log_add(server.log, finding);
		finding_free(finding);
		return right;
	case MESSAGE_STATE: /* the call that it is in, or 0; how long */
		value = take_varint(in);
		ns = take_varint(in);
		peer->is_stuck = value && ns;
		peer->expects_end = value && !ns;
		return !in->bad;
	case MESSAGE_BYE:
		value = take_varint(in);
		if (in->bad || value == END_VANISHED || value > END_STOPPED)
			return false;
		agent_ended(peer, (enum process_end)value);
		return true;
	default:
		return peer->process && process_frame(peer, kind, in);
	}
}

bool server_process_frame(struct analysed_process *process, enum message_kind kind, struct cursor *in)
{
	struct analysed_call *call;

	switch (kind) {
	case MESSAGE_ANSWER:
	case MESSAGE_STACK:
		return verdicts_frame(process, kind, in);
	case MESSAGE_STATE: /* of the analyser of its node: the process vanished; its last call, and the signal */
		call = process_call(process, take_varint(in));
		process->last = call ? call : process->last;
		return !cursor_left(in) || process_crashed(process, in);
	default:
		return analysis_frame(server.analysis, process, kind, in);
	}
}

static bool analyser_frame(struct peer *peer, enum message_kind kind, struct cursor *in)
{
	struct check_member member;

	if (kind == MESSAGE_VIA)
		return tree_from_below(peer, in);
	if (!server.leader) {
		tree_pass_up(peer, kind, in);
		return true;
	}
	if (kind == MESSAGE_MEMBER && member_take(in, &member)) {
		leader_member(peer, &member);
		return true;
	}
	if (kind == MESSAGE_RELAY) {
		parts_relayed();
		return relay_from_analyser(peer, in);
	}
	return parts_from_analyser(peer, kind, in);
}

static bool parent_frame(struct peer *peer, enum message_kind kind, struct cursor *in)
{
	const struct message_writer body = cursor_rest(in);
	struct process_ends ends;

	switch (kind) {
	case MESSAGE_STOP:
		tree_to_children(kind, NULL);
		server_stop();
		return true;
	case MESSAGE_END:
		if (!ends_take(in, &ends))
			return false;
		tree_to_children(kind, &body);
		server_end(&ends);
		return true;
	case MESSAGE_PARENT:
		return tree_directed(peer, in);
	case MESSAGE_VIA:
		return tree_from_above(in);
	case MESSAGE_RELAY:
		return relay_from_leader(in);
	default:
		return parts_from_leader(kind, in);
	}
}

bool server_frame(struct peer *peer, enum message_kind kind, struct cursor *in)
{
	if (!peer->is_proven)
		return peer_handshake(peer, kind, in);
	if (kind == MESSAGE_HELLO)
		return take_hello(peer, in);
	switch (peer->kind) {
	case PEER_AGENT:
		return agent_frame(peer, kind, in);
	case PEER_ANALYSER:
		return analyser_frame(peer, kind, in);
	case PEER_LEADER:
		return parent_frame(peer, kind, in);
	default:
		return false;
	}
}

void server_peer_gone(struct peer *peer)
{
	if (peer->kind == PEER_AGENT && peer->process && peer->has_ended && peer->end == END_FINALIZED &&
	    !peer->exits_well)
		tell_leader(peer, MEMBER_ENDED + END_FAILED, false);
	if (peer->kind == PEER_AGENT)
		agent_ended(peer, peer->expects_end ? END_ABORTED : END_VANISHED);
	if (peer->kind == PEER_ANALYSER)
		tree_child_gone(peer);
	if (peer->kind == PEER_LEADER && peer == server.leader_link &&
	    !(peer->is_joining && tree_join_leader())) {
		server.leader_link = NULL;
		if (!server.is_ending) {
			struct process_ends unknown = {0};
			if (!parts_are_aside())
				server_note(
					"an analyser vanished: calls without a partner at the end are not reported");
			parts_leader_gone();
			server_end(&unknown);
		}
	}
}

void server_end(const struct process_ends *ends)
{
	server.ends = *ends;
	server.is_ending = true;
	server.ending_since_ms = now_ms();
}

/* Running */

/* It is read again when more of its frames can be kept. */
static bool has_to_wait(const struct peer *peer)
{
	return (peer->kind == PEER_AGENT && (relay_is_full() || parts_are_full())) ||
	       (peer->kind == PEER_ANALYSER && relay_is_full());
}

static void serve(const struct epoll_event *event)
{
	struct peer *peer = event->data.ptr;

	if (!peer)
		return;
	if (event->events & EPOLLOUT)
		peer_writable(peer);
	if (event->events & (EPOLLIN | EPOLLHUP | EPOLLERR) && !has_to_wait(peer))
		peer_readable(peer);
	/* In the order in which they ended. */
	if (peer->is_closing)
		peer_close(peer);
}

/* All have disconnected, and all their frames were read. */
static bool is_over(uint64_t now)
{
	bool quiet = !server.agents && !server.strangers;

	if (!server.is_ending)
		return false;
	for (size_t i = 0; i < server.peers.count; i++)
		quiet &= server.peers.items[i]->out.size == 0;
	if (!quiet && now - server.ending_since_ms < DRAIN_MS)
		return false;
	if (!quiet)
		server_note("an analyser ended while processes were still connected to it");
	return true;
}

void server_run(void)
{
	enum { EVENTS = 512, FULL_US = 1000 };
	struct epoll_event events[EVENTS];
	uint64_t flushed = now_ms(), tidied = flushed, now;
	int patience = TICK_MS;

	do {
		int count = epoll_wait(server.epoll, events, EVENTS, patience);
		for (int i = 0; i < count; i++)
			serve(&events[i]);
		for (int i = 0; i < 2; i++)
			accept_from(server.listeners[i]);
		now = now_ms();
		if (now - tidied >= TICK_MS) {
			drop_strangers(now);
			for (size_t i = server.peers.count; i-- > 0;)
				if (i < server.peers.count && server.peers.items[i]->is_closing)
					peer_close(server.peers.items[i]);
			tidied = now;
		}
		if (relay_is_full())
			relay_wait_for_parent();
		else if (parts_are_full())
			usleep(FULL_US);
		patience = verdicts_tick(now);
		if (parts_tick(now) < patience)
			patience = LOOK_MS;
		if (server.leader) {
			const int until_next = leader_tick(now);
			patience = until_next < patience ? until_next : patience;
		}
		if (now - flushed > 1000) {
			findings_log_flush(server.log);
			flushed = now;
		}
	} while (!is_over(now));
}
