#include "base/clock_service.h"

#include "base/clock.h"

/* If the difference is larger, the wall clock was set in between. */
enum { AGE_MAX_NS = 1000 * 1000 * 1000 };

void clock_service_prepare(int fd)
{
	int yes = 1;

	setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes);
}

bool clock_service_receive(int fd, struct clock_datagram *datagram)
{
	_Alignas(struct cmsghdr) uint8_t extras[CMSG_SPACE(sizeof(struct timespec))];
	struct iovec bytes = {datagram->bytes, sizeof datagram->bytes};
	struct msghdr message = {
		.msg_name = &datagram->from,
		.msg_namelen = sizeof datagram->from,
		.msg_iov = &bytes,
		.msg_iovlen = 1,
		.msg_control = extras,
		.msg_controllen = sizeof extras,
	};
	ssize_t size = recvmsg(fd, &message, MSG_DONTWAIT);
	uint64_t now, arrived;

	if (size < 0)
		return false;
	datagram->size = (size_t)size;
	datagram->from_size = message.msg_namelen;
	now = clock_system_ns(CLOCK_REALTIME);
	arrived = now;
	for (struct cmsghdr *at = CMSG_FIRSTHDR(&message); at; at = CMSG_NXTHDR(&message, at)) {
		struct timespec stamp;

		if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_TIMESTAMPNS)
			continue;
		memcpy(&stamp, CMSG_DATA(at), sizeof stamp);
		arrived = (uint64_t)stamp.tv_sec * 1000000000u + (uint64_t)stamp.tv_nsec;
	}
	datagram->age_ns = now - arrived < AGE_MAX_NS ? now - arrived : 0;
	return true;
}
