#!/usr/bin/env python3
"""Run what the handbook tells its readers to type, and compare what they see.

handbook.py check|update FOLDER REPLACE... -- FILE.md... FILE.rst...

In FOLDER, which handbook.t has prepared.  REPLACE is WHAT=>WITH: 127.0.0.1:8080 in
the text is the port that the server has today.  The commands of a file are lines
"$ ..." of its ```console blocks ("> ..." goes on), run by one shell, one after the
other; what stands below a command is what it printed, numbers aside; "..." is any
lines.  Without anything below it a command has to succeed.  "update" writes what
was printed into the file in place of what stands there.  TAP.

Of a manual, a .rst, the commands are those of its EXAMPLES, and nothing is compared.
REPLACE that begins with "man:" is for these, in the order given: who reads a manual
has another drive, and more time.
"""
import os
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r'^( *)```(\w*)$')
PASSIVE = {'vcl', 'yaml', 'apache', 'json', 'ini', 'scala', 'text'}


class Command:
    def __init__(self, line, number):
        self.lines, self.number = [line], number
        self.wanted = []
        self.first = self.last = None   # where .wanted is, in the file


def read(path):
    """Commands of a file, and (language, number, text) of its other blocks."""
    commands, others = [], []
    language, start, block = None, 0, []
    with open(path, encoding='utf-8') as f:
        lines = f.read().split('\n')
    for i, line in enumerate(lines):
        m = FENCE.match(line)
        if m and language is None:
            language, start, block, indent = m.group(2), i + 1, [], m.group(1)
            now = None
            continue
        if m:
            if language != 'console':
                others.append((language, start, '\n'.join(block)))
            language = None
            continue
        if language is None:
            continue
        line = line[len(indent):]
        if language != 'console':
            block.append(line)
        elif line.startswith('$ '):
            now = Command(line[2:], i + 1)
            now.first = now.last = i + 1
            commands.append(now)
        elif line.startswith('> ') and now and not now.wanted:
            now.lines.append(line[2:])
            now.first = now.last = i + 1
        elif now is None:
            sys.exit(f'{path}:{i + 1}: output before a command')
        else:
            now.wanted.append(line)
            now.last = i + 1
    return lines, commands, others


def read_manual(path):
    """Commands of the EXAMPLES of a manual, each as it stands in its block."""
    commands, inside, literal, now = [], False, False, None
    with open(path, encoding='utf-8') as f:
        lines = f.read().split('\n')
    for i, line in enumerate(lines):
        if i + 1 < len(lines) and re.match(r'=+$', lines[i + 1]):
            inside = line.startswith('EXAMPLE')
        if not inside:
            continue
        if line and not line[0].isspace():
            literal, now = line.endswith('::'), None
        elif literal and line.strip():
            if now is None:
                now = Command(line.strip(), i + 1)
                commands.append(now)
            else:
                now.lines.append(line.strip())
            if not line.endswith('\\'):
                # An audit has findings, exit 1; nothing else may have.
                now.first = None if 'varyprobe audit' in ' '.join(now.lines) else i
                now = None
    return commands


def run(commands, replace):
    """One shell for all; (exit code, output) of each."""
    with tempfile.TemporaryDirectory() as tmp:
        script = []
        for i, c in enumerate(commands):
            text = '\n'.join(c.lines)
            for a, b in replace:
                if a[:1] == '=':        # the whole of it
                    text = b if text == a[1:] else text
                else:
                    text = text.replace(a, b)
            script.append('{\n%s\n} >%s/%d.out 2>&1 </dev/null\necho $? >%s/%d.code\n'
                          % (text, tmp, i, tmp, i))
        try:
            subprocess.run(['bash', '-c', ''.join(script)], timeout=400)
        except subprocess.TimeoutExpired:
            pass
        results = []
        for i in range(len(commands)):
            try:
                with open(f'{tmp}/{i}.code') as f:
                    code = int(f.read() or 99)
                with open(f'{tmp}/{i}.out', encoding='utf-8', errors='replace') as f:
                    out = f.read()
            except FileNotFoundError:
                code, out = 99, 'did not run, or not to its end'
            for a, b in replace:
                if b:               # nothing stands everywhere
                    out = out.replace(b, a)
            results.append((code, [s.rstrip() for s in out.rstrip('\n').split('\n')]
                            if out.strip() else []))
    return results


