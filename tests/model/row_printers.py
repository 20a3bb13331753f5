"""Makes the functions that print rows for tests (print_relations.c) from the table of relations.

usage: row_printers.py GENERATE_PY OUTPUT

A relation without a layout is printed with all its fields, calls as they are and others as NAME=VALUE:

    RELATION FIELDS OF THE GROUP: FIELDS OF A ROW; FIELDS OF A ROW; …

Layouts keep the lines short that tests expect. In them
    {NAME}               is the value of a column or a field
    NAME=[FIELD]         is printed unless the field is 0
    {NAME}?A:B           is A where it is true, else B
    !{NAME}?A            is A where it is false
    A:{NAME}!={OTHER}    is A and the first call where the two calls differ
    |                    is between the fields of the group and those of its rows
"""
import importlib.util
import pathlib
import re
import sys

LAYOUTS = {
    "call": "call",
    "transfer": "completion {wait} | {is_send}?send:{is_probe}?probe:receive {send} {post} comm={comm} {source}->{dest} tag={tag}",
    "collective_call": "gathering comm={comm} order={order} position={position} size={size} !{is_complete}?incomplete "
                       "{is_mixed}?mixed | {is_root}?root {side}.{rank} {call} {wait} alone=[alone]",
    "neighbour_call": "neighbour {rank} {call} {wait} {last} sources={sources}",
    "request_life": "request {start} {wait} polls={polls} {is_cancelled}?cancelled {is_persistent}?persistent",
    "exposure": "exposures win={window} {post} {wait} | {origin} {start} {complete} {first} {last} accesses={accesses}",
    "access_epoch": "epoch win={window} {start} {complete} | {target} {post} {first} accesses={accesses}",
    "fence": "fence win={window} size={size} | {rank} {call} {last} accesses={accesses} origins={origins}",
    "lock_hold": "lock win={window} target={target} {is_exclusive}?exclusive {take} {first} {give} before:{before}!={take}",
    "mutex_hold": "mutex {mutex} {take} {give} before:{before}!={take}",
    "passive_call": "passive win={window} target={target} {call} {next} absent={absent} {is_contended}?contended",
    "access": "access win={window} {origin}->{target} {call} {close}",
    "partitioned_send": "partitioned {start} {first} {last} ready={ready}",
    "found_message": "found {call} {send}",
    "inversion": "inversion {wait} {send} other={other}",
    "phase_time": "phase {phase} {name} {begin} {finish}",
    "call_pair": "pair {is_first}?first:{previous} {call} count={count} inside={inside} before={before} delay=[delay] "
                 "same_peer=[same_peer] active=[active] ready=[ready] ready_inside=[ready_inside] ready_since=[ready_since] "
                 "overlap=[overlap]",
    "site": "site {call} count={count} starts={starts} inside={inside} before={before} bytes={bytes} delay=[delay] active=[active] "
            "repeated=[repeated] repeated_inside=[repeated_inside] after=[after] covered=[covered]",
}

FORMATS = {"u64": '%" PRIu64 "', "i64": '%" PRId64 "', "u32": "%u", "i32": "%d", "bool": "%d", "text": '\\"%s\\"'}
# Of the message that a call sends.
ENVELOPE = {"comm": ("%s.semantics->kind->comm", '%" PRIx64 "'), "source": ("%s.semantics->own_rank", "%u"),
            "dest": ("(uint32_t)%s.semantics->dest", "%u"), "tag": ("%s.semantics->kind->tag", "%d")}
THINGS = ("comm", "window", "mutex")


class Printer:
    def __init__(self, relation):
        self.relation = relation
        self.fields = {field.name: field for field in relation.fields}

    def value(self, name):
        """In C, and how it is printed."""
        field = self.fields[name]
        match = re.fullmatch(r"envelope\((\w+), (\w+)\)", field.source)
        if match:
            member, form = ENVELOPE[match[2]]
            return member % f"row[i].{match[1]}", form
        form = '%" PRIx64 "' if field.type in THINGS else FORMATS.get(field.field)
        return ("group->" if field.part == "group" else "row[i].") + name, form

    def token(self, token):
        if match := re.fullmatch(r"(!?)\{(\w+)\}\?(\w+)(?::(.+))?", token):
            other = f" else {{ {self.token(match[4])} }}" if match[4] else ""
            return f'if ({match[1]}{self.value(match[2])[0]}) {{ printf(" {match[3]}"); }}{other}'
        if match := re.fullmatch(r"(\w+):\{(\w+)\}!=\{(\w+)\}", token):
            one, two = self.value(match[2])[0], self.value(match[3])[0]
            return f'if (memcmp(&{one}, &{two}, sizeof {one}) != 0) {{ printf(" {match[1]}"); print(&{one}); }}'
        if match := re.fullmatch(r"(\w+)=\[(\w+)\]", token):
            return f'print_if_any("{match[1]}", (int64_t){self.value(match[2])[0]});'
        if (match := re.fullmatch(r"\{(\w+)\}", token)) and self.fields[match[1]].type == "call":
            return f"print(&{self.value(match[1])[0]});"
        names = re.findall(r"\{(\w+)\}", token)
        form = re.sub(r"\{(\w+)\}", lambda match: self.value(match[1])[1], token)
        return f'printf(" {form}"{"".join(", " + self.value(name)[0] for name in names)});'

    def layout(self):
        def all_of(part):
            return " ".join(f"{{{f.name}}}" if f.type == "call" else f"{f.name}={{{f.name}}}"
                            for f in self.relation.fields if f.part == part)
        if self.relation.name in LAYOUTS:
            return LAYOUTS[self.relation.name]
        return f"{self.relation.name} {all_of('group')} | {all_of('row')}" if self.relation.group else (
            f"{self.relation.name} {all_of('row')}")

    def function(self):
        head, _, row = self.layout().partition("|")
        name, *tokens = head.split()
        lines = [f"static void print_{self.relation.name}(const void *of_group, const void *rows, uint32_t count)", "{"]
        if not self.relation.at:
            return [*lines, f'\t(void)of_group, (void)count;\n\tprintf("{name}");\n\tprint(rows);\n\tprintf("\\n");', "}", ""]
        lines += [f"\tconst struct {self.relation.row} *row = rows;"]
        if not row:
            lines += ["\tconst uint32_t i = 0;", "\t(void)of_group, (void)count;"]
        else:
            lines += [f"\tconst struct {self.relation.group} *group = of_group;"]
        lines += [f'\tprintf("{name}");', *("\t" + self.token(token) for token in tokens)]
        if row:
            lines += ["\tfor (uint32_t i = 0; i < count; i++) {", '\t\tprintf("%s", i ? ";" : ":");',
                      *("\t\t" + self.token(token) for token in row.split()), "\t}"]
        return [*lines, '\tprintf("\\n");', "}", ""]


def main():
    spec = importlib.util.spec_from_file_location("generate", sys.argv[1])
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    table, lines = generate.read_table(), []
    for relation in table.relations:
        lines += Printer(relation).function()
    lines += ["static void (*const printers[RELATIONS_END])(const void *group, const void *rows, uint32_t count) = {",
              *(f"\t[RELATION_{relation.name.upper()}] = print_{relation.name}," for relation in table.relations), "};"]
    pathlib.Path(sys.argv[2]).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
