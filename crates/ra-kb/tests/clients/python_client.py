"""The Python package `mcp`, as a client of 2026 and as one of 2025, over both transports.

    python_client.py RA PROJECT URL
"""

import asyncio
import pathlib
import sys

from mcp import Client, MCPError, StdioServerParameters

RA, PROJECT, URL = sys.argv[1:]


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def text(answer):
    """The text of an answer, which has nothing else: clients that get structured content hide the text from the model."""
    check(answer.structured_content is None and len(answer.content) == 1, answer)
    return answer.content[0].text


async def converse(client, version):
    check(client.protocol_version == version, f"{client.protocol_version} is spoken, not {version}")
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    check({"search", "get", "list_sources"} <= set(tools), f"tools: {sorted(tools)}")
    check(all(tool.annotations.read_only_hint for tool in tools.values()), "read-only hints")
    check(not any(tool.output_schema for tool in tools.values()), "output schemas")

    found = await client.call_tool("search", {"queries": ["installer", "sleeps"], "limit": 3})
    check(not found.is_error and "docs:guide.md#installation" in text(found) and "docs:notes.md" in text(found), found)
    nothing = await client.call_tool("search", {"queries": "unicorn"})
    check(not nothing.is_error and "nothing matches" in text(nothing), nothing)
    wrong = await client.call_tool("search", {"queries": "zebra", "limt": 1})
    check(wrong.is_error and "did you mean `limit`?" in text(wrong), wrong)
    section = await client.call_tool("get", {"ids": ["guide.md#installation"]})
    check("wait for the zebra" in text(section), section)
    sources = await client.call_tool("list_sources", {})
    check("docs" in text(sources), sources)

    page = pathlib.Path(PROJECT, "docs", "fresh.md")
    page.write_text(f"# Fresh\n\nfresh{version.replace('-', '')}word\n")
    fresh = await client.call_tool("search", {"queries": f"fresh{version.replace('-', '')}word"})
    check("docs:fresh.md" in text(fresh), fresh)
    page.unlink()

    resources = (await client.list_resources()).resources
    check("ra://docs/guide.md" in [str(resource.uri) for resource in resources], resources)
    guide = (await client.read_resource("ra://docs/guide.md")).contents[0].text
    check(guide.startswith("# Guide"), guide)
    check((await client.list_resource_templates()).resource_templates, "templates")
    prompt = await client.get_prompt("research", {"topic": "zebras"})
    check("zebras" in prompt.messages[0].content.text, prompt)
    try:
        await client.read_resource("ra://docs/../../etc/passwd")
    except MCPError:
        pass
    else:
        raise AssertionError("a document outside of the tree is served")
    many = [client.call_tool("search", {"queries": f"zebra {number}"}) for number in range(50)]
    check(not any(answer.is_error for answer in await asyncio.gather(*many)), "fifty at once")


async def main():
    stdio = StdioServerParameters(command=RA, args=["mcp", "--root", PROJECT])
    for name, target in [("stdio", stdio), ("http", URL)]:
        for mode, version in [("auto", "2026-07-28"), ("2026-07-28", "2026-07-28"), ("legacy", "2025-11-25")]:
            async with Client(target, mode=mode) as client:
                await converse(client, version)
            print(f"  {name}, {mode}: {version}")


asyncio.run(asyncio.wait_for(main(), 120))
