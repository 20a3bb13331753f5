"""Wrappers around MPI's C functions: a call, its times, and the key that describes it.

A function's wrapper is generated from the kinds of its parameters: `values` turns each into fields of the trace, `traffic` adds the
transferred bytes, and a few functions (completions, creation and end of objects) have their own bodies. The Fortran wrappers
(fortran.py) use the same rules with other expressions for the parameters' values, given by a `Language`.
"""
import table

HANDLES = {"comm": "comm", "newcomm": "comm", "oldcomm": "comm", "peercomm": "comm", "type": "type", "stype": "type",
           "rtype": "type", "otype": "type", "ttype": "type", "xtype": "type", "op": "op", "group": "group",
           "win": "win", "newwin": "win", "oldwin": "win", "file": "file", "newfile": "file", "oldfile": "file",
           "request": "request", "newrequest": "request", "inrequest": "request", "message": "message",
           "newmessage": "message"}
POINTERS = {"newcomm", "oldcomm", "newwin", "oldwin", "newfile", "oldfile", "newrequest", "inrequest", "message",
            "newmessage", "flag", "index", "outcount", "provided"}
RECEIVES = {"recv", "sendrecv", "replace", "read"}

# The origin of a new communicator's identity: see record/comms.h.
MADE_BY_TEXT = {"Comm_accept": "port", "Comm_connect": "port", "Comm_create_from_group": "text",
                "Intercomm_create_from_groups": "text"}


class CLanguage:
    """Parameters of a C function."""
    name = "C"
    site = "site"
    done = "return rc"

    def value(self, parameter, large=False):
        return ("*" if parameter.kind.name in POINTERS else "") + parameter.name

    def raw(self, parameter, large):
        v = self.value(parameter, large)
        return f"(int64_t)HANDLE({v})" if parameter.kind.name in HANDLES else v

    def place(self, parameter):
        return parameter.name

    def ignored(self, parameter, all_of_them=False):
        return self.ignored_pointer(parameter.name, all_of_them)

    def ignored_pointer(self, pointer, all_of_them):
        return f"{pointer} == MPI_STATUS{'ES' if all_of_them else ''}_IGNORE"

    def in_place(self, parameter):
        return f"{parameter.name} == MPI_IN_PLACE"

    def text(self, parameter):
        name = parameter.name
        if parameter.kind.name == "port":  # may be anything where it has no meaning
            return f"{name}, {name} ? strnlen({name}, MPI_MAX_PORT_NAME) : 0"
        return f"{name}, strlen({name})"

    index_base = 0
    is_fortran = "false"


C = CLanguage()


class Body:
    """The pieces of one wrapper, in the order of execution. `early` are the values that are known before the call."""

    def __init__(self):
        self.before, self.after, self.fields, self.values, self.early, self.last = [], [], [], [], [], []
        self.made_request = self.record = None

    def add(self, field, value, early="ABSENT"):
        self.fields.append(field)
        self.values.append(value)
        self.early.append(early)


def text_number(f, p, lang):
    """For names of ports or programs. If there is a root, only its values count."""
    if p.kind.name not in ("port", "program"):
        return ""
    number = f"text_number_of({lang.text(p)})"
    if not f.find("root"):
        return number
    return f"comm_get(s, {lang.value(f.find('comm'))})->shape.rank == {lang.value(f.find('root'))} ? {number} : ABSENT"


