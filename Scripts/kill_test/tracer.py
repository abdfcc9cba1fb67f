"""Kills a process before its Nth system call, or makes that call fail."""
import ctypes, json, os, platform, re, signal, struct

# `strace -e inject=…:when=N` counts for each thread by itself, so that a commit of the second thread is never reached
# before the first one's. This counts over all threads.

CALLS = {
    "x86_64": {0: "read", 1: "write", 3: "close", 17: "pread64", 18: "pwrite64", 41: "socket", 42: "connect", 44: "sendto", 45: "recvfrom",
               46: "sendmsg", 47: "recvmsg", 74: "fsync", 75: "fdatasync", 77: "ftruncate", 87: "unlink", 257: "openat", 263: "unlinkat"},
    "aarch64": {57: "close", 63: "read", 64: "write", 67: "pread64", 68: "pwrite64", 198: "socket", 203: "connect", 206: "sendto",
                207: "recvfrom", 211: "sendmsg", 212: "recvmsg", 82: "fsync", 83: "fdatasync", 46: "ftruncate", 56: "openat", 35: "unlinkat"}}
ERRORS = {"EIO": 5, "ENOSPC": 28}
ON_PATHS = {"openat": 1, "unlinkat": 1, "unlink": 0}


class Tracer:
    """Runs a command and, at the Nth of the calls in question, kills it before the call or makes the call fail."""

    def __init__(self, number, action, words):
        self.number, self.action, self.words, self.count = number, action, words, 0
        self.names, self.files, self.label, self.calls = CALLS[platform.machine()], {}, None, []
        self.pending, self.counts = {}, False
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        self.libc.ptrace.restype = ctypes.c_long

    def ptrace(self, request, pid, address=0, data=0):
        return self.libc.ptrace(request, pid, address, data)

    def run(self):
        child = os.fork()
        if child == 0:
            self.ptrace(0, 0)  # PTRACE_TRACEME
            os.kill(os.getpid(), signal.SIGSTOP)
            os.execv(self.words[0], self.words)
        os.waitpid(child, 0)
        # PTRACE_SETOPTIONS: TRACESYSGOOD, TRACEFORK, TRACEVFORK, TRACECLONE, TRACEEXEC, EXITKILL
        self.ptrace(0x4200, child, 0, 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x100000)
        self.ptrace(24, child)
        while True:
            thread, status = os.waitpid(-1, 0x40000000)  # __WALL
            if os.WIFEXITED(status) or os.WIFSIGNALED(status):
                if thread == child:
                    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
                continue
            number, deliver = os.WSTOPSIG(status), 0
            if number == signal.SIGTRAP | 0x80:
                self.stopped(child, thread)
            elif not status >> 16 and number not in (signal.SIGTRAP, signal.SIGSTOP):
                deliver = number
            self.ptrace(24, thread, 0, deliver)  # PTRACE_SYSCALL

    def stopped(self, child, thread):
        info = ctypes.create_string_buffer(88)
        if self.ptrace(0x420E, thread, 88, ctypes.addressof(info)) < 0:  # PTRACE_GET_SYSCALL_INFO
            return
        if info.raw[0] == 1:
            call, *arguments = struct.unpack_from("<7Q", info.raw, 24)
            self.entered(child, thread, self.names.get(call), arguments)
        elif info.raw[0] == 2 and thread in self.pending:
            name, path, fails = self.pending.pop(thread)
            if fails:
                self.ptrace(6, thread, 10 * 8, -ERRORS[self.action])  # PTRACE_POKEUSER: rax
            elif name in ("openat", "socket"):
                self.files[struct.unpack_from("<q", info.raw, 24)[0]] = path

    def entered(self, child, thread, name, arguments):
        if name == "close":
            self.files.pop(arguments[0], None)
        if name is None or name == "close":
            return
        path = self.text(thread, arguments[ON_PATHS[name]]) if name in ON_PATHS else self.files.get(arguments[0], "")
        # Before that the system loads libraries.
        self.counts = self.counts or path.endswith(".flow.yaml") or bool(re.search("/baton-kill-[^/]*/(state|ledger)", path))
        fails = False
        if self.counts and self.is_asked(name, path):
            self.count += 1
            self.calls.append(f"{name} {self.called(path)}")
            if self.count == self.number:
                self.label = self.calls[-1]
                if self.action == "KILL":
                    os.kill(child, signal.SIGKILL)
                else:
                    fails = self.ptrace(6, thread, 15 * 8, -1) == 0  # orig_rax: no such call is made
        self.pending[thread] = (name, "socket" if name == "socket" else path, fails)

    def is_asked(self, name, path):
        """A library that is loaded is no record and nothing that is sent; a process' own socket pairs do not fail."""
        if self.action != "KILL" and name in ("sendto", "recvfrom") and not path:
            return False
        return name != "openat" and not re.search(r"\.so(\.|$)|^/(proc|sys|etc|usr)/", path)

    def called(self, path):
        name = os.path.basename(path)
        return re.sub("^baton-kill-.*", "the folder", name) or "a stream"

    def text(self, thread, address):
        bytes_ = b""
        while b"\0" not in bytes_ and len(bytes_) < 4096:
            ctypes.set_errno(0)
            word = self.ptrace(2, thread, address + len(bytes_))  # PTRACE_PEEKDATA
            if ctypes.get_errno():
                break
            bytes_ += struct.pack("<q", word)
        return bytes_.split(b"\0")[0].decode(errors="replace")


def trace(specification, words):
    """The script's own second life: what was reached goes to file descriptor 2 of nobody's, a file."""
    number, action, report = specification.split(",", 2)
    tracer = Tracer(int(number), action, words)
    code = tracer.run()
    with open(report, "w") as file:
        json.dump({"label": tracer.label, "calls": tracer.calls, "code": code}, file)
    os._exit(code if code >= 0 else 128 - code)
