"""A server of the Python SDK: lists, models, images, errors, progress, cancellation, changes of the list."""

import asyncio

from mcp.server.mcpserver import Context, Image, MCPServer
from pydantic import BaseModel

server = MCPServer("lists", version="1")


class Author(BaseModel):
    name: str
    commits: int
    email: str | None = None


class Issue(BaseModel):
    number: int
    title: str
    state: str
    labels: list[str]
    author: Author


def issue(number: int) -> Issue:
    author = Author(name=f"user{number % 3}", commits=number * 7)
    labels = ["bug", "help wanted"][: number % 3]
    return Issue(number=number, title=f"Crash when page {number} is opened", state="open", labels=labels, author=author)


@server.tool()
def list_issues(count: int = 30) -> list[Issue]:
    """Issues as models."""
    return [issue(number) for number in range(1, count + 1)]


@server.tool()
def list_rows(count: int = 50) -> list[dict]:
    """Rows as dictionaries."""
    return [{"id": n, "path": f"src/module_{n % 5}/file_{n}.py", "lines": n * 13, "covered": n % 2 == 0} for n in range(count)]


@server.tool()
def list_names() -> list[str]:
    """Texts, some of which look like numbers."""
    return ["alpha", "beta", "5", "null", "[1]"]


@server.tool()
def one_issue() -> Issue:
    """One model."""
    return issue(4)


@server.tool()
def no_issues() -> list[Issue]:
    """Nothing."""
    return []


@server.tool()
def report() -> dict:
    """A nested object."""
    return {
        "total": 12345678901234567890123,
        "ratio": 0.1,
        "groups": [{"name": f"group {n}", "members": [issue(n).model_dump(), issue(n + 1).model_dump()]} for n in range(5)],
    }


@server.tool()
def plain() -> str:
    """A text."""
    return "No issues were found in the last 7 days."


@server.tool()
def picture() -> Image:
    """An image."""
    return Image(data=bytes(range(64)), format="png")


@server.tool()
def fails() -> str:
    """An error."""
    raise ValueError("[1, 2, 3]")


@server.tool()
async def steps(ctx: Context) -> dict:
    """Progress."""
    for step in range(3):
        await ctx.report_progress(step, 3)
    return {"steps": 3}


@server.tool()
async def slow() -> str:
    """Waits until it is cancelled."""
    await asyncio.sleep(600)
    return "done"


@server.tool()
async def change(ctx: Context) -> str:
    """Says that the list of tools changed."""
    await ctx.request_context.session.send_tool_list_changed()
    return "changed"


if __name__ == "__main__":
    server.run("stdio")
