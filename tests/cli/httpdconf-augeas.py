#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The reader of Apache configuration against Augeas, on random configurations.

usage: httpdconf-augeas.py TREE COUNT SEED WORK

TREE is tests/unit/httpdconf_tree.  Both readers have to see the same directives in
the same sections with the same arguments, wherever Augeas can read a file at all.
Prints a line for each difference, and last "N files, N directives; N not read by
Augeas; N differ".

What is not made, because Augeas 1.14 is known to read it otherwise than httpd: form
feeds, a line that goes on in the middle of a word, sections that are not closed,
byte order marks, "<X" in regular expressions of sections without quotes, words in
which a quote follows other letters, a blank after a backslash but in mod_rewrite's
directives (two words for httpd, one for Augeas), <If>'s expression without quotes.  What differs
by design is taken back here: Augeas keeps quotes and escapes, and does not know that
<IfModule> is no section of its own.
"""
import random
import re
import subprocess
import sys
from urllib.parse import unquote_to_bytes

DIRECTIVES = ('Header', 'RewriteRule', 'RewriteCond', 'SetEnvIf', 'AddType', 'Options',
              'Require', 'AddOutputFilterByType', 'ErrorDocument', 'ServerName',
              'headeR', 'RewriteEngine', 'Redirect', 'CustomLog')
SECTIONS = (('Directory', '/srv/www'), ('Directory', '"/srv/w w"'), ('Files', '*.php'),
            ('FilesMatch', r'"\.(css|js)$"'), ('Location', '/x'),
            ('VirtualHost', '*:80'), ('VirtualHost', '*:80 [::1]:80'),
            ('If', '''"%{HTTP_HOST} == 'a' && req('X') =~ /b/"'''),
            ('RequireAll', ''), ('Limit', 'GET POST'), ('IfModule', 'mod_rewrite.c'),
            ('IfModule', 'headers_module'), ('Proxy', '*'), ('directory', '/srv/b'))
WORDS = ('a', 'On', '^(.*)$', '/x/$1', '%{HTTP_HOST}', '%{HTTP:X-A}', '!^$', '-',
         '[L,R=301]', r'\.(gif|jpe?g)$', 'env=!x', '"a b"', '"a \\"b\\" c"', "'x y'",
         '"100% \\\\ sure"', 'http://a.example/?b=c&d=e', '#no', '"# neither"',
         '"[NC, OR]"', 'text/html', 'a\\ b', 'x=y', '${UNDEFINED}', '\xe4\xf6',
         "it's", "''", '""', 'a;b', '(?i)x', '<b>', '"<b>"', '\\n')


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)

    def blank(self):
        return self.r.choice((' ', ' ', ' ', '\t', '  ', ' \\\n  '))

    def directive(self, indent):
        name = self.r.choice(DIRECTIVES)
        n = self.r.randint(1, 4)
        if name.lower() in ('rewritecond', 'rewriterule'):
            n = self.r.randint(2, 3)
        words = [self.r.choice(WORDS) for _ in range(n)]
        if name.lower() in ('rewritecond', 'rewriterule'):
            # Its own splitter: no escape of a quote within quotes.
            words = [w for w in words if '\\"' not in w and w not in ("''", '""')]
            while len(words) < 2:
                words.append('x')
            words = words[:2] + self.r.choice(([], ['[NC]'], ['"[OR, NC]"']))
        else:
            words = [w for w in words if w != 'a\\ b'] or ['x']
        line = name
        for w in words:
            line += self.blank() + w
        return indent + line + self.r.choice(('', '', ' ')) + '\n'

    def block(self, depth):
        text = ''
        indent = self.r.choice(('', '\t', '    ')) if depth else ''
        for _ in range(self.r.randint(1, 6)):
            what = self.r.randint(0, 9)
            if what == 0:
                text += self.r.choice(('\n', '  \n', '# a comment\n',
                                       '   # one more "\n'))
            elif what < 3 and depth < 3:
                name, args = self.r.choice(SECTIONS)
                text += (f'{indent}<{name}{" " + args if args else ""}>\n'
                         + self.block(depth + 1) + f'{indent}</{name}>\n')
            else:
                text += self.directive(indent)
        return text

    def file(self):
        text = self.block(0)
        if self.r.randint(0, 4) == 0:
            text = text.replace('\n', '\r\n')
        return text.encode('latin-1')


def unquoted(word, rewrite):
    """A word as httpd hands it on, from one as Augeas shows it."""
    if rewrite:
        if len(word) > 1 and word[0] in '"\'' and word[-1] == word[0]:
            return word[1:-1]
        return word
    if word and word[0] in '"\'':
        quote, word = word[0], word[1:-1]
        return re.sub(r'\\([\\%s])' % quote, r'\1', word)
    return word.replace('\\\\', '\\')


def ours(tree, files):
    out = subprocess.run([tree, *files], capture_output=True, check=True).stdout
    ret = {}
    for line in out.split(b'\n'):
        words = line.split(b' ')
        if words[0] == b'file':
            seen = ret[words[1].decode()] = []
        elif words[0] == b'error':
            seen.append(('error', int(words[1])))
        elif len(words) > 1:
            seen.append((int(words[0]), words[1].decode().lower(),
                         [unquote_to_bytes(w).decode('latin-1')
                          for w in words[2:]]))
    return ret


def printed(escape):
    """What augtool writes with a backslash."""
    e = escape[1]
    return chr(int(e, 8)) if len(e) == 3 else {'n': '\n', 't': '\t'}.get(e, e)


def augeas(files):
    """As ours(); None for a file that it cannot read."""
    script = 'set /augeas/load/Httpd/lens Httpd.lns\n'
    for i, f in enumerate(files):
        script += f'set /augeas/load/Httpd/incl[{i + 1}] {f}\n'
    script += 'load\n' + ''.join(f'print /files{f}\n' for f in files)
    out = subprocess.run(['augtool', '--noload', '--noautoload', '-A', '-r', '/'],
                         input=script.encode(), capture_output=True).stdout
    ret = dict.fromkeys(files)
    lines = re.compile(r'/files(/[^ ]*?\.conf)((?:/[^/ ]+)*)(?: = "(.*)")?$')
    for line in out.decode('latin-1').split('\n'):
        m = lines.match(line)
        if not m:
            continue
        name, path, value = m.groups()
        if ret[name] is None:
            ret[name] = seen = []
        steps = [re.sub(r'\[\d+\]$', '', s) for s in path.split('/')[1:]]
        if not steps or steps[-1].startswith('#comment'):
            continue
        value = re.sub(r'\\([0-7]{3}|.)', printed, value or '')
        # <IfModule> is gone when httpd has read it.
        depth = sum(s.lower() != 'ifmodule' for s in steps[:-1])
        if steps[-1] == 'arg':
            if steps[-2].lower() == 'ifmodule':
                continue
            rewrite = seen[-1][1] in ('rewritecond', 'rewriterule')
            seen[-1][2].append(unquoted(value, rewrite))
        elif steps[-1] == 'directive':
            seen.append((depth, value.lower(), []))
        elif steps[-1].lower() != 'ifmodule':
            seen.append((depth, steps[-1].lower(), []))
    return ret


def main(tree, count, seed, work):
    files = []
    for i in range(int(count)):
        files.append(f'{work}/{i}.conf')
        with open(files[-1], 'wb') as f:
            f.write(Maker(f'{seed} {i}').file())
    directives = unread = differ = 0
    for i in range(0, len(files), 200):
        part = files[i:i + 200]
        a, b = ours(tree, part), augeas(part)
        for f in part:
            if b[f] is None:
                unread += 1
                continue
            directives += len(b[f])
            if a[f] == b[f]:
                continue
            differ += 1
            for x, y in zip(a[f] + [None], b[f] + [None]):
                if x != y:
                    print(f'{f}: {x} and not {y}')
                    break
    print(f'{len(files)} files, {directives} directives; {unread} not read by '
          f'Augeas; {differ} differ')


if __name__ == '__main__':
    main(*sys.argv[1:])
