"""The clients: their packages, how they are pointed at the model and the server, and how they name a tool.

A function of the table writes a client's configuration into the folders of a run, and returns its command. `run.url` is the
model, `run.server` the command of the MCP server, `run.home` and `run.project` are folders, `run.environment` is what the client
gets.
"""

import json
import os

# Each with its row of the table in crates/wire-mcp/src/clients.json, and its packages.
CLIENTS = {
    "claude": ("Claude Code", ["@anthropic-ai/claude-code"]),
    "codex": ("Codex", ["@openai/codex"]),
    "copilot": ("GitHub Copilot CLI", ["@github/copilot"]),
    "opencode": ("OpenCode", ["opencode-ai"]),
    "gemini": ("Gemini CLI", ["@google/gemini-cli"]),
    "qwen": ("Qwen Code", ["@qwen-code/qwen-code"]),
    "cline": ("Cline CLI", ["cline"]),
    "continue": ("Continue CLI", ["@continuedev/cli"]),
    "ai_sdk": ("AI SDK (`@ai-sdk/mcp`)", ["@ai-sdk/mcp", "ai", "@ai-sdk/openai-compatible"]),
    "mastra": ("Mastra", ["@mastra/mcp", "@mastra/core", "@ai-sdk/openai-compatible"]),
    "langchain": ("LangChain (`langchain-mcp-adapters`)", ["langchain-mcp-adapters", "langchain", "langchain-openai"]),
    "openai_agents": ("OpenAI Agents SDK", ["openai-agents"]),
    "pydantic_ai": ("Pydantic AI", ["pydantic-ai-slim[openai,mcp]"]),
    "google_adk": ("Google ADK", ["google-adk", "mcp"]),
}
PYTHON = {"langchain", "openai_agents", "pydantic_ai", "google_adk"}
GO = "Go on now."


def call(client, tool, arguments):
    """A call of a tool of the server, as the model of this client makes it."""
    if client == "qwen":
        return {"name": "tool_call", "arguments": {"name": f"mcp__fake__{tool}", "arguments": arguments}}
    if client == "codex":
        return {"name": tool, "namespace": "mcp__fake", "arguments": arguments}
    names = {"claude": "mcp__fake__", "copilot": "fake-", "opencode": "fake_", "gemini": "mcp_fake_", "cline": "fake__", "mastra": "fake_"}
    return {"name": names.get(client, "") + tool, "arguments": arguments}


def write(path, value):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(value if isinstance(value, str) else json.dumps(value, indent=1))


def stdio(run):
    return {"command": run.server[0], "args": run.server[1:]}


def claude(run):
    run.environment |= {"ANTHROPIC_BASE_URL": run.url, "ANTHROPIC_API_KEY": "sk-ant-fake", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
    run.environment |= {"DISABLE_TELEMETRY": "1", "DISABLE_AUTOUPDATER": "1", "DISABLE_ERROR_REPORTING": "1"}
    write(f"{run.home}/mcp.json", {"mcpServers": {"fake": stdio(run)}})
    tools = ["mcp__fake", "Bash", "Read", "Grep", "Glob", "ToolSearch"]
    options = ["--model", "claude-sonnet-4-5", "--strict-mcp-config", "--mcp-config", f"{run.home}/mcp.json"]
    return [run.program("claude"), "-p", GO, *options, "--allowedTools", *tools]


def codex(run):
    run.environment |= {"FAKE_KEY": "sk-fake"}
    lines = ['model = "gpt-5.5"', 'model_provider = "fake"', 'approval_policy = "never"', 'sandbox_mode = "danger-full-access"']
    lines += ["check_for_update_on_startup = false", "[features]", "plugins = false", "[analytics]", "enabled = false"]
    lines += ["[model_providers.fake]", 'name = "fake"', f'base_url = "{run.url}/v1"', 'env_key = "FAKE_KEY"', 'wire_api = "responses"']
    lines += ["requires_openai_auth = false", "supports_websockets = false", "[mcp_servers.fake]"]
    lines += [f"command = {json.dumps(run.server[0])}", f"args = {json.dumps(run.server[1:])}"]
    write(f"{run.home}/.codex/config.toml", "\n".join(lines))
    return [run.program("codex"), "exec", "--skip-git-repo-check", GO]


def copilot(run):
    run.environment |= {"COPILOT_PROVIDER_BASE_URL": f"{run.url}/v1", "COPILOT_PROVIDER_TYPE": "openai", "COPILOT_PROVIDER_API_KEY": "sk-fake"}
    run.environment |= {"COPILOT_MODEL": "fake-model", "COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false"}
    write(f"{run.home}/.copilot/mcp-config.json", {"mcpServers": {"fake": {"type": "local", "tools": ["*"], **stdio(run)}}})
    options = ["--allow-all-tools", "--no-color", "--disable-builtin-mcps"]
    return [run.program("copilot"), "-p", GO, *options]


def opencode(run):
    for name in ["MODELS_FETCH", "AUTOUPDATE", "LSP_DOWNLOAD", "DEFAULT_PLUGINS"]:
        run.environment[f"OPENCODE_DISABLE_{name}"] = "1"
    model = {"name": "Fake", "tool_call": True, "limit": {"context": 1000000, "output": 8000}}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "Fake", "options": {"baseURL": run.url + "/v1", "apiKey": "fake-key"}}
    settings = {"model": "fake/fake-model", "small_model": "fake/fake-model", "autoupdate": False, "share": "disabled"}
    settings |= {"permission": {"*": "allow"}, "provider": {"fake": {**provider, "models": {"fake-model": model}}}}
    settings |= {"mcp": {"fake": {"type": "local", "command": run.server, "enabled": True}}}
    write(f"{run.project}/opencode.json", settings)
    return [run.program("opencode"), "run", GO]


