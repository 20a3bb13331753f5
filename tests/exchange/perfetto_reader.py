"""Reads a trace of Perfetto as its UI would, written from the public .proto files alone: packets are decoded, texts are
looked up by their numbers, events are sorted by time, and slices are put together track by track."""

import struct
from dataclasses import dataclass, field

VARINT, FIXED64, BYTES = 0, 1, 2
BEGIN, END, INSTANT = 1, 2, 3


def take_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            assert value < 2**64
            return value, at


def fields_of(data):
    """(number, value) of each field of a message."""
    at = 0
    while at < len(data):
        key, at = take_varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == VARINT:
            value, at = take_varint(data, at)
        elif wire == FIXED64:
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        else:
            assert wire == BYTES, "wire type %d" % wire
            size, at = take_varint(data, at)
            value, at = data[at:at + size], at + size
            assert len(value) == size, "a message is cut short"
        yield number, value


# Of each message: number of the field: (name, kind, repeated). A kind is a message, or how to read the value.
def signed(value):
    return value - 2**64 if value >= 2**63 else value


def text(value):
    return value.decode("utf-8")


CLOCK = {1: ("clock_id", int, False), 2: ("timestamp", int, False)}
SNAPSHOT = {1: ("clocks", CLOCK, True)}
PROCESS = {1: ("pid", int, False), 2: ("cmdline", text, True), 3: ("legacy_sort_index", int, False),
           6: ("process_name", text, False)}
THREAD = {1: ("pid", int, False), 2: ("tid", int, False), 3: ("legacy_sort_index", int, False),
          5: ("thread_name", text, False)}
TRACK = {1: ("uuid", int, False), 2: ("name", text, False), 3: ("process", PROCESS, False), 4: ("thread", THREAD, False),
         5: ("parent_uuid", int, False)}
ANNOTATION = {1: ("name_iid", int, False), 3: ("uint_value", int, False), 4: ("int_value", signed, False),
              17: ("string_value_iid", int, False)}
ANNOTATION[11] = ("dict_entries", ANNOTATION, True)
ANNOTATION[12] = ("array_values", ANNOTATION, True)
EVENT = {3: ("category_iids", int, True), 4: ("debug_annotations", ANNOTATION, True), 9: ("type", int, False),
         10: ("name_iid", int, False), 11: ("track_uuid", int, False), 34: ("source_location_iid", int, False),
         47: ("flow_ids", int, True), 48: ("terminating_flow_ids", int, True)}
ENTRY = {1: ("iid", int, False), 2: ("text", text, False)}
LOCATION = {1: ("iid", int, False), 2: ("file_name", text, False), 3: ("function_name", text, False),
            4: ("line_number", int, False)}
INTERNED = {1: ("event_categories", ENTRY, True), 2: ("event_names", ENTRY, True),
            3: ("debug_annotation_names", ENTRY, True), 4: ("source_locations", LOCATION, True),
            29: ("debug_annotation_string_values", ENTRY, True)}
PACKET = {6: ("clock_snapshot", SNAPSHOT, False), 8: ("timestamp", int, False),
          10: ("trusted_packet_sequence_id", int, False), 11: ("track_event", EVENT, False),
          12: ("interned_data", INTERNED, False), 13: ("sequence_flags", int, False),
          60: ("track_descriptor", TRACK, False)}


def decode(data, schema):
    message = {}
    for number, raw in fields_of(data):
        name, kind, repeated = schema[number]
        value = decode(raw, kind) if isinstance(kind, dict) else kind(raw)
        if repeated:
            message.setdefault(name, []).append(value)
        else:
            assert name not in message, "'%s' is there twice" % name
            message[name] = value
    return message


@dataclass
class Slice:
    track: int
    name: str
    category: str
    start: int
    arguments: dict
    location: dict
    end: int = -1
    depth: int = 0
    parent: object = None
    out_flows: list = field(default_factory=list)
    in_flows: list = field(default_factory=list)


class Trace:
    def __init__(self, data):
        self.tracks, self.clocks, self.slices = {}, [], []
        self.tables = {name: {} for name, _, _ in INTERNED.values()}
        self.started = False
        events = []
        for number, raw in fields_of(data):
            assert number == 1
            self.take_packet(decode(raw, PACKET), events)
        events.sort(key=lambda event: event[0])
        self.stacks = {}
        for time, event in events:
            self.take_event(time, event)
        assert not any(self.stacks.values()), "a slice has no end"

    def take_packet(self, packet, events):
        assert packet["trusted_packet_sequence_id"] == 1
        if not self.started:
            assert packet["sequence_flags"] & 1, "the sequence does not begin"
        self.started = True
        for table, entries in packet.get("interned_data", {}).items():
            for entry in entries:
                assert entry["iid"] not in self.tables[table], "an interned number is used twice"
                self.tables[table][entry["iid"]] = entry
        self.clocks += packet.get("clock_snapshot", {}).get("clocks", [])
        if "track_descriptor" in packet:
            track = packet["track_descriptor"]
            assert track["uuid"] not in self.tracks
            assert track.get("parent_uuid", 0) in {0, *self.tracks}
            self.tracks[track["uuid"]] = track
        if "track_event" in packet:
            events.append((packet["timestamp"], self.resolve(packet["track_event"])))

    def entry(self, table, iid):
        return self.tables[table][iid]["text"]

    def value(self, annotation):
        if "array_values" in annotation:
            return [self.value(item) for item in annotation["array_values"]]
        if "dict_entries" in annotation:
            return self.arguments(annotation["dict_entries"])
        if "string_value_iid" in annotation:
            return self.entry("debug_annotation_string_values", annotation["string_value_iid"])
        return annotation.get("int_value", annotation.get("uint_value"))

    def arguments(self, annotations):
        pairs = [(self.entry("debug_annotation_names", item["name_iid"]), self.value(item)) for item in annotations]
        return {name: [value for other, value in pairs if other == name] for name, _ in pairs}

    def resolve(self, event):
        """With texts instead of their numbers: they have to be known by now."""
        assert event["track_uuid"] in self.tracks
        if event["type"] != END:
            event["name"] = self.entry("event_names", event["name_iid"])
            event["category"] = ",".join(self.entry("event_categories", iid) for iid in event["category_iids"])
        event["arguments"] = self.arguments(event.get("debug_annotations", []))
        event["location"] = self.tables["source_locations"][event["source_location_iid"]] \
            if "source_location_iid" in event else {}
        return event

    def take_event(self, time, event):
        stack = self.stacks.setdefault(event["track_uuid"], [])
        if event["type"] == END:
            assert stack, "a slice ends that never began"
            stack.pop().end = time
            return
        new = Slice(event["track_uuid"], event["name"], event["category"], time, event["arguments"],
                    event["location"], depth=len(stack), parent=stack[-1] if stack else None,
                    out_flows=event.get("flow_ids", []), in_flows=event.get("terminating_flow_ids", []))
        self.slices.append(new)
        if event["type"] == INSTANT:
            new.end = time
        else:
            stack.append(new)

    def thread_of(self, uuid):
        """(number of the process, thread) of a track or one below it."""
        while "thread" not in self.tracks[uuid] and "process" not in self.tracks[uuid]:
            uuid = self.tracks[uuid]["parent_uuid"]
        thread = self.tracks[uuid].get("thread")
        process = self.tracks[self.tracks[uuid]["parent_uuid"] if thread else uuid]["process"]
        return process["legacy_sort_index"], thread["legacy_sort_index"] if thread else None
