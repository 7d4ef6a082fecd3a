"""Logins by OAuth: the official client, `wire-proxy URL` over stdio, and servers of the Python SDK that are their own authorization servers,
with the browser a script. At the end every secret is searched for in all that
was written.

Arguments: the proxy, the folder of the npm packages, an empty folder.
"""

import asyncio
import contextlib
import glob
import json
import os
import secrets
import stat
import subprocess
import sys
import threading
import time

import httpx2
import uvicorn
from common import Process, expect, free_port, plain
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.server.auth.provider import AccessToken, AuthorizationCode, AuthorizeError, RefreshToken, TokenError, construct_redirect_uri
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

PROXY, _, FOLDER = sys.argv[1:4]
LOGINS = os.path.join(FOLDER, "logins")
BROWSER = os.path.join(FOLDER, "browser")
# Asks for what it is given, and for what that leads to, once in another login's name if it is told so.
SCRIPT = f"""#!{sys.executable}
import os, sys, time, urllib.error, urllib.request
with open(os.environ["OPENED"], "a") as file:
    file.write(sys.argv[1] + "\\n")
time.sleep(float(os.environ.get("READING", "0")))
class Redirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, request, answer, code, message, headers, url):
        if "WRONG_STATE" in os.environ:
            try:
                urllib.request.urlopen(url.replace("state=", "state=other-"), timeout=20)
            except urllib.error.HTTPError as error:
                print(error.code, file=sys.stderr)
        return super().redirect_request(request, answer, code, message, headers, url)
urllib.request.build_opener(Redirect, urllib.request.ProxyHandler({{}})).open(sys.argv[1], timeout=20).read()
"""
SECRETS = set()
"""Every token, code and secret that was given out."""


def secret(kind):
    value = f"{kind}-{secrets.token_urlsafe(24)}"
    SECRETS.add(value)
    return value


def say(case, expected, seen):
    expect(seen, expected, case)
    print(f"a login: {case}", flush=True)


class Provider:
    """An authorization server, and what it was asked for."""

    def __init__(self, lifetime=3600, issuer=None, refuses=False, renews=True, clients=(), error="invalid_grant", echoes=False):
        self.lifetime, self.issuer, self.refuses, self.renews = lifetime, issuer, refuses, renews
        self.error, self.echoes = error, echoes
        self.clients = {client.client_id: client for client in clients}
        self.codes, self.tokens, self.renewable = {}, {}, {}
        self.asked, self.renewed, self.calls = [], 0, 0

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client_info):
        if client_info.client_secret:
            SECRETS.add(client_info.client_secret)
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client, params):
        self.asked.append(params)
        if self.refuses:
            raise AuthorizeError("access_denied", "not today")
        code = secret("code")
        self.codes[code] = AuthorizationCode(
            code=code, scopes=params.scopes or ["user"], expires_at=time.time() + 60, client_id=client.client_id,
            code_challenge=params.code_challenge, redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly, resource=params.resource,
        )  # fmt: skip
        return construct_redirect_uri(str(params.redirect_uri), code=code, state=params.state, iss=self.issuer)

    async def load_authorization_code(self, client, authorization_code):
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client, authorization_code):
        if self.echoes:
            raise TokenError("invalid_grant", f"not {authorization_code.code}\r\n and not twice")
        del self.codes[authorization_code.code]
        return self.tokens_for(client, authorization_code.scopes, authorization_code.resource)

    async def load_refresh_token(self, client, refresh_token):
        return self.renewable.get(refresh_token)

    async def exchange_refresh_token(self, client, refresh_token, scopes):
        if not self.renews:
            raise TokenError(self.error, f"no more of {refresh_token.token}")
        self.renewed += 1
        await asyncio.sleep(0.5)
        self.renewable.pop(refresh_token.token, None)
        return self.tokens_for(client, scopes, refresh_token.resource)

    def tokens_for(self, client, scopes, resource):
        token, renewal = secret("token"), secret("renewal")
        owner = {"client_id": client.client_id, "scopes": scopes, "resource": resource}
        self.tokens[token] = AccessToken(token=token, expires_at=int(time.time() + self.lifetime), **owner)
        self.renewable[renewal] = RefreshToken(token=renewal, **owner)
        return OAuthToken(access_token=token, refresh_token=renewal, expires_in=int(self.lifetime), scope=" ".join(scopes))

    async def load_access_token(self, token):
        return self.tokens.get(token)

    async def revoke_token(self, token):
        self.tokens.pop(token.token, None)


