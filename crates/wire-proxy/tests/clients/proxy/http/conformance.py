"""The protocol's own conformance suite for clients, 0.1.16, on the official client that starts `wire-proxy URL`; the browser is a script.

Arguments: the proxy, the folder of the npm packages, an empty folder. With a URL as the last one: the client of one scenario.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from common import expect
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

PROXY, NODE, FOLDER = sys.argv[1:4]
STATE = os.path.join(FOLDER, "conformance")
BROWSER = os.path.join(STATE, "browser")
SCENARIOS = [
    "initialize",
    "tools_call",
    "sse-retry",
    "auth/metadata-default",
    "auth/metadata-var1",
    "auth/metadata-var2",
    "auth/metadata-var3",
    "auth/basic-cimd",
    "auth/scope-from-www-authenticate",
    "auth/scope-from-scopes-supported",
    "auth/scope-omitted-when-undefined",
    "auth/scope-step-up",
    "auth/scope-retry-limit",
    "auth/token-endpoint-auth-basic",
    "auth/token-endpoint-auth-post",
    "auth/token-endpoint-auth-none",
    "auth/pre-registration",
    "auth/2025-03-26-oauth-metadata-backcompat",
    "auth/2025-03-26-oauth-endpoint-fallback",
    "auth/resource-mismatch",
    "auth/offline-access-scope",
    "auth/offline-access-not-supported",
    "auth/client-credentials-jwt",
    "auth/client-credentials-basic",
    "auth/cross-app-access-complete-flow",
]
# The checks that fail, and why.
EXPECTED = {
    "auth/basic-cimd": (
        ["cimd-client-id-used"],
        "a warning: a client whose id is a URL needs a page under it, and wire-proxy has none",
    ),
    "auth/2025-03-26-oauth-metadata-backcompat": (
        ["client-registration", "authorization-request", "token-request"],
        "its metadata name another issuer than their own place, which RFC 8414 (section 3.3) refuses",
    ),
    "auth/client-credentials-jwt": (
        ["client-credentials-grant-type", "client-credentials-jwt-verified"],
        "a login without a user, which ruling M15 leaves out",
    ),
    "auth/client-credentials-basic": (
        ["client-credentials-grant-type", "client-credentials-basic-auth"],
        "a login without a user, which ruling M15 leaves out",
    ),
    "auth/cross-app-access-complete-flow": (
        ["complete-flow-token-exchange", "complete-flow-jwt-bearer"],
        "a login by a company's own tokens, which ruling M15 leaves out",
    ),
}
ARGUMENTS = {"add_numbers": {"a": 5, "b": 3}}


async def client(url):
    """What a client of the suite does: it connects, lists the tools, and calls them."""
    scenario = os.environ["MCP_CONFORMANCE_SCENARIO"]
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    data = os.path.join(STATE, scenario.replace("/", "-"))
    environment = {**os.environ, "XDG_DATA_HOME": data, "BROWSER": BROWSER, "SECRET": context.get("client_secret", "")}
    if "client_id" in context and "client_secret" in context:
        command = [PROXY, "login", url, "--client-id", context["client_id"], "--client-secret-env", "SECRET"]
        subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=True, timeout=20)
    command = StdioServerParameters(command=PROXY, args=[url], env=environment)
    async with Client(stdio_client(command), mode="legacy", read_timeout_seconds=20) as client:
        for tool in (await client.list_tools()).tools:
            await client.call_tool(tool.name, ARGUMENTS.get(tool.name, {}))


def failing(scenario):
    """The checks of a scenario that fail, or warn."""
    suite = os.path.join(NODE, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")
    bun = os.path.join(NODE, "node_modules", ".bin", "bun")
    mine = " ".join([sys.executable, os.path.abspath(__file__), PROXY, NODE, FOLDER])
    command = [bun, suite, "client", "--command", mine, "--scenario", scenario]
    done = subprocess.run(command, cwd=STATE, capture_output=True, text=True, timeout=120)
    print(done.stdout, done.stderr, file=sys.stderr)
    found = re.findall(r"\[([a-z0-9-]+) *\][^\[\]]*?(?:\x1b\[\d+m)?(?:FAILURE|WARNING)", done.stdout + done.stderr)
    return found if found or done.returncode == 0 else [f"exit code {done.returncode}"]


def main():
    os.makedirs(STATE)
    with open(BROWSER, "w") as file:
        file.write(f"#!{sys.executable}\nimport sys, urllib.request\nurllib.request.urlopen(sys.argv[1], timeout=20).read()\n")
    os.chmod(BROWSER, 0o755)
    with ThreadPoolExecutor(4) as some:
        for scenario, found in zip(SCENARIOS, some.map(failing, SCENARIOS), strict=True):
            expected, reason = EXPECTED.get(scenario, ([], ""))
            expect(found, expected, scenario)
            print(f"the protocol's suite: {scenario} {f'fails as expected: {reason}' if reason else 'passes'}", flush=True)


if len(sys.argv) > 4:
    asyncio.run(client(sys.argv[4]))
else:
    main()
