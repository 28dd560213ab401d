"""Searches for the most expensive single request of every route: `make worst MINUTES=60 SEED=1`.

Begins with requests that are known to be expensive, and goes on with changes of the most expensive so far, for each route and each of
three measures: CPU time, bytes sent back, memory at the peak. Prints them as a table and writes each, as sent, to
.build/worst. Exit code 1 if a request costs more than it may: 50 ms of CPU for a stranger's rules, 200 ms for a form of an
operator's prompt, 64 KiB sent back where it is no document, file or page. `make worst LOAD=1` sends them all at once.
"""

import argparse
import pickle
import random
import signal
import sys
import time

from load import load
from meter import Meter
from mutation import mutate
from seeds import BODY_LIMIT, FORM, FORM_BODY_LIMIT, ROUTES, seeds
from Support.command import ROOT

FOLDER = ROOT / ".build" / "worst"
MEASURES = ("milliseconds", "bytes", "memory")
# How many of the most expensive requests of a route and a measure are changed further.
BEST = 8


class Search:
    def __init__(self, meter, seed):
        self.meter, self.random = meter, random.Random(seed)
        self.best = {(route, measure): [] for route in ROUTES for measure in MEASURES}
        self.requests = {route: [] for route in ROUTES}
        self.count = 0

    def consider(self, request):
        limit = FORM_BODY_LIMIT if ROUTES[request.route][0] == FORM else BODY_LIMIT
        if len(request.body()) > limit:
            return
        cost = self.meter.measure(request)
        self.count += 1
        if self.meter.server.process.poll() is not None:
            self.write("crash", request)
            sys.exit(f"the server ended; the request is {FOLDER}/crash")
        if not cost:
            return
        if any(self.ranks(request, cost, measure) for measure in MEASURES):
            # Other work on the machine makes things dearer, and what is done once in a process is not this request's.
            for again in (self.meter.measure(request) for _ in range(2)):
                if again:
                    cost.milliseconds = min(cost.milliseconds, again.milliseconds)
                    cost.memory = min(cost.memory, again.memory)
        for measure in MEASURES:
            if self.ranks(request, cost, measure):
                best = self.best[request.route, measure]
                best.append((getattr(cost, measure), self.count, cost, request))
                best.sort(reverse=True, key=lambda entry: entry[:2])
                del best[BEST:]

    def ranks(self, request, cost, measure):
        best = self.best[request.route, measure]
        return len(best) < BEST or getattr(cost, measure) > best[-1][0]

    def run(self, minutes):
        end = time.monotonic() + minutes * 60
        started = seeds()
        self.random.shuffle(started)
        for request in started:
            self.requests[request.route].append(request)
            self.consider(request)
        print(f"{self.count} seeds; {(end - time.monotonic()) / 60:.1f} minutes are left", flush=True)
        told, next_save = {}, 0
        # Where bodies are judged there is more to find than in heads.
        routes = [route for route in ROUTES for _ in range(30 if route == "POST /validate" else 6 if route.startswith("POST") else 1)]
        while time.monotonic() < end:
            route = self.random.choice(routes)
            best = self.best[route, self.random.choice(MEASURES[:2] + MEASURES[:1] * 3 + MEASURES[2:])]
            parents = [entry[3] for entry in best] if self.random.random() < 0.8 else self.requests[route]
            if parents:
                self.consider(mutate(self.random, self.random.choice(parents), self.requests[route]))
            for (route, measure), best in self.best.items():
                if best and best[0][0] > told.get((route, measure), 0) * 1.1 and best[0][2].exceeds(*ROUTES[route]):
                    told[route, measure] = best[0][0]
                    print(f"{route}: {best[0][2]} {short(best[0][3])}", flush=True)
            if time.monotonic() > next_save:
                next_save = time.monotonic() + 30
                self.save()
        self.save()

    def write(self, name, request):
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_bytes(request.bytes("{token}"))

    def save(self):
        for (route, measure), best in self.best.items():
            if best:
                self.write("".join(letter if letter.isalnum() else "-" for letter in f"{route} {measure}"), best[0][3])
        (FOLDER / "best.pickle").write_bytes(pickle.dumps(
            [(entry[2].milliseconds, entry[3]) for route in ROUTES for measure in MEASURES for entry in self.best[route, measure][:3]]))

    def table(self):
        """A line for each route, and whether all keep to the limits."""
        print("\n| route | CPU, ms | sent back, bytes | memory, KiB | the most expensive in CPU |\n|---|--:|--:|--:|---|")
        keeps = True
        for route, limits in ROUTES.items():
            firsts = [self.best[route, measure][0] for measure in MEASURES if self.best[route, measure]]
            if not firsts:
                continue
            exceeded = any(first[2].exceeds(*limits) for first in firsts)
            keeps = keeps and not exceeded
            cpu, sent, memory = (first[0] for first in firsts)
            print(f"| `{route}` | {cpu:.1f} | {sent:,} | {memory:,} | {'**over the limit** ' if exceeded else ''}{short(firsts[0][3])} |")
        return keeps


def short(request):
    """A request in one line."""
    body = request.body()
    parts = [request.method, (request.path + "?" + request.query if request.query else request.path)[:60]]
    parts += [f"{name}: {value[:40]} ({len(value)})" for name, value in request.headers]
    if body:
        parts.append(f"{body[:120].decode(errors='replace')} ({len(body)} bytes)")
    return "`" + " ".join(parts).replace("`", "'").replace("|", "¦").replace("\n", " ").replace("\r", " ") + "`"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--load", action="store_true")
    options = parser.parse_args()
    # Ended from outside, it ends its server too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with Meter() as meter:
        if options.load:
            sys.exit(0 if load(meter, FOLDER / "best.pickle") else 1)
        search = Search(meter, options.seed)
        search.run(options.minutes)
        keeps = search.table()
        print(f"\n{search.count:,} requests; seed {options.seed}; they are in {FOLDER}")
    sys.exit(0 if keeps else 1)


if __name__ == "__main__":
    main()
