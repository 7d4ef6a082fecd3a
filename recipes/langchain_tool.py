"""A LangChain tool whose result uses few tokens: `python langchain_tool.py`. The model may choose the form by `format`."""

from langchain_core.tools import tool

from wire_formats import count_tokens, tool_result


@tool
@tool_result
def list_orders(status: str = "open", limit: int = 20):
    """The orders of a status, newest first."""
    return [{"id": 1000 - n, "status": status, "customer": f"C-{n * 7 % 40}", "total": 10.5 * n} for n in range(limit)]


def main() -> None:
    print("arguments:", ", ".join(list_orders.args))
    print("forms:", ", ".join(list_orders.args["format"]["enum"]))
    for format in ("json", "gcf"):
        print(f"{format}: {count_tokens(list_orders.invoke({'format': format}), 'o200k')} tokens")
    # What an agent does with a call of the model:
    call = {"type": "tool_call", "id": "call-1", "name": "list_orders", "args": {"limit": 3}}
    message = list_orders.invoke(call)
    print(f"{type(message).__name__} of {message.tool_call_id}:")
    print(message.content, end="")


if __name__ == "__main__":
    main()
