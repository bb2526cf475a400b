"""The shortest agent that each Python library allows, with the library's own defaults. It asks one question.

    libraries.py LIBRARY RA PROJECT ENDPOINT QUESTION

Runs with the Python of the library's virtual environment.
"""

import asyncio
import json
import sys
import urllib.request

from endpoint import MODEL

LIBRARY, RA, PROJECT, ENDPOINT, QUESTION = sys.argv[1:]
SERVER = ["mcp", "--root", PROJECT]


async def pydantic_ai():
    from fastmcp.client.transports import StdioTransport
    from pydantic_ai import Agent
    from pydantic_ai.mcp import MCPToolset
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=f"{ENDPOINT}/v1", api_key="none"))
    agent = Agent(model, toolsets=[MCPToolset(StdioTransport(command=RA, args=SERVER))])
    await agent.run(QUESTION)


async def openai_agents():
    from agents import Agent, OpenAIResponsesModel, Runner, set_tracing_disabled
    from agents.mcp import MCPServerStdio
    from openai import AsyncOpenAI

    set_tracing_disabled(True)
    model = OpenAIResponsesModel(MODEL, AsyncOpenAI(base_url=f"{ENDPOINT}/v1", api_key="none"))
    async with MCPServerStdio({"command": RA, "args": SERVER}) as server:
        await Runner.run(Agent("reader", model=model, mcp_servers=[server]), QUESTION)


async def langchain_mcp_adapters():
    from langchain.agents import create_agent
    from langchain_mcp_adapters.client import MultiServerMCPClient
    from langchain_openai import ChatOpenAI

    client = MultiServerMCPClient({"ra": {"transport": "stdio", "command": RA, "args": SERVER}})
    model = ChatOpenAI(model=MODEL, base_url=f"{ENDPOINT}/v1", api_key="none")
    agent = create_agent(model, await client.get_tools())
    await agent.ainvoke({"messages": [{"role": "user", "content": QUESTION}]})


async def fastmcp():
    """A client without a model, so this is the loop of an agent built on it. It forwards `data`, which is the
    library's own view of an answer and comes from structured content, or the text when there is no data."""
    from fastmcp import Client
    from fastmcp.client.transports import StdioTransport

    messages = [{"role": "user", "content": QUESTION}]
    async with Client(StdioTransport(command=RA, args=SERVER)) as client:
        tools = [{"type": "function", "function": {"name": tool.name}} for tool in await client.list_tools()]
        while True:
            body = json.dumps({"model": MODEL, "messages": messages, "tools": tools}).encode()
            request = urllib.request.Request(f"{ENDPOINT}/v1/chat/completions", body, {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=30) as response:
                message = json.load(response)["choices"][0]["message"]
            messages.append(message)
            if "tool_calls" not in message:
                return
            for call in message["tool_calls"]:
                name, arguments = call["function"]["name"], json.loads(call["function"]["arguments"])
                result = await client.call_tool(name, arguments, raise_on_error=False)
                text = "\n".join(part.text for part in result.content)
                content = text if result.data is None else json.dumps(result.data, default=vars)
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": content})


asyncio.run({
    "pydantic-ai-slim": pydantic_ai,
    "openai-agents": openai_agents,
    "langchain-mcp-adapters": langchain_mcp_adapters,
    "fastmcp": fastmcp,
}[LIBRARY]())
