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


async def converse(client, version):
    check(client.protocol_version == version, f"{client.protocol_version} is spoken, not {version}")
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    check({"search", "get", "list_sources"} <= set(tools), f"tools: {sorted(tools)}")
    check(all(tool.annotations.read_only_hint for tool in tools.values()), "read-only hints")

    # The package holds structured content against the output schema by itself.
    found = await client.call_tool("search", {"queries": ["installer", "zebra"], "limit": 3})
    check(not found.is_error and "docs:guide.md#installation" in found.content[0].text, found)
    check(len(found.structured_content["queries"]) == 2, found.structured_content)
    nothing = await client.call_tool("search", {"queries": "unicorn"})
    check(not nothing.is_error and "nothing matches" in nothing.content[0].text, nothing)
    wrong = await client.call_tool("search", {"queries": "zebra", "limt": 1})
    check(wrong.is_error and "did you mean `limit`?" in wrong.content[0].text, wrong)
    section = await client.call_tool("get", {"id": "guide.md#installation"})
    check("wait for the zebra" in section.content[0].text, section)
    sources = await client.call_tool("list_sources", {})
    check(sources.structured_content["trees"][0]["name"] == "docs", sources)

    page = pathlib.Path(PROJECT, "docs", "fresh.md")
    page.write_text(f"# Fresh\n\nfresh{version.replace('-', '')}word\n")
    fresh = await client.call_tool("search", {"queries": f"fresh{version.replace('-', '')}word"})
    check("docs:fresh.md" in fresh.content[0].text, fresh)
    page.unlink()

    resources = (await client.list_resources()).resources
    check("ra://docs/guide.md" in [str(resource.uri) for resource in resources], resources)
    text = (await client.read_resource("ra://docs/guide.md")).contents[0].text
    check(text.startswith("# Guide"), text)
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
