"""Files as strangers send them: cut, doubled, shuffled, with signs of the formats and bytes of no encoding in them.

Everything follows from a number, so that a failure can be made again.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

TOKENS = (
    *(b"{", b"}", b"=", b"~", b"#", b"####", b"::", b"\\", b"$", b"$$", b"\\(", b"%50%", b"->", b"$CATEGORY: ", b"//"),
    *(
        b"<",
        b">",
        b"</",
        b"/>",
        b"&",
        b"&amp;",
        b"&#0;",
        b"&x;",
        b"<![CDATA[",
        b"]]>",
        b"<!--",
        b"-->",
        b"<!DOCTYPE a>",
    ),
    *(
        b'"',
        b"'",
        b"[",
        b"]",
        b",",
        b":",
        b"null",
        b"-1",
        b"1e999",
        b"9" * 400,
        b"0",
        b"NaN",
        b"\x00",
        b"\xff",
        b"\xfe\xff",
    ),
    *(b"\n", b"\r", b"\n\n", b"\t", b" " * 50, b"\xef\xbb\xbf", "إجابة".encode(), "İı".encode(), "\u200f".encode()),
    *(
        b"PK\x03\x04",
        b"```",
        b"---",
        b"- [x] ",
        b"| a | b |",
        b"\\begin{x}",
        b"\xed\xa0\x80",
        "\ufdd0\U0001f600".encode(),
    ),
)


def mutated(seeds: list[bytes], number: int, tokens: Sequence[bytes] = TOKENS) -> bytes:
    """The file of that number."""
    chance = random.Random(number)
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        at, end = sorted((chance.randint(0, len(data)), chance.randint(0, len(data))))
        end = min(end, at + chance.choice((1, 8, 200, 4000)))
        what = chance.randrange(7)
        if what == 0:
            del data[at:end]
        elif what == 1:
            data[at:at] = chance.choice(tokens)
        elif what == 2:
            data[at:end] = chance.choice(tokens)
        elif what == 3:
            data[at:at] = data[at:end] * chance.randint(1, 3)
        elif what == 4 and data:
            data[min(at, len(data) - 1)] = chance.randrange(256)
        elif what == 5:
            other = chance.choice(seeds)
            start = chance.randint(0, len(other))
            data[at:end] = other[start : start + chance.randint(0, 500)]
        else:
            data[at:at] = chance.choice(tokens) * chance.randint(1, 300)
    return bytes(data[:200_000])
