"""Reads the tables of calls (mpi.calls, upc.calls, shmem.calls, omp.calls), of parameter kinds (kinds.txt) and of facts (facts.txt)."""
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent.parent

# Functions that libtarry-coll may replace (src/job/coll): if it is loaded, recorder and checker call it instead of MPI.
COLL_FUNCTIONS = {"Allgather", "Allgatherv", "Allreduce", "Bcast", "Reduce", "Alltoall", "Gather", "Scatter",
                  "Reduce_scatter", "Reduce_scatter_block", "Barrier"}


class Fact:
    """A fact about a call in the tables: one of `values`, or, without values, true."""

    def __init__(self, name, enum="", values=()):
        self.name, self.enum, self.values = name, enum, values

    def identifier(self, value):
        return f"{self.name}_{value or 'none'}".upper()


class ParameterKind:
    def __init__(self, name, default, fortran, c_type, large_type):
        self.name, self.default, self.fortran = name, default, fortran
        self.c_type, self.large_type = c_type, large_type


class Parameter:
    """One parameter of one function: its kind and its name; of an array, the rule for its length."""

    def __init__(self, kind, name, length="", nullable=False):
        self.kind, self.name, self.length, self.nullable = kind, name, length, nullable

    def declare(self, large):
        return (self.kind.large_type if large else self.kind.c_type).replace("$", self.name)


class Function:
    """One C function; a large-count variant is a separate function."""

    prefix = "MPI_"

    def __init__(self, name, group, flags, parameters, large):
        self.name, self.group, self.parameters, self.large = name, group, parameters, large
        self.returns = flags.get("returns", "int")
        self.variadic = "..." in flags
        self.removed = "removed" in flags
        for fact in FACTS.values():
            setattr(self, fact.name, flags.get(fact.name, "") if fact.values else fact.name in flags)

    def find(self, *kinds):
        """The first parameter of one of these kinds, or None."""
        return next((p for p in self.parameters if p.kind.name in kinds), None)

    def prototype(self, prefix="MPI_"):
        declared = [p.declare(self.large) for p in self.parameters] + ["..."] * self.variadic
        return f"{self.returns} {prefix}{self.name}({', '.join(declared) or 'void'})"

    @property
    def full_name(self):
        return self.prefix + self.name

    @property
    def fortran_name(self):
        """The name without the large-count suffix, whose position differs in Fortran."""
        return (self.name[:-2] if self.large else self.name).lower()

    @property
    def plain_entries(self):
        """Entry points of mpif.h and `use mpi`. Open MPI has two if a base address may be a C_PTR."""
        name = f"mpi_{self.fortran_name}_"
        of_pointer = [name + "cptr_"] if any(p.name == "baseptr" for p in self.parameters) else []
        return [] if self.large else [name] + of_pointer

    @property
    def in_fortran(self):
        return self.group != "conversion"


class UpcFunction(Function):
    """A UPC function: it has fields of the trace instead of parameters."""

    prefix = ""


class ShmemFunction(UpcFunction):
    """A function of OpenSHMEM, also with fields of the trace."""


class OmpFunction(UpcFunction):
    """An OpenMP event, also with fields of the trace."""


