"""`tarry view` under foreign requests: for another host, as from a page of another site whose name resolves to this machine, and 200 that never end.

    view_requests.py BIN"""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile

TARRY = os.path.join(os.path.abspath(sys.argv[1]), "tarry")
SKIPPED, UNFINISHED, SECONDS = 77, 200, 60
TRACE = """tarry trace 1
process world=1 rank=0 size=1 run=1
clock monotonic 1000000000 tick=0 ns=1700000000000000000
thread 0
0 1000000 MPI_Init
51000000 52000000 MPI_Finalize
"""
# The Host header, and whether the page is served.
HOSTS = (("127.0.0.1:PORT", True), ("localhost:PORT", True), ("LOCALHOST", True), ("localhost:8080", True), ("[::1]:PORT", True), ("evil.example:PORT", False),
         ("127.0.0.1.evil.example", False), ("localhost.evil.example:PORT", False), ("", False), (None, False))


def ask(port, path, host):
    with socket.create_connection(("127.0.0.1", port), SECONDS) as link:
        lines = [f"GET {path} HTTP/1.1", "Connection: close"] + ([f"Host: {host}"] if host is not None else [])
        link.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        answer = b""
        while more := link.recv(65536):
            answer += more
    return answer


def problems_of(port, path):
    for host, is_given in HOSTS:
        host = host and host.replace("PORT", str(port))
        if (b"<html" in ask(port, path, host)) != is_given:
            yield f"Host: {host}: {'refused' if is_given else 'answered'}"
    links = [socket.create_connection(("127.0.0.1", port), SECONDS) for _ in range(UNFINISHED)]
    for link in links:
        link.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nX-Slow: ".encode())
    try:
        if b"<html" not in ask(port, path, "localhost"):
            yield "unfinished requests keep a browser out"
    except OSError as error:
        yield f"unfinished requests keep a browser out: {error}"
    for link in links:
        link.close()


def main():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "x.txt"), "w", encoding="utf-8") as file:
            file.write(TRACE)
        subprocess.run([TARRY, "assemble", "-o", "x.tarry", "x.txt"], cwd=folder, check=True)
        server = subprocess.Popen([TARRY, "view", "x.tarry"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        address = re.match(r"http://127\.0\.0\.1:(\d+)(/\w+/)", server.stdout.readline())
        if not address:
            print(server.communicate()[1])
            sys.exit(SKIPPED)
        problems = list(problems_of(int(address[1]), address[2]))
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=SECONDS)
    print("\n".join(problems) or "the page is given to its browser alone")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
