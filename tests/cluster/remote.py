"""Running a command on a node, as ssh would: the node's first process listens at a socket in the cluster's folder,
takes command, environment and the three standard streams, and answers with the exit code.

    remote.py FOLDER NODE COMMAND...        # what launchers are given in place of ssh

A command ends with its caller: if the caller ends, the command's process group is killed. The caller's environment
is passed on only on request."""

import json
import os
import socket
import subprocess
import sys

STREAMS = 3
MESSAGE_MAX = 1 << 20
LOST = 255


def socket_path(folder, node):
    return os.path.join(folder, node)


def send(connection, message, descriptors=()):
    data = json.dumps(message).encode()
    if len(data) > MESSAGE_MAX:
        raise ValueError("the command and its environment are too long")
    socket.send_fds(connection, [data], list(descriptors))


def receive(connection, descriptors=0):
    """(message, descriptors); None for a message where the other side is gone."""
    data, received, _, _ = socket.recv_fds(connection, MESSAGE_MAX, descriptors)
    return json.loads(data) if data else None, received


def connect(folder, node):
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MESSAGE_MAX)
    connection.connect(socket_path(folder, node))
    return connection


def start(folder, node, command, streams=(0, 1, 2), env=None, cwd=None):
    """Begins the command. It is killed when the connection is closed."""
    connection = connect(folder, node)
    send(connection, {"command": command, "env": env or {}, "cwd": cwd}, streams)
    return connection


def run(folder, node, command, streams=(0, 1, 2), env=None, cwd=None, timeout=None):
    """The command's exit code, as subprocess gives it. Where it takes too long it is killed."""
    with start(folder, node, command, streams, env, cwd) as connection:
        connection.settimeout(timeout)
        try:
            answer, _ = receive(connection)
        except TimeoutError:
            raise subprocess.TimeoutExpired(command, timeout) from None
    return LOST if answer is None else answer["code"]


def main():
    """Launchers put options of ssh before the host, and expect a shell to read the words after it."""
    folder, *words = sys.argv[1:]
    while words[0].startswith("-"):
        words.pop(0)
    code = run(folder, words[0], ["sh", "-c", " ".join(words[1:])])
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