def field_rules(f, p, lang):
    """The fields of one parameter, as (field, expression)."""
    v = lang.value(p, f.large)
    other = f.find("dest") is not None
    rules = {
        "comm": ("COMM", f"comm_number(s, {v})"),
        "dest": ("PEER", f"rank_value({v})"),
        "source": ("RECV_PEER" if other else "PEER", f"rank_value({v})"),
        "tag": ("TAG", f"tag_value({v})"),
        "stag": ("TAG", v),
        "rtag": ("RECV_TAG", f"tag_value({v})"),
        "root": ("ROOT", f"rank_value({v})"),
        "leader": ("LEADER", v),
        "target": ("TARGET", f"rank_value({v})"),
        "disp": ("DISP", v),
        "win": ("WIN", f"win_get(s, {v})->number"),
        "file": ("FILE", f"file_number({v})"),
        "offset": ("OFFSET", v),
        "lock": ("LOCK", f"lock_value({v})"),
        "assert": ("ASSERT", f"assert_value({v})"),
        "color": ("COLOR", f"color_value({v})"),
        "key": ("KEY", v),
        "level": ("LEVEL", v),
        "provided": ("LEVEL", f"thread_level_value({v})"),
        "partition": ("PARTITION", v),
        "lastpartition": ("PARTITIONS", f"{v} - {lang.value(f.find('partition')) if f.find('partition') else 0} + 1"),
        "partitions": ("PARTITIONS", v),
        "many": ("COUNT", v),
        "flag": ("FLAG", f"!!({v})"),
        "port": ("PORT", text_number(f, p, lang)),
        "program": ("PROGRAM", text_number(f, p, lang)),
    }
    if p.kind.name == "op" and f.group in ("collective", "neighbourhood", "one-sided"):
        return [("OP", f"op_value({v})")]
    if f.name == "Comm_set_name" and p.kind.name == "text":
        return [("TEXT", f"rc == MPI_SUCCESS ? text_number_of({lang.text(p)}) : ABSENT")]
    if p.kind.name == "request":
        return [("REQUEST", f"request_number({v}, {lang.place(p)})" if lang.is_fortran == "true"
                 else f"request_number({v}, NULL)")]
    found = [rules[p.kind.name]] if p.kind.name in rules else []
    if p.kind.name == "win" and f.group == "one-sided":
        found.append(("EPOCH", f"win_epoch(win_get(s, {v}))"))
    return found


def new_request(f, p, lang):
    traits = ["REQUEST_RECEIVES"] * (f.moves in RECEIVES) + ["REQUEST_PERSISTENT"] * f.persistent
    number = f"request_add(HANDLE({lang.value(p)}), {lang.place(p)}, {' | '.join(traits) or 0})"
    new_comm = f.find("newcomm")
    if new_comm:
        parent = lang.value(f.find("comm"))
        number = f"request_made_for_comm(s, {number}, {lang.place(new_comm)}, {parent}, {lang.is_fortran})"
    return f"LIKELY(rc == MPI_SUCCESS) ? {number} : ABSENT"


def new_comm(f, p, lang):
    v, parent = lang.value(p), f.find("comm")
    if f.name == "Comm_create_group":
        made = f"comm_made_in_group(s, {v}, {lang.value(parent)}, {lang.value(f.find('tag'))})"
    elif f.name == "Intercomm_create":
        made = f"comm_made_with_tag(s, {v}, {lang.value(f.find('tag'))})"
    elif f.group == "dynamic" and f.find("root") and not f.find("port"):
        made = f"comm_made_by_spawn(s, {v}, {lang.value(parent)}, {lang.value(f.find('root'))})"
    elif f.name in MADE_BY_TEXT:
        made = f"comm_made_at_port(s, {v}, {lang.text(f.find(MADE_BY_TEXT[f.name]))})"
    elif parent:
        made = f"comm_made(s, {v}, {lang.value(parent)})"
    else:
        made = f"comm_number(s, {v})"
    return f"rc == MPI_SUCCESS ? {made} : -1"


def object_fields(f, body, lang):
    """Objects that are created or freed."""
    for p in f.parameters:
        v, name = lang.value(p), p.kind.name
        if name == "newrequest":
            body.add("REQUEST", new_request(f, p, lang))
        elif name == "newcomm" and not f.find("newrequest"):
            body.add("NEWCOMM", new_comm(f, p, lang))
        elif name == "oldcomm":
            body.before.append(f"const int64_t ended = comm_number(s, {v});")
            body.before.append(f"comm_ended({v});")
            body.add("COMM", "ended", "ended")
        elif name == "newwin":
            size, unit = f.find("winsize"), f.find("winunit")
            extent = ", ".join(lang.value(q, f.large) if q else "0" for q in (size, unit))
            made = f"win_made(s, {v}, {lang.value(f.find('comm'))}, {extent})"
            body.add("WIN", f"rc == MPI_SUCCESS ? {made} : -1")
        elif name == "oldwin":
            body.before.append(f"const int64_t ended = win_get(s, {v})->number;")
            body.before.append(f"win_ended({v});")
            body.add("WIN", "ended", "ended")
        elif name == "newfile":
            made = f"file_made(s, {v}, {lang.value(f.find('comm'))}, {lang.text(f.find('path'))})"
            body.add("FILE", f"rc == MPI_SUCCESS ? {made} : -1")
        elif name == "oldfile":
            body.before.append(f"const int64_t ended = file_number({v});")
            body.before.append(f"file_ended({v});")
            body.add("FILE", "ended", "ended")
        elif name == "oldtype":
            body.before.append("handle_ended();")
        elif name == "newmessage":
            found = " && *flag" if f.find("flag") and lang.name == "C" else ""
            body.add("MESSAGE", f"rc == MPI_SUCCESS{found} ? message_made({v}, {lang.place(p)}) : ABSENT")
        elif name == "message":
            body.before.append(f"const int64_t message_number = message_taken({v}, {lang.place(p)});")
            body.add("MESSAGE", "message_number", "message_number")


