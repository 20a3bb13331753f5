"""The kernel's namespaces, as far as a cluster needs them; Python itself supports them only from 3.12 on."""

import ctypes
import errno
import fcntl
import os
import struct
import subprocess

NEW_TIME = 0x00000080
NEW_MOUNT = 0x00020000
NEW_UTS = 0x04000000
NEW_IPC = 0x08000000
NEW_USER = 0x10000000
NEW_PID = 0x20000000
NEW_NET = 0x40000000

MOUNT_BIND = 0x1000
MOUNT_RECURSIVE = 0x4000
MOUNT_PRIVATE = 0x40000

TUN_SET_INTERFACE = 0x400454CA
TAP_WITHOUT_HEAD = 0x0002 | 0x1000

# The kernel's errors if it does not allow a namespace, does not support it, or has no room for another one.
REFUSALS = (errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EINVAL, errno.ENOSPC, errno.ENODEV, errno.ENOENT)

libc = ctypes.CDLL(None, use_errno=True)


class Refused(Exception):
    """This machine lacks something that a cluster needs: a reason to skip a test, not to fail it."""


def must(result, what):
    if result == 0:
        return
    number = ctypes.get_errno()
    problem = f"{what}: {os.strerror(number)}"
    raise Refused(problem) if number in REFUSALS else OSError(number, problem)


def unshare(flags, what):
    must(libc.unshare(ctypes.c_int(flags)), f"{what} cannot be had")


def mount(source, target, kind=None, flags=0):
    words = [word.encode() if word else None for word in (source, target, kind)]
    must(libc.mount(*words, ctypes.c_ulong(flags), None), f"'{target}' cannot be mounted")


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def become_root_inside():
    """Other users become root in a user namespace, if that is allowed."""
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        return
    unshare(NEW_USER, "a namespace of users")
    write("/proc/self/setgroups", "deny")
    write("/proc/self/uid_map", f"0 {user} 1")
    write("/proc/self/gid_map", f"0 {group} 1")


def own_mounts():
    """Later mounts are visible only here, and /proc shows the processes of this namespace."""
    mount("none", "/", flags=MOUNT_RECURSIVE | MOUNT_PRIVATE)
    mount("proc", "/proc", "proc")


def shift_clock(nanoseconds):
    """For the time namespace that the next child will be in: the clocks that count from the start of the machine."""
    seconds, rest = divmod(nanoseconds, 10**9)
    for clock in ("monotonic", "boottime"):
        write("/proc/self/timens_offsets", f"{clock} {seconds} {rest}\n")


def ip(*words):
    """The command of that name. A kernel built without support is a refusal."""
    try:
        result = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise Refused("the command 'ip' is missing") from None
    if result.returncode == 0:
        return
    problem = f"'ip {' '.join(words)}' failed: {result.stderr.strip()}"
    lacking = any(text in result.stderr for text in ("not permitted", "not supported", "Unknown device type"))
    raise Refused(problem) if lacking else OSError(problem)


def open_tap(name):
    """A new network device whose frames this process reads and writes."""
    try:
        tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    except OSError as error:
        raise Refused(f"'/dev/net/tun' cannot be opened: {error.strerror}") from None
    fcntl.ioctl(tap, TUN_SET_INTERFACE, struct.pack("16sH22x", name.encode(), TAP_WITHOUT_HEAD))
    return tap