def lines_of(name):
    for number, line in enumerate((HERE / name).read_text().splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line


def read_facts():
    lines = [line.split() for _, line in lines_of("facts.txt")]
    return {words[0]: Fact(words[0], *(words[1:2] + [words[2:]] if words[1:] else [])) for words in lines}


FACTS = read_facts()


def read_kinds():
    kinds = {}
    for number, line in lines_of("kinds.txt"):
        fields = line.split(None, 3)
        if len(fields) != 4:
            raise SystemExit(f"kinds.txt:{number}: expected kind, name, Fortran, C type")
        name, default, fortran, c_type = fields
        c_type, _, large = c_type.partition(" => ")
        kinds[name] = ParameterKind(name, default, fortran, c_type, large or c_type)
    return kinds


def read_parameter(text, kinds, where):
    procedure = re.fullmatch(r"fn\((\w+)(?:=>(\w+))?\):(\w+)", text)
    if procedure:
        c_type, large, name = procedure.groups()
        return Parameter(ParameterKind("fn", name, "procedure", f"{c_type} *$", f"{large or c_type} *$"), name)
    nullable, text = text.endswith("?"), text.rstrip("?")
    text, _, length = text.rstrip("]").partition("[")
    kind, _, name = text.partition(":")
    if kind not in kinds:
        raise SystemExit(f"{where}: unknown kind '{kind}'")
    return Parameter(kinds[kind], name or kinds[kind].default, length, nullable)


def read_field(text, where):
    if not re.fullmatch(r"[a-z]+", text):
        raise SystemExit(f"{where}: '{text}' is no field")
    return Parameter(ParameterKind(text, text, "absent", "", ""), text)


def read_flags(words, where):
    flags = dict((word.partition("=")[0], word.partition("=")[2]) for word in words)
    for name, value in flags.items():
        fact = FACTS.get(name)
        if name not in ("+c", "returns", "removed") and not fact:
            raise SystemExit(f"{where}: unknown fact '{name}'")
        for one in value.split(",") if fact else ():
            if one not in ["", "none", *fact.values]:
                raise SystemExit(f"{where}: '{one}' is no value of '{name}'")
    return flags


def flags_of(flags, number, count, where):
    """The flags of one function of an entry: some have a value per function."""
    lists = {name: value.replace("none", "").split(",") for name, value in flags.items()}
    if any(len(values) not in (1, count) for values in lists.values()):
        raise SystemExit(f"{where}: expected one value, or one for each of {count} functions")
    return {name: values[number if len(values) > 1 else 0] for name, values in lists.items()}


def split_entry(text, where):
    """The flags of an entry, and the words between its brackets."""
    match = re.fullmatch(r"([^()]*?)\s*\((.*)\)", text.strip())
    if not match:
        raise SystemExit(f"{where}: expected flags (kinds)")
    return read_flags(match.group(1).split(), where), match.group(2).split()


def read_entry(names, text, group, kinds, where):
    flags, words = split_entry(text, where)
    flags = {**group.flags, **flags}
    if "..." in words:
        words.remove("...")
        flags["..."] = ""
    parameters = [read_parameter(word, kinds, where) for word in words]
    for number, name in enumerate(names):
        own = flags_of(flags, number, len(names), where)
        yield Function(name, group.name, own, parameters, name.endswith("_c"))
        if "+c" in flags:
            yield Function(name + "_c", group.name, own, parameters, True)


def read_traced_entry(kind, names, text, group, where):
    flags, words = split_entry(text, where)
    fields = [read_field(word, where) for word in words]
    flags = {**group.flags, **flags}
    return [kind(name, group.name, flags_of(flags, number, len(names), where), fields, False) for number, name in enumerate(names)]


class Group:
    """A class of functions, and their common facts."""

    def __init__(self, name, flags):
        self.name, self.flags = name, flags


def read_table(path, read):
    """The results of `read` for each entry, from its names, text, class and position."""
    functions, group, names = [], None, []
    for number, line in lines_of(path):
        where = f"{path}:{number}"
        if line.startswith("class "):
            _, name, *words = line.split()
            group = Group(name, read_flags(words, where))
        elif not line.startswith("\t"):
            names = line.split()
        else:
            functions += read(names, line, group, where)
    return functions


def read_functions():
    """All functions of MPI, in the table's order."""
    kinds = read_kinds()
    return read_table("mpi.calls", lambda names, text, group, where: read_entry(names, text, group, kinds, where))


def read_upc():
    return read_table("upc.calls", lambda *entry: read_traced_entry(UpcFunction, *entry))


def read_shmem():
    return read_table("shmem.calls", lambda *entry: read_traced_entry(ShmemFunction, *entry))


def read_omp():
    return read_table("omp.calls", lambda *entry: read_traced_entry(OmpFunction, *entry))


def read_recorded():
    """All recorded calls that are not functions of MPI."""
    return read_upc() + read_shmem() + read_omp()


def exported_by(path):
    """The functions in a list of nm -D, as {name: prefix}; MPIX_ if there is no MPI_."""
    symbols = set(re.findall(r"\bMPIX?_\w+", pathlib.Path(path).read_text()))
    prefixes = {s[5:]: "MPIX_" for s in symbols if s.startswith("MPIX_")}
    prefixes.update({s[4:]: "MPI_" for s in symbols if s.startswith("MPI_")})
    return prefixes