def gemini(run):
    run.environment |= {"GEMINI_API_KEY": "fake-key", "GOOGLE_GEMINI_BASE_URL": run.url, "GEMINI_TELEMETRY_ENABLED": "false"}
    run.environment |= {"GEMINI_CLI_NO_RELAUNCH": "true", "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    settings = {"general": {"disableAutoUpdate": True, "enableAutoUpdate": False}, "privacy": {"usageStatisticsEnabled": False}}
    settings |= {"telemetry": {"enabled": False}, "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}}}
    settings |= {"mcpServers": {"fake": {**stdio(run), "trust": True}}}
    write(f"{run.home}/.gemini/settings.json", settings)
    return [run.program("gemini"), "-m", "gemini-2.5-flash", "--yolo", "-p", GO]


def qwen(run):
    run.environment |= {"OPENAI_MODEL": "fake-model", "QWEN_TELEMETRY_ENABLED": "false", "QWEN_CODE_NO_RELAUNCH": "true"}
    key = {"selectedType": "openai", "apiKey": "fake-key", "baseUrl": run.url + "/v1"}
    settings = {"general": {"enableAutoUpdate": False, "disableAutoUpdate": True}, "privacy": {"usageStatisticsEnabled": False}}
    settings |= {"telemetry": {"enabled": False}, "security": {"auth": key, "folderTrust": {"enabled": False}}, "model": {"name": "fake-model"}}
    settings |= {"mcpServers": {"fake": {**stdio(run), "trust": True}}}
    write(f"{run.home}/.qwen/settings.json", settings)
    return [run.program("qwen"), "--yolo", "-p", GO]


def cline(run):
    run.environment |= {"CLINE_SESSION_BACKEND_MODE": "local"}
    folder = f"{run.home}/.cline/data/settings"
    write(f"{folder}/cline_mcp_settings.json", {"mcpServers": {"fake": {**stdio(run), "disabled": False, "autoApprove": []}}})
    own = {"provider": "openai-compatible", "apiKey": "fake-key", "model": "fake-model", "baseUrl": run.url + "/v1"}
    provider = {"settings": own, "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}
    write(f"{folder}/providers.json", {"version": 1, "lastUsedProvider": "openai-compatible", "modes": {}, "providers": {"openai-compatible": provider}})
    return [run.program("cline"), "--auto-approve", "true", "--json", "-P", "openai-compatible", "-m", "fake-model", GO]


def continue_(run):
    run.environment |= {"CONTINUE_TELEMETRY_ENABLED": "0", "CONTINUE_METRICS_ENABLED": "0", "CONTINUE_CLI_ENABLE_TELEMETRY": "0"}
    run.environment |= {"CONTINUE_CLI_AUTO_UPDATED": "1", "CONTINUE_GLOBAL_DIR": f"{run.home}/.continue", "CONTINUE_API_BASE": run.url}
    model = {"name": "Fake", "provider": "openai", "model": "gpt-4.1", "apiBase": run.url + "/v1", "apiKey": "fake-key"}
    settings = {"name": "Fake", "version": "1.0.0", "schema": "v1", "models": [{**model, "roles": ["chat"], "capabilities": ["tool_use"]}]}
    # JSON is YAML.
    write(f"{run.home}/.continue/config.yaml", {**settings, "mcpServers": [{"name": "fake", **stdio(run)}]})
    return [run.program("cn"), "--config", f"{run.home}/.continue/config.yaml", "--auto", "-p", GO]


def library(run):
    run.environment |= {"OPENAI_API_KEY": "fake-key", "OPENAI_BASE_URL": run.url + "/v1", "GOOGLE_API_KEY": "fake-key"}
    run.environment |= {"GOOGLE_GEMINI_BASE_URL": run.url, "ADK_DISABLE_TELEMETRY": "1", "LANGSMITH_TRACING": "false", "MASTRA_TELEMETRY_DISABLED": "1"}
    here = os.path.dirname(os.path.abspath(__file__))
    if run.client in PYTHON:
        return [run.program("python"), f"{here}/libraries.py", run.client, run.url, *run.server]
    # Node looks for packages beside the script.
    with open(f"{here}/libraries.mjs") as file:
        write(f"{run.packages}/libraries.mjs", file.read())
    return ["node", f"{run.packages}/libraries.mjs", run.client, run.url, *run.server]


def command(run):
    own = {"continue": continue_}.get(run.client) or globals().get(run.client, library)
    return own(run)
