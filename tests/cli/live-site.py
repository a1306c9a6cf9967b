#!/usr/bin/env python3
"""The two ends of a site, for the tests of varylive.  Loopback only.

    live-site.py origin FILE [VARY]        serve; the port goes to FILE; end with SIGTERM
    live-site.py visit PORT SEED N RATE URLS TSV    N requests, RATE a second

The origin's pages are fresh for URL-dependent times; their Vary is the story's.
Visitors come at random times, ask for pages by Zipf's law and have browsers as
often as TSV (weight, tab, User-Agent) says; the same SEED makes the same visits.
"""
import asyncio
import os
import random
import sys
import time

VARY = "Host,Accept-Encoding,User-Agent"


async def serve(reader, writer, vary):
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ", 2)[1].decode("latin-1")
            n = sum(path.encode())
            body = b"x" * (500 + 37 * (n % 400))
            answer = (
                "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n"
                "Cache-Control: max-age=%d\r\n%s\r\n"
                % (len(body), 2 + n % 4,
                   "Vary: %s\r\n" % vary if vary else ""))
            writer.write(answer.encode() + body)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def origin(file, vary):
    server = await asyncio.start_server(
        lambda r, w: serve(r, w, vary), "127.0.0.1", 0)
    with open(file + ".new", "w") as f:
        f.write("%d\n" % server.sockets[0].getsockname()[1])
    os.rename(file + ".new", file)
    async with server:
        await server.serve_forever()


async def visitor(queue, port, failed):
    reader = writer = None
    while True:
        request = await queue.get()
        if request is None:
            break
        try:
            if writer is None:
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            length = 0
            for line in head.split(b"\r\n"):
                if line.lower().startswith(b"content-length:"):
                    length = int(line[15:])
            await reader.readexactly(length)
            if b" 200 " not in head.split(b"\r\n", 1)[0]:
                failed.append(head)
        except (asyncio.IncompleteReadError, ConnectionError, OSError) as e:
            failed.append(e)
            reader = writer = None
    if writer is not None:
        writer.close()


async def visit(port, seed, n, rate, urls, tsv):
    rng = random.Random(seed)
    agents, weights = [], []
    with open(tsv) as f:
        for line in f:
            weight, agent = line.rstrip("\n").split("\t", 1)
            agents.append(agent)
            weights.append(float(weight))
    pages = ["/shop/%d/item" % i for i in range(urls)]
    zipf = [1 / (i + 1) for i in range(urls)]
    who = rng.choices(agents, weights, k=n)
    what = rng.choices(pages, zipf, k=n)
    queue, failed = asyncio.Queue(), []
    crowd = [asyncio.ensure_future(visitor(queue, port, failed))
             for _ in range(16)]
    start, at = time.monotonic(), 0.0
    for i in range(n):
        at += rng.expovariate(rate)
        wait = start + at - time.monotonic()
        if wait > 0:
            await asyncio.sleep(wait)
        queue.put_nowait((
            "GET %s HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: %s\r\n"
            "Accept-Encoding: gzip, deflate, br\r\n\r\n"
            % (what[i], who[i])).encode("latin-1"))
    for _ in crowd:
        queue.put_nowait(None)
    await asyncio.gather(*crowd)
    if failed:
        print("%d of %d requests failed: %s" % (len(failed), n, failed[0]),
              file=sys.stderr)
        return 1
    return 0


def main(argv):
    if len(argv) >= 3 and argv[1] == "origin":
        asyncio.run(origin(argv[2], argv[3] if len(argv) > 3 else VARY))
    elif len(argv) == 8 and argv[1] == "visit":
        return asyncio.run(visit(int(argv[2]), argv[3], int(argv[4]),
                                 float(argv[5]), int(argv[6]), argv[7]))
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