def status_fields(f, body, lang):
    """The received message of a call with its own status."""
    p = f.find("status")
    if not p:
        return
    body.before.append("MPI_Status own_status;")
    body.before.append(f"MPI_Status *const st = {lang.ignored(p)} ? &own_status : {p.name};")
    source, tag = f.find("source"), f.find("rtag", "tag")
    if f.group == "file-data":
        if "read" in f.name:
            body.add("RECEIVED", "status_bytes(st)")
        return
    posted = (f"rank_value({lang.value(source)}), tag_value({lang.value(tag)})" if source else "RANK_ANY, TAG_ANY")
    found = "*flag && " if f.find("flag") and lang.name == "C" else \
        f"{lang.value(f.find('flag'))} && " if f.find("flag") else ""
    for field, expression in (("SOURCE", f"source_value(st, {posted})"), ("SOURCE_TAG", f"source_tag_value(st, {posted})"),
                              ("RECEIVED", "status_bytes(st)")):
        body.add(field, f"{found}rc == MPI_SUCCESS ? {expression} : ABSENT")


SIMPLE_TRAFFIC = {
    # moves: (field, count kind, type kind) …, the last type gives the size of an element
    "send": (("SENT", "count", "type"),),
    "recv": (("ROOM", "count", "type"),),
    "sendrecv": (("ROOM", "rcount", "rtype"), ("SENT", "scount", "stype")),
    "replace": (("ROOM", "count", "type"), ("SENT", "count", "type")),
    "put": (("SENT", "ocount", "otype"),),
    "accumulate": (("SENT", "ocount", "otype"),),
    "get": (("RECEIVED", "ocount", "otype"),),
    "get_accumulate": (("RECEIVED", "xcount", "xtype"), ("SENT", "ocount", "otype")),
    "fetch": (("RECEIVED", None, "type"), ("SENT", None, "type")),
    "read": (("ROOM", "count", "type"),),
    "write": (("SENT", "count", "type"),),
}


def simple_traffic(f, body, lang):
    is_whole = f.moves == "send" and not f.find("newrequest")
    known_bytes = "known_bytes_inline" if is_whole else "known_bytes"
    for field, count_kind, type_kind in SIMPLE_TRAFFIC[f.moves]:
        type_value = lang.value(f.find(type_kind))
        body.after.append(f"const int64_t {field.lower()}_size = type_size(s, {type_value});")
        count = f.find(count_kind, "partcount") if count_kind else None
        factor = f"(int64_t){lang.value(count, f.large)} * " if count else ""
        if f.find("partitions"):
            factor += f"{lang.value(f.find('partitions'))} * "
        known = f"{known_bytes}(s, {lang.value(count, f.large) if count else 1}, {type_value})"
        body.add(field, f"{factor}{field.lower()}_size", "ABSENT" if field == "RECEIVED" else known)
    body.add("SIZE", f"{field.lower()}_size", f"{known_bytes}(s, 1, {type_value})" if is_whole else "ABSENT")


def blocks(f, side, lang):
    """A struct blocks for one side: "s" or "r"."""
    count, counts = f.find(side + "count", "count"), f.find(side + "counts")
    one_type, types = f.find(side + "type", "type"), f.find(side + "types")
    parts = []
    if counts:
        parts += [f".counts = {counts.name}", f".wide = {'true' if f.large else 'false'}"]
    elif count:
        parts.append(f".count = {lang.value(count, f.large)}")
    if types:
        parts += [f".types = {types.name}", f".fortran = {lang.is_fortran}"]
    elif one_type:
        parts.append(f".type = {lang.value(one_type)}")
    return "&(struct blocks){" + ", ".join(parts) + "}"


