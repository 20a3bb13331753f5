"""The order in which window locks were held, from the times of the calls around each.

A hold is (rank, target, is_exclusive, take, first, give), and a call (start, end). Who waits for a lock cannot be in its unlock before the holder
is. Only if both had left MPI_Win_lock by then, or it waited much longer, the one that waited may be the one whose unlock began first and ended
last."""

ALL = -1


def conflict(one, other):
    return (one[1] == other[1] or ALL in (one[1], other[1])) and (one[2] or other[2])


def wait(one, other):
    """How long the one may have waited for the other."""
    since, until = other[3][0], other[5][1]
    calls = (one[3], one[5]) if one[4][0] == one[5][0] else one[3:6]
    return sum(max(0, min(end, until) - max(start, since)) for start, end in calls)


def waits_for(one, other):
    return (one[5][0] <= other[5][0] < one[5][1] and other[5][1] < one[5][1] and conflict(one, other)
            and (wait(one, other) >= wait(other, one) if other[3][1] <= one[5][0] else wait(one, other) // 2 > wait(other, one)))


def in_order(holds):
    left, done = list(holds), []
    while left:
        first = min(left, key=lambda hold: hold[5])
        holders = [hold for hold in left if hold is not first and waits_for(first, hold)]
        done.append(min(holders, key=lambda hold: hold[5][1]) if holders else first)
        left.remove(done[-1])
    return done


def befores(holds):
    """By hold, the one that it had to wait for, or None: of each kind the last before it, of these the last to end."""
    found, ordered = {}, in_order(holds)
    for i, hold in enumerate(ordered):
        kinds = [lambda other: other[2]]
        if hold[2]:
            kinds += [lambda other: not other[2] and other[1] != ALL, lambda other: not other[2] and other[1] == ALL]
        others = [other for other in ordered[:i] if other[0] != hold[0] and conflict(hold, other)]
        lasts = [[other for other in others if kind(other)][-1:] for kind in kinds]
        last = max((other for one in lasts for other in one), key=lambda other: other[5][1], default=None)
        found[hold] = last if last and last[5][1] > hold[3][0] else None
    return found
