# `tarry run` gives its time only to processes with the key.
install_tarry openmpi
cat >asker.py <<'PYTHON'
import os, socket, struct, urllib.parse
identity, rate, key, port, *addresses = urllib.parse.unquote(os.environ["TARRY_CLOCK"]).split(" ")
key = bytes.fromhex(key)
machine = open("/proc/sys/kernel/random/boot_id").read().strip()
print("clock of this machine:", identity in (f"cntvct@{machine}", f"tsc@{machine}"), int(rate) > 1000000)
asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
asker.settimeout(10)
asker.connect(("127.0.0.1", int(port)))
def question(number, clock=7, first=0, with_key=key):
    return struct.pack("<8sQQQ16sQ", b"tarry?t1", number, clock, first, with_key, 0)
def ask(message):
    asker.send(message)
    magic, number, verdict, arrived, left = struct.unpack_from("<8sQQQQ", asker.recv(4096))
    return magic, number, verdict, arrived, left
first, second = ask(question(41)), ask(question(42))
print("answers:", first[:3], second[:3])
print("time goes on:", first[3] <= first[4] < second[3] <= second[4])
print("first of a clock, another's:", [ask(question(50, clock, 1))[2] for clock in (7, 8)])
print("again:", 1 in [ask(question(60 + i, 7, 1))[2] for i in range(9)])
wrong = [b"", b"x", question(1, with_key=bytes(16)), question(2)[:-1], question(3) + b"x",
         b"tarry!t1" + question(4)[8:], os.urandom(56), os.urandom(9000)]
for message in wrong:
    asker.send(message)
print("only the last is answered:", ask(question(99))[:2])
PYTHON
# Through a shell: Python itself may be an executable or a script, for which the last sentence differs.
try tarry run sh -c 'python3 asker.py'