def collective_traffic(f, body, lang):
    kind = f.moves.rstrip("vw").replace("_block", "")
    root, place = f.find("root"), f.find("sbuf")
    in_place = lang.in_place(place) if place else "false"
    if f.moves in ("scatter", "scatterv"):
        in_place = lang.in_place(f.find("rbuf"))
    body.after.append(f"const struct recorded_comm *c = comm_get(s, {lang.value(f.find('comm'))});")
    body.after.append(f"const bool in_place = {in_place};")
    body.after.append(f"const struct traffic t = traffic_of(s, TRAFFIC_{kind}, c, {lang.value(root) if root else '0'}, "
                      f"in_place, {blocks(f, 's', lang)}, {blocks(f, 'r', lang)});")
    body.add("SENT", "t.sent")
    body.add("RECEIVED", "t.received")
    body.add("SIZE", "t.size")
    body.add("IN_PLACE", "in_place ? 1 : ABSENT")
    if f.moves in ("alltoallv", "alltoallw"):
        body.record = (f"record_with_blocks(s, call_key, COUNT_OF(call_key), c, in_place ? {blocks(f, 'r', lang)} : "
                       f"{blocks(f, 's', lang)}, start, end), stream_leave(s);")


def epoch_effect(f, body, lang):
    if f.rma in ("fence", "start", "complete", "post", "lock", "unlock", "lock_all", "unlock_all"):
        last = f", .is_last = assert_value({lang.value(f.find('assert'))}) & 16" if f.rma == "fence" else ""
        body.after.append(f"struct win *const w = win_get(s, {lang.value(f.find('win'))});")
        body.after.append(f"epochs_follow(&w->epochs, NULL, &(struct epoch_call){{.action = RMA_{f.rma.upper()}{last}}});")


def request_uses(f, body, lang):
    """Calls that refer to a request without completing it."""
    p = f.find("inrequest")
    if not p:
        return
    v, place = lang.value(p), lang.place(p)
    use = {"Start": "request_start(HANDLE", "Cancel": "request_cancel(HANDLE"}.get(f.name, "request_number(")
    call = f"{use}({v}), {place})" if "HANDLE" in use else f"{use}{v}, {place})"
    body.before.append(f"const int64_t number = {call};")
    body.add("REQUEST", "number", "number")
    if f.name == "Request_free":
        body.before.append("request_freed(number);")


# Results of a call, and texts, which are not looked up twice.
GIVEN_AFTERWARDS = {"flag", "provided", "port", "program", "text"}


def has_some(f, lang):
    """For a test without a flag: whether it has found anything."""
    count = lang.value(f.find("outcount"))
    return f"({count} != 0 && {count} != MPI_UNDEFINED)"


def plan(f, lang):
    """The body of a wrapper that is not a completion."""
    body = Body()
    for p in f.parameters:
        for field, value in field_rules(f, p, lang):
            body.add(field, value, "ABSENT" if p.kind.name in GIVEN_AFTERWARDS else value)
    if f.tests and not f.find("flag"):
        body.add("FLAG", has_some(f, lang))
    request_uses(f, body, lang)
    object_fields(f, body, lang)
    status_fields(f, body, lang)
    if f.moves in SIMPLE_TRAFFIC:
        simple_traffic(f, body, lang)
    elif f.moves:
        collective_traffic(f, body, lang)
    epoch_effect(f, body, lang)
    if f.name in ("Init", "Init_thread"):
        body.last.append("if (rc == MPI_SUCCESS)\n\t\tlifecycle_initialized(s);")
    if f.name == "Session_init":
        session = "*session" if lang.name == "C" else "f_session(session)"
        body.last.append(f"if (rc == MPI_SUCCESS)\n\t\tlifecycle_session({session});")
    return body


# Claiming a few requests overlaps with reading the clock; many would look like time in MPI.
START_AGAIN = "if (COUNT > FEW_REQUESTS)\n\t\tstart = timer_now();"


def is_completion(f):
    """Wait*, Test*: ends the completed requests."""
    return f.completes and not f.keeps_requests


