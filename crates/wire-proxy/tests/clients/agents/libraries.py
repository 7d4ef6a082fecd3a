"""Agents of Python libraries. Arguments: the library, the URL of the model, the command of the MCP server."""

import asyncio
import sys

LIBRARY, URL, COMMAND = sys.argv[1], sys.argv[2], sys.argv[3:]


async def langchain():
    from langchain.agents import create_agent
    from langchain_mcp_adapters.client import MultiServerMCPClient
    from langchain_openai import ChatOpenAI

    tools = await MultiServerMCPClient({"fake": {"transport": "stdio", "command": COMMAND[0], "args": COMMAND[1:]}}).get_tools()
    model = ChatOpenAI(model="fake-model", base_url=URL + "/v1", api_key="fake-key", use_responses_api=False)
    await create_agent(model, tools).ainvoke({"messages": [("user", "go")]}, {"recursion_limit": 300})


async def openai_agents():
    from agents import Agent, Runner, set_tracing_disabled
    from agents.mcp import MCPServerStdio

    set_tracing_disabled(True)
    async with MCPServerStdio(params={"command": COMMAND[0], "args": COMMAND[1:]}) as server:
        await Runner.run(Agent(name="a", instructions="x", mcp_servers=[server], model="fake-model"), "go", max_turns=100)


async def pydantic_ai():
    from fastmcp.client.transports import StdioTransport
    from pydantic_ai import Agent
    from pydantic_ai.mcp import MCPToolset
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIChatModel("fake-model", provider=OpenAIProvider(base_url=URL + "/v1", api_key="fake-key"))
    server = MCPToolset(StdioTransport(COMMAND[0], COMMAND[1:]), max_retries=10)
    await Agent(model, toolsets=[server], retries=10).run("go")


async def google_adk():
    from google.adk.agents import LlmAgent
    from google.adk.runners import InMemoryRunner
    from google.adk.tools.mcp_tool import McpToolset, StdioConnectionParams
    from google.genai import types
    from mcp import StdioServerParameters

    server = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:])
    tools = McpToolset(connection_params=StdioConnectionParams(server_params=server))
    runner = InMemoryRunner(agent=LlmAgent(name="a", model="gemini-2.5-flash", tools=[tools]), app_name="app")
    session = await runner.session_service.create_session(app_name="app", user_id="u")
    go = types.Content(role="user", parts=[types.Part(text="go")])
    async for _ in runner.run_async(user_id="u", session_id=session.id, new_message=go):
        pass
    await tools.close()


asyncio.run(globals()[LIBRARY]())
