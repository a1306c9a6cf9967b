# SPDX-License-Identifier: BSD-2-Clause
# The origin of tests/bench/hostile: which Vary (and availability hint) an answer
# has is said by the number in the path, /vN/...  Listens on a free port of
# 127.0.0.1, says "port N", ends with its stdin.
import asyncio
import re
import sys

names = b", ".join(b"X-%d" % i for i in range(70))
ODD = [
    b"",
    b"Vary: Accept-Encoding",
    b"Vary: Host,Accept-Encoding,User-Agent",
    b"Vary: Accept-Language, Accept, Cookie",
    b"Vary: Accept-Language\r\nVary: Accept\r\nVary: accept-language",
    b"Vary: Origin\r\n" * 19 + b"Vary: Origin",
    b"Vary: *",
    b"Vary: *, *",
    b"Vary: , *",
    b"Vary: Accept, *",
    b"Vary:\r\nVary: *",
    b"Vary:",
    b"Vary: ,,,",
    b"Vary: , Accept,, Cookie ,,",
    b'Vary: "Accept"',
    b"Vary: Accept;q=1",
    b"Vary: Accept Cookie",
    b"Vary: Accept:",
    b"Vary: \xc3\xa4, Accept",
    b"Vary: \x80\xff",
    b"Vary: " + names,
    b"Vary: " + b"a" * 127,
    b"Vary: " + b"a" * 128,
    b"Vary: " + b"," * 3000,
    b"Vary: " + b"Cookie," * 500,
    b"Vary: Accept, Prefer, Range, If-None-Match, TE",
    b"Vary: Accept, Content-Type, Authorization",
    b"Vary: X-Device, X-Group, RSC, DPR, Sec-CH-UA, X-Feature",
    b"Vary: User-Agent, X-Other",
    b"Vary: X-Varykit-Vary, Vary\r\nX-Varykit-Vary: Cookie",
    b"X-Varykit-Vary: *",
    b"Vary: Accept-Language\r\nAvail-Language: fr, en;d, de",
    b"Vary: Accept-Language\r\nAvail-Language: fr, (en\r\nAvail-Language: de",
    b"Vary: Cookie\r\nCookie-Indices: \"session\", \"lang\"",
    b"Vary: Accept\r\nAvail-Format: image/avif;d, image/webp;d",
    b"Vary: Accept\r\nAvail-Format: " + b"a/b, " * 700,
    b"Vary: Accept-Encoding\r\nAvail-Encoding: br, \x80",
    b"Vary: Accept\r\nTransfer-Encoding: nonsense",
    b"Vary: Cookie\r\nVary: " + b"\t" * 2000 + b"Accept",
    b"Vary: X-A\r\nX-Many: 1" + b"\r\nX-Many: 1" * 40,
]


class Origin(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.got = transport, b""

    def data_received(self, data):
        self.got += data
        while b"\r\n\r\n" in self.got:
            head, self.got = self.got.split(b"\r\n\r\n", 1)
            m = re.match(rb"\S+ /v(\d+)/", head)
            odd = ODD[int(m.group(1)) % len(ODD)] if m else b""
            body = odd[:1000]
            self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n%s%s\r\n%s" % (
                len(body), odd, b"\r\n" if odd else b"", body))


async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Origin, "127.0.0.1", 0, backlog=512)
    print("port", server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)

asyncio.run(main())