def completion_lines(f, lang, call):
    """The body of Wait*, Test*."""
    many, flag = f.find("many"), f.find("flag")
    requests = f.find("inrequest", "requests")
    status = f.find("status", "statuses")
    several = status.kind.name == "statuses"
    flag_value = lang.value(flag) if flag else None
    out = ["struct completion done;",
           "uint64_t start = stream_start(s);",
           f"completion_begin(&done, s, {lang.value(many) if many else 1}, {requests.name}, {lang.is_fortran});",
           f"MPI_Status *const st = completion_status{'es' if several else ''}(&done, {status.name}, "
           f"{lang.ignored(status, several)});",
           *([START_AGAIN.replace("COUNT", lang.value(many))] if many else []),
           *([f"start = completion_open(&done, {lang.site}, CALL_{f.name}, {lang.value(many) if many else 'ABSENT'}, start);"]
             if not f.tests else []),
           call.replace(f"«{status.name}»", "st"),
           "const uint64_t end = timer_now();"]
    known = f"{lang.ignored_pointer('st', several)} ? NULL : st"
    if many:
        out.append(f"completion_value(&done, {lang.value(many)});")
    if flag:
        out.append(f"completion_value(&done, !!({flag_value}));")
    done = f"{flag_value} && " if flag else ""
    guard = f"if ({flag_value})\n\t\t" if flag else ""
    poll = f"!({flag_value})" if flag else "false"
    if f.completes == "one":
        otherwise = "\n\telse\n\t\tcompletion_asked(&done);" if flag else ""
        out.append(f"{guard}completion_add(&done, 0, {known});{otherwise}")
    elif f.completes == "all":
        out.append(f"{guard}completion_add_all(&done, {known}, rc);")
    elif f.completes == "any":
        index = lang.value(f.find("index"))
        place = f"completion_index(&done, {requests.name}, {index})" if lang.index_base else index
        out.append(f"if ({done}{index} != MPI_UNDEFINED)\n\t\tcompletion_add(&done, {place}, {known});")
    else:
        count = lang.value(f.find("outcount"))
        out.append(f"if ({count} != MPI_UNDEFINED)\n\t\tcompletion_add_some(&done, {known}, {count}, "
                   f"{f.find('indices').name}, {lang.index_base});")
        poll = f"{count} == 0" if f.tests else "false"
    if f.tests or f.completes in ("any", "some"):
        out.append("completion_give_up(&done);")
    elif f.completes == "all":
        out.append("if (rc != MPI_SUCCESS)\n\t\tcompletion_give_up(&done);")
    out.append(f"record_gathered(&done, {lang.site}, KEY_CALL(CALL_{f.name}, result_value(rc)), start, end, {poll});")
    return out


def waitall_lines(f, call):
    """MPI_Waitall and MPI_Wait in C: record/completion.h."""
    many, requests, status = f.find("many"), f.find("inrequest", "requests").name, f.find("status", "statuses").name
    several = "ES" if many else ""
    known = f"st == MPI_STATUS{several}_IGNORE ? NULL : st"
    return ["struct waitall wait;", "uint64_t start = stream_start(s);",
            f"waitall_begin(&wait, s, site, CALL_{f.name}, {many.name if many else 1}, {requests});",
            f"MPI_Status *const st = completion_status{several.lower()}(&wait.done, {status}, "
            f"{status} == MPI_STATUS{several}_IGNORE);",
            *([START_AGAIN.replace("COUNT", many.name)] if many else []),
            f"start = waitall_open(&wait, site, CALL_{f.name}, {many.name if many else 'ABSENT'}, start);",
            call.replace(f"«{status}»", "st"),
            "const uint64_t end = timer_now();",
            "if (LIKELY(waitall_repeat(&wait, rc, st, start, end)))\n\t\treturn rc;",
            *([f"completion_value(&wait.done, {many.name});", f"completion_add_all(&wait.done, {known}, rc);",
               "if (rc != MPI_SUCCESS)\n\t\tcompletion_give_up(&wait.done);"] if many else
              [f"completion_add(&wait.done, 0, {known});"]),
            f"record_gathered(&wait.done, site, KEY_CALL(CALL_{f.name}, result_value(rc)), start, end, false);",
            f"if (rc == MPI_SUCCESS)\n\t\twaitall_remember(&wait, site, CALL_{f.name}, {known});"]


