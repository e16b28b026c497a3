"""A receiver of webhooks that verifies with the library standardwebhooks, keeps what it takes, and fails where a test says so.

It prints `listening PORT`. Each event that it takes becomes a file `NNNN.json` in the folder: its `webhook-id`, and its body.
The file `answer` in the folder says how it answers: a status such as 500 or 307, `stall`, `endless`, `close` or `late` (it
keeps the event and closes without an answer). An empty file, or none, is 204. What it refuses becomes a line of `refused`, with
the `webhook-id`; what does not verify becomes a file `forged`. With `--certificate FILE` (a certificate and its key, in PEM) it
speaks TLS; each connection gets what the file has then.
"""

import argparse
import json
import os
import ssl
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks.webhooks import Webhook

lock = threading.Lock()


class Receiver(BaseHTTPRequestHandler):
    folder = None
    webhook = None

    def answer(self):
        try:
            with open(os.path.join(self.folder, "answer"), encoding="ascii") as file:
                return file.read().strip()
        except FileNotFoundError:
            return ""

    def keep(self, body):
        """Stores an event under the next number. The name appears when the file is complete."""
        with lock:
            count = len([name for name in os.listdir(self.folder) if name.endswith(".json")])
            name = os.path.join(self.folder, f"{count + 1:04}.json")
            with open(name + ".part", "w", encoding="utf-8") as file:
                json.dump({"id": self.headers["webhook-id"], "body": body}, file)
            os.rename(name + ".part", name)

    def note(self, name, text):
        with lock, open(os.path.join(self.folder, name), "a", encoding="utf-8") as file:
            file.write(text + "\n")

    def do_POST(self):
        data = self.rfile.read(int(self.headers["content-length"]))
        try:
            body = self.webhook.verify(data, dict(self.headers.items()))
        except Exception as error:
            self.note("forged", repr(error))
            self.send_error(400)
            return
        answer = self.answer()
        if answer not in ("", "late"):
            self.note("refused", self.headers["webhook-id"])
        if answer == "stall":
            time.sleep(3600)
        elif answer == "close":
            self.close_connection = True
        elif answer == "endless":
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while True:
                self.wfile.write(b"X-More: and so on and so on\r\n" * 400)
        elif answer == "late":
            self.keep(body)
            self.close_connection = True
        else:
            status = int(answer or 204)
            if status == 204:
                self.keep(body)
            self.send_response(status)
            if 300 <= status < 400:
                # A server that follows would be seen as another event.
                self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}/other")
            self.send_header("Content-Length", "0")
            self.end_headers()

    do_GET = do_POST

    def handle(self):
        try:
            super().handle()
        except OSError:
            # The server has closed the connection, as it should after an endless answer.
            pass

    def log_message(self, *_):
        pass


class Service(ThreadingHTTPServer):
    daemon_threads = True
    certificate = None

    def get_request(self):
        connection, address = super().get_request()
        if self.certificate is None:
            return connection, address
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        # The handshake belongs to the thread of the connection.
        return context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), address


parser = argparse.ArgumentParser()
parser.add_argument("--into", required=True)
parser.add_argument("--secret", required=True)
parser.add_argument("--certificate")
asked = parser.parse_args()
Receiver.folder = asked.into
Receiver.webhook = Webhook(asked.secret)
Service.certificate = asked.certificate
server = Service(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"listening {server.server_port}", flush=True)
# The test holds the other end; the receiver ends with it.
sys.stdin.read()
