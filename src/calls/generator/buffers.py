"""The count and type of each buffer of a function, the ranks on which they are significant, and where MPI_IN_PLACE is allowed: for the
checks of arguments (src/job/check/buffers/call_shapes.h).
"""
import table

BLOCKS = {"one": "ONE_BLOCK", "per_peer": "BLOCK_PER_PEER", "per_source": "BLOCK_PER_SOURCE",
          "per_destination": "BLOCK_PER_DESTINATION", "own": "OWN_BLOCK"}
IN_PLACE = {"never": "IN_PLACE_NEVER", "send": "IN_PLACE_SEND", "send@root": "IN_PLACE_SEND_AT_ROOT",
            "receive@root": "IN_PLACE_RECEIVE_AT_ROOT"}
# By side, the kinds that give the amount of data; the first one of a function counts.
COUNTS = {"sbuf": ("scount", "ocount", "count", "partcount", "rcount"), "rbuf": ("rcount", "xcount", "ocount", "count", "partcount")}
TYPES = {"sbuf": ("stype", "otype", "type"), "rbuf": ("rtype", "xtype", "otype", "type")}
BUFFERS_MAX = 3


class Flow:
    def __init__(self, send="one", receive="one", in_place="never"):
        self.blocks = {"sbuf": send.partition("@")[0], "rbuf": receive.partition("@")[0]}
        self.only_root = {"sbuf": "@" in send, "rbuf": "@" in receive}
        self.in_place = in_place


def read_flows():
    return {words[0]: Flow(*words[1:]) for words in (line.split() for _, line in table.lines_of("flows.txt"))}


def first(f, *kinds):
    """The index of the first parameter of the first existing kind; -1: none."""
    found = [number for kind in kinds for number, p in enumerate(f.parameters) if p.kind.name == kind]
    return found[0] if found else -1


def displacements(f, counts):
    """After the counts, before the other side."""
    for number in range(counts + 1, len(f.parameters)) if counts >= 0 else ():
        kind = f.parameters[number].kind.name
        if kind in ("displs", "adispls"):
            return number
        if kind == "rbuf":
            break
    return -1


def sized(f, position):
    """For functions that pack or attach: a size in bytes, or a count of a type, follows the buffer."""
    kinds = [p.kind.name for p in f.parameters]
    for number in range(position + 1, len(kinds)):
        if kinds[number] in ("wide", "packsize"):
            is_count = kinds[number + 1:number + 2] == ["type"]
            return {"count": number, "type": number + 1} if is_count else {"bytes": number, "type": -1}
    return {}


def shaped_buffer(f, position, flow):
    side = f.parameters[position].kind.name
    counts, types = ("scounts", "stypes") if side == "sbuf" else ("rcounts", "rtypes")
    found = {"buffer": position, "count": first(f, *COUNTS[side]), "counts": first(f, counts), "type": first(f, *TYPES[side]),
             "types": first(f, types), "bytes": -1}
    if side == "sbuf" and found["count"] < 0 and found["counts"] < 0:
        found["counts"] = first(f, "rcounts")  # reduce_scatter has one array for both sides
    if found["counts"] >= 0:
        found["count"] = -1
    found["displs"] = displacements(f, found["counts"])
    if found["count"] < 0 and found["counts"] < 0:
        found.update(sized(f, position))
    blocks = "BLOCK_PER_PARTITION" if f.find("partitions") else BLOCKS[flow.blocks[side]]
    # With MPI_IN_PLACE it holds the input, which may be larger than the result.
    in_place = blocks if flow.blocks["sbuf"] == "one" else BLOCKS[flow.blocks["sbuf"]]
    members = [f".{name} = {value}" for name, value in found.items()]
    members += [f".sends = {str(side == 'sbuf').lower()}", f".only_root = {str(flow.only_root[side]).lower()}",
                f".blocks = {blocks}", f".blocks_in_place = {in_place}"]
    return "{" + ", ".join(members) + "}"


def shape(f, flows):
    flow = flows.get(f.moves, Flow())
    buffers = [shaped_buffer(f, number, flow) for number, p in enumerate(f.parameters) if p.kind.name in ("sbuf", "rbuf")]
    if f.buffer == "detaches":
        buffers = []  # where MPI puts the address of the buffer
    assert len(buffers) <= BUFFERS_MAX
    receives = f.find("source") and not f.find("dest")
    members = [f".{kind} = {first(f, kind)}" for kind in ("comm", "peercomm", "win", "root", "dest", "source", "op", "file")]
    members += [f".receives = {str(bool(receives)).lower()}", f".in_place = {IN_PLACE[flow.in_place]}",
                f".buffer_count = {len(buffers)}"]
    if buffers:
        members.append(f".buffers = {{{', '.join(buffers)}}}")
    return "{" + ", ".join(members) + "}"


def source(functions):
    flows = read_flows()
    unknown = set(flows) - set(table.FACTS["moves"].values)
    assert not unknown, unknown
    out = ['#include "job/check/buffers/call_shapes.h"', "", "const struct call_shape call_shapes[MPI_CALLS] = {"]
    out += [f"\t[CALL_{f.name}] = {shape(f, flows)}," for f in functions]
    return "\n".join(out + ["};", ""])
