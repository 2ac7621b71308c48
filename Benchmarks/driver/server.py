"""nginx on loopback, which serves the works of all cells over http, TLS with HTTP/1.1 and TLS with HTTP/2."""

import json
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

CONFIGURATION = """
worker_processes 1;
worker_rlimit_nofile 16384;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 8192; }}
http {{
    access_log off;
    keepalive_requests 100000000;
    sendfile on;
    tcp_nopush on;
    client_max_body_size 2m;
    client_body_buffer_size 2m;
    client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d;
    scgi_temp_path {folder}/e;
    ssl_certificate {folder}/certificate.pem;
    ssl_certificate_key {folder}/key.pem;
    upstream discard {{ server 127.0.0.1:{discard}; keepalive 64; }}
    server {{
        listen 127.0.0.1:{discard};
        location / {{ return 204; }}
        location = /status {{ stub_status; }}
    }}
    server {{
        listen 127.0.0.1:{http} backlog=8192;
        listen 127.0.0.1:{tls} ssl backlog=8192;
        listen 127.0.0.1:{h2} ssl http2 backlog=8192;
        root {folder}/www;
        location = /json {{ default_type application/json; }}
        location = /events {{ default_type text/event-stream; }}
        location = /cached {{ try_files /1k =404; add_header Cache-Control max-age=86400; }}
        location = /protocol {{ default_type text/plain; return 200 $server_protocol; }}
        location = /graphql {{ default_type application/json; return 200 '{bird}'; }}
        # The whole body is read, and not sent on.
        location = /upload {{
            proxy_pass http://discard; proxy_http_version 1.1; proxy_set_header Connection "";
            proxy_pass_request_body off; proxy_set_header Content-Length "";
        }}
    }}
}}
"""

EVENTS = 200_000
BIRD = '{"data":{"bird":{"name":"Common swift"}}}'


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def products():
    """The 75 products of the programs in Swift, with members in the same order and without spaces: 6.9 KB."""
    values = [
        {"id": i, "name": f"Product {i}", "price": i * 1.25, "currency": "EUR", "inStock": i % 3 == 0, "category": "birds"} for i in range(75)
    ]
    return json.dumps(values, separators=(",", ":"))


class Server:
    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="benchmark-"))
        self.folder.chmod(0o755)
        www = self.folder / "www"
        www.mkdir()
        (www / "1k").write_bytes(b"a" * 1_024)
        (www / "100k").write_bytes(b"a" * 102_400)
        (www / "json").write_text(products())
        with open(www / "1g", "wb") as file:
            file.truncate(1 << 30)
        # Its first reader would wait for the kernel to fill its cache.
        with open(www / "1g", "rb") as file:
            while file.read(1 << 20):
                pass
        with open(www / "events", "w") as file:
            for i in range(EVENTS):
                file.write(f'id: {i}\nevent: sighting\ndata: {{"bird":"Common swift","count":{i % 10}}}\n\n')
        # The bytes of the body of each work.
        self.sizes = {file.name: file.stat().st_size for file in www.iterdir()} | {"cached": 1_024, "graphql": len(BIRD), "upload": 0}
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
             "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", self.folder / "key.pem", "-out", self.folder / "certificate.pem"],
            check=True, capture_output=True)
        http, tls, h2, discard = free_ports(4)
        self.origins = {"http": f"http://127.0.0.1:{http}", "tls": f"https://127.0.0.1:{tls}", "h2": f"https://127.0.0.1:{h2}"}
        self.status = f"http://127.0.0.1:{discard}/status"
        self.certificate = self.folder / "certificate.pem"
        file = self.folder / "nginx.conf"
        file.write_text(CONFIGURATION.format(folder=self.folder, http=http, tls=tls, h2=h2, discard=discard, bird=BIRD))
        self.process = subprocess.Popen(["nginx", "-c", file, "-p", self.folder, "-g", "daemon off;"])
        for _ in range(100):
            if self.process.poll() is not None:
                raise SystemExit("nginx did not start:\n" + (self.folder / "error.log").read_text())
            try:
                socket.create_connection(("127.0.0.1", h2), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        return self

    def requests(self):
        """The number of requests that nginx has had."""
        with urllib.request.urlopen(self.status, timeout=60) as response:
            return int(response.read().split()[9])

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)
