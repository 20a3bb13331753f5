# Rules are listed, shown and checked.
cat >mine.rules <<'END'
parameter eps = 5 us "short waits are noise";
parameter twice = 2 * eps;
declare event io_write "writing" for "ssize_t write(int fd, const void *buf, size_t count)"
parameters( written = result as bytes out );
declare composite event message member( transfer as m where not m.is_send )
parameters( late = m.send.start - m.wait.start, size = m.bytes );
declare problem late-sender for message
when late > twice
parameters( name = "Late sender", description = "Somebody waits.", advice = "Send {size}{when late > 1 s} much{end} earlier.", duration = late );
declare metric late-sender for message parameters( duration = late );
test "nothing" { expect nothing; }
END
try tarry rules list --no-shipped --rules mine.rules
try tarry rules list --no-shipped --rules mine.rules --json >list.json
sed -n 1,11p list.json
python3 -c 'import json; json.loads(open("list.json").read().split("\n", 1)[1])'
try tarry rules show --no-shipped --rules mine.rules late-sender io_write twice phase_time
try tarry rules show --no-shipped --rules mine.rules late-sendr
try tarry rules show --no-shipped --rules mine.rules quite-different
try tarry rules check --no-shipped mine.rules
try tarry rules check --no-shipped --set eps=1ms mine.rules
try tarry rules check --no-shipped --set eps=1KiB mine.rules
# The shipped rules are valid too.
tarry rules check mine.rules >shipped.out 2>&1 && echo "a name twice was not noticed"
grep -c "is declared twice" shipped.out
tarry rules check >/dev/null && echo "the shipped rules have no errors"
echo "each file that is named, and not what it is checked with:"
echo 'import "./mine.rules"; declare metric my-time for call when duration > 1 s parameters( duration = duration );' >other.rules
try tarry rules check --no-shipped other.rules ./mine.rules
echo 'declare problem my.barriers for call when function = MPI_Barrier parameters( name = "Barriers", duration = duration );' >alone.rules
try tarry rules check alone.rules
try tarry rules check --no-shipped

# Any invalid input gets one clear message.
mkdir folder
printf 'parameter a = 1 \0;\n' >zero.rules
printf 'parameter a = 1;\nparameter \320\261\377 = 2;\n' >latin.rules
printf '\355\240\200\n' >surrogate.rules
truncate -s 17M huge.rules
: >empty.rules
python3 -c 'print("parameter a = " + "(" * 20000 + "1" + ")" * 20000 + ";")' >deep.rules
python3 -c 'print("parameter a = " + "1 + " * 500 + "1;")' >long.rules
python3 -c 'print("parameter x = 1" + " " * 300 + "oops" + " " * 300 + ";")' >wide.rules
python3 -c 'for i in range(30): print("parameter p%d = q%d;" % (i, i))' >many.rules
for file in folder zero.rules latin.rules surrogate.rules huge.rules empty.rules missing.rules deep.rules long.rules wide.rules; do
	try tarry rules check --no-shipped "$file"
done
tarry rules check --no-shipped many.rules 2>&1 | grep -c error: || :
tarry rules check --no-shipped many.rules 2>&1 | tail -n 1
# Expressions that expand too much are rejected before they exhaust the machine.
python3 - <<'END'
write = lambda name, text: open(name, "w").write(text)
write("parameters.rules", "declare composite event a member( call as c ) parameters(\n%s );\n" % ",\n".join(
    "p%d = c.start" % i for i in range(300)))
write("chain.rules", "\n".join("declare composite event t%d member( t%d as x );" % (i, i + 1) for i in range(200))
      + "\ndeclare composite event t200 member( call as x );\n")
write("levels.rules", "parameter p0 = 1;\n" + "\n".join("parameter p%d = p%d;" % (i + 1, i) for i in range(101)) + "\n")
for i in range(70):
    write("import%d.rules" % i, 'import "./import%d.rules";\n' % (i + 1))
write("import70.rules", "")
END
for file in parameters chain levels import0; do
	tarry rules check --no-shipped $file.rules 2>&1 | grep -A 2 error: | first 3
done

# Wrong words.
try tarry rules
try tarry rules chek
try tarry rules elephant
try tarry rules show
try tarry rules list late-sender

echo "a function that no wrapper may stand before:"
echo 'declare event a for "void *malloc(size_t n)" parameters( n = n in );' >allocates.rules
try tarry rules check allocates.rules

# A problem without its paradigm, even if a metric has that name.
cat >ids.rules <<'END'
declare composite event message member( transfer as m ) parameters( late = m.send.start - m.wait.start );
declare problem mpi.one for message parameters( duration = late );
declare problem mpi.both for message parameters( duration = late );
declare metric both for message parameters( duration = late );
END
tarry rules show --no-shipped --rules ids.rules one both | grep ids.rules
# Fields of calls in tests are checked before any test is run.
cat >fields.rules <<'END'
test "a field" { rank 0: MPI_Send(peeer=1, tag=0) from 1 s to 2 s; }
test "a value" { rank 0: MPI_Send(peer=1.5, tag=0) from 1 s to 2 s; }
END
try tarry rules check --no-shipped fields.rules