def gathered_lines(f, lang, call):
    """Startall, Win_post, Win_start and functions that create topologies: one pair per request or member."""
    out, gather, known = ["struct completion done;", "completion_begin(&done, s, 0, NULL, false);"], [], []
    if starts_several(f):
        many, requests = lang.value(f.find("many")), f.find("requests").name
        values = [many]
        gather = [f"completion_starts(&done, {many}, {requests}, {lang.is_fortran});"]
    elif makes_topology(f):
        made = f.find("newcomm")
        values = [f"comm_number(s, {lang.value(f.find('comm'))})"]
        known = [f"completion_value(&done, {new_comm(f, made, lang)});",
                 f"if (rc == MPI_SUCCESS)\n\t\tcompletion_sources(&done, {lang.value(made)});"]
    else:
        w = f"win_get(s, {lang.value(f.find('win'))})"
        values = [f"assert_value({lang.value(f.find('assert'))})", f"{w}->number"]
        known = [f"if (rc == MPI_SUCCESS)\n\t\tcompletion_group(&done, {w}, {lang.value(f.find('group'))});"]
    body = Body()
    epoch_effect(f, body, lang)
    out += [f"completion_value(&done, {value});" for value in values]
    out += gather + ["uint64_t start = stream_start(s);"]
    if is_opened(f):
        out.append(f"start = completion_opens(&done, {lang.site}, CALL_{f.name}, start);")
    out += [call, "const uint64_t end = timer_now();"]
    out += known + body.after
    out.append(f"record_gathered(&done, {lang.site}, KEY_CALL(CALL_{f.name}, result_value(rc)), start, end, false);")
    return out


def starts_several(f):
    return f.starts and f.find("requests")


def makes_topology(f):
    return f.group == "topology" and f.find("newcomm")


def is_gathered(f):
    return starts_several(f) or f.rma in ("post", "start") or makes_topology(f)


def shape_fields(f):
    """Field list of the function's key, the same for all languages."""
    if is_completion(f):
        return (["COUNT"] if f.find("many") else []) + (["FLAG"] if f.find("flag") else [])
    if starts_several(f):
        return ["COUNT"]
    if makes_topology(f):
        return ["COMM", "NEWCOMM"]
    if is_gathered(f):
        return ["ASSERT", "WIN"]
    return plan(f, C).fields


# The most frequent functions: they are first looked up by raw keys.
FREQUENT = {"point-to-point", "collective"}
# Parameters whose raw values describe a call; buffers do not, and results have their own fields.
RAW_KINDS = {"count", "scount", "rcount", "type", "stype", "rtype", "dest", "source", "root", "tag", "stag", "rtag", "comm",
             "op"}


def raw_parts(f, body, lang):
    """The words of the raw key after site and function: those known before the call, and its results. None if the
    function has no raw key."""
    if f.group not in FREQUENT or f.find("scounts", "rcounts", "displs"):
        return None
    before = [lang.raw(p, f.large) for p in f.parameters if p.kind.name in RAW_KINDS]
    if f.group == "collective" and f.find("sbuf"):
        before.append(lang.in_place(f.find("sbuf")))
    if f.moves == "scatter":
        before.append(lang.in_place(f.find("rbuf")))
    after = []
    if f.find("newrequest"):
        at = body.fields.index("REQUEST")
        body.made_request = f"const int64_t request_no = {body.values[at]};"
        body.values[at] = "request_no"
        after.append("request_no")
    if f.find("status"):
        after += ["st->MPI_SOURCE", "st->MPI_TAG", "status_bytes(st)"]
    return None if len(before) + len(after) > 10 else (before, after)


def raw_lines(f, body, lang):
    """(lines before the call, lines after it, the macro that ends the wrapper if the raw key was not expected)"""
    parts = raw_parts(f, body, lang)
    if parts is None:
        return [], [], "RECORD(call_key);"
    before, after = parts
    raw = [f"SITE({lang.site})", f"RAW_WHAT(s, CALL_{f.name})"] + before
    asked = [f"const int64_t raw_key[] = {{{', '.join(raw)}}};",
             "const bool expected = stream_expects(s, raw_key, COUNT_OF(raw_key));"]
    rest = [body.made_request] if body.made_request else []
    same = ["expected", "rc == MPI_SUCCESS"]
    if after:
        rest.append(f"const int64_t raw_rest[] = {{{', '.join(after)}}};")
        same += [f"s->expected[{len(raw) + i}] == raw_rest[{i}]" for i in range(len(after))]
    rest.append(f"if (LIKELY({' && '.join(same)}) && stream_repeat(s, start, end)) {{\n\t\tstream_leave(s);\n"
                f"\t\t{lang.done};\n\t}}")
    given = "raw_rest, COUNT_OF(raw_rest)" if after else "NULL, 0"
    return asked, rest, f"RECORD_WITH(call_key, raw_key, {given});"


