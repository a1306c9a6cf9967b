"""Runs the recipes of doc/scale.md as Hadoop Streaming and Spark's pipe() do:
streams.py hadoop|spark SCALE.md <urls

Splits of two lines; each program gets its split on stdin and has to end with 0.
Hadoop: the mapper gets "offset TAB line", what it prints is key TAB value, sorted
by key for the reducer.  Spark: lines in, lines out.  What comes last is printed.
"""
import re
import shlex
import subprocess
import sys


def run(argv, lines):
    p = subprocess.run(argv, input=''.join(s + '\n' for s in lines),
                       stdout=subprocess.PIPE, encoding='utf-8')
    if p.returncode != 0:
        sys.exit(f'{argv}: exit {p.returncode}: the framework takes that for a failure')
    return p.stdout.splitlines()


def splits(lines, n=2):
    return [lines[i:i + n] for i in range(0, len(lines), n)]


def hadoop(text, urls):
    # As the shell that starts the job splits it, and Streaming after that.
    args = shlex.split(re.search(r'^hadoop jar .*?(?<!\\)$', text, re.M | re.S)
                       .group(0).replace('\\\n', ' '))
    mapper, reducer = (shlex.split(args[args.index(k) + 1]) for k in ('-mapper', '-reducer'))
    pairs, offset = [], 0
    for split in splits(urls):
        keyed = []
        for line in split:
            keyed.append(f'{offset}\t{line}')
            offset += len(line.encode()) + 1
        for out in run(mapper, keyed):
            key, _, value = out.partition('\t')
            pairs.append((key, value))
    return run(reducer, [f'{k}\t{v}' for k, v in sorted(pairs)])


def spark(text, urls):
    block = re.search(r'^```scala\n(.*?)^```', text, re.M | re.S).group(1)
    parts = splits(urls)
    for call in re.finditer(r'\.pipe\(Seq\((.*?)\)\)|\.coalesce\(1\)', block, re.S):
        if call.group(1) is None:
            parts = [[s for p in parts for s in p]]
        else:
            argv = [m.group(1) for m in re.finditer(r'"((?:[^"\\]|\\.)*)"', call.group(1))]
            parts = [run(argv, p) for p in parts]
    return [s for p in parts for s in p]


with open(sys.argv[2], encoding='utf-8') as f:
    for s in {'hadoop': hadoop, 'spark': spark}[sys.argv[1]](f.read(), sys.stdin.read().splitlines()):
        print(s)
