"""The most expensive requests all at once: what another client notices, and what memory is left."""

import itertools
import multiprocessing
import pickle
import random
import socket
import sys
import threading
import time

from seeds import Request

CLIENTS, SECONDS = 64, 20
SILENT = 300


def load(meter, found):
    """Whether another client's p99 stays under 50 ms and memory comes back to its start plus 10 %."""
    if not found.exists():
        sys.exit("make worst first: it finds the requests to send")
    costs = [(cost, request.route, request.bytes())
             for cost, request in pickle.loads(found.read_bytes()) if "/a/" not in request.path]
    costs.sort(reverse=True)
    neighbour(meter, 1)
    calm = neighbour(meter, 5)
    # Costly rules wait for each other in the background; so others send only what is answered on the event loops.
    expensive = [sent for cost, _, sent in costs if cost >= 1]
    quick = [sent for _, route, sent in costs if route != "POST /validate"][:10]
    p99 = attacked(meter, [expensive, quick], calm)
    back = silent(meter, [request.bytes().replace(b"Connection: close\r\n", b"") for request in large()])
    return p99 < 50 and back


def large():
    yield Request("GET /openapi.json", path="/openapi.json")
    yield Request("GET /prompts/{name}", path="/prompts/wide", headers=[("Accept", "text/html")])
    for prompt, field in (("email", "email"), ("wide", "f0")):
        yield Request("POST /prompts/{name}", "POST", f"/prompts/{prompt}", headers=[("Accept", "text/html")],
                      form=[("outcome", "ok"), (field, "'" * 16_000)])
    yield Request("POST /validate", "POST", "/validate", json={"rules": [{"rule": "email", "message": "m" * 15_000}] * 3, "value": ""})


def attacked(meter, requests, calm):
    """p99 of a client beside 64 that send the most expensive requests."""
    print(f"{CLIENTS} clients send {sum(map(len, requests))} expensive requests for {SECONDS} s")
    counts = multiprocessing.Queue()
    attacker = multiprocessing.Process(target=attack, args=[meter.server.port, requests, SECONDS + 2, counts])
    attacker.start()
    # Until all are there.
    time.sleep(1)
    times = neighbour(meter, SECONDS)
    sent = counts.get()
    attacker.join()
    print(f"they got {sum(sent.values()):,} answers: " + ", ".join(f"{count} × {status}" for status, count in sorted(sent.items())))
    for name, measured in (("beside nobody", calm), ("beside them", times)):
        print(f"another client {name}: {len(measured):,} verdicts, " + ", ".join(
            f"p{percent} {measured[min(len(measured) - 1, len(measured) * percent // 100)]:.2f} ms" for percent in (50, 90, 99, 100)))
    return times[len(times) * 99 // 100]


def neighbour(meter, seconds):
    """Sorted milliseconds of verdicts, asked for on one connection each 5 ms, and counted from then even if one before
    was late: otherwise a long wait would be one among thousands of short ones."""
    times, due = [], time.monotonic()
    end = due + seconds
    connection = meter.server.connection()
    while due < end:
        time.sleep(max(0, due - time.monotonic()))
        answer = meter.server.exchange("POST", "/validate/email", "email=ann%40example.com",
                                       {"Content-Type": "application/x-www-form-urlencoded"}, connection)
        assert answer.status == 200, answer.status
        times.append((time.monotonic() - due) * 1000)
        due += 0.005
    connection.close()
    return sorted(times)


def attack(port, requests, seconds, counts):
    """64 clients, alternately with one of the lists, each one request after the other, in any order; counts the statuses."""
    end, statuses, lock = time.monotonic() + seconds, {}, threading.Lock()

    def client(number):
        own = requests[number % len(requests)]
        for sent in itertools.cycle(random.Random(number).sample(own, len(own))):
            if time.monotonic() > end:
                return
            status = "none"
            try:
                with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
                    connection.sendall(sent)
                    status = connection.recv(1 << 16)[9:12].decode() or "closed"
                    while connection.recv(1 << 18):
                        pass
            except OSError:
                pass
            with lock:
                statuses[status] = statuses.get(status, 0) + 1

    threads = [threading.Thread(target=client, args=[number]) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts.put(statuses)


def silent(meter, requests):
    """Whether memory comes back to its start plus 10 % while 300 clients read nothing of large answers, many in a row: the
    kernel takes some of them."""
    # What is made once is there before.
    for sent in requests * 3:
        meter.send(sent.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
    start, highest = meter.resident(), 0
    clients = []
    for sent in itertools.islice(itertools.cycle(requests), SILENT):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", meter.server.port))
        client.setblocking(False)
        try:
            client.send(sent * 50)
        except BlockingIOError:
            pass
        clients.append(client)
    end = time.monotonic() + 90
    while True:
        now = meter.resident()
        highest = max(highest, now)
        # Not before all were taken in.
        back = now <= start * 1.1 and time.monotonic() > end - 80
        if back or time.monotonic() > end:
            break
        time.sleep(0.5)
    print(f"{SILENT} clients that never read: resident {start:,} KiB before, {highest:,} KiB at most, {now:,} KiB after "
          f"{90 - (end - time.monotonic()):.0f} s")
    for client in clients:
        client.close()
    return back
