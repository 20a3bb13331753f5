#include "base/watchpoints.h"

#include "base/files.h"

#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Follows si_addr in siginfo_t; C libraries older than the kernel's interface have no names for it. */
struct watch_signal {
	unsigned long data;
	uint32_t type, flags;
};

enum { TRAP_OF_PERF = 6, IS_LATE = 1 };
static const uint64_t ours = 0x5461727279ull << 8; /* marks our signals; the low byte is the number */

static int opened[WATCHPOINTS_MAX];
static uint64_t periods[WATCHPOINTS_MAX]; /* only every nth access is seen */
static uint32_t opened_count;
static pid_t opened_by;

#ifdef PERF_ATTR_SIZE_VER7 /* kernel headers 5.13 or later, with signals for watchpoints */
static struct perf_event_attr attributes(uint32_t number, uintptr_t address, uint32_t bytes, bool writes_only)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(struct perf_event_attr),
		.bp_type = writes_only ? HW_BREAKPOINT_W : HW_BREAKPOINT_RW,
		.bp_addr = address,
		.bp_len = bytes,
		.sample_period = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.inherit = 1,
		.inherit_thread = 1,
		.remove_on_exec = 1,
		.sigtrap = 1,
		.sig_data = ours | number,
	};
}

static int open_watchpoint(uint32_t number)
{
	struct perf_event_attr wanted = attributes(number, (uintptr_t)opened, sizeof *opened, true);

	wanted.disabled = 1;
	return (int)syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Also enables it. The kernel can move a watchpoint only if its other attributes stay the same. */
static bool move_watchpoint(uint32_t number, uintptr_t address, uint32_t bytes, bool writes_only)
{
	struct perf_event_attr wanted = attributes(number, address, bytes, writes_only);

	return ioctl(opened[number], PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &wanted) == 0;
}
#else
static int open_watchpoint(uint32_t number)
{
	(void)number;
	return -1;
}

static bool move_watchpoint(uint32_t number, uintptr_t address, uint32_t bytes, bool writes_only)
{
	return number && address && bytes && writes_only && false;
}
#endif

/* A debugger that traces the process would get the signals. */
static bool is_traced(void)
{
	static const char field[] = "TracerPid:\t";
	char text[2048];
	const char *found;

	read_small_file(AT_FDCWD, "/proc/self/status", text, sizeof text);
	found = strstr(text, field);
	return !found || found[sizeof field - 1] != '0';
}

uint32_t watchpoints_open(void)
{
	static bool tried;

	if (tried)
		return opened_count;
	tried = true;
	opened_by = (pid_t)syscall(SYS_gettid);
	for (uint32_t i = 0; i < WATCHPOINTS_MAX && !is_traced(); i++) {
		const int fd = open_watchpoint(i);

		if (fd < 0)
			break;
		periods[opened_count] = 1;
		opened[opened_count++] = fd;
	}
	return opened_count;
}

uint32_t watchpoint_bytes(uintptr_t first, uintptr_t end)
{
	uint32_t bytes = WATCHED_BYTES_MAX;

	while (bytes > end - first || first % bytes)
		bytes /= 2;
	return bytes;
}

static bool set_period(uint32_t number, uint64_t period)
{
	if (period != periods[number] && ioctl(opened[number], PERF_EVENT_IOC_PERIOD, &period) != 0)
		return false;
	periods[number] = period;
	return true;
}

bool watchpoint_set(uint32_t number, uintptr_t address, uint32_t bytes, bool writes_only)
{
	return set_period(number, 1) && move_watchpoint(number, address, bytes, writes_only);
}

void watchpoint_set_again(uint32_t number, uint64_t next)
{
	if (set_period(number, next))
		ioctl(opened[number], PERF_EVENT_IOC_ENABLE, 0);
}

void watchpoint_clear(uint32_t number)
{
	ioctl(opened[number], PERF_EVENT_IOC_DISABLE, 0);
}

static struct watch_signal about(const siginfo_t *info)
{
	struct watch_signal found;

	memcpy(&found, (const char *)info + offsetof(siginfo_t, si_addr) + sizeof info->si_addr,
	       sizeof found);
	return found;
}

uint32_t watchpoint_of(const siginfo_t *info)
{
	const uint64_t data = about(info).data;

	return info->si_code == TRAP_OF_PERF && (data & ~(uint64_t)UINT8_MAX) == ours
	               ? (uint32_t)(data & UINT8_MAX)
	               : WATCHPOINTS_MAX;
}

bool watchpoint_is_late(const siginfo_t *info)
{
	return about(info).flags & IS_LATE;
}

bool watchpoints_are_own(void)
{
	return (pid_t)syscall(SYS_gettid) == opened_by;
}

void watchpoints_forget(void)
{
	while (opened_count)
		close(opened[--opened_count]);
}
