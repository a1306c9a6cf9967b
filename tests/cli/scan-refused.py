#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Which lines a real httpd refuses, and which ones scan says it would.

usage: scan-refused.py write CASES DIR
       scan-refused.py ask CASES DIR PORT VARYPROBE RELEASE HTTPD

A case is a line: "500" or "200", a tab, what .htaccess holds, with ";; " for a line
end; "stop" and "go" are of a server's configuration, which DIR/base.conf starts.
ask prints "CASE<tab>what is wrong" for each.
"""
import http.client
import json
import os
import subprocess
import sys


def cases(name):
    for line in open(name):
        if line.strip() and not line.startswith('#'):
            verdict, text = line.rstrip('\n').split('\t')
            yield verdict, text.replace(';; ', '\n') + '\n'


def place(root, n, verdict):
    """The file of a case, and the one that scan is to read."""
    return (f'{root}/htdocs/{n}/.htaccess' if verdict in ('200', '500')
            else f'{root}/conf/{n}.conf')


def write(name, root):
    for n, (verdict, text) in enumerate(cases(name)):
        path = place(root, n, verdict)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w') as f:
            f.write(text)
        if path.endswith('.htaccess'):
            with open(f'{root}/htdocs/{n}/p.html', 'w') as f:
                f.write('x')


def refused(root, n, verdict, path, port, httpd):
    if verdict in ('200', '500'):
        c = http.client.HTTPConnection('127.0.0.1', port, timeout=30)
        c.request('GET', f'/{n}/p.html')
        status = c.getresponse().status
        c.close()
        return status == 500
    r = subprocess.run([httpd, '-t', '-f', f'{root}/base.conf', '-c',
                        f'Include {path}'], capture_output=True)
    return r.returncode != 0


def ask(name, root, port, varyprobe, release, httpd):
    all_cases = list(cases(name))
    paths = [place(root, n, v) for n, (v, _) in enumerate(all_cases)]
    r = subprocess.run([varyprobe, 'scan', '--format', 'json', '--apache-version',
                        release, *paths], capture_output=True, text=True)
    said = {}
    for f in json.loads(r.stdout)['findings']:
        if f['rule'] == 'conf-error' and f['level'] == 'error':
            said[f['file']] = f['message']
    for n, (verdict, text) in enumerate(all_cases):
        wanted = verdict in ('500', 'stop')
        wrong = []
        if refused(root, n, verdict, paths[n], int(port), httpd) != wanted:
            wrong.append('httpd does otherwise')
        if (paths[n] in said) != wanted:
            wrong.append(f'scan says {said.get(paths[n], "nothing")}')
        print(f'{verdict} {text.rstrip()!r}\t{"; ".join(wrong)}')


if __name__ == '__main__':
    {'write': write, 'ask': ask}[sys.argv[1]](*sys.argv[2:])