class Server:
    """An MCP server that wants a login. `change` may change what its metadata say."""

    def __init__(self, provider, change=None, older=False):
        self.provider, self.requests, self.redirect = provider, [], None
        self.port = free_port()
        self.host = f"http://127.0.0.1:{self.port}"
        self.url = f"{self.host}/{'sse' if older else 'mcp'}"
        registration = ClientRegistrationOptions(enabled=True, valid_scopes=["user", "more"], default_scopes=["user"])
        settings = AuthSettings(
            issuer_url=self.host, resource_server_url=self.url, required_scopes=["user"],
            client_registration_options=registration, validate_token_resource=True,
        )  # fmt: skip
        server = MCPServer("login", auth_server_provider=provider, auth=settings, log_level="WARNING")

        @server.tool()
        def called() -> list[dict]:
            """Rows."""
            provider.calls += 1
            return [{"row": row, "name": f"name {row}"} for row in range(20)]

        app = server.sse_app() if older else server.streamable_http_app()

        async def watched(scope, receive, send):
            if scope["type"] != "http":
                return await app(scope, receive, send)
            headers = dict(scope["headers"])
            self.requests.append((scope["path"], headers.get(b"authorization", b"").decode()))
            if self.redirect is not None and scope["path"] == "/mcp":
                await send({"type": "http.response.start", "status": 307, "headers": [(b"location", self.redirect.encode())]})
                return await send({"type": "http.response.body", "body": b""})
            if change is None or "/.well-known/" not in scope["path"]:
                return await app(scope, receive, send)
            parts = []

            async def collected(message):
                parts.append(message)

            await app(scope, receive, collected)
            body = b"".join(part.get("body", b"") for part in parts)
            if parts[0]["status"] == 200:
                body = json.dumps(change(scope["path"], json.loads(body))).encode()
            start = {**parts[0], "headers": [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]}
            await send(start)
            await send({"type": "http.response.body", "body": body})

        self.server = uvicorn.Server(uvicorn.Config(watched, port=self.port, log_level="warning"))
        threading.Thread(target=self.server.run, daemon=True).start()
        end = time.monotonic() + 60
        while not self.server.started and time.monotonic() < end:
            time.sleep(0.02)

    def tokens_seen(self):
        return {token for path, token in self.requests if path == "/mcp" and token}


class User:
    """A user: a folder for data, and a browser."""

    count = 0

    def __init__(self, **environment):
        User.count += 1
        self.folder = os.path.join(LOGINS, str(User.count))
        os.makedirs(self.folder)
        self.opened_file = os.path.join(self.folder, "opened")
        self.environment = {**os.environ, "XDG_DATA_HOME": os.path.join(self.folder, "data"), "BROWSER": BROWSER, "OPENED": self.opened_file}
        self.environment |= environment

    def opened(self):
        """How often the browser was opened."""
        with contextlib.suppress(FileNotFoundError), open(self.opened_file) as file:
            return len(file.readlines())
        return 0

    def file(self):
        (path,) = glob.glob(os.path.join(self.folder, "data", "wire-proxy", "logins", "*.json"))
        return path

    def run(self, *arguments):
        """The exit code, and all that is printed."""
        options = {"env": self.environment, "cwd": self.folder, "stdin": subprocess.DEVNULL}
        done = subprocess.run([PROXY, *arguments], capture_output=True, text=True, timeout=90, **options)
        self.log(done.stdout + done.stderr)
        return done.returncode, done.stdout + done.stderr

    def log(self, text):
        with open(os.path.join(self.folder, "log"), "a") as file:
            file.write(text)

    @contextlib.asynccontextmanager
    async def client(self, url, *options):
        arguments = [url, "--stats", os.path.join(self.folder, "stats"), *options]
        with open(os.path.join(self.folder, "log"), "a") as log:
            command = StdioServerParameters(command=PROXY, args=arguments, env=self.environment)
            async with Client(stdio_client(command, errlog=log), mode="legacy", read_timeout_seconds=80) as client:
                yield client

    async def call(self, url, *options):
        """How many rows a call gives, or the error."""
        try:
            async with self.client(url, *options) as client:
                return await rows(client)
        except BaseException as error:
            text = plain(error)
            self.log(text)
            return text


