"""A real SMTP server (aiosmtpd) that keeps what it takes, and fails where a test says so.

It prints `listening PORT`. Each letter becomes a file `NNNN.eml` in the folder, with the envelope in headers that begin with
`X-Envelope-`. The file `fault` in the folder has one line `STAGE:KIND`: the stage is greeting, starttls, auth, sender,
recipient, data or letter; the kind is a reply code such as 450, or `stall` or `endless`. An empty file is no fault.
"""

import argparse
import asyncio
import os
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword


class Folder:
    """The letters and the fault."""

    def __init__(self, path):
        self.path = path
        self.count = len([name for name in os.listdir(path) if name.endswith(".eml")])

    def fault(self, stage):
        """Returns the kind of the fault at a stage, if there is one."""
        try:
            with open(os.path.join(self.path, "fault"), encoding="ascii") as file:
                wanted, _, kind = file.read().strip().partition(":")
        except FileNotFoundError:
            return None
        return kind if wanted == stage else None

    def keep(self, envelope, peer):
        """Stores a letter under the next number. The name appears when the file is complete."""
        self.count += 1
        name = os.path.join(self.path, f"{self.count:04}.eml")
        head = f"X-Envelope-From: {envelope.mail_from}\r\nX-Envelope-To: {','.join(envelope.rcpt_tos)}\r\n"
        with open(name + ".part", "wb") as file:
            file.write(head.encode("ascii") + envelope.original_content)
        os.rename(name + ".part", name)


async def fail(kind, transport):
    """Fails as the fault says. Returns the reply, if it is one."""
    if kind == "stall":
        await asyncio.sleep(3600)
    if kind == "endless":
        while not transport.is_closing():
            transport.write(b"250-and so on and so on\r\n" * 400)
            await asyncio.sleep(0)
        return "421 closed"
    return f"{kind} as the test says"


class Handler:
    """Decides about each command."""

    def __init__(self, folder):
        self.folder = folder

    async def step(self, stage, server):
        kind = self.folder.fault(stage)
        return await fail(kind, server.transport) if kind else None

    async def handle_MAIL(self, server, session, envelope, address, options):
        refused = await self.step("sender", server)
        if refused:
            return refused
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        refused = await self.step("recipient", server)
        if refused:
            return refused
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        refused = await self.step("letter", server)
        if refused:
            return refused
        self.folder.keep(envelope, session.peer)
        return "250 taken"


class Server(SMTP):
    """The server, with faults at the stages that handlers do not see."""

    folder = None

    async def smtp_DATA(self, arg):
        kind = self.folder.fault("data")
        if kind:
            await self.push(await fail(kind, self.transport))
            return
        await super().smtp_DATA(arg)

    async def smtp_STARTTLS(self, arg):
        kind = self.folder.fault("starttls")
        if kind:
            await self.push(await fail(kind, self.transport))
            return
        await super().smtp_STARTTLS(arg)

    async def smtp_AUTH(self, arg):
        kind = self.folder.fault("auth")
        if kind:
            await self.push(await fail(kind, self.transport))
            return
        await super().smtp_AUTH(arg)


class NoGreeting(asyncio.Protocol):
    """A server that does not greet as it should."""

    def __init__(self, kind):
        self.kind = kind

    def connection_made(self, transport):
        self.transport = transport
        asyncio.get_running_loop().create_task(self.talk())

    async def talk(self):
        reply = await fail(self.kind, self.transport)
        self.transport.write(reply.encode("ascii") + b"\r\n")
        self.transport.close()


def authenticator(user, password):
    def check(server, session, envelope, mechanism, data):
        right = isinstance(data, LoginPassword) and (data.login.decode(), data.password.decode()) == (user, password)
        return AuthResult(success=right, handled=right)

    return check


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--into", required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--security", choices=["starttls", "tls", "none"], default="none")
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    parser.add_argument("--user")
    parser.add_argument("--password")
    asked = parser.parse_args()
    folder = Folder(asked.into)
    Server.folder = folder
    tls = None
    if asked.security != "none":
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(asked.certificate, asked.key)
    starttls = tls if asked.security == "starttls" else None

    def connection():
        kind = folder.fault("greeting")
        if kind:
            return NoGreeting(kind)
        return Server(
            Handler(folder),
            hostname="localhost",
            tls_context=starttls,
            require_starttls=starttls is not None,
            authenticator=authenticator(asked.user, asked.password) if asked.user else None,
            auth_required=bool(asked.user),
            auth_require_tls=starttls is not None,
            loop=asyncio.get_running_loop(),
        )

    implicit = tls if asked.security == "tls" else None
    server = await asyncio.get_running_loop().create_server(connection, "127.0.0.1", asked.port, ssl=implicit)
    print(f"listening {server.sockets[0].getsockname()[1]}", flush=True)
    # The test holds the other end; the server ends with it.
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