# The most frequent functions in loops: their wrappers are adjacent in memory, apart from the hundreds of rare ones.
HOT = {"Send", "Recv", "Isend", "Irecv", "Wait", "Waitall", "Sendrecv", "Bcast", "Allreduce", "Barrier", "Reduce"}
# Classes of functions that programs call in loops. The majority of functions need not be fast.
FREQUENT = {"point-to-point", "persistent", "probe", "request", "collective", "neighbourhood", "one-sided", "epoch"}
# Classes of functions that wait for others or move data: they are recorded as open calls if the process ends in them.
OPENED = {"point-to-point", "probe", "buffer", "collective", "neighbourhood", "one-sided", "epoch", "file-data", "dynamic"}


def is_frequent(f):
    """Persistent operations are initialised once and started often."""
    return f.group in FREQUENT and not f.large and not f.name.endswith("_init")


def is_opened(f):
    return f.returns == "int" and not f.find("flag") and f.name != "Abort" and (f.group in OPENED or bool(f.collective))


def is_whole(f, body, has_raw):
    """Whether all values are known before the call."""
    return has_raw and f.moves == "send" and "ABSENT" not in body.early


def open_lines(f, body, lang, has_raw):
    """Before the call: notes it as open call in the thread's chunk."""
    if not is_opened(f):
        return []
    values = [f"SITE({lang.site})", f"KEY_CALL(CALL_{f.name}, 0)"] + body.early
    described = f"OPEN_{'WHOLE_' * is_whole(f, body, has_raw)}KEY(s, start, {', '.join(values)});"
    if not has_raw:
        return [described]
    return [f"if (LIKELY(expected))\n\t\tstream_open_predicted(s, start);\n\telse\n\t\t{described}"]


def opened_lines(f, body, lang, has_raw):
    """After a call that was described in full before it."""
    if not is_whole(f, body, has_raw):
        return []
    return ["if (!expected && rc == MPI_SUCCESS && stream_record_opened(s, start, end)) {\n"
            f"\t\tRECORD_OPENED(raw_key);\n\t\t{lang.done};\n\t}}"]


def plain_lines(f, lang, call, result):
    body = plan(f, lang)
    status = f.find("status")
    if status:
        call = call.replace(f"«{status.name}»", "st")
    flag = f.find("flag")
    raw_before, raw_after, record = raw_lines(f, body, lang)
    values = [f"SITE({lang.site})", f"KEY_CALL(CALL_{f.name}, {result})"] + body.values
    if f.tests:
        record = f"RECORD_OR_POLL(call_key, {lang.value(flag) if flag else has_some(f, lang)});"
    record = body.record or record
    failed = ["s->failed = UNLIKELY(rc != MPI_SUCCESS) && !failed_late(rc);"] if "rc" in result else []
    opened = open_lines(f, body, lang, bool(raw_before))
    return (body.before + [f"{'' if opened else 'const '}uint64_t start = stream_start(s);"] + raw_before + opened +
            [call, "const uint64_t end = timer_now();"] + raw_after + opened_lines(f, body, lang, bool(raw_before)) +
            failed + body.after +
            [f"const int64_t call_key[] = {{{', '.join(values)}}};"] + body.last + [record])


def lines_for(f, lang, call, result):
    if is_completion(f) and not f.tests and f.completes in ("one", "all") and lang is C:
        return waitall_lines(f, call)
    if is_completion(f):
        return completion_lines(f, lang, call)
    if is_gathered(f):
        return gathered_lines(f, lang, call)
    return plain_lines(f, lang, call, result)


def unmarked(text):
    return text.replace("«", "").replace("»", "")


def unrecorded(f, lines):
    """The code of a wrapper for an unrecorded call. Handles are freed in such calls too."""
    ended = ["handle_ended();"] if f.find("oldcomm", "oldtype", "oldwin") else []
    nested = "!s && !stream_is_off()" if f.name == "Finalize" else "!s"  # a trace wants its end in any case
    return [f"\tif (UNLIKELY({nested})) {{", *("\t\t" + line for line in ended + lines), "\t}"]


def next_pointer(f, storage="static"):
    """The function that the wrapper calls: MPI's, unless another library is in between. The pointer costs as much as the linker's table."""
    return f"{storage} __typeof__(&library_{f.name}) next_{f.name} = library_{f.name};"


