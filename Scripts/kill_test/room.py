"""One emergency with a ledger, a journal and a server of its own, and what must hold of it."""
import json, os, shutil, sqlite3, subprocess, tempfile

from kill_test.server import PATIENCE, Server


class Violation(Exception):
    pass


class Room:
    def __init__(self, binary, body="Baton", answer="202", tls=None, reconcile=False):
        self.binary, self.path = binary, tempfile.mkdtemp(prefix="baton-kill-")
        self.server = Server(answer, tls and tls.context)
        self.told, self.fails = [], False
        if tls:
            shutil.copy(tls.root, f"{self.path}/root.pem")
        self.look_up = "" if not reconcile else f"""
    reconcile:
      steps:
        - id: look
          get: {self.server.origin}/alerts/1
          outputs: {{ delivered: {{ value: "${{{{ response.body.delivered }}}}", type: boolean }} }}
      delivered: steps.look.outputs.delivered"""
        with open(f"{self.path}/one.flow.yaml", "w") as file:
            file.write(f"""connections:
  rapidsos: {{ base_url: "{self.server.origin}", client_id: an-id, client_secret: a-secret{', tls: { ca: root.pem }' if tls else ''} }}
steps:
  - id: trigger
    uses: rapidsos/trigger-call-flow
    dedupe_key: incident-1{self.look_up}
    with:
      call_flow: kronos_contacts
      variables:
        location: {{ latitude: 42.6526, longitude: -73.7562, uncertainty: 12 }}
        user: {{ full_name: Dana Reyes, phone_number: (234) 567-8888 }}
        company: {body}
""")

    def end(self, keep):
        self.server.close()
        if not keep:
            shutil.rmtree(self.path)

    def environment(self):
        return {"PATH": "/usr/bin:/bin", "HOME": self.path, "BATON_STATE_DIR": f"{self.path}/state", "BATON_TRIGGER_DIR": f"{self.path}/ledger"}

    def baton(self, *words, point=None, under=(), **variables):
        """Runs a command to its end: its exit code, minus the signal that ended it, and what it printed."""
        self.server.aim(point)
        process = subprocess.Popen(
            [*under, self.binary, *words], cwd=self.path, env=self.environment() | variables, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.server.shoot(process.pid)
        try:
            output, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Violation(f"`baton {' '.join(words)}` hangs")
        self.server.settle()
        self.told.append(f"baton {' '.join(words)}: {process.returncode}, received {len(self.server.received)}, {self.states()}")
        return process.returncode, output.decode(), errors.decode()

    def states(self):
        """The ledger's attempts, oldest first, read from a copy: what a power cut would leave is recovered there."""
        if not os.path.exists(f"{self.path}/ledger/triggers.db"):
            return []
        with tempfile.TemporaryDirectory() as copy:
            for name in os.listdir(f"{self.path}/ledger"):
                shutil.copy(f"{self.path}/ledger/{name}", copy)
            database = sqlite3.connect(f"{copy}/triggers.db")
            try:
                return [state + ("+retry" if retry else "") for state, retry in database.execute(
                    "SELECT (SELECT state FROM transition WHERE attempt = a.id ORDER BY sequence DESC LIMIT 1),"
                    " EXISTS(SELECT 1 FROM authorisation WHERE attempt = a.id) FROM attempt AS a ORDER BY a.id")]
            except sqlite3.OperationalError as error:
                if "no such table" in str(error):  # killed while the file was made
                    return []
                raise
            finally:
                database.close()

    def run_id(self):
        """The run that intended the key; else the latest that the journal has."""
        listed = json.loads(self.expect("runs", "--json")[1])["runs"]
        return listed[-1]["run"] if listed else None

    # ── the oracle ──

    def expect(self, *words, codes=(0,)):
        result = self.baton(*words)
        if result[0] not in codes:
            raise Violation(f"`baton {' '.join(words)}` exits {result[0]}: {result[1][-600:]}{result[2][-600:]}")
        return result

    def judge(self, code):
        """What must hold after every command, whatever became of it."""
        states, received = self.states(), self.server.received
        may_have_left = [state for state in states if state not in ("intended", "not_sent")]
        acted = sum(state == "acknowledged" for state in states)
        if len(received) > len(may_have_left):
            raise Violation(f"{len(received)} requests came, and the ledger says {states}")
        if sum(entry.whole for entry in received) < acted:
            raise Violation(f"the ledger says {states}, and {len(received)} requests came: {', '.join(map(str, received))}")
        if code == 0 and not any(state in ("acknowledged", "resolved_delivered") for state in states):
            raise Violation(f"success, and the ledger says {states}")
        return states

    def open_now(self):
        """`runs --unresolved` lists what is open, and says so by its exit code; None: the ledger knows and the run does not."""
        code, output, _ = self.expect("runs", "--unresolved", "--json", codes=(0, 1))
        listed, states = json.loads(output), self.states()
        is_open = any(state in ("sent", "unknown") for state in states)
        # Where the journal of runs could not be written, a run may be in doubt of what the ledger knows.
        doubts = self.fails and bool(listed["runs"])
        if (code == 1) != (is_open or doubts) or bool(listed["triggers"]) != is_open:
            raise Violation(f"`runs --unresolved` exits {code} and lists {len(listed['triggers'])} triggers; the ledger says {states}")
        return None if code == 1 and not is_open else is_open

    def go_on(self, word):
        """From whatever a kill has left to a state that lasts; `word` settles a doubt."""
        self.open_now()
        run, before = self.run_id(), len(self.server.received)
        if run:
            code = self.baton("resume", run)[0]
            states = self.judge(code)
            if code not in (0, 1, 2, 3, 4) or any(state in ("sent", "intended") for state in states):
                raise Violation(f"`resume` exits {code} and leaves {states}")
            if self.open_now() is None:
                done = states[-1] in ("acknowledged", "resolved_delivered")
                self.expect("resolve", run, "--delivered" if done else "--not-delivered", "--reason", "as the ledger has it")
                self.judge(self.baton("resume", run)[0])
            before = len(self.server.received)
            again = self.baton("resume", run)[0]
            settled = [state for state in states if state in ("acknowledged", "unknown", "resolved_delivered")]
            if settled and len(self.server.received) != before:
                raise Violation("the second `resume` sends")
            if self.judge(again) and settled and (again == 0) != (settled[-1] != "unknown"):
                raise Violation(f"the second `resume` exits {again}: {settled}")
        self.repeat()
        if self.states() and self.states()[-1] == "unknown":
            self.settle_doubt(word)

    def repeat(self):
        """A second run of the same key."""
        before, states = len(self.server.received), self.states()
        code, output, errors = self.baton("run", "one.flow.yaml")
        now = self.judge(code)
        if any(state in ("acknowledged", "resolved_delivered") for state in states):
            if code != 0 or "replayed" not in output or len(self.server.received) != before:
                raise Violation(f"a second run exits {code} after {states} and sends {len(self.server.received) - before}")
        elif any(state in ("sent", "unknown") for state in states):
            if len(self.server.received) != before and not self.look_up:
                raise Violation(f"a second run sends after {states}")
            if code != 4 and not self.look_up:
                raise Violation(f"a second run exits {code} after {states}")
        elif len(self.server.received) != before + 1 or now[-1] in ("intended", "sent"):
            raise Violation(f"a second run exits {code} after {states} and ends in {now}: {output}{errors}")

    def settle_doubt(self, word):
        code, output, _ = self.expect("runs", "--unresolved", "--json", codes=(1,))
        run = json.loads(output)["triggers"][0]["run"]
        before = len(self.server.received)
        self.expect("resolve", run, f"--{word}", "--reason", "of the test")
        self.after_word(word, run, before)

    def after_word(self, word, run, before):
        """An operator's word lets one more request leave, or none."""
        if self.open_now():
            raise Violation("settled, and still open")
        code = self.baton("resume", run)[0]
        states = self.judge(code)
        allowed = before + (word != "delivered")
        if self.server.answer in ("202", "chunked") and code != 0:
            raise Violation(f"`resume` exits {code} after `resolve --{word}`: {states}")
        if len(self.server.received) > allowed:
            raise Violation(f"{len(self.server.received) - before} requests after `resolve --{word}`")
        self.baton("resume", run)
        if len(self.server.received) > allowed:
            raise Violation(f"the second `resume` sends after `resolve --{word}`")
