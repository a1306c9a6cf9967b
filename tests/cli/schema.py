#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""schema.py SCHEMA FILE...: says what of FILE (JSON, or a line each: NDJSON)
is not as SCHEMA has it; nothing and 0 if all is."""
import json
import sys

import jsonschema


def documents(name):
    with open(name, encoding="utf-8") as f:
        text = f.read()
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(x) for x in text.splitlines() if x.strip()]


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    v = jsonschema.Draft202012Validator(schema)
    bad = 0
    for name in sys.argv[2:]:
        for i, d in enumerate(documents(name)):
            e = jsonschema.exceptions.best_match(v.iter_errors(d))
            if e is not None:
                bad = 1
                where = "/".join(str(x) for x in e.absolute_path)
                print(f"{name}:{i + 1}: /{where}: {e.message[:300]}")
    return bad


sys.exit(main())
