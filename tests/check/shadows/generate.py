"""Writes the calls that operations.c makes: one for every function of mpi.calls that has a buffer and gives a request, for all that communicate with
neighbours and for all one-sided operations, as far as an MPI library exports them. A function with a parameter of a kind that is not known here is an error: so none is left out.

    generate.py LIST_OF_SYMBOLS OUTPUT"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 3, "src", "calls", "generator"))
import buffers
import table

FLOWS = buffers.read_flows()

# The argument for a parameter, by its kind. Others are handled in value_of().
VALUES = {"count": "o->count", "scount": "o->scount", "rcount": "o->rcount", "ocount": "o->count", "tcount": "o->count", "xcount": "o->count",
          "bigcount": "o->count", "partcount": "o->count", "type": "o->type", "stype": "o->stype", "rtype": "o->rtype", "otype": "o->type", "ttype": "o->target_type",
          "xtype": "o->type", "stypes": "o->stypes", "rtypes": "o->rtypes", "sbuf": "o->sbuf", "rbuf": "o->rbuf", "dest": "o->dest",
          "source": "o->source", "root": "o->root", "tag": "0", "stag": "0", "rtag": "0", "comm": "o->comm", "info": "MPI_INFO_NULL",
          "newrequest": "request", "op": "o->op", "win": "o->win", "target": "o->dest", "disp": "0", "file": "o->file", "offset": "o->offset",
          "partitions": "PARTITIONS", "message": "&o->message"}
ARRAYS = {"scounts": "scounts", "rcounts": "rcounts"}


def value_of(f, position):
    p = f.parameters[position]
    kind = p.kind.name
    if kind in VALUES:
        return VALUES[kind]
    if kind in ARRAYS:
        return f"o->{'large' if f.large else 'plain'}.{ARRAYS[kind]}"
    if kind in ("displs", "adispls"):
        # of the receive buffer if they follow it
        side = "r" if any(q.kind.name == "rbuf" for q in f.parameters[:position]) else "s"
        large = f.large or kind == "adispls"
        return f"o->{'large' if large else 'plain'}.{side}displs"
    return sys.exit(f"MPI_{f.name}: generate.py does not know parameters of kind '{kind}'")


def in_place(f):
    """Where MPI_IN_PLACE may be: instead of the send buffer, of that of the root, or of the receive buffer of the root."""
    flow = FLOWS.get(f.moves, buffers.Flow())
    return buffers.IN_PLACE[flow.in_place].removeprefix("IN_PLACE_")


def is_wanted(f):
    return f.find("sbuf", "rbuf") and (f.find("newrequest") or f.group in ("neighbourhood", "one-sided"))


def entry(f, prefix):
    values = ", ".join(value_of(f, i) for i in range(len(f.parameters)))
    # those of MPIX_ are not in mpi.h
    lines = [f"{f.prototype(prefix)};"] if prefix != "MPI_" else []
    lines += [f"static int call_{f.name}(struct operands *o, MPI_Request *request)", "{",
              "\t(void)request;" if not f.find("newrequest") else "", f"\treturn {prefix}{f.name}({values});", "}", ""]
    return lines


def row(f):
    flags = [name for name, is_set in (("gives_request", f.find("newrequest")), ("persistent", f.persistent), ("has_op", f.find("op")),
                                       ("has_root", f.find("root")), ("sends", f.find("sbuf")), ("receives", f.find("rbuf")),
                                       ("one_type", f.find("type")), ("bytes_apart", f.find("stypes")),
                                       ("needs_intra", f.collective == "lower_first"), ("partitioned", f.find("partitions"))) if is_set]
    settings = "".join(f", .{flag} = true" for flag in flags)
    group = f.group.upper().replace("-", "_")
    return f'\t{{"{f.name}", "{f.moves}", CLASS_{group}, {in_place(f)}, call_{f.name}{settings}}},'


def main():
    symbols, output = sys.argv[1:]
    exported = table.exported_by(symbols)
    found = [f for f in table.read_functions() if is_wanted(f) and f.name in exported]
    lines = [line for f in found for line in entry(f, exported[f.name])]
    lines += ["static const struct operation operations[] = {", *map(row, found), "};", ""]
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main()