async def rows(client):
    result = await client.call_tool("called", {})
    return len(result.structured_content["result"])


def has(text, *parts):
    """The parts, if the text has them; else the text."""
    return list(parts) if all(part in text for part in parts) else text


def say_run(case, code, user, arguments, *parts):
    """A command ends with a code, and what it prints has the parts."""
    seen, text = user.run(*arguments)
    say(case, [code, list(parts)], [seen, has(text, *parts)])


async def token_has_ended(seconds=1.1, **options):
    """A provider whose first token has ended, its server, and the user who logged in."""
    provider = Provider(lifetime=1, **options)
    server, user = Server(provider), User()
    user.run("login", server.url)
    provider.lifetime = 3600
    await asyncio.sleep(seconds)
    return provider, server, user


async def logs_in_when_it_is_needed():
    server, user = Server(Provider()), User()
    say("without a login", [20, 1], [await user.call(server.url), user.opened()])
    say("with a login", [20, 1], [await user.call(server.url), user.opened()])
    modes = [oct(stat.S_IMODE(os.stat(path).st_mode)) for path in (user.file(), os.path.dirname(user.file()))]
    say("only the user can read it", ["0o600", "0o700"], modes)
    asked = server.provider.asked[0]
    say("the code is for this server", [server.url, True], [asked.resource, asked.code_challenge is not None])


async def by_command():
    server, user = Server(Provider()), User()
    say("logins, none", 0, user.run("logins")[0])
    say_run("login", 0, user, ["login", server.url], f"logged in to {server.url}", "its token ends in ", " min, and is renewed")
    say_run("logins", 0, user, ["logins"], server.url, "and is renewed")
    say("a call after it", [20, 1], [await user.call(server.url), user.opened()])
    say("again", [0, 2], [user.run("login", server.url)[0], user.opened()])
    say_run("logout", 0, user, ["logout", server.url], "are removed")
    say_run("logout, again", 2, user, ["logout", server.url], "there is no login")
    say_run("login, no such URL", 2, user, ["login", "ftp://example.com"], "http")


async def with_a_client_of_ones_own():
    given = secret("client")
    port = free_port()
    client = OAuthClientInformationFull(
        client_id="mine", client_secret=given, redirect_uris=[f"http://127.0.0.1:{port}/callback"], scope="user more",
        token_endpoint_auth_method="client_secret_post",
    )  # fmt: skip

    # In the header alone this server doesn't find the client.
    def in_the_form(path, metadata):
        return {**metadata, "token_endpoint_auth_methods_supported": ["client_secret_post"]} if "authorization-server" in path else metadata

    provider = Provider(clients=[client], lifetime=1)
    server, user = Server(provider, in_the_form), User(MY_SECRET=given)
    options = ["--client-id", "mine", "--client-secret-env", "MY_SECRET", "--callback-port", str(port), "--scope", "user", "--scope", "more"]
    code, text = user.run("login", server.url, *options)
    say("a client of one's own", [0, ["mine"], ["user", "more"]], [code if code == 0 else text, [*provider.clients], provider.asked[0].scopes if provider.asked else None])
    provider.lifetime = 3600
    await asyncio.sleep(1.1)
    say("and it is renewed", [20, 1], [await user.call(server.url), provider.renewed])
    provider.tokens.clear()
    provider.renewable.clear()
    say("and asked again, it is the same", [20, ["mine"]], [await user.call(server.url), [*provider.clients]])
    not_set = ["login", server.url, "--client-id", "mine", "--client-secret-env", "NOT_SET"]
    say_run("a secret that is not set", 2, User(), not_set, "NOT_SET is not set")


