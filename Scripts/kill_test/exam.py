"""All the kills, and what they came to."""
import argparse, collections, concurrent.futures, json, os, platform, random, re, ssl, subprocess, sys, tempfile, threading, time

from kill_test.room import Room, Violation
from kill_test.server import ON_THE_WIRE
from kill_test.tracer import ERRORS


class Certificates:
    """A root, and a certificate of `localhost` that it has signed."""

    def __init__(self, folder):
        key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        for words in (f"-keyout root.key -out root.pem -days 2 -subj /CN=root",
                      "-keyout own.key -out own.pem -CA root.pem -CAkey root.key -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"):
            subprocess.run(f"openssl req -x509 {key} {words}".split(), cwd=folder, check=True, stderr=subprocess.DEVNULL)
        self.root, self.context = f"{folder}/root.pem", ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(f"{folder}/own.pem", f"{folder}/own.key")


Outcome = collections.namedtuple("Outcome", "point killed received state violation told")
WORDS = ["delivered", "not-delivered", "authorise-retry"]


class Exam:
    def __init__(self, options, folder):
        self.options, self.folder, self.certificates = options, folder, Certificates(folder)

    def case(self, point, word, kill, **room):
        """One room from its kill to a state that lasts."""
        place, killed = Room(self.options.binary, **room), False
        try:
            named, code = kill(place)
            point, killed = named or point, code in (-9, 137)
            states, received = place.judge(code), len(place.server.received)
            place.go_on(word)
            return Outcome(point, killed, received, states[-1] if states else "nothing", None, place.told) if named is not None else None
        except Violation as violation:
            return Outcome(point, killed, len(place.server.received), "", f"{violation}", place.told + list(map(str, place.server.received)))
        finally:
            place.end(self.options.keep)

    # ── by the server ──

    def on_the_wire(self):
        for answer in ("202", "chunked", "404", "503"):
            for body in ("Baton", "B" * 300_000):
                for tls in (None, self.certificates):
                    for index, point in enumerate(ON_THE_WIRE):
                        if tls or point not in ("client hello", "handshake"):
                            word = WORDS[(index + len(answer) + len(body)) % 3]
                            kill = lambda room, point=point: (point, self.shot(room, point))
                            yield point, word, kill, dict(answer=answer, body=body, tls=tls)

    def shot(self, room, point):
        code = room.baton("run", "one.flow.yaml", point=point)[0]
        if code != -9 and point != "answer read":  # a client that has read it may be faster than the server
            raise Violation(f"not killed at {point}: {code}")
        return code

    # ── at each call ──

    def sweep(self, name, words, prepare=lambda room: None, **room):
        """Kills, and fails, every call of one command."""
        if not any(re.search(self.options.only, f"{name}, {action} at call {number}") for action in ("KILL", *ERRORS) for number in range(1, 400)):
            return  # nobody asks for it
        place = Room(self.options.binary, **room)
        try:
            prepare(place)
            report, _ = self.traced(place, 0, "KILL", words)
            count = len(report["calls"])
        finally:
            place.end(self.options.keep)
        actions = ["KILL"] + (["EIO", "ENOSPC"] if platform.machine() == "x86_64" else [])
        for number in range(1, count + 1, self.options.every):
            for index, action in enumerate(actions):
                def kill(place, number=number, action=action):
                    prepare(place)
                    place.fails = action != "KILL"
                    report, code = self.traced(place, number, action, words)
                    if words[0] not in ("run", "resume") and code == 0:
                        code = None  # it claims nothing of the request
                    return (f"{name}, {action} at {report['label']}" if report["label"] else None), code
                yield f"{name}, {action} at call {number}", WORDS[(number + index) % 3], kill, room

    def traced(self, room, number, action, words):
        report = f"{room.path}/report.json"
        words = [word if word != "RUN" else room.run_id() for word in words]
        code = room.baton(*words, under=(sys.executable, os.path.abspath(sys.argv[0]), "--trace", f"{number},{action},{report}"))[0]
        with open(report) as file:
            return json.load(file), code

    def held(self, room):
        self.shot(room, "holding")

    def doubted(self, room):
        self.held(room)
        room.expect("resume", room.run_id(), codes=(4,))

    def intended(self, room):
        """Killed as the connection of the emergency is made, before its first byte."""
        self.shot(room, "client hello")

    def sweeps(self):
        yield from self.sweep("run", ["run", "one.flow.yaml"])
        yield from self.sweep("resume of a doubt", ["resume", "RUN"], self.held)
        yield from self.sweep("resume of one cut off early", ["resume", "RUN"], self.intended, tls=self.certificates)
        yield from self.sweep("runs --unresolved", ["runs", "--unresolved"], self.held)
        for word in WORDS:
            yield from self.sweep(f"resolve --{word}", ["resolve", "RUN", f"--{word}", "--reason", "of the test"], self.doubted)
        yield from self.sweep("reconcile", ["resume", "RUN"], self.held, reconcile=True)
        yield from self.sweep("run, 503, reconcile", ["run", "one.flow.yaml"], answer="503", reconcile=True)

    # ── failpoints ──

    def has_no_failpoints(self):
        """What kills a debug build is not in this one: neither the name nor the effect."""
        with open(self.options.binary, "rb") as file:
            found = b"BATON_FAILPOINT" in file.read()
        names = [f"{change}.{moment}" for change in ("intend", "sent", "outcome") for moment in ("before", "written", "committing", "after")]
        killed = 0
        for name in names:
            room = Room(self.options.binary)
            killed += room.baton("run", "one.flow.yaml", BATON_FAILPOINT=name)[0] != 0
            room.end(self.options.keep)
        print(f"failpoints: {killed} of {len(names)} act, the name is {'' if found else 'not '}in the binary", flush=True)
        return not found and killed == 0

    # ── races ──

    def race(self, count, refused):
        """So many processes under one key; with `refused`, nobody listens when the first has its token."""
        room, server = Room(self.options.binary), None
        server = room.server
        try:
            if refused:
                server.gate = threading.Barrier(count + 1)
            processes = [subprocess.Popen([room.binary, "run", "one.flow.yaml"], cwd=room.path, env=room.environment(),
                                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(count)]
            if refused:
                server.reopen_after(processes)
            ends = [(process.communicate(timeout=120)[0].decode(), process.returncode) for process in processes]
            server.settle()
            codes = collections.Counter(code for _, code in ends)
            replayed = sum(code == 0 and "replayed" in output for output, code in ends)
            states = room.judge(0 if codes[0] else 1)
            fits = codes[0] == count and replayed == count - 1 and len(server.received) == 1
            if refused:
                fits = len(server.received) <= 1 and set(codes) <= {0, 3, 4} and replayed == max(codes[0] - 1, 0)
            print(f"{count} processes{', the first refused' if refused else ''}: received {len(server.received)}, exits {dict(codes)}, "
                  f"replayed {replayed}, attempts {dict(collections.Counter(states))}{'' if fits else '  VIOLATION'}", flush=True)
            return fits
        finally:
            room.end(self.options.keep)


def main():
    parser = argparse.ArgumentParser(description="Kills Baton at every point of an emergency and asks a server of its own what came of it.")
    parser.add_argument("binary", metavar="BATON", type=os.path.realpath)
    parser.add_argument("--only", default="", help="the points whose name this pattern is found in")
    parser.add_argument("--every", type=int, default=1, help="every Nth call alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, help="as many cases as fit in so long, in an order of chance")
    parser.add_argument("--keep", action="store_true", help="leave what each case wrote in the temporary folder")
    options = parser.parse_args()
    began, table, violations = time.monotonic(), {}, 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        exam = Exam(options, folder)
        cases = [case for part in (exam.on_the_wire(), exam.sweeps()) for case in part if re.search(options.only, case[0])]
        if options.seconds:
            random.Random(len(cases)).shuffle(cases)

        def examined(case):
            is_late = options.seconds and time.monotonic() - began > options.seconds
            return None if is_late else exam.case(*case[:3], **case[3])

        print(f"{len(cases)} cases", flush=True)
        for outcome in pool.map(examined, cases):
            if outcome is None:
                continue
            if outcome.violation:
                violations += 1
                print(f"VIOLATION at {outcome.point}: {outcome.violation}", *outcome.told, sep="\n  ", flush=True)
            row = table.setdefault(outcome.point, [0, 0, [0, 0], collections.Counter()])
            row[0] += 1
            row[1] += outcome.killed
            row[2][min(outcome.received, 1)] += 1
            row[3][outcome.state] += 1
        print(f"{'point':<64} cases kills  rec. 0/1  found")
        for point, (count, kills, received, states) in sorted(table.items()):
            print(f"{point:<64} {count:>5} {kills:>5} {received[0]:>5}/{received[1]:<4} {', '.join(f'{s} {n}' for s, n in states.most_common())}")
        print(f"{sum(row[0] for row in table.values())} cases, {sum(row[1] for row in table.values())} kills, {violations} violations, "
              f"{time.monotonic() - began:.0f} s", flush=True)
        if not options.only:
            violations += not exam.has_no_failpoints()
            violations += not exam.race(50, refused=False)
            violations += not exam.race(20, refused=True)
    sys.exit(1 if violations else 0)
