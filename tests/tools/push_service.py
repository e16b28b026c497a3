"""A push service and its browsers: it checks what arrives as RFC 8030, 8291 and 8292 want it, decrypts it, and fails where a
test says so. It shares no code with the server: `http_ece` decrypts, `cryptography` verifies the signature.

It prints `listening PORT` and serves `https://localhost:PORT/push/NAME`, where NAME is any browser. The file `browser.json` in
the folder has the keys of all of them. Each request becomes a file `NNNN.json` with what was found and the status of the
answer; what is wrong with it is in `faults`. The file `fault` has one line: a status such as 410, a status with a Retry-After
such as `503:1`, or `stall`, `endless` or `redirect`. An empty file is no fault.
"""

import argparse
import base64
import itertools
import json
import os
import re
import ssl
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import http_ece
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

DAY_S = 24 * 3600


def encoded(data):
    """Returns bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def decoded(text):
    """Reads base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """The keys of every browser."""

    def __init__(self, folder):
        path = os.path.join(folder, "browser.json")
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)
        form = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        public = self.private.public_key().public_bytes(*form)
        with open(path + ".part", "w", encoding="ascii") as file:
            json.dump({"p256dh": encoded(public), "auth": encoded(self.auth)}, file)
        os.rename(path + ".part", path)

    def read(self, body):
        """Decrypts a push."""
        plain = http_ece.decrypt(body, private_key=self.private, auth_secret=self.auth, version="aes128gcm")
        return json.loads(plain)


def permission(header, origin):
    """Verifies a VAPID header. Returns the claims and the public key."""
    match = re.fullmatch(r"vapid t=([\w-]+\.[\w-]+)\.([\w-]+), k=([\w-]+)", header or "")
    if not match:
        raise ValueError(f"no VAPID header: {header}")
    signed, signature, key = match.groups()
    head, claims = (json.loads(decoded(part)) for part in signed.split("."))
    if head != {"typ": "JWT", "alg": "ES256"}:
        raise ValueError(f"head {head}")
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(key))
    raw = decoded(signature)
    if len(raw) != 64:
        raise ValueError(f"a signature of {len(raw)} bytes")
    numbers = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
    try:
        point.verify(encode_dss_signature(*numbers), signed.encode("ascii"), ec.ECDSA(hashes.SHA256()))
    except InvalidSignature as error:
        raise ValueError("the signature is wrong") from error
    if claims.get("aud") != origin:
        raise ValueError(f"aud {claims.get('aud')} is not {origin}")
    if not time.time() < claims.get("exp", 0) <= time.time() + DAY_S:
        raise ValueError(f"exp {claims.get('exp')}")
    if not str(claims.get("sub", "")).startswith(("mailto:", "https:")):
        raise ValueError(f"sub {claims.get('sub')}")
    return claims, key


class Requests(BaseHTTPRequestHandler):
    """Answers each request."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """Says nothing."""

    def do_POST(self):
        """Takes a push, or fails as the test says."""
        server = self.server
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        fault = server.fault()
        record = {"path": self.path, "length": len(body), "faults": []}
        self.look(record, body)
        status = 400 if record["faults"] else int(re.sub(r"\D.*", "", fault) or "201")
        record["status"] = {"stall": 0, "endless": 0, "redirect": 307}.get(fault, status)
        server.keep(record)
        if fault == "stall":
            time.sleep(3600)
        if fault == "endless":
            self.wfile.write(b"HTTP/1.1 201 Created\r\n")
            while True:
                self.wfile.write(b"X-More: and so on\r\n" * 100)
        self.send_response(record["status"])
        if fault == "redirect":
            self.send_header("Location", f"{server.origin}/push/elsewhere")
        if ":" in fault:
            self.send_header("Retry-After", fault.partition(":")[2])
        self.send_header("Content-Length", "0")
        self.end_headers()

    def look(self, record, body):
        """Notes what the request says, and what is wrong with it."""
        server, faults = self.server, record["faults"]
        for name, form in (("TTL", r"\d+"), ("Topic", r"[\w-]{1,32}"), ("Urgency", r"very-low|low|normal|high")):
            record[name.lower()] = self.headers.get(name, "")
            if not re.fullmatch(form, record[name.lower()]):
                faults.append(f"{name}: {record[name.lower()]}")
        if self.headers.get("Content-Encoding") != "aes128gcm":
            faults.append("no aes128gcm")
        if len(body) > 4096:
            faults.append(f"{len(body)} bytes")
        try:
            record["claims"], record["key"] = permission(self.headers.get("Authorization"), server.origin)
        except ValueError as error:
            faults.append(str(error))
        try:
            record["said"] = server.browser.read(body)
        except Exception as error:  # whatever a library thinks of the bytes
            faults.append(f"cannot be read: {error!r}")


class Service(ThreadingHTTPServer):
    """The push service."""

    daemon_threads = True

    def __init__(self, arguments):
        super().__init__(("127.0.0.1", 0), Requests)
        self.folder = arguments.into
        self.origin = f"https://localhost:{self.server_address[1]}"
        self.browser = Browser(self.folder)
        self.numbers = itertools.count(1)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(arguments.certificate, arguments.key)
        # The handshake belongs to the thread of the connection.
        self.socket = context.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)

    def fault(self):
        """Returns the fault that the test wants, or an empty text."""
        try:
            with open(os.path.join(self.folder, "fault"), encoding="ascii") as file:
                return file.read().strip()
        except FileNotFoundError:
            return ""

    def keep(self, record):
        """Stores a request under the next number. The name appears when the file is complete."""
        name = os.path.join(self.folder, f"{next(self.numbers):04}.json")
        with open(name + ".part", "w", encoding="utf-8") as file:
            json.dump(record, file)
        os.rename(name + ".part", name)

    def handle_error(self, request, client_address):
        """A client that goes away is no news."""


def main():
    """Serves until the test ends the process."""
    parser = argparse.ArgumentParser()
    for name in ("--into", "--certificate", "--key"):
        parser.add_argument(name, required=True)
    service = Service(parser.parse_args())
    print(f"listening {service.server_address[1]}", flush=True)
    service.serve_forever()


main()