async def tokens_end():
    provider, server, user = await token_has_ended()
    say("a token that has ended", [20, 1, 1], [await user.call(server.url), provider.renewed, user.opened()])
    async with user.client(server.url) as client:
        seen = [await rows(client)]
        provider.tokens.clear()
        seen.append(await rows(client))
    say("a token that ends in between", [[20, 20], 2, 1, 3], [seen, provider.renewed, user.opened(), provider.calls])
    provider.renews = False
    async with user.client(server.url) as client:
        provider.tokens.clear()
        try:
            seen = await rows(client)
        except Exception as error:
            seen = plain(error)
    say("a renewal that is refused", [[f"wire-proxy login {server.url}"], 1], [has(seen, f"wire-proxy login {server.url}"), user.opened()])
    say("then the next session asks", [20, 2], [await user.call(server.url), user.opened()])
    for error in ("invalid_grant", "invalid_client"):
        # The server counts whole seconds.
        provider, server, user = await token_has_ended(2.1, renews=False, error=error)
        say(f"a token that has ended, and {error}", [20, 2], [await user.call(server.url), user.opened()])
    provider = Provider()
    server, user = Server(provider), User()
    async with user.client(server.url) as client:
        seen = [await rows(client)]
        user.run("login", server.url)
        provider.tokens.clear()
        seen.append(await rows(client))
    say("a token that another login has replaced", [[20, 20], 2], [seen, user.opened()])


async def refusals():
    server, user = Server(Provider(refuses=True)), User()
    say("a login that is refused", ["access_denied", "not today"], has(await user.call(server.url), "access_denied", "not today"))

    server, user = Server(Provider(echoes=True)), User()
    say("an error that repeats the code", ["refused", "not twice"], has(await user.call(server.url), "refused", "not twice"))

    def other_issuer(path, metadata):
        return {**metadata, "issuer": "https://other.example"} if "authorization-server" in path else metadata

    provider = Provider()
    server, user = Server(provider, other_issuer), User()
    seen = await user.call(server.url)
    say("metadata of another issuer", [["issuer"], 0, 0], [has(seen, "issuer"), len(provider.asked), user.opened()])
    provider = Provider(issuer="https://other.example")
    server, user = Server(provider), User()
    say("a redirection of another issuer", [["issuer"], 0], [has(await user.call(server.url), "issuer"), len(provider.tokens)])

    def other_resource(path, metadata):
        return {**metadata, "resource": "https://other.example/mcp"} if "protected-resource" in path else metadata

    provider = Provider()
    server, user = Server(provider, other_resource), User()
    seen = await user.call(server.url)
    say("metadata of another server", [["resource"], 0], [has(seen, "resource"), len(provider.tokens)])
    provider = Provider()
    server, user = Server(provider), User(WRONG_STATE="1")
    say("a redirection of another login", [20, 1], [await user.call(server.url), len(provider.tokens)])


async def other_hosts():
    mine, other = Server(Provider()), Server(Provider())
    user = User()
    say("one server", 20, await user.call(mine.url))
    say("another server", 20, await user.call(other.url))
    say("each has its own token", [], sorted(mine.tokens_seen() & other.tokens_seen()))
    thief = Server(Provider())
    mine.redirect = thief.url
    seen = await user.call(mine.url)
    say("a redirect to another host", [["redirect"], []], [has(seen, "redirect"), sorted(thief.tokens_seen())])


