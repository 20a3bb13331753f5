# The commands to remember; CMake does the work. `make help` lists them.

BUILD ?= build
PREFIX ?= /usr/local
# Compiler wrappers of the supported MPI libraries, separated by ';'. Empty: those found.
MPICC ?=
# Total duration of `make fuzz`.
FUZZ_SECONDS ?= 600

ninja := $(if $(wildcard $(BUILD)/CMakeCache.txt),,-G Ninja)
mpicc := $(if $(MPICC),-DTARRY_MPICC="$(MPICC)")

.PHONY: all build setup demo test test-long fuzz bench-analyze bench-bench bench-check bench-clocks bench-coll bench-hybrid bench-io bench-page bench-record bench-scale bench-upc bench-whatif install uninstall dist format tidy clean help

all: build ## build the programs into build/bin and the libraries into build/lib
	@echo "Next: $(BUILD)/bin/tarry run -- mpirun -n 4 ./app   records your program and shows where it waits;"
	@echo "      make demo   does so with an example; make install PREFIX=\$$HOME/.local   installs."

build:
	@scripts/setup --check build
	@cmake -S . -B $(BUILD) $(ninja) $(mpicc) -DTARRY_TESTS=OFF --log-level=NOTICE
	@cmake --build $(BUILD)

setup: ## install what the build needs (make demo and make test do this themselves)
	@scripts/setup build

demo: setup ## build, record a bundled example, show what happened in it
	@$(MAKE) --no-print-directory build
	@scripts/demo $(BUILD)

test: ## build for development and run all tests
	@scripts/setup build test
	@scripts/build-tests $(BUILD)
	@scripts/test $(BUILD)

test-long: ## run what is too long for make test: all of clang-tidy, valgrind, damaged inputs, packages
	@scripts/setup build test long
	@scripts/build-tests $(BUILD)
	@scripts/test $(BUILD) -C Long -L long

fuzz: ## attack the parsers for FUZZ_SECONDS in all (make test does so shortly)
	@scripts/setup build test fuzz
	@scripts/fuzz $(BUILD) $(FUZZ_SECONDS)

bench-analyze: ## what analysis costs, against the same in C and against OTF2's reading
	@scripts/setup build test bench
	@scripts/build-tests $(BUILD)
	@python3 bench/analyze/run.py $(BUILD)/test
	@python3 bench/analyze/growth.py $(BUILD)/test/bin/tarry
	@python3 bench/analyze/files.py $(BUILD)/test
	@python3 bench/analyze/in_job.py $(BUILD)/test

bench-bench: ## whether measured times are true and repeatable, against known ones and a loop
	@scripts/setup build test
	@scripts/build-tests $(BUILD)
	@python3 bench/bench/run.py $(BUILD)/test

bench-check: ## what checking costs an application, a ping-pong and an analyser
	@scripts/setup build test
	@$(MAKE) --no-print-directory build
	@python3 bench/check/run.py $(BUILD)

bench-clocks: ## how exact corrected times are, against the truth
	@scripts/setup build test
	@scripts/build-tests $(BUILD)
	@python3 bench/clocks/run.py $(BUILD)/test

bench-coll: ## how fast collective operations are, against MPI libraries on an emulated cluster and in SimGrid
	@scripts/setup build test bench
	@scripts/build-tests $(BUILD)
	@python3 bench/coll/mapping.py $(BUILD)/test
	@python3 bench/coll/orders.py $(BUILD)/test
	@python3 bench/coll/smpi.py $(BUILD)/test
	@python3 bench/coll/run.py $(BUILD)/test

bench-hybrid: ## what recording costs OpenMP constructs, beside the plain run
	@$(MAKE) --no-print-directory build
	@python3 bench/hybrid/run.py $(BUILD)

bench-io: ## what recording costs calls on files, with and without --io
	@$(MAKE) --no-print-directory build
	@python3 bench/io/run.py $(BUILD)

bench-page: ## how fast a report page loads and its timeline moves in a browser, against budgets
	@scripts/setup build test
	@scripts/build-tests $(BUILD)
	@python3 bench/page/run.py $(BUILD)/test

bench-record: ## what recording costs, as ratios to the untraced program and to peers
	@scripts/setup build test bench
	@$(MAKE) --no-print-directory build
	@python3 bench/record/run.py $(BUILD)

bench-scale: ## how costs grow with ranks, calls, cores and processes, against budgets
	@scripts/setup build test bench
	@scripts/build-tests $(BUILD)
	@python3 bench/scale/run.py $(BUILD)/test

bench-upc: ## what recording costs a UPC program for each event
	@$(MAKE) --no-print-directory build
	@python3 bench/upc/run.py $(BUILD)

bench-whatif: ## how far predictions of 'tarry whatif' are true, against the good program of each pattern
	@$(MAKE) --no-print-directory build
	@python3 bench/whatif/run.py $(BUILD)

install: build ## install under PREFIX (DESTDIR is honoured)
	@DESTDIR="$(DESTDIR)" scripts/install "$(BUILD)" "$(PREFIX)"

uninstall: ## remove what make install put under PREFIX
	@DESTDIR="$(DESTDIR)" scripts/uninstall "$(PREFIX)"

dist: ## write BUILD/tarry-VERSION.tar.gz: the last commit, to build and test without git
	@scripts/dist $(BUILD)

format: ## lay out the C sources as .clang-format says
	@git ls-files '*.c' '*.h' | xargs clang-format -i

tidy: ## look for mistakes in the C sources with clang-tidy
	@scripts/setup build test
	@scripts/build-tests $(BUILD)
	@scripts/tidy $(BUILD)/test

clean: ## remove everything that was built
	@rm -rf $(BUILD)

help: ## this list
	@awk -F': .*## |:.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
