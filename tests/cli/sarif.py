#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Is this SARIF 2.1.0, and does each result point at a line that there is?

usage: sarif.py FILE.sarif [BASE]       relative places start at BASE

Prints what is wrong, a line each.  Of the standard (OASIS, SARIF 2.1.0, 3.13 on) it
holds what our programs use: objects have the properties that the standard names and
no others, those it requires are there, and numbers point at what they should.
"""
import json
import os
import re
import sys
from urllib.parse import unquote, urlsplit

STR, INT, BAG = str, int, dict
# object -> {property: type, another object, or [of them]}; "*" marks required ones.
OBJECTS = {
    'log': {'$schema': STR, 'version*': STR, 'runs*': ['run'], 'properties': BAG},
    'run': {'tool*': 'tool', 'results': ['result'], 'columnKind': STR,
            'artifacts': ['artifact'], 'invocations': ['invocation'],
            'originalUriBaseIds': BAG, 'properties': BAG},
    'tool': {'driver*': 'toolComponent', 'properties': BAG},
    'toolComponent': {'name*': STR, 'version': STR, 'semanticVersion': STR,
                      'informationUri': STR, 'rules': ['reportingDescriptor'],
                      'fullName': STR, 'organization': STR, 'properties': BAG},
    'reportingDescriptor': {'id*': STR, 'name': STR, 'helpUri': STR,
                            'shortDescription': 'multiformat',
                            'fullDescription': 'multiformat',
                            'help': 'multiformat',
                            'defaultConfiguration': 'configuration',
                            'properties': BAG},
    'multiformat': {'text*': STR, 'markdown': STR, 'properties': BAG},
    'configuration': {'enabled': bool, 'level': STR, 'rank': float,
                      'parameters': BAG, 'properties': BAG},
    'result': {'ruleId': STR, 'ruleIndex': INT, 'kind': STR, 'level': STR,
               'message*': 'message', 'locations': ['location'],
               'partialFingerprints': BAG, 'fingerprints': BAG,
               'properties': BAG},
    'message': {'text': STR, 'markdown': STR, 'id': STR, 'arguments': [STR],
                'properties': BAG},
    'location': {'id': INT, 'physicalLocation': 'physicalLocation',
                 'message': 'message', 'properties': BAG},
    'physicalLocation': {'artifactLocation': 'artifactLocation',
                         'region': 'region', 'contextRegion': 'region',
                         'properties': BAG},
    'artifactLocation': {'uri': STR, 'uriBaseId': STR, 'index': INT,
                         'description': 'message', 'properties': BAG},
    'region': {'startLine': INT, 'startColumn': INT, 'endLine': INT,
               'endColumn': INT, 'charOffset': INT, 'charLength': INT,
               'snippet': BAG, 'message': 'message', 'properties': BAG},
}
LEVELS = ('none', 'note', 'warning', 'error')
# RFC 3986: what a URI reference may be made of.
URI = re.compile(r"(?:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+\Z")


def check(value, kind, at):
    if isinstance(kind, list):
        if not isinstance(value, list):
            yield f'{at}: no array'
            return
        for i, v in enumerate(value):
            yield from check(v, kind[0], f'{at}[{i}]')
    elif isinstance(kind, type):
        if not isinstance(value, kind) or (kind is int and
                                           isinstance(value, bool)):
            yield f'{at}: no {kind.__name__}'
    elif not isinstance(value, dict):
        yield f'{at}: no object'
    else:
        known = {k.rstrip('*'): v for k, v in OBJECTS[kind].items()}
        for k in OBJECTS[kind]:
            if k.endswith('*') and k[:-1] not in value:
                yield f'{at}: lacks {k[:-1]}'
        for k, v in value.items():
            if k not in known:
                yield f'{at}: {k} is no property of {kind}'
            else:
                yield from check(v, known[k], f'{at}.{k}')


def place(result, base, at):
    """The line it points at: (what is wrong, text)."""
    where = result['locations'][0]['physicalLocation']
    uri = where['artifactLocation']['uri']
    if not URI.match(uri):
        return f'{at}: {uri!r} is no URI reference', ''
    parts = urlsplit(uri)
    if parts.scheme not in ('', 'file'):
        return f'{at}: {uri} is no file', ''
    path = os.path.join(base, unquote(parts.path, errors='surrogateescape'))
    region = where.get('region')
    if region is None:
        return (None if os.path.exists(path) else f'{at}: no file {path}'), ''
    first = region.get('startLine', 0)
    last = region.get('endLine', first)
    try:
        lines = open(path, 'rb').read().split(b'\n')
    except OSError as e:
        return f'{at}: {e}', ''
    if not 1 <= first <= last <= len(lines):
        return f'{at}: lines {first} to {last} of {len(lines)}', ''
    text = b'\n'.join(lines[first - 1:last]).replace(b'\\\n', b'')
    return None, text.decode('latin-1')


def meaning(log, base):
    if log['version'] != '2.1.0':
        yield f"version {log['version']}"
    for r, run in enumerate(log['runs']):
        rules = run['tool']['driver'].get('rules', [])
        ids = [rule['id'] for rule in rules]
        if len(set(ids)) != len(ids):
            yield f'runs[{r}]: a rule stands twice'
        if run.get('columnKind') not in (None, 'utf16CodeUnits',
                                         'unicodeCodePoints'):
            yield f"runs[{r}]: columnKind {run['columnKind']}"
        for i, result in enumerate(run.get('results', [])):
            at = f'runs[{r}].results[{i}]'
            index = result.get('ruleIndex', -1)
            if not 0 <= index < len(ids) or ids[index] != result.get('ruleId'):
                yield f"{at}: ruleIndex {index} is not {result.get('ruleId')}"
            if result.get('level') not in LEVELS:
                yield f"{at}: level {result.get('level')}"
            if not result['message'].get('text'):
                yield f'{at}: no text'
            if not result.get('locations'):
                yield f'{at}: no location'
                continue
            wrong, text = place(result, base, at)
            if wrong:
                yield wrong
            member = (result.get('properties') or {}).get('member')
            if os.environ.get('SARIF_MEMBERS') and member and text and \
                    member.lower().replace('-', '_') not in \
                    text.lower().replace('-', '_'):
                yield f'{at}: {member} does not stand in {text!r}'


def main(name, base='.'):
    log = json.load(open(name))
    wrong = list(check(log, 'log', '$'))
    for line in wrong or meaning(log, base):
        print(line)


if __name__ == '__main__':
    main(*sys.argv[1:])