def next_names(functions, prefixes, struct, table_name):
    """The table of all such pointers."""
    out = ["", f"const struct {struct} {table_name}[] = {{"]
    out += [f'\t{{"{prefixes[f.name]}{f.name}", &next_{f.name}}},' for f in functions if f.name in prefixes]
    return "\n".join(out + ["\t{NULL, NULL},", "};", ""])


def c_function(f):
    arguments = ", ".join(f"«{p.name}»" if p.kind.name in ("status", "statuses") else p.name for p in f.parameters)
    real = f"library_{f.name}({arguments})"
    own = unmarked(real)
    real = f"next_{f.name}({arguments})"
    own = f"CALLED_INSIDE_MPI ? {own} : {unmarked(real)}" if f.name in table.COLL_FUNCTIONS else unmarked(real)
    out = [next_pointer(f, "static" if is_frequent(f) else "HIDDEN"), ""]
    out += [f"{'HOT ' * (f.name in HOT)}{f.prototype('wrapper_')}", "{", "\tstruct recording_stream *s = stream_enter(FRAME);", ""]
    if f.name == "Finalize":
        out += ["\treturn s || stream_is_off() ? lifecycle_finalize(s, HERE, next_Finalize) : next_Finalize();", "}", ""]
        return out
    out += unrecorded(f, [f"return {own};"])
    out.append("\tconst void *const site = stream_site(s, HERE, FRAME);")
    if f.name == "Abort":
        out += ["\tconst uint64_t start = timer_now(), end = start;",
                "\tconst int64_t call_key[] = {SITE(site), KEY_CALL(CALL_Abort, 0), comm_number(s, comm)};",
                "\targuments_of_abort(s, errorcode);",
                "\tRECORD(call_key);", f"\treturn {real};", "}", ""]
        return out
    kind = "const int rc" if f.returns == "int" else f"const {f.returns} value"
    result = "result_value(rc)" if f.returns == "int" else "0"
    lines = lines_for(f, C, f"{kind} = {real};", result)
    out += ["\t" + unmarked(line) for line in lines]
    out += [f"\treturn {'rc' if f.returns == 'int' else 'value'};", "}", ""]
    return out


def record_source(functions, prefixes):
    """The recorder's wrappers of frequent functions, and the table of the functions that all wrappers call."""
    rare = [line for f in functions if f.name in prefixes and not is_frequent(f)
            for line in declaration(f, prefixes[f.name]) +
            [f"extern HIDDEN __typeof__(&library_{f.name}) next_{f.name};"]]
    return "\n".join([source(filter(is_frequent, functions), prefixes), *rare,
                      next_names(functions, prefixes, "record_next", "record_nexts")])


def record_rare_source(functions, prefixes):
    return source((f for f in functions if not is_frequent(f)), prefixes)


def declaration(f, prefix):
    """The wrapper and the library's function have names of their own, because prototypes in mpi.h differ: MPICH 4.2.1 lacks a const here and there.
    Weak: the program's library may have fewer functions than the library of the build."""
    return [f'EXPORT {f.prototype("wrapper_")} __asm__("{prefix}{f.name}");',
            f'__attribute__((weak)) {f.prototype("library_")} __asm__("P{prefix}{f.name}");']


def source(functions, prefixes, header="job/record/wrap.h", function=c_function):
    """All functions of the library, in the recorder's or the checker's wrappers (check.py)."""
    out = [f'#include "{header}"', ""]
    for f in functions:
        if f.name in prefixes:
            out += declaration(f, prefixes[f.name]) + [""] + function(f)
    return "\n".join(out)


def upc_shape_fields(f):
    """In the order of the table; `done` opens a group of fields and is therefore last."""
    names = [{"newrequest": "request"}.get(parameter.name, parameter.name) for parameter in f.parameters]
    return [name.upper() for name in sorted(names, key=lambda name: name == "done")]


def shapes(functions):
    out = ['#include "job/record/stream_define.h"', "", "const struct shape call_shapes[ALL_CALLS] = {"]
    for f in functions:
        names = upc_shape_fields(f) if isinstance(f, table.UpcFunction) else shape_fields(f)
        fields = ", ".join("FIELD_" + field for field in names) or "0"
        persistent = "true" if f.persistent else "false"
        out.append(f'\t[CALL_{f.name}] = {{"{f.full_name}", {{{fields}}}, {persistent}}},')
    out += ["};", ""]
    return "\n".join(out)
