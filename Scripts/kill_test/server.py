"""The server whose log is the oracle."""
import os, re, signal, socket, threading, time

PATIENCE = 40  # seconds that anything here may take

TOKEN = b'{"access_token": "token-of-the-test", "token_type": "BearerToken", "issued_at": "4070908800000", "expires_in": "3600"}'
ACCEPTED = b'{"alert_id": "al_1", "status": "accepted"}'
ON_THE_WIRE = [
    "connected", "client hello", "handshake", "first byte", "mid-header", "header", "mid-body", "last byte", "holding",
    "partial answer line", "partial answer header", "partial answer body", "whole answer", "answer read"]


class Received:
    """One request to the trigger's route, by the bytes that came."""

    def __init__(self):
        self.data, self.whole, self.answered = b"", False, False

    def __str__(self):
        head, _, body = self.data.partition(b"\r\n\r\n")
        return f"{len(head)} bytes of header, {len(body)} of body, {'whole' if self.whole else 'partial'}, {'' if self.answered else 'not '}answered"


class Server:
    """Counts what reaches it and can kill its client at one point of the connection that carries the trigger."""

    def __init__(self, answer="202", tls=None):
        self.answer, self.tls = answer, tls
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        # Small buffers: a long body is still on its way when half of it has been read.
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
        self.port = self.listener.getsockname()[1]
        self.origin = f"{'https' if tls else 'http'}://{'localhost' if tls else '127.0.0.1'}:{self.port}"
        self.received, self.looked_up, self.gate = [], 0, None
        self.lock, self.threads = threading.Lock(), []
        self.aim(None)
        threading.Thread(target=self.accept, daemon=True).start()

    def aim(self, point):
        """The next process is killed at `point`; its pid is told by `shoot`."""
        self.point, self.victim, self.known, self.fired, self.connections = point, 0, threading.Event(), False, 0

    def shoot(self, pid):
        self.victim = pid
        self.known.set()

    def reach(self, point):
        if point == self.point and not self.fired:
            self.fired = True
            self.known.wait()
            os.kill(self.victim, signal.SIGKILL)

    def accept(self):
        listener = self.listener
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self.serve, args=(client,), daemon=True)
            with self.lock:
                self.threads.append(thread)
            thread.start()

    def reopen_after(self, processes):
        """Stops listening before the tokens are given, until the first of the processes has ended."""
        self.gate.wait(PATIENCE)
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        gate, self.gate = self.gate, None
        gate.wait(PATIENCE)
        while all(process.poll() is None for process in processes):
            time.sleep(0.001)
        self.listener = socket.create_server(("127.0.0.1", self.port), backlog=256)
        threading.Thread(target=self.accept, daemon=True).start()

    def settle(self):
        """Returns when all that has reached the machine was read: connections are accepted in their order."""
        with socket.create_connection(("127.0.0.1", self.port)) as probe:
            probe.sendall(b"?")
            probe.recv(1)
        with self.lock:
            threads, self.threads = self.threads, []
        for thread in threads:
            thread.join(PATIENCE)

    def close(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def serve(self, client):
        entry = None
        try:
            if client.recv(1, socket.MSG_PEEK) == b"?":
                client.sendall(b"!")
                return client.close()
            self.connections += 1
            carries = self.connections == 2  # the first asks for a token
            if carries:
                self.reach("connected")
            if self.tls:
                if carries:
                    self.reach("client hello")
                client = self.tls.wrap_socket(client, server_side=True)
                if carries:
                    self.reach("handshake")
            while True:
                entry = self.request(client, Received())
                if entry is None:
                    return
                entry = None
        except (OSError, ValueError):
            pass
        finally:
            client.close()

    def read(self, client, entry, count):
        """Up to `count` bytes more, written down before anything else; ends the connection's thread at its end."""
        more = client.recv(count)
        if not more:
            raise ValueError
        entry.data += more
        route = b"POST /v1/rem/trigger "
        if entry.data[:len(route)] == route[:len(entry.data)] and entry not in self.received:
            with self.lock:
                self.received.append(entry)
        return more

    def request(self, client, entry):
        self.read(client, entry, 12)  # tells the routes apart
        isTrigger = entry in self.received
        if isTrigger:
            self.reach("first byte")
        while b"\r\n\r\n" not in entry.data:
            self.read(client, entry, 64 if len(entry.data) < 76 else 1)
            if isTrigger and len(entry.data) >= 76:
                self.reach("mid-header")
        head, _, body = entry.data.partition(b"\r\n\r\n")
        length = int((re.search(rb"(?i)\r\ncontent-length: *(\d+)", head) or [0, 0])[1])
        if isTrigger:
            self.reach("header")
        while len(entry.data) - len(head) - 4 < length:
            seen = len(entry.data) - len(head) - 4
            self.read(client, entry, (length // 2 if seen < length // 2 else length) - seen)
            if isTrigger and len(entry.data) - len(head) - 4 < length:
                self.reach("mid-body")
        if not isTrigger:
            if head.startswith(b"POST /oauth/token"):
                if gate := self.gate:
                    gate.wait(PATIENCE)  # all have asked
                    gate.wait(PATIENCE)  # nobody listens any more
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(TOKEN) + TOKEN)
            else:
                self.looked_up += 1
                body = b'{"delivered": %s}' % (b"true" if any(entry.whole for entry in self.received) else b"false")
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            return entry
        entry.whole = True
        self.reach("last byte")
        if self.point == "holding":
            client.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
            self.reach("holding")
        self.give(client, entry)
        return entry

    def give(self, client, entry):
        status = {"202": b"202 Accepted", "chunked": b"202 Accepted", "404": b"404 Not Found", "503": b"503 Service Unavailable"}[self.answer]
        body = ACCEPTED if self.answer in ("202", "chunked") else b'{"detail": "of the test"}'
        if self.answer == "chunked":
            framing, body = b"Transfer-Encoding: chunked", b"".join(b"1\r\n%c\r\n" % byte for byte in body) + b"0\r\n\r\n"
        else:
            framing = b"Content-Length: %d" % len(body)
        head = b"HTTP/1.1 " + status + b"\r\nContent-Type: application/json\r\n" + framing + b"\r\n\r\n"
        parts = [("partial answer line", head[:10]), ("partial answer header", head[10:40]), ("", head[40:]),
                 ("partial answer body", body[:len(body) // 2]), ("whole answer", body[len(body) // 2:])]
        for point, part in parts:
            client.sendall(part)
            if point == "whole answer":
                entry.answered = True
            self.reach(point)
        if self.point == "answer read":
            client.recv(1)  # the client has taken the answer and closes
            self.reach("answer read")
