"""The Swift inspector: a process of the program `inspected`."""

import json
import subprocess
import time
import urllib.request


class Inspector:
    """A running program. `mode` is nothing, `empty`, or the path of a recording."""

    def __init__(self, program, mode=None):
        self.program, self.mode, self.process, self.url, self.port = program, mode, None, None, None

    def start(self):
        self.process = subprocess.Popen([self.program, *([str(self.mode)] if self.mode else [])], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        self.port = int(self.url.split(":")[2].split("/")[0])
        if self.mode is None:
            self.until(lambda calls: any(call["name"] == "GetItem" for call in calls))

    def get(self, path, headers=None):
        """The bytes of a path below the token."""
        with urllib.request.urlopen(urllib.request.Request(self.url + path, headers=headers or {})) as response:
            return response.read()

    def calls(self):
        return json.loads(self.get("calls"))["calls"]

    def call(self, name):
        """The last call of a name, with its bodies."""
        found = [call for call in self.calls() if call["name"] == name][-1]
        return json.loads(self.get(f"calls/{found['id']}"))

    def until(self, condition):
        end = time.monotonic() + 15
        while not condition(self.calls()):
            assert time.monotonic() < end, "not within 15 s"
            time.sleep(0.05)

    def stop(self):
        """Ends the program. The check fails if it does not end by itself, or with an error."""
        if self.process is None:
            return
        self.process.stdin.close()
        try:
            status = self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            self.process.stdout.close()
            self.process = None
        assert status == 0, f"the program ended with {status}"