def form(line):
    """A line without what differs from run to run and machine to machine."""
    line = re.sub(r'(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} .\d .*\d{4}$', 'DATE', line)
    line = re.sub(r'\bnull\b', '#', line)
    # The version is the one number that is the same everywhere.
    line = re.sub(r'\b(varykit\)|varyprobe|varylive|diskbench) (\d+\.\d+\.\d+)\b',
                  lambda m: m[1] + ' ' + m[2].translate(str.maketrans('0123456789.', 'abcdefghij_')), line)
    line = re.sub(r'\b(usec|msec|nsec)\b', 'SEC', line)
    line = re.sub(r'[-+]?\d[\d.,]*(?:[kKMG](?:i?B)?\b)?', '#', line)
    return re.sub(r'\s+', ' ', line).strip()


def same(wanted, got):
    """Do the lines match, "..." being any number of them?"""
    if not wanted:
        return not got
    if wanted[0].strip() == '...':
        return any(same(wanted[1:], got[i:]) for i in range(len(got) + 1))
    return bool(got) and form(wanted[0]) == form(got[0]) and same(wanted[1:], got[1:])


def main():
    mode, folder = sys.argv[1:3]
    cut = sys.argv.index('--')
    replace = [a.split('=>', 1) for a in sys.argv[3:cut] if not a.startswith('man:')]
    manual = [a[4:].split('=>', 1) for a in sys.argv[3:cut] if a.startswith('man:')]
    n, failed = 0, False
    os.chdir(folder)
    for path in sys.argv[cut + 1:]:
        name = os.path.basename(path)
        if path.endswith('.rst'):
            if mode == 'update':
                continue
            lines, commands, others = [], read_manual(path), []
            if not commands:
                n, failed = n + 1, True
                print(f'not ok {n} - {name}: no examples')
        else:
            lines, commands, others = read(path)
        for language, number, text in others:
            if language not in PASSIVE:
                n, failed = n + 1, True
                print(f'not ok {n} - {name}:{number}: a block of no kind: {language!r}')
            elif language == 'vcl':
                n += 1
                with open('block.vcl', 'w', encoding='utf-8') as f:
                    f.write(text if re.search(r'^vcl 4', text, re.M) else
                            'vcl 4.1;\nbackend default none;\n' + text)
                r = subprocess.run(['varnishd', '-C', '-n', folder + '/vcl-n', '-p',
                                    'vmod_path=' + os.environ['VK_VMODS'], '-p',
                                    'vcl_path=' + os.environ['VK_VCL'], '-f',
                                    folder + '/block.vcl'], capture_output=True, text=True)
                print(f'{"ok" if r.returncode == 0 else "not ok"} {n} - {name}:{number}: VCL')
                if r.returncode != 0:
                    failed = True
                    print(re.sub(r'(?m)^', '# ', r.stderr[:2000]))
            elif language == 'yaml':
                # What a job of such a file would run, as far as it is ours.
                for s in text.split('\n'):
                    m = re.match(r'^ *- (?:run: )?((?:varyprobe|varylive) .*)$', s)
                    if m:
                        commands.append(Command(m.group(1), number))
        results = run(commands, manual if path.endswith('.rst') else replace)
        if mode == 'update':
            for c, (code, out) in reversed(list(zip(commands, results))):
                if code not in (0, 1):
                    sys.stderr.write(f'{name}:{c.number}: exit {code}\n' + '\n'.join(out[:20]) + '\n')
                if c.wanted and c.first and c.wanted != ['...']:
                    lines[c.first:c.last] = out or ['']
            with open(path, 'w', encoding='utf-8') as f:
                f.write('\n'.join(lines))
            continue
        for c, (code, out) in zip(commands, results):
            n += 1
            good = same(c.wanted, out) and code in (0, 1) if c.wanted else code == 0 or not c.first and code == 1
            print(f'{"ok" if good else "not ok"} {n} - {name}:{c.number}: {c.lines[0][:60]}')
            if not good:
                failed = True
                print(f'# exit {code}')
                for s in out[:40]:
                    print('# got:    ' + s)
                for s in c.wanted[:40]:
                    print('# wanted: ' + s)
    print(f'1..{n}')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
