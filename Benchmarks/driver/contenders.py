"""The clients that are compared, and how each one is started."""

import pathlib
import platform
import shutil
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent
ALL = {"1k", "json", "100k", "1g", "upload", "cached", "graphql", "events"}
# The clients that do not cache are compared with a response from the server.
PEERS = ALL - {"cached"}
# A program in C over libcurl that does what a client does, and the same as libcurl is: with its default buffers, without bodies and codings.
BASELINE, PLAIN_CURL = "libcurl in C", "libcurl in C, default settings"
BARE, STANDARD, FOUNDATION = "Martlet", "Martlet, standard interceptors", "Martlet, Foundation's JSONDecoder"
BARE_ON_EXECUTOR, STANDARD_ON_EXECUTOR = "Martlet, on its executor", "Martlet, standard interceptors, on its executor"
WIRE, WIRE_ON_EXECUTOR, WIRE_STANDARD = "MartletWire", "MartletWire, on its executor", "MartletWire, standard interceptors"
READING, WIRE_READING = "Martlet, types that read themselves", "MartletWire, types that read themselves"
PEER = "AsyncHTTPClient"


class Contender:
    """A client: its name, its command, and the works and protocols that it can do."""

    def __init__(self, name, command, works, protocols=("http", "tls", "h2"), most_in_flight=5_000):
        self.name, self.command, self.works, self.protocols, self.most_in_flight = name, command, works, protocols, most_in_flight
        self.caches = works == {"cached"}
        self.is_wrk = command[0].endswith("wrk")
        # Whether it makes a given number of calls, which valgrind can count.
        self.counts_calls = not self.is_wrk and command[0] not in ("node", sys.executable)

    def can_do(self, cell):
        # wrk opens its connections within the measured time, and 1,000 handshakes of TLS leave none of it for requests.
        opens_too_many = self.is_wrk and cell.protocol == "tls" and cell.in_flight > 64
        return cell.work in self.works and cell.protocol in self.protocols and cell.in_flight <= self.most_in_flight and not opens_too_many

    def arguments(self, cell, origin, seconds):
        if self.is_wrk:
            script = ["--script", str(FOLDER / "peers" / f"{cell.work}.lua")] if cell.work in ("upload", "graphql") else []
            return self.command + [
                "--threads", "1", "--connections", str(cell.in_flight), "--duration", f"{max(1, round(seconds))}s", "--timeout", "60s", *script,
                f"{origin}/{cell.work}"]
        return self.command + [cell.work, origin, str(cell.in_flight), str(seconds)]


def found(folder):
    """Builds or finds the clients. Returns them, and the reasons why others are missing."""
    contenders, missing = [], {}
    swift = ["swift", "build", "--configuration", "release", "--package-path", str(FOLDER)]
    subprocess.run([*swift, "--product", "contender"], check=True)
    binary = pathlib.Path(subprocess.run([*swift, "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()) / "contender"
    contenders += [
        Contender(BARE, [str(binary), "martlet"], PEERS),
        Contender(STANDARD, [str(binary), "standard"], {"1k", "json", "100k", "upload", "graphql"}),
        Contender(BARE_ON_EXECUTOR, [str(binary), "martlet-executor"], {"1k", "100k"}, ("http",)),
        Contender(STANDARD_ON_EXECUTOR, [str(binary), "standard-executor"], {"1k", "100k"}, ("http",)),
        Contender(WIRE, [str(binary), "wire"], PEERS, ("http",)),
        Contender(WIRE_ON_EXECUTOR, [str(binary), "wire-executor"], {"1k", "100k"}, ("http",)),
        Contender(WIRE_STANDARD, [str(binary), "wire-standard"], {"1k", "json", "100k", "upload", "graphql"}, ("http",)),
        Contender(READING, [str(binary), "reading"], {"json", "graphql"}),
        Contender(WIRE_READING, [str(binary), "wire-reading"], {"json", "graphql"}, ("http",)),
        Contender(FOUNDATION, [str(binary), "foundation"], {"json"}),
        Contender("Martlet, memory cache", [str(binary), "cache"], {"cached"}),
        # On Linux, URLSession cannot be told to trust a certificate, so there are no figures over TLS.
        Contender("URLSession", [str(binary), "urlsession"], {"1k", "json", "100k", "upload", "graphql"}, ("http",)),
    ]
    peers = built_peers()
    over_session = {"1k", "json", "100k", "upload", "graphql"}
    if isinstance(peers, str):
        missing.update({name: peers for name in (PEER, "Alamofire", "Get")})
    else:
        contenders += [
            Contender(PEER, [str(peers), "async-http-client"], PEERS - {"events"}),
            Contender("Alamofire", [str(peers), "alamofire"], over_session, ("http",)),
            Contender("Get", [str(peers), "get"], over_session, ("http",)),
        ]
    curl = built_curl(folder)
    if isinstance(curl, str):
        missing[BASELINE] = curl
    else:
        contenders += [Contender(BASELINE, [str(curl), "alike"], ALL), Contender(PLAIN_CURL, [str(curl), "plain"], ALL)]
    if shutil.which("wrk"):
        # It reads one body at a time, and a run shorter than a body has no result.
        contenders.append(Contender("wrk", [shutil.which("wrk")], PEERS - {"1g", "events"}, ("http", "tls")))
    else:
        missing["wrk"] = "not installed"
    if shutil.which("node"):
        contenders.append(Contender("Node, fetch", ["node", str(FOLDER / "peers" / "fetch.mjs")], PEERS, ("http", "tls")))
    else:
        missing["Node, fetch"] = "not installed"
    script = str(FOLDER / "peers" / "asynchronous.py")
    # With 5,000 calls in flight, httpx looks through all waiting calls for each response, and a call takes more than a minute.
    for name, protocols, most_in_flight in (("httpx", ("http", "tls", "h2"), 1_000), ("aiohttp", ("http", "tls"), 5_000)):
        wanted = "import httpx, h2" if name == "httpx" else "import aiohttp"
        if subprocess.run([sys.executable, "-c", wanted], capture_output=True).returncode == 0:
            contenders.append(Contender(f"Python, {name}", [sys.executable, script, name], PEERS, protocols, most_in_flight))
        else:
            missing[f"Python, {name}"] = f"not installed for Python {platform.python_version()}"
    return contenders, missing


def built_peers():
    """The path of the program with the libraries of others, or the reason why there is none."""
    package = str(FOLDER / "peers" / "swift")
    try:
        subprocess.run(
            ["swift", "package", "--package-path", package, "resolve"], check=True, capture_output=True, text=True, timeout=600)
    except subprocess.SubprocessError as error:
        lines = (getattr(error, "stderr", None) or str(error)).strip().split("\n")
        return f"its sources cannot be fetched here ({lines[0].strip()[:120]})"
    swift = ["swift", "build", "--configuration", "release", "--package-path", package]
    subprocess.run([*swift, "--product", "peer"], check=True)
    return pathlib.Path(subprocess.run([*swift, "--show-bin-path"], check=True, capture_output=True, text=True).stdout.strip()) / "peer"


def built_curl(folder):
    """The path of the program over libcurl, or the reason why there is none."""
    program = folder / "curl"
    try:
        result = subprocess.run(
            ["cc", "-O2", "-o", program, "curl.c", "-lcurl"], capture_output=True, text=True, cwd=FOLDER / "peers")
    except FileNotFoundError:
        return "no C compiler"
    return program if result.returncode == 0 else "cannot be built (Debian: libcurl4-openssl-dev): " + result.stderr.strip().split("\n")[0]
