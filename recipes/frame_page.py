"""A page with a DataFrame, its tokens in each format, and a plot of them: `python frame_page.py page.html`."""

import sys
from html import escape
from pathlib import Path

import pandas

from wire_formats import count_tokens, gcf, gcx, smallest

FRAME = pandas.DataFrame(
    {
        "id": range(1, 41),
        "city": ["Rome", "Oslo", "Lima", "Kyoto"] * 10,
        "orders": [n * 37 % 101 for n in range(40)],
        "share": [round(n * 7 % 40 / 40, 3) for n in range(40)],
        "active": [n % 3 == 0 for n in range(40)],
    }
)


def texts(frame: pandas.DataFrame) -> dict[str, str]:
    """The frame in each form that a tool might send."""
    return {
        "JSON, indented": frame.to_json(orient="records", indent=2),
        "JSON": frame.to_json(orient="records"),
        "Markdown": "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [frame.columns, *frame.itertuples(index=False)]),
        "GCX1": gcx.dumps(frame),
        "GCF": gcf.dumps(frame),
        "CSV, without types": frame.to_csv(index=False),
    }


def plot(counts: dict[str, int]) -> str:
    """Bars as SVG."""
    widest = max(counts.values())
    rows = []
    for place, (name, count) in enumerate(counts.items()):
        y, width = 10 + 30 * place, round(420 * count / widest)
        rows.append(f'<text x="150" y="{y + 15}" text-anchor="end">{escape(name)}</text>')
        rows.append(f'<rect x="160" y="{y}" width="{width}" height="20" fill="#3b6ea5"/>')
        rows.append(f'<text x="{165 + width}" y="{y + 15}">{count}</text>')
    height = 20 + 30 * len(counts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="640" height="{height}" font-family="sans-serif" font-size="13">{"".join(rows)}</svg>'


def main() -> None:
    counts = {name: count_tokens(text, "o200k") for name, text in texts(FRAME).items()}
    for name, count in counts.items():
        print(f"{name:20}{count:6} tokens{count / counts['JSON']:8.0%}")
    reason = smallest(FRAME, counter="o200k").reason
    print(reason)
    # What was read back is the same frame.
    back = pandas.DataFrame.from_arrow(gcf.loads_arrow(gcf.dumps(FRAME)))
    pandas.testing.assert_frame_equal(back, FRAME, check_dtype=False)
    page = f"""<!doctype html>
<meta charset="utf-8">
<title>Tokens of a frame</title>
<h1>Tokens of a frame</h1>
{plot(counts)}
<p>{escape(reason)}</p>
<h2>The frame</h2>
{FRAME.to_html(index=False, border=0)}
<h2>In GCF</h2>
<pre>{escape(gcf.dumps(FRAME))}</pre>
"""
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "page.html")
    path.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
