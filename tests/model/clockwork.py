"""Simulated processes that take turns by their time. A process is a generator: it yields how long something takes, or a
condition that it waits for."""

import heapq


class Clockwork:
    def __init__(self):
        self.now, self.queue, self.turn = 0.0, [], 0
        self.waiting = {}

    def at(self, when, what):
        self.turn += 1
        heapq.heappush(self.queue, (when, self.turn, what))

    def play(self, processes):
        """Starts each at its time, and continues until all have ended."""
        for when, process in processes:
            self.at(when, lambda process=process: self.go_on(process))
        while self.queue:
            self.now, _, what = heapq.heappop(self.queue)
            what()
        assert not self.waiting, "the simulated program hangs"

    def go_on(self, process):
        """Until it waits for a time (a number) or a condition (a function)."""
        for wanted in process:
            if callable(wanted):
                if wanted():
                    continue
                self.waiting[process] = wanted
            else:
                self.at(self.now + wanted, lambda: self.go_on(process))
            return

    def something_happened(self):
        for process, wanted in list(self.waiting.items()):
            if wanted():
                del self.waiting[process]
                self.at(self.now, lambda process=process: self.go_on(process))


def run_cases(cases):
    """Functions that assert; ends the program if one of them fails."""
    failed = 0
    for function in cases:
        try:
            function()
        except (AssertionError, KeyError) as wrong:
            failed += 1
            print("FAILED: %s: %r" % (function.__name__, wrong))
    if failed:
        raise SystemExit("%d of %d failed" % (failed, len(cases)))