async def two_at_once():
    provider = Provider()
    server, user = Server(provider), User(READING="1")
    seen = await asyncio.gather(user.call(server.url), user.call(server.url))
    say("two logins at once", [[20, 20], 1, 1], [seen, user.opened(), len(provider.tokens)])
    provider.tokens.clear()
    seen = await asyncio.gather(user.call(server.url), user.call(server.url))
    say("two renewals at once", [[20, 20], 1, 1], [seen, provider.renewed, user.opened()])
    provider, server, user = await token_has_ended()
    seen = await asyncio.gather(user.call(server.url), user.call(server.url))
    say("two renewals at once of a token that has ended", [[20, 20], 1, 1], [seen, provider.renewed, user.opened()])
    # Who waits for a user is in nobody's way.
    waiting = subprocess.Popen([PROXY, "login", server.url], env=user.environment | {"BROWSER": "false"}, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    waiting.stderr.readline()
    provider.tokens.clear()
    say("a renewal while another process waits for a login", [20, 2], [await user.call(server.url), provider.renewed])
    waiting.kill()
    waiting.wait()


async def over_the_older_transport():
    server, user = Server(Provider(), older=True), User()
    say("the older transport", [20, 1], [await user.call(server.url), user.opened()])


async def past_a_proxy():
    """What is not encrypted goes through no proxy of the environment, and a query is not shown."""
    other, server = Server(Provider()), Server(Provider())
    user = User(HTTP_PROXY=other.host, http_proxy=other.host, ALL_PROXY=other.host)
    query = secrets.token_urlsafe(24)
    say("past a proxy", [20, 1, []], [await user.call(f"{server.url}?key={query}"), user.opened(), other.requests])
    code, text = user.run("logins")
    say("without the query", [f"{server.url}?…"], has(text, f"{server.url}?…"))
    with open(os.path.join(user.folder, "log")) as file:
        log = file.read()
    say("the log has no query", ["log in to"], has(log, "log in to") if query not in log else log)


async def without_a_browser():
    server, user = Server(Provider()), User(BROWSER="false")
    process = subprocess.Popen(
        [PROXY, "login", server.url], env=user.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    printed = ""
    while "paste" not in printed and (line := process.stderr.readline()):
        printed += line
    link = next(word for word in printed.split() if "/authorize?" in word)
    with httpx2.Client() as browser:
        redirected = browser.get(link).headers["location"]
    out, err = process.communicate(f"nonsense\n{redirected}\n", timeout=60)
    user.log(printed + out + err)
    say("a redirection that is pasted", [0, ["not the address"]], [process.returncode, has(err, "not the address")])
    say("and it is a login", 20, await user.call(server.url))


async def found_in_a_file():
    server, user = Server(Provider()), User()
    user.environment["HOME"] = user.folder
    os.makedirs(os.path.join(user.folder, ".cursor"))
    with open(os.path.join(user.folder, ".cursor", "mcp.json"), "w") as file:
        json.dump({"mcpServers": {"one": {"url": server.url}}}, file)
    code, text = user.run("try")
    say("try opens no browser for each server of a client", [[f"wire-proxy login {server.url}"], 0], [has(text, f"wire-proxy login {server.url}"), user.opened()])


async def nobody():
    server, user = Server(Provider()), User(BROWSER="false")
    start = time.monotonic()
    seen = has(await user.call(server.url), "60 s", f"wire-proxy login {server.url}")
    say("nobody logs in", [["60 s", f"wire-proxy login {server.url}"], True], [seen, 60 <= time.monotonic() - start < 75])


async def behind_a_listener():
    """The tokens of a user are not lent to who reaches a listener."""
    server, user = Server(Provider()), User()
    user.run("login", server.url)
    port = free_port()
    command = [PROXY, "--listen", f"127.0.0.1:{port}", "--upstream", server.url, "--log", "debug"]
    proxy = Process(command, port, os.path.join(user.folder, "log"), **user.environment)
    try:
        async with httpx2.AsyncClient() as client:
            answer = await client.post(f"http://127.0.0.1:{port}/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
        say("a listener lends no token", [401, []], [answer.status_code, sorted(server.tokens_seen())])
    finally:
        proxy.kill()


def titles(stop, found):
    """What the titles of processes say, until it is told to stop."""
    while not stop.wait(0.05):
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            with contextlib.suppress(OSError), open(path, "rb") as file:
                found.add(file.read())


async def main():
    os.makedirs(LOGINS)
    with open(BROWSER, "w") as file:
        file.write(SCRIPT)
    os.chmod(BROWSER, 0o755)
    stop, found = threading.Event(), set()
    watch = threading.Thread(target=titles, args=(stop, found))
    watch.start()
    waiting = asyncio.create_task(nobody())
    try:
        for case in (
            logs_in_when_it_is_needed, by_command, with_a_client_of_ones_own, tokens_end, refusals, other_hosts, two_at_once,
            over_the_older_transport, past_a_proxy, without_a_browser, behind_a_listener, found_in_a_file,
        ):  # fmt: skip
            await case()
        await waiting
    finally:
        stop.set()
        watch.join()
    written = {"the titles of processes": b"\n".join(found)}
    for path in glob.glob(os.path.join(LOGINS, "*", "*")):
        if os.path.basename(path) in ("log", "stats"):
            with open(path, "rb") as file:
                written[path] = file.read()
    # What is there is found.
    say("there are proxies, logs and statistics", [True, True, True], [
        b"wire-proxy" in written["the titles of processes"],
        any(b"log in to" in text for name, text in written.items() if name.endswith("log")),
        any(b"called" in text for name, text in written.items() if name.endswith("stats")),
    ])  # fmt: skip
    shown = sorted({f"{name}: {one}" for name, text in written.items() for one in SECRETS if one.encode() in text})
    say(f"{len(SECRETS)} secrets in {len(written)} logs, statistics and titles", [], shown)


asyncio.run(main())
