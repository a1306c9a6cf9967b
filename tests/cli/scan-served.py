#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Cases of configuration, served by a real httpd, against what scan says of them.

usage: scan-served.py write CASES DIR       files, and DIR/cases.conf for httpd
       scan-served.py ask CASES DIR PORT VARYPROBE RELEASE

ask prints a line for each case, "NAME<tab>what is wrong": a member of Vary that
was not predicted; one that was, always or where its header is sent, and is not
there; 500 without an error, or an error without 500; findings (from warning on)
other than the case's lines "=> rule member line".  Then, of an .htaccess for which
--patch prints something: that patch(1) does not take it; that what it takes out of
Vary is still sent; that a status or a page is another one than before; that --patch
has more to say.
"""
import json
import os
import socket
import subprocess
import sys

FILES = ('index.html page.html mobile.html front.html a.css b.js img.jpg '
         'img.jpg.webp img.webp de.html index.html.gz sub/index.html foo.html.de '
         'foo.html.en 404.html cache/page.html/index.html').split()
PATHS = ('', 'page.html', 'a.css', 'img.jpg', 'img', 'sub/', 'nosuch')
PATCHED = PATHS[:3]
REQUESTS = (
    {},
    {'User-Agent': 'Mozilla/5.0 (iPhone) Safari', 'X-Wap-Profile': 'x'},
    {'User-Agent': 'Mozilla/5.0 Googlebot', 'Accept-Encoding': 'gzip, br',
     'Cookie': 'session=1; lang=de'},
    {'User-Agent': 'Opera Mini/7', 'Referer': 'http://evil.example/x',
     'Accept': 'image/webp,image/avif,*/*', 'X-Forwarded-Proto': 'https'},
    {'Referer': 'http://www.example.com/x', 'Accept-Language': 'de',
     'Accept-Encoding': 'gzip', 'X-Forwarded-For': '1.2.3.4',
     'Authorization': 'Bearer x'},
    {'User-Agent': 'curl/8', 'Origin': 'https://a.example',
     'X-Requested-With': 'XMLHttpRequest', 'Accept': 'application/json',
     'Cookie': 'a=b'},
)


def cases(name, root):
    """[name, expected, .htaccess, server configuration]"""
    ret = []
    part = None
    for line in open(name):
        if line.startswith('=== '):
            ret.append([line[4:].strip(), [], '', ''])
            part = 2
        elif line == '[conf]\n':
            part = 3
        elif line.startswith('=> '):
            ret[-1][1].append(line[3:].strip())
        elif ret:
            ret[-1][part] += (line.replace('@N@', ret[-1][0])
                              .replace('@D@', f'{root}/{ret[-1][0]}'))
    return ret


def write(name, work):
    root = work + '/htdocs'
    text = '<html>' + 'a page that is long enough to be compressed ' * 4
    with open(work + '/cases.conf', 'w') as conf:
        for case, _, htaccess, server in cases(name, root):
            for f in FILES:
                path = f'{root}/{case}/{f}'
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, 'w') as out:
                    out.write(text + f + '</html>\n')
            if htaccess:
                with open(f'{root}/{case}/.htaccess', 'w') as out:
                    out.write(htaccess)
            conf.write(server)
            if server:
                with open(f'{work}/{case}.conf', 'w') as out:
                    out.write(f'DocumentRoot {root}\n<Directory {root}>\n'
                              'AllowOverride All\n</Directory>\n' + server)


class Client:
    """Requests one after the other on a connection, as long as it lasts."""

    def __init__(self, port):
        self.port = port
        self.f = None

    def get(self, host, path, headers):
        text = ''.join(f'{k}: {v}\r\n' for k, v in headers.items())
        text = f'GET {path} HTTP/1.1\r\nHost: {host}\r\n{text}\r\n'
        for again in (True, False):
            if self.f is None:
                self.s = socket.create_connection(('127.0.0.1', self.port), 30)
                self.s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.f = self.s.makefile('rb')
            try:
                self.s.sendall(text.encode())
                status = self.f.readline()
            except ConnectionError:
                status = b''
            if status:
                break
            self.close()
            if not again:
                raise SystemExit(f'no answer to {text}')
        vary, length, chunked, close = '', None, False, b'1.0' in status
        while True:
            line = self.f.readline().decode('latin-1').rstrip('\r\n')
            if not line:
                break
            k, v = line.split(':', 1)
            k = k.lower()
            if k == 'vary':
                vary += ',' + v
            elif k == 'content-length':
                length = int(v)
            elif k == 'transfer-encoding':
                chunked = True
            elif k == 'connection' and 'close' in v:
                close = True
        body = b''
        if chunked:
            while True:
                n = int(self.f.readline(), 16)
                body += self.f.read(n + 2)[:n]
                if n == 0:
                    break
        elif length is not None:
            body = self.f.read(length)
        else:
            close = True
        if close:
            self.close()
        return (int(status.split()[1]),
                {m.strip().lower() for m in vary.split(',') if m.strip()},
                body)

    def close(self):
        if self.f is not None:
            self.f.close()
            self.s.close()
            self.f = None


def scan(varyprobe, release, path):
    r = subprocess.run([varyprobe, 'scan', '--apache-version', release,
                        '--format', 'json', path], capture_output=True)
    return json.loads(r.stdout)


def judge(case, client, said, hosts):
    """What is wrong, if anything; and what the first host answered."""
    answers = {}
    sources, findings = said
    wrong = set()
    got = [f"{f['rule']} {f['member'] or '-'} {f['line']}" for f in findings
           if f['level'] != 'note']
    if got != case[1]:
        wrong.add(f'findings {got}')
    predicted = {s['member'].lower() for s in sources}
    # What is said of the whole file has to hold for each page that is sent.
    certain = {(s['member'].lower(), s['when']) for s in sources
               if s['scope'] is None and s['when'] in ('always', 'header-sent')}
    error = any(f['rule'] == 'conf-error' and f['level'] == 'error'
                for f in findings)
    statuses = set()
    for host in hosts:
        for path in PATHS:
            for i, headers in enumerate(REQUESTS):
                answer = client.get(host, f'/{case[0]}/{path}', headers)
                status, vary, _ = answer
                if host == hosts[0] and path in PATCHED:
                    answers[path, i] = answer
                statuses.add(status)
                at = f'/{path} at {host} with {headers}: {status}, {vary}'
                for m in vary - predicted:
                    wrong.add(f'{m} not predicted: {at}')
                # A directory below may have rules of its own.
                if status != 200 or path == 'sub/':
                    continue
                sent = {h.lower() for h in headers} | {'host'}
                for m, when in certain:
                    if m not in vary and (when == 'always' or m in sent):
                        wrong.add(f'{m} is not there {when}: {at}')
    if (500 in statuses) != error:
        wrong.add(f'error {error}, statuses {statuses}')
    return '; '.join(sorted(wrong)[:3]), answers


def run_patch(varyprobe, release, root):
    return subprocess.run([varyprobe, 'scan', '--apache-version', release,
                           '--patch', root], capture_output=True).stdout


def judge_patch(case, before, client, host, members):
    """members: what the patch took out"""
    wrong = set()
    for (path, i), (status, _, body) in before.items():
        now, vary, page = client.get(host, f'/{case[0]}/{path}', REQUESTS[i])
        if now != status or page != body:
            wrong.add(f'patched: {now} for {status}, '
                      f'{len(page)} bytes for {len(body)}')
        for m in vary & members:
            wrong.add(f'patched: {m} is still in Vary')
    return '; '.join(sorted(wrong)[:3])


def ask(name, work, port, varyprobe, release):
    root = work + '/htdocs'
    client = Client(int(port))
    tree = scan(varyprobe, release, root)
    results, patchable = {}, []
    for case in cases(name, root):
        files = [f'{root}/{case[0]}/.htaccess']
        said = tree
        hosts = ['www.example.com']
        if 'host' in case[2].lower():
            hosts.append('dev.example.org')
        if case[3]:
            files.append(f'{work}/{case[0]}.conf')
            said = scan(varyprobe, release, files[1])
            hosts = [f'a.{case[0]}.example', f'b.{case[0]}.example']
        results[case[0]], answers = judge(case, client, [
            [x for x in said[k] if x['file'] in files]
            for k in ('sources', 'findings')], hosts)
        if not case[3]:
            patchable.append((case, hosts[0], files[0], answers))
    # All of them at once, and only those that are changed by it are asked again.
    old = {x[2]: open(x[2], 'rb').read() for x in patchable if x[0][2]}
    r = subprocess.run(['patch', '-s', '-p1'], cwd='/', capture_output=True,
                       input=run_patch(varyprobe, release, root))
    more = run_patch(varyprobe, release, root)
    if r.returncode or more:
        print(f'--patch: {r.stdout} {r.stderr}, then {more}', file=sys.stderr)
    after = scan(varyprobe, release, root)
    for case, host, file, answers in patchable:
        if file in old and old[file] != open(file, 'rb').read():
            then, now = ({s['member'].lower() for s in x['sources']
                          if s['file'] == file} for x in (tree, after))
            results[case[0]] += judge_patch(case, answers, client, host,
                                            then - now)
    for case, wrong in results.items():
        print(case, wrong, sep='\t')


if __name__ == '__main__':
    {'write': write, 'ask': ask}[sys.argv[1]](*sys.argv[2:])
