#!/usr/bin/env python3
"""Results of diskbench that were changed, for the tests of what reads them.

results.py poison TEXT FROM TO [FROM TO ...]   every string of it is TEXT
results.py change FROM TO STATEMENT            STATEMENT is done to the result j
results.py sweep FILE COMMAND...               each member in its turn is left out or is
                                               something else, in swept.json: COMMAND says
                                               so in one line, or does without
results.py workload SCHEMA FILE COMMAND...     the same of a workload file, with each value in
                                               each place; what COMMAND takes, the schema does,
                                               and what it prints of it is taken again, as it is
"""
import copy
import json
import os
import re
import subprocess
import sys

# What other programs call JSON is among them.
ODD = ["NaN", "-Infinity", "-1", "1e308", "1e999", "9223372036854775807", "-9223372036854775808",
       "18446744073709551616", "0", "null", "true", '"x"', '""', '"\\ud800"', '"\\u0000"', "[]", "{}",
       "[[[[]]]]", "0.5", "1e-320"]


def poison(value, text, key=""):
    if isinstance(value, dict):
        return {k: poison(v, text, k) for k, v in value.items()}
    if isinstance(value, list):
        return [poison(v, text) for v in value]
    return text if isinstance(value, str) and key != "schema" else value


def places(value, at=()):
    """Of a list the first is enough: the others are like it."""
    items = value.items() if isinstance(value, dict) else list(enumerate(value))[:1]
    for key, member in items:
        yield at + (key,)
        if isinstance(member, (dict, list)):
            yield from places(member, at + (key,))


def changed(result, at, to):
    result = copy.deepcopy(result)
    inner = result
    for key in at[:-1]:
        inner = inner[key]
    if to is None:
        del inner[at[-1]]
        return json.dumps(result)
    inner[at[-1]] = "@here@"
    return json.dumps(result).replace('"@here@"', to)


def tried(command, text):
    """Of COMMAND, with that in swept.json: its exit code, what it prints, what it says."""
    with open("swept.json", "w", encoding="utf-8") as f:
        f.write(text)
    p = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=300, check=False)
    return p.returncode, p.stdout.decode(errors="replace"), p.stderr.decode(errors="replace")


def fault(command, text):
    code, out, err = tried(command, text)
    if code == 0:
        what = re.search(r".{0,30}\b(nan|inf)\b.{0,30}", out, re.I)
        return what and "prints " + what.group(0)
    if code not in (50, 51):
        return "exit %d: %s" % (code, err[:300])
    if out or err.count("\n") != 1 or "swept.json" not in err:
        return "exit %d, and says: %s" % (code, err[:300])
    return None


def sweep(name, command):
    with open(name, encoding="utf-8") as f:
        result = json.load(f)
    # Which value a place has differs from command to command: a longer one begins elsewhere.
    values = [None] + ODD
    n = 0
    salt = len(" ".join(os.path.basename(word) for word in command))
    for at in places(result):
        to = values[(n + salt) % len(values)]
        what = fault(command, changed(result, at, to))
        if what:
            print("%s = %s: %s" % ("/".join(map(str, at)), to or "left out", what))
        n += 1
    # A sweep of nothing would find no fault.
    print("%s places" % ("enough" if n > 30 else n))


def taken(command, text):
    """What COMMAND prints of it, or None; and what is wrong with that."""
    code, out, err = tried(command, text)
    if code == 0:
        return out, err and "takes it, and says: " + err[:300]
    if code != 2 or out or err.count("\n") != 1 or "swept.json" not in err:
        return None, "exit %d, and says: %s" % (code, (out + err)[:300])
    return None, None


def no_schema(value):
    return []


def workload(schema, name, command):
    with open(name, encoding="utf-8") as f:
        result = json.load(f)
    try:
        import jsonschema
        with open(schema, encoding="utf-8") as f:
            faults = jsonschema.Draft202012Validator(json.load(f)).iter_errors
    except ImportError:
        faults = no_schema
    n = refused = 0
    if taken(command, json.dumps(result))[0] is None:
        print("is refused as it is")
    for at in places(result):
        for to in [None] + ODD:
            text = changed(result, at, to)
            out, what = taken(command, text)
            if out is not None and not what:
                fault = next(iter(faults(json.loads(text))), None)
                what = fault and "is taken, and the schema says: " + fault.message[:200]
            if out is not None and not what:
                again, what = taken(command, out)
                if not what and again != out:
                    what = "is printed as what is another"
            if what:
                print("%s = %s: %s" % ("/".join(map(str, at)), to or "left out", what))
            n += 1
            refused += out is None
    print("%s places" % ("enough" if n > 400 and refused > 200 else "%d, %d refused" % (n, refused)))


def main(args):
    if args[0] == "poison":
        for name, to in zip(args[2::2], args[3::2]):
            with open(name, encoding="utf-8") as f:
                result = poison(json.load(f), args[1])
            with open(to, "w", encoding="utf-8") as f:
                json.dump(result, f)
    elif args[0] == "change":
        with open(args[1], encoding="utf-8") as f:
            result = json.load(f)
        exec(args[3], {"j": result})
        with open(args[2], "w", encoding="utf-8") as f:
            json.dump(result, f)
    elif args[0] == "workload":
        workload(args[1], args[2], args[3:])
    else:
        sweep(args[1], args[2:])


main(sys.argv[1:])
