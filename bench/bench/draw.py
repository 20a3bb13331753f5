"""Draws a picture of docs/ from measured data.

    draw.py loop BUILD/test/bench/bench.json > docs/plots/naive-loop.svg"""

import json
import sys

SVG = "http://www.w3.org/2000/svg"
WIDTH, LEFT, TOP, FIELD, GROUP, BAR = 640, 56, 34, 220, 68, 16
SERIES = [("right", "right by construction", "#8a8f98"), ("window", "measured with a common start", "#0068a8"),
          ("loop", "measured by a loop", "#d1490a")]


def loop_picture(path):
    """Bars for each process, and the prediction of the formula as a line above those of the
    loop."""
    with open(path, encoding="utf-8") as file:
        shown = json.load(file)["loop"]
    top = max(max(shown[key]) for key, _, _ in SERIES) * 1.08
    height = TOP + FIELD + 64

    def y(seconds):
        return TOP + FIELD * (1 - seconds / top)

    parts = [f'<svg xmlns="{SVG}" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
             f'<text x="{WIDTH / 2}" y="20" text-anchor="middle" font-weight="bold">A linear broadcast among '
             f'{len(shown["right"])} processes, {shown["runs"]} runs of a loop</text>']
    for tick in range(0, int(top * 1e3) + 1, 5):
        parts.append(f'<path d="M{LEFT} {y(tick / 1e3):.1f}H{WIDTH - 10}" stroke="#e4e7eb"/>'
                     f'<text x="{LEFT - 6}" y="{y(tick / 1e3) + 4:.1f}" text-anchor="end">{tick} ms</text>')
    for process, foretold in enumerate(shown["foretold"]):
        left = LEFT + 12 + process * GROUP
        for place, (key, _, colour) in enumerate(SERIES):
            value = shown[key][process]
            parts.append(f'<rect x="{left + place * (BAR + 2)}" y="{y(value):.1f}" width="{BAR}" '
                         f'height="{y(0) - y(value):.1f}" fill="{colour}"><title>{value * 1e3:.2f} ms</title></rect>')
        parts.append(f'<path d="M{left + 2 * (BAR + 2) - 3} {y(foretold):.1f}h{BAR + 6}" stroke="#000" stroke-width="2"/>'
                     f'<text x="{left + 1.5 * BAR}" y="{TOP + FIELD + 16}" text-anchor="middle">{process}</text>')
    for place, (_, name, colour) in enumerate([*SERIES, ("", "foretold for the loop", "#000")]):
        left = 24 + place * 155 + (30 if place > 1 else 0)
        parts.append(f'<rect x="{left}" y="{height - 20}" width="10" height="{2 if colour == "#000" else 10}" '
                     f'fill="{colour}"/><text x="{left + 14}" y="{height - 11}" font-size="11">{name}</text>')
    parts.append(f'<text x="{WIDTH / 2}" y="{TOP + FIELD + 34}" text-anchor="middle">process</text></svg>')
    return "\n".join(parts)


def main():
    if sys.argv[1:2] == ["loop"] and len(sys.argv) == 3:
        print(loop_picture(sys.argv[2]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
