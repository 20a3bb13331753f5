#!/usr/bin/env python3
"""Prints a trace as `tarry dump --no-source` does. Written from docs/trace-format.md alone, to find out whether
that document says everything. Usage: second_reader.py TRACE"""

import math
import re
import struct
import sys
import zlib

NOBODY, TABLE, GROUP = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
RELATIVE = 128
ONLY_AFTERWARDS = (5, 11, 12, 13, 22, 24, 25)
IDENTITY, RANK, NAME, REAL = (1, 14, 20, 25, 48), (2, 8, 11, 15, 26, 36, 41), (27, 34, 40, 43, 45), 46
FIELDS = ("? comm peer tag sent received room size root request done source source_tag cancelled win target disp epoch "
          "lock assert file offset result count flag newcomm member region partition partitions message level color "
          "key port op recv_peer recv_tag persistent in_place program leader path param value text real sync mutex").split()


class Damage(Exception):
    pass


class Bytes:
    """A cursor over bytes that refuses to run past their end."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def more(self):
        return self.at < len(self.data)

    def take(self, size):
        if size > len(self.data) - self.at:
            raise Damage
        self.at += size
        return self.data[self.at - size:self.at]

    def u64(self):
        return struct.unpack("<Q", self.take(8))[0]

    def varint(self):
        value = 0
        for shift in range(0, 64, 7):
            byte = self.take(1)[0]
            if shift == 63 and byte > 1:
                raise Damage
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise Damage

    def signed(self):
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def text(self, size=None):
        return self.take(len(self.data) - self.at if size is None else size).split(b"\0")[0]


def string(text):
    special = {0x22: b'\\"', 0x5C: b"\\\\", 0x0A: b"\\n", 0x09: b"\\t"}
    return b'"%s"' % re.sub(rb'[\x00-\x1f\x7f"\\]', lambda m: special.get(m[0][0], b"\\x%02x" % m[0][0]), text)


def word(text):
    return text if re.fullmatch(rb"[A-Za-z_][A-Za-z0-9_]*", text) else string(text)


def real(bits):
    """The double with these bits."""
    number = struct.unpack("<d", struct.pack("<q", bits))[0]
    if not math.isfinite(number):
        return b"0x%x" % (bits % 2**64)
    return next(text for text in (b"%.*g" % (digits, number) for digits in (15, 16, 17)) if float(text) == number)


def ranks_of(body):
    """The ranks of a group."""
    count, steps = body.varint(), []
    if count > 2**17:
        raise Damage
    while len(steps) < count:
        code = body.varint()
        if code % 2 == 0:
            steps.append(code // 2)
            continue
        back = body.varint()
        if not 0 < back <= len(steps) or not 0 < code // 2 <= count - len(steps):
            raise Damage
        for _ in range(code // 2):
            steps.append(steps[-back])
    ranks = [sum(steps[:1])]
    for step in steps[1:]:
        ranks.append(ranks[-1] + step)
        if not step:
            raise Damage
    if ranks[-1] >= NOBODY:
        raise Damage
    return ranks[:count]


def members_of(world, body, tables):
    """The chunks of a group, as in chunks_of(). The last item is their common part: the table and the order of calls; and whether each has its own
    length."""
    table, ordered, stream, sequence, _ = body.varint(), body.varint(), body.varint(), body.varint(), body.varint()
    order, event, calls = {}, 0, Bytes(tables[ordered - 1] if ordered else b"")
    while calls.more():
        step = calls.varint()
        if order and not step:
            raise Damage
        event += step
        order[event] = calls.varint()
    ranks, length = ranks_of(body), body.varint()
    for rank in ranks:
        own = length - 1 if length else body.varint()
        base = body.varint() if stream else 0
        yield world, rank, stream - 1 if stream else NOBODY, sequence, base, body.take(own), None, 3, (tables[table], order, not length)


def chunks_of(data):
    """All chunks that can be used, those of groups too."""
    tables, groups, chunks = {}, [], []
    for at, chunk in headed_chunks(data):
        if chunk[7] == 3 and chunk[2] == TABLE:
            tables.setdefault(chunk[3], chunk[5])
        elif chunk[7] == 3 and chunk[2] == GROUP:
            groups.append((at, chunk))
        else:
            chunks.append((at, chunk + (None,)))
    for at, group in groups:
        try:
            chunks += [(at, member) for member in members_of(group[0], Bytes(group[5]), tables)]
        except (Damage, KeyError):
            pass
    return [chunk for at, chunk in sorted(chunks, key=lambda chunk: chunk[0])]


def headed_chunks(data):
    """Position and (world, process, stream, sequence, base_tick, payload, open, version) of each chunk with a usable header. `open`: number + 1,
    start and the data after the payload of an open call, or None."""
    if data[:6] == b"TARRY\x1a" and data[6:7] not in (b"", b"\1", b"\2", b"\3"):
        sys.exit("another version")
    at = 0
    while at + 64 <= len(data):
        head = data[at:at + 64]
        if head[:6] != b"TARRY\x1a" or head[6] not in (1, 2, 3) or struct.unpack_from("<I", head, 40)[0] != zlib.crc32(head[:40]):
            at += 8
            continue
        world, process, stream, sequence, capacity, base = struct.unpack_from("<QIIIIQ", head, 8)
        sealed, length, call, payload_crc, seal_crc = struct.unpack_from("<IIIII", head, 44)
        payload = data[at + 64:at + 64 + length]
        whole = not sealed or len(payload) < length or payload_crc == zlib.crc32(payload)
        was_sealing = zlib.crc32(struct.pack("<I", 1) + head[48:60]) == seal_crc
        if head[6] == 3 and stream in (TABLE, GROUP):
            whole = sealed == 1 and payload_crc == zlib.crc32(payload) and seal_crc == zlib.crc32(head[44:60])
        has_open = not sealed and call and len(payload) == length and not was_sealing
        if length <= capacity and whole:
            behind = data[at + 64 + length:at + 64 + capacity]
            start = struct.unpack_from("<Q", head, 56)[0]
            yield at, (world, process, stream, sequence, base, payload, (call, start, behind) if has_open else None, head[6])
        at += 64 + (capacity + 7) // 8 * 8


def show_runs(body, size, key):
    runs = []
    for _ in range(body.varint()):
        world, first, stride, count = body.u64(), body.varint(), body.signed(), body.varint()
        if not count or not all(0 <= rank < 2**31 for rank in (first, first + stride * (count - 1), count)):
            raise Damage
        tail = b"/%d*%d" % (stride, count) if stride != 1 else b"-%d" % (first + count - 1) if count > 1 else b""
        runs.append((count, b"%x:%d%s" % (world, first, tail)))
    if runs and sum(count for count, _ in runs) != size:
        raise Damage
    return b" %s=%s" % (key, b",".join(text for _, text in runs)) if runs else b""


def kind_name(names, kind):
    return names[kind] if kind < len(names) else b"%d" % kind


def show_comm(b, to_rank=0):
    identity, parent, kind, rank, size, remote = b.u64(), b.u64(), b.varint(), b.varint() + to_rank, b.varint(), b.varint()
    rank %= 2**64
    groups = show_runs(b, size, b"members") + (show_runs(b, remote, b"others") if kind == 1 else b"")
    names = (b"intra", b"inter", b"cart", b"graph", b"dist_graph", b"upc", b"shmem")
    return b"comm 0x%x parent=0x%x kind=%s rank=%d size=%d remote=%d%s %s" % (
        identity, parent, kind_name(names, kind), rank, size, remote, groups, string(b.text()))


def show_clock(b):
    rate, points = b.varint(), b.varint()
    if points > len(b.data):
        raise Damage
    shown = b"".join(b" tick=%d ns=%d" % (b.varint(), b.varint()) for _ in range(points))
    return b"clock %s %d%s" % (word(b.text()), rate, shown)


def show_module(b):
    number, base, size = b.varint(), b.varint(), b.varint()
    build_id = b.take(b.varint()).hex().encode()
    return b"module %d base=0x%x size=0x%x%s %s" % (
        number, base, size, b" build-id=" + build_id if build_id else b"", string(b.text()))


def show_source(b):
    number, function = b.varint(), b.text(b.varint())
    return b"source %d %s %s" % (number, string(b.text()), string(function))


def show_object(b):
    return b"object %s 0x%x comm=0x%x size=%d unit=%d %s" % (
        kind_name((b"none", b"win", b"file"), b.varint()), b.u64(), b.u64(), b.varint(), b.varint(), string(b.text()))


def show_loss(b):
    return b"loss %d %s" % (b.varint(), string(b.text()))


PROCESS_RECORDS = {
    6: show_loss, 18: show_clock, 21: show_object, 24: show_source,
    28: lambda b: b"file %d opens=%d seeks=%d stats=%d syncs=%d maps=%d mapped=%d inside=%d first=%d last=%d begin=%d end=%d module=%d offset=0x%x %s" % (
        *(b.varint() for _ in range(14)), string(b.text())),
    29: lambda b: b"access %d %s %s class=%d calls=%d bytes=%d inside=%d consecutive=%d strided=%d" % (
        b.varint(), kind_name((b"read", b"write"), b.varint()), kind_name((b"system", b"stream", b"mpi"), b.varint()),
        *(b.varint() for _ in range(6))),
    25: lambda b: b"stamp %d size=%d ns=%d" % (b.varint(), b.varint(), b.varint()),
    17: lambda b: b"property %s %s" % (word(b.text(b.varint())), string(b.text())),
    22: lambda b: b"eager %d %s" % (b.varint(), word(b.text())),
    23: lambda b: b"compare tick=%d other=%d rate=%d uncertainty=%d %s" % (
        b.varint(), b.varint(), b.varint(), b.varint(), string(b.text())),
}


def next_record(payload):
    head = payload.take(1)[0]
    if head < 0xC0:
        raise Damage
    return head & 0x3F, Bytes(payload.take(payload.varint()))


def records_of(own, table):
    """(kind, body, whether it is of the table) of a chunk of no thread."""
    while table.more():
        kind, body = next_record(table)
        if kind != 27:
            yield kind, body, True
        elif own.more():
            yield *next_record(own), False
    while own.more():
        yield *next_record(own), False


def show_process(world, rank, payloads):
    """The lines of a process without its threads. `payloads`: of its chunks, and the tables that they share."""
    line = b"process world=%x rank=%s" % (world, b"unknown" if rank == NOBODY else b"%d" % rank)
    lines, sized, modules = [], False, {}
    for payload, table in payloads:
        try:
            for kind, body, is_shared in records_of(payload, table):
                to_rank = rank if is_shared else 0
                if kind == 16:
                    if sized or (body.u64(), (body.varint() + to_rank) % 2**64) != (world, rank):
                        raise Damage
                    line, sized = line + b" size=%d run=%x" % (body.varint(), body.u64()), True
                elif kind == 20:
                    lines.append(show_comm(body, to_rank))
                elif kind == 26:
                    number, base = body.varint(), body.varint()
                    for at in modules.get(number, []):
                        lines[at] = re.sub(rb"base=0x\w+", b"base=0x%x" % base, lines[at], count=1)
                elif kind == 19:
                    modules.setdefault(Bytes(body.data).varint(), []).append(len(lines))
                    lines.append(show_module(body))
                elif kind in PROCESS_RECORDS:
                    lines.append(PROCESS_RECORDS[kind](body))
                else:
                    lines.append(b"unknown kind=%d bytes=%s" % (kind, body.data.hex().encode()))
        except Damage:
            pass
    return [line] + lines


class Thread:
    """Decodes the chunks of one thread into `lines`."""

    def __init__(self, number, rank=None):
        self.number, self.rank, self.shown, self.lines, self.shape = number, rank, None, [], None

    def show_field(self, key, value):
        name = FIELDS[key] if 0 < key < len(FIELDS) else "field%d" % key
        if key == 42:
            shown = b",".join(b"%d+0x%x" % site for site in self.pick(self.paths, value))
        elif key in NAME:
            shown = string(self.pick(self.names, value))
        elif key == REAL:
            shown = real(value)
        elif key in RANK and -3 <= value < 0:
            shown = (b"any", b"null", b"root")[-1 - value]
        else:
            shown = b"0x%x" % (value % 2**64) if key in IDENTITY else b"%d" % value
        return b" %s=%s" % (name.encode(), shown)

    @staticmethod
    def pick(items, number):
        if not 0 <= number < len(items):
            raise Damage
        return items[number]

    def take_call(self, body):
        start, site = word(self.pick(self.names, body.varint())), body.varint()
        if site:
            start += b" site=%d+0x%x" % self.pick(self.sites, site - 1)
        fields = []
        while body.more():
            key = body.varint()
            if key >= 2**32:
                raise Damage
            value = body.signed()
            if self.shape and RELATIVE < key < RELATIVE + len(FIELDS):
                key, value = key - RELATIVE, (value + self.rank + 2**63) % 2**64 - 2**63
            fields.append((key, value))
        self.define(start, fields)

    def take_like(self, body):
        start, fields = self.pick(self.calls, len(self.calls) - 1 - body.varint())[2:]
        fields = list(fields)
        while body.more():
            position, difference = body.varint(), body.signed()
            key, value = self.pick(fields, position)
            if key in NAME or key < len(FIELDS) and FIELDS[key] == "path":
                raise Damage
            fields[position] = key, (value + difference + 2**63) % 2**64 - 2**63
        self.define(start, fields)
        if self.last is not None:
            self.following[self.last] = len(self.calls) - 1

    def define(self, start, fields):
        """A call: as an event has it, as an open call does, and as others may be like it."""
        shown = [(key, self.show_field(key, value)) for key, value in fields]
        self.calls.append((start + b"".join(text for _, text in shown),
                           start + b"".join(text for key, text in shown if key not in ONLY_AFTERWARDS), start, fields))

    def show_open(self, call, start):
        self.lines.append(b"open %d %s" % (start, self.pick(self.calls, call)[1]))

    def open_call(self, code, start, behind):
        """Of a chunk that was not sealed."""
        if code == NOBODY:
            take = {0xC3: self.take_call, 0xCE: self.take_like}.get(behind.take(1)[0])
            if not take:
                raise Damage
            take(Bytes(behind.take(behind.varint())))
            code = len(self.calls)
        self.show_open(code - 1, start)

    def take_path(self, body):
        caller, site = body.varint(), (body.varint(), body.varint())
        path = (site,) + (self.pick(self.paths, caller - 1) if caller else ())
        if len(path) > 256:
            raise Damage
        self.paths.append(path)

    def show_thread(self, line):
        if line != self.shown:
            self.lines.append(line)
        self.shown = line

    def long_record(self, kind, body):
        if kind == 1:
            self.names.append(body.text())
        elif kind == 2:
            self.sites.append((body.varint(), body.varint()))
        elif kind == 3:
            self.take_call(body)
        elif kind == 4:
            self.end = body.varint()
        elif kind == 5:
            self.polls = b" polls=%d busy=%d" % (body.varint(), body.varint())
            if self.polls.startswith(b" polls=0 "):
                raise Damage
        elif kind == 10:
            before, inside = body.varint(), body.varint()
            if max(before, inside) >= 2**32 or not before + inside:
                raise Damage
            self.delay = b" delay_before=%d delay_inside=%d" % (before, inside)
        elif kind == 30:
            before = body.varint()
            if before >= 2**32 or not before:
                raise Damage
            self.blocked = b" blocked_before=%d" % before
        elif kind == 6:
            self.lines.append(show_loss(body))
        elif kind == 7:
            line = b"thread %d tid=%d%s" % (self.number, body.varint(), b" main" if body.varint() == 1 else b"")
            self.show_thread(line + b" " + string(body.text()))
        elif kind == 9:
            tick, resumes = body.varint(), body.varint()
            counted = body.more() and body.varint()
            self.lines.append(b"%s %d%s" % (b"resume" if resumes else b"pause", tick, b" counted" if counted else b""))
        elif kind == 11:
            self.lines.append(b"overhead %d %d %s" % (body.varint(), body.varint(), word(body.text())))
        elif kind == 12:
            self.show_open(body.varint(), body.varint())
        elif kind == 13:
            tick, count, call = body.varint(), body.varint(), body.varint()
            if not count:
                raise Damage
            self.lines.append(b"skipped %d %d %s" % (tick, count, self.pick(self.calls, call)[0]))
        elif kind == 14:
            self.take_like(body)
        elif kind == 15:
            call, numbers = body.varint(), [body.u64() for _ in range(6)]
            self.lines.append(b"summed %s %s" % (b" ".join(b"%d" % n for n in numbers), self.pick(self.calls, call)[0]))
        elif kind == 8:
            self.take_path(body)
        else:
            self.lines.append(b"unknown kind=%d bytes=%s" % (kind, body.data.hex().encode()))

    def event(self, head, payload):
        predicted = head < 0x80
        call = self.order.get(self.count, self.following.get(self.last, NOBODY)) if predicted else payload.varint()
        self.count += 1
        if predicted and self.version != 1 and head >= 0x70:
            low, high = payload.take(2)
            number = (head & 0xF) << 16 | high << 8 | low
            gap, duration = number >> 11, number & 0x7FF
        elif predicted and self.version != 1 and head >= 0x20:
            high, low = head - 0x20, payload.take(1)[0]
            gap, duration = high % 16 * 8 + low // 32, high // 16 * 32 + low % 32
        else:
            bits, ones = (4, 3) if not predicted else (4, 7) if self.version == 1 else (3, 3)
            gap, duration, longest = head >> bits & ones, head & (1 << bits) - 1, (1 << bits) - 1
            gap += payload.varint() if gap == ones else 0
            duration += payload.varint() if duration == longest else 0
        start = self.end + gap
        end = start + duration
        if end >= 2**64:
            raise Damage
        shown = self.pick(self.calls, call)[0]
        self.lines.append(b"%d %d %s%s%s%s" % (start, end, shown, self.polls, self.delay, self.blocked))
        self.following[self.last] = call
        self.last, self.end, self.polls, self.delay, self.blocked = call, end, b"", b"", b""

    def chunk(self, base, payload, unfinished, version, shape):
        self.version, self.shape, self.count = version, shape, 0
        table, self.order = shape[:2] if shape else (b"", {})
        self.names, self.sites, self.paths, self.calls, self.following = [], [], [], [], {}
        self.last, self.end, self.polls, self.delay, self.blocked = None, base, b"", b"", b""
        try:
            table = Bytes(table)
            while table.more():
                kind, body = next_record(table)
                if kind in (1, 2, 3, 8, 14):
                    self.long_record(kind, body)
            while payload.more():
                head = payload.take(1)[0]
                if head >= 0xC0:
                    self.long_record(head & 0x3F, Bytes(payload.take(payload.varint())))
                else:
                    self.event(head, payload)
        except Damage:
            pass
        try:
            if unfinished:
                self.open_call(unfinished[0], unfinished[1], Bytes(unfinished[2]))
        except Damage:
            pass


def first_thread_line(number, payload):
    """What the thread's line says before anything is read of it."""
    scout = Thread(number)
    try:
        while payload.more() and payload.data[payload.at] >= 0xC0:
            kind, body = payload.take(1)[0] & 0x3F, Bytes(payload.take(payload.varint()))
            if kind == 7:
                scout.long_record(kind, body)
                break
    except Damage:
        pass
    return scout.lines[0] if scout.lines else b"thread %d" % number


def show_trace(data):
    worlds, processes = {}, {}
    for world, process, stream, sequence, base, payload, unfinished, version, shape in chunks_of(data):
        key = (worlds.setdefault(world, len(worlds)), process, world)
        processes.setdefault(key, {}).setdefault(stream, {}).setdefault(sequence, (base, payload, unfinished, version, shape))
    lines = [b"tarry trace 1"]
    for (_, rank, world), streams in sorted(processes.items()):
        own = streams.pop(NOBODY, {})
        chunks = [own[sequence] for sequence in sorted(own)]
        lines += show_process(world, rank, [(Bytes(chunk[1]), Bytes(chunk[4][0] if chunk[4] else b"")) for chunk in chunks])
        for number, chunks in sorted(streams.items()):
            thread = Thread(number, rank)
            thread.show_thread(first_thread_line(number, Bytes(chunks[min(chunks)][1])))
            for sequence in sorted(chunks):
                base, payload, unfinished, version, shape = chunks[sequence]
                thread.chunk(base, Bytes(payload), unfinished, version, shape)
            lines += thread.lines
    return b"\n".join(lines) + b"\n"


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as trace:
        sys.stdout.buffer.write(show_trace(trace.read()))
