"""Lines over sizes as a picture: what bench/coll/orders.py measured.

    draw.py FILE.json FOLDER      writes topo-*.svg there"""

import json
import math
import os
import sys

SVG = "http://www.w3.org/2000/svg"
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 340, 64, 26, 36, 84
COLOURS = {"library": "#8a8f98", "bruck": "#d1490a", "doubling": "#a05fb4", "bruck_exchange": "#e8963c", "bruck_reorder": "#b5179e",
           "doubling_exchange": "#0068a8", "doubling_reorder": "#2a9d5c", "memory": "#2a9d5c", "network": "#d1490a"}
SPARE = ["#d1490a", "#e8963c", "#8a8f98", "#0068a8", "#2a9d5c", "#b5179e"]
KIB = 1024


def ticks(low, high, is_log):
    if is_log:
        return [10.0 ** i for i in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]
    step = 10 ** math.floor(math.log10(high / 4))
    step *= min(factor for factor in (1, 2, 5, 10) if high / (step * factor) <= 6)
    return [step * i for i in range(int(high / step) + 2)]


def plain(number):
    return f"{number:g}" if abs(number) < 1e4 else f"{number:,.0f}".replace(",", " ")


def picture(title, x_name, y_name, lines, x_log=False, y_log=False, y_low=None):
    """`lines`: name to [(x, y), ...]."""
    points = [point for line in lines.values() for point in line]
    ys = ticks(min(y for _, y in points), max(y for _, y in points), y_log)
    y_low = ys[0] if y_low is None else y_low
    x_low, x_high, y_high = min(x for x, _ in points), max(x for x, _ in points), ys[-1]

    def scaled(value, low, high, is_log):
        return math.log(value / low) / math.log(high / low) if is_log else (value - low) / (high - low)

    def place(x, y):
        return (LEFT + (WIDTH - LEFT - RIGHT) * scaled(x, x_low, x_high, x_log),
                HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * scaled(y, y_low, y_high, y_log))

    parts = [f'<svg xmlns="{SVG}" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
             f'<text x="{WIDTH / 2}" y="20" text-anchor="middle" font-weight="bold">{title}</text>']
    for y in ys:
        if y >= y_low:
            parts.append(f'<path d="M{LEFT} {place(x_low, y)[1]:.1f}H{WIDTH - RIGHT}" stroke="#e4e7eb"/>'
                         f'<text x="{LEFT - 6}" y="{place(x_low, y)[1] + 4:.1f}" text-anchor="end">{plain(y)}</text>')
    xs = sorted({x for x, _ in points})
    for x in xs[::max(1, len(xs) // 6)]:
        parts.append(f'<text x="{place(x, y_low if not y_log else ys[0])[0]:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{plain(x)}</text>')
    for number, (name, line) in enumerate(lines.items()):
        colour = COLOURS.get(name, SPARE[number % len(SPARE)])
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in sorted(line)))
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        left, top = LEFT + number % 4 * 140, HEIGHT - 34 + number // 4 * 18
        parts.append(f'<rect x="{left}" y="{top}" width="10" height="10" fill="{colour}"/><text x="{left + 14}" y="{top + 9}" font-size="11">{name}</text>')
    parts.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - BOTTOM + 34}" text-anchor="middle">{x_name}</text>'
                 f'<text x="14" y="{(HEIGHT - BOTTOM + TOP) / 2}" text-anchor="middle" '
                 f'transform="rotate(-90 14 {(HEIGHT - BOTTOM + TOP) / 2})">{y_name}</text></svg>')
    return "\n".join(parts) + "\n"


def lines_of(times, names, is_wanted, value):
    """Of each name: KiB and what `value` makes of the times of a size."""
    return {name: [(int(size) / KIB, value(of_size, name)) for size, of_size in times.items() if is_wanted(int(size)) and name in of_size] for name in names}


def draw(measured):
    """Names of files, and what is in them."""
    import orders
    short, long = (lambda size: size <= orders.SHORT[-1]), (lambda size: size >= orders.LONG[0])
    kib = "size of a block, KiB"
    for network, times in measured.get("simulated", {}).items():
        name = {"gigabit": "Gigabit Ethernet", "infiniband": "InfiniBand"}[network]
        yield f"topo-{network}-time", picture(f"Allgather of 64 ranks on 8 nodes, {name}, simulated", kib, "milliseconds",
                                              lines_of(times, ["library", *orders.ALL], short, lambda of_size, key: of_size[key] / 1e3))
        for part, is_wanted in (("short", short), ("long", long)):
            yield f"topo-{network}-{part}", picture(f"Speed-up over the plain algorithm, {part} blocks, {name}, simulated", kib, "speed-up",
                                                    lines_of(times, orders.ORDERED, is_wanted, lambda of_size, key: of_size[orders.PLAIN_OF[key]] / of_size[key]), y_low=0)
    if "partition" in measured:
        for layout in ("regular", "irregular"):
            yield f"topo-partition-{layout}", picture(
                f"Time until every place is known, {layout} nodes", "places", "seconds",
                {name.replace(f", {layout}, ", ", h = "): [(int(size), seconds) for size, seconds in of_name.items()]
                 for name, of_name in measured["partition"].items() if f", {layout}, " in name}, y_log=True)
    for network, times in measured.get("messages", {}).items():
        yield f"topo-messages-{network}", picture(f"Time of one message, {network}, simulated", "bytes", "microseconds",
                                                  {name: [(int(size), us) for size, us in of_name.items()] for name, of_name in times.items()}, x_log=True, y_log=True)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="ascii") as file:
        measured = json.load(file)
    for name, text in draw(measured):
        with open(os.path.join(sys.argv[2], f"{name}.svg"), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
