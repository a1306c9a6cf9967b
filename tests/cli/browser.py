# One Chromium for many pages: its protocol over two pipes, so nobody else can
# talk to it, and no start for each page.
#	python3 browser.py BROWSER FOLDER <COMMANDS
# A command a line, its words separated by blanks; a line is printed for each:
#	shot NAME PAGE WIDTH light|dark	NAME, how wide the picture is (a quarter of
#					the page), how many colours it has, how many
#					percent the commonest has, light or dark
#	pdf FILE PAGE			FILE, how many bytes it has
# All that the browser asks of a network is in FOLDER/net.json when this ends, and
# the pictures are in FOLDER/NAME.png.  Status 1: the browser did not do it.
import base64, collections, fcntl, json, os, select, signal, struct, subprocess, sys, time, zlib

browser, folder = sys.argv[1], os.path.realpath(sys.argv[2])


class Chromium:
    def __init__(self):
        down, up = os.pipe(), os.pipe()
        # Away from 3 and 4, which are what the browser has them at.
        theirs = [fcntl.fcntl(fd, fcntl.F_DUPFD, 10) for fd in (down[0], up[1])]
        self.out = fcntl.fcntl(down[1], fcntl.F_DUPFD, 10)
        self.fd = fcntl.fcntl(up[0], fcntl.F_DUPFD, 10)
        for fd in down + up:
            os.close(fd)

        def place():
            os.dup2(theirs[0], 3)
            os.dup2(theirs[1], 4)

        # A home of its own, no network, nothing that it does of itself.
        self.process = subprocess.Popen(
            [browser, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
             "--hide-scrollbars", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--user-data-dir=" + folder + "/profile", "--host-resolver-rules=MAP * ~NOTFOUND",
             "--log-net-log=" + folder + "/net.json", "--net-log-capture-mode=Everything", "about:blank"],
            env=dict(os.environ, HOME=folder), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=open(folder + "/chrome.log", "w"), pass_fds=(3, 4), preexec_fn=place,
            start_new_session=True)
        for fd in theirs:
            os.close(fd)
        self.rest, self.number, self.events, self.session = b"", 0, [], None

    def read(self, until):
        while b"\0" not in self.rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            got = os.read(self.fd, 1 << 20)
            if not got:
                raise EOFError("the browser has gone")
            self.rest += got
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def ask(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        until = time.monotonic() + 60
        while True:
            m = self.read(until)
            if m.get("id") == self.number:
                if "error" in m:
                    raise RuntimeError(method + ": " + m["error"]["message"])
                return m["result"]
            self.events.append(m.get("method"))

    def open_page(self):
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.enable")

    def go(self, page):
        self.events = []
        self.ask("Page.navigate", url="file://" + folder + "/" + page)
        until = time.monotonic() + 60
        while "Page.loadEventFired" not in self.events:
            self.events.append(self.read(until).get("method"))

    def close(self):
        try:
            self.session = None
            self.ask("Browser.close")
            self.process.wait(10)
        except Exception:
            pass
        # It sometimes hangs on its way out; its children are of its session.
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


def picture(d):
    """Width, colours, percent of the commonest, and whether that is dark."""
    assert d[:8] == b"\x89PNG\r\n\x1a\n"
    at, idat = 8, b""
    while at < len(d):
        n, kind = struct.unpack(">I4s", d[at:at + 8])
        body = d[at + 8:at + 8 + n]
        if kind == b"IHDR":
            w, h, depth, colour = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            idat += body
        at += 12 + n
    assert depth == 8 and colour in (2, 6)
    bpp = 3 if colour == 2 else 4
    raw, prev, seen = zlib.decompress(idat), bytearray(w * bpp), collections.Counter()
    for y in range(h):
        start = y * (w * bpp + 1)
        f, row = raw[start], bytearray(raw[start + 1:start + w * bpp + 1])
        for i in range(w * bpp if f else 0):
            a = row[i - bpp] if i >= bpp else 0
            b, c = prev[i], prev[i - bpp] if i >= bpp else 0
            if f == 1:
                p = a
            elif f == 2:
                p = b
            elif f == 3:
                p = (a + b) // 2
            else:
                q = a + b - c
                pa, pb, pc = abs(q - a), abs(q - b), abs(q - c)
                p = a if pa <= pb and pa <= pc else b if pb <= pc else c
            row[i] = (row[i] + p) & 255
        prev = row
        for x in range(0, w * bpp, bpp):
            seen[bytes(row[x:x + 3])] += 1
    (top, n), total = seen.most_common(1)[0], sum(seen.values())
    return w, len(seen), round(100 * n / total), "dark" if sum(top) < 200 else "light"


def do(c, words):
    if words[0] == "pdf":
        c.go(words[2])
        data = base64.b64decode(c.ask("Page.printToPDF", displayHeaderFooter=False)["data"])
        open(folder + "/" + words[1], "wb").write(data)
        return words[1], len(data)
    name, page, width, colours = words[1:]
    c.ask("Emulation.setDeviceMetricsOverride", width=int(width), height=1800, deviceScaleFactor=0.25, mobile=False)
    c.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": colours}])
    c.go(page)
    data = base64.b64decode(c.ask("Page.captureScreenshot", format="png")["data"])
    open(folder + "/" + name + ".png", "wb").write(data)
    return (name,) + picture(data)


c = Chromium()
try:
    c.open_page()
    for line in sys.stdin:
        print(*do(c, line.split()), flush=True)
except Exception as e:
    print("%s: %s" % (type(e).__name__, e), file=sys.stderr)
    sys.exit(1)
finally:
    c.close()
