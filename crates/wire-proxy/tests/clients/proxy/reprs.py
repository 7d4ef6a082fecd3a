"""Random values as Python prints them, and texts that are nearly such: a JSON line each. Argument: how many values."""

import ast
import json
import math
import random
import sys
import unicodedata

numbers = random.Random(18)
SHORT = ["id", "name", "it's", 'say "no"', "both ' and \"", "back\\slash", "a\nb\tc\r", "\x00\x1b\x7f", "é ü ß", "日本", "😀", "\u200b\u2028\xa0\xad", ""]


def character():
    """A character of any plane."""
    while True:
        code = numbers.choice([numbers.randrange(0x80), numbers.randrange(0x800), numbers.randrange(0x10000), numbers.randrange(0x110000)])
        if not 0xD800 <= code < 0xE000:
            return chr(code)


def text():
    return numbers.choice(SHORT) if numbers.random() < 0.5 else "".join(character() for _ in range(numbers.randrange(6)))


def number():
    choices = [
        lambda: numbers.randrange(-9, 10),
        lambda: numbers.randrange(-(2**80), 2**80),
        lambda: numbers.random() * 10 ** numbers.randrange(-12, 22),
        lambda: float(numbers.randrange(1000)),
        lambda: numbers.choice([-0.0, 0.1, 1e16, 1e15, 9999999999999998.0, 1e-4, 1e-5, 0.00012, 5e-324, 1.7976931348623157e308, 1e22, 123456789.125]),
    ]
    return numbers.choice(choices)()


def value(depth=4):
    kind = numbers.randrange(8 if depth else 5)
    if kind == 0:
        return numbers.choice([None, True, False])
    if kind in (1, 2):
        return number()
    if kind in (3, 4):
        return text()
    if kind == 5:
        return {text(): value(depth - 1) for _ in range(numbers.randrange(5))}
    return [value(depth - 1) for _ in range(numbers.randrange(5))]


def is_of_json(found):
    if type(found) is dict:
        return all(type(key) is str and is_of_json(key) for key in found) and all(map(is_of_json, found.values()))
    if type(found) is list:
        return all(map(is_of_json, found))
    if type(found) is str:
        return not any(0xD800 <= ord(c) < 0xE000 for c in found)
    return found is None or type(found) in (int, bool) or type(found) is float and math.isfinite(found)


def is_known(printed):
    """Whether each character, raw or escaped, has been in Unicode since long before version 13."""
    old = unicodedata.ucd_3_2_0
    return all(old.category(c) not in ("Cn", "Cs") and old.category(c)[0] == unicodedata.category(c)[0] for c in printed)


def characters(found):
    if type(found) is dict:
        return "".join(key + characters(inner) for key, inner in found.items())
    return "".join(map(characters, found)) if type(found) is list else found if type(found) is str else ""


def say(printed, must=False):
    try:
        found = ast.literal_eval(printed)
        is_repr = repr(found) == printed and type(found) in (list, dict) and is_of_json(found)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        is_repr = False
    line = {"text": printed, "json": json.dumps(found) if is_repr else None, "must": must and is_repr and is_known(characters(found))}
    print(json.dumps(line))


for _ in range(int(sys.argv[1])):
    whole = value()
    while type(whole) not in (list, dict):
        whole = value()
    printed = repr(whole)
    say(printed, must=True)
    # One character more, fewer, or another.
    at = numbers.randrange(len(printed))
    other = numbers.choice("'\"\\ ,:[]{}()0123456789.e+-xuUNTFnrt") if numbers.random() < 0.9 else character()
    say(numbers.choice([printed[:at] + other + printed[at:], printed[:at] + printed[at + 1 :], printed[:at] + other + printed[at + 1 :]]))
for printed in ["[(1, 'a')]", "{1: 'a'}", "[nan]", "[1e400]", "{'a': 1, 'a': 2}", "['\\ud800']", "[b'x']", "[1,2]", "[ 1]", "[1, 2]\n", "[-0]", "[01]", "[1_000]", "[1.0e5]", "['\\u200B']", "[" * 200 + "]" * 200]:
    say(printed)
