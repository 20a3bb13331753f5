"""Properties of every trace, whatever the program."""

from collections import Counter

from dumped import read_members

# These name a request that exists; every other call with a request makes one.
NAMING = {"MPI_" + name for name in """
    Start Startall Cancel Request_free Request_get_status Pready Pready_range Pready_list Parrived Test Testall
    Testany Testsome Wait Waitall Waitany Waitsome Grequest_complete""".split()}


def who(process):
    return f"rank {process.rank} of world {process.world}"


def check_times(process):
    """A thread is in one call at a time."""
    for number, thread in enumerate(process.threads):
        last = None
        for event in thread:
            if event.end < event.start:
                yield f"{who(process)}: an event ends before it starts\n\t{event.text}"
            if last and event.start < last.end:
                yield f"{who(process)}, thread {number}: events overlap\n\t{last.text}\n\t{event.text}"
            last = event


def completed(event):
    return [int(value) for group in event.groups for key, value in group if key == "done"]


def check_requests(process):
    """A request is created before it is used or completed, and the number of one in use is not given
    again."""
    made, persistent, lone = set(), set(), len(process.threads) == 1
    for event in sorted(process.events(), key=lambda event: event.end):
        numbers = [int(value) for value in event.values("request")]
        naming = event.function in NAMING
        for number in numbers + completed(event) if naming else completed(event):
            if number not in made:
                yield f"{who(process)}: request {number} was never made\n\t{event.text}"
        for number in [] if naming else numbers:
            if lone and number in made:
                yield f"{who(process)}: request {number} is in use already\n\t{event.text}"
            made.add(number)
            if event.first("persistent"):
                persistent.add(number)
        ended = numbers if event.function == "MPI_Request_free" else set(completed(event)) - persistent
        if lone:
            made.difference_update(ended)
            persistent.difference_update(ended)


def check_definitions(process):
    """Objects in an event are defined in its process."""
    for event in process.events():
        for key, value in event.fields:
            table = {"comm": process.comms, "newcomm": process.comms, "win": process.objects,
                     "file": process.objects}.get(key)
            if table is not None and value != "0x0" and value not in table:
                yield f"{who(process)}: {key} {value} is not defined\n\t{event.text}"


def check_comm(identity, holders, by_place):
    """One communicator, as described by its processes."""
    sides = {(record["kind"], record["size"], record["remote"]) for _, record in holders}
    if len(sides) > 1 and not all(kind == "inter" for kind, _, _ in sides):
        yield f"communicator {identity} is described in different ways: {sorted(sides)}"
    for process, record in holders:
        if (record["rank"] == "0") != ("members" in record):
            yield f"{who(process)}: members of {identity} must come from rank 0 and nobody else: {record}"
        members = read_members(record.get("members", ""))
        if "members" in record and len(members) != int(record["size"]):
            yield f"{who(process)}: communicator {identity} has {len(members)} members, not {record['size']}"
        for place in members:
            if place in by_place and identity not in by_place[place].comms:
                yield f"{who(by_place[place])}: is a member of {identity}, but does not know it"


def check_comms(processes):
    by_place = {(process.world, process.rank): process for process in processes}
    identities = {identity for process in processes for identity in process.comms}
    for identity in sorted(identities):
        holders = [(p, p.comms[identity]) for p in processes if identity in p.comms]
        yield from check_comm(identity, holders, by_place)


def is_point_to_point(event, key, peer="peer"):
    """Whether the event hands over a message, or asks for one. Failed calls do neither."""
    return (event.first(peer) not in (None, "null") and event.first(key) is not None
            and not event.first("result") and "probe" not in event.function.lower()
            and not event.first("partitions") and "Isendrecv" not in event.function)


def messages_of(process):
    """(sign, comm, source, destination, tag, bytes) of what was sent (+1) and received (-1)."""
    requests, probed = {}, {}

    def here(comm):
        return process.comms[comm]["rank"]

    def sent(event):
        comm = event.first("comm")
        return 1, comm, here(comm), event.first("peer"), event.first("tag"), event.first("sent")

    def received(comm, source, tag, size):
        return -1, comm, source, here(comm), tag, size

    for event in process.events():
        if "probe" in event.function.lower() and event.first("message"):
            probed[event.first("message")] = event
        for number in event.values("request"):
            if event.function not in NAMING:
                requests[number] = event
        begun = [requests[n] for n in event.values("request")] if "MPI_Start" in event.function else [event]
        for event_begun in begun:
            prepares = event_begun is event and event.first("persistent")
            if is_point_to_point(event_begun, "sent") and not prepares:
                yield sent(event_begun)
        prefix = "recv_" if "Sendrecv" in event.function else ""
        source = event.first("source") or event.first(prefix + "peer")
        if event.first("received") and is_point_to_point(event, "received", prefix + "peer") and source != "null":
            tag = event.first("source_tag") or event.first(prefix + "tag")
            yield received(event.first("comm"), source, tag, event.first("received"))
        if event.function == "MPI_Mrecv" and event.first("message"):
            comm = probed[event.first("message")].first("comm")
            yield received(comm, event.first("source"), event.first("source_tag"), event.first("received"))
        for group in map(dict, event.groups):
            made = requests[group["done"]]
            comm = probed[made.first("message")].first("comm") if made.first("message") else made.first("comm")
            if is_point_to_point(made, "room") or made.first("message"):
                if not group.get("cancelled"):
                    yield received(comm, group["source"], group["source_tag"], group["received"])


def check_messages(processes):
    """What was sent was received, between the same two, with the same tag and size. Threads share the numbers
    of requests, so that only traces of one thread for each process can be looked at in this way; and a call
    that failed may have got its message nevertheless."""
    balance, intra = Counter(), {"intra", "cart", "graph", "dist_graph"}
    events = [event for process in processes for event in process.events()]
    if any(len(process.threads) > 1 for process in processes) or any(event.first("result") for event in events):
        return
    for process in processes:
        for sign, comm, *message in messages_of(process):
            if comm in process.comms and process.comms[comm]["kind"] in intra:
                balance[comm, *message] += sign
    for (comm, source, destination, tag, size), count in balance.items():
        if count:
            kind = "received" if count > 0 else "sent"
            yield (f"{abs(count)} messages from {source} to {destination} of {comm} with tag {tag} and "
                   f"{size} bytes were never {kind}")


def check(processes, complete):
    problems = []
    for process in processes:
        problems += check_times(process)
        problems += check_requests(process)
        problems += check_definitions(process)
    if complete and not problems:
        problems += check_comms(processes)
        problems += check_messages(processes)
    return problems
