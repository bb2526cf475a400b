"""Runs a real agent against a scripted model and checks what the model receives from ra.

    check.py AGENT RA KEPT

AGENT is a key of AGENTS, and KEPT is the directory where `run.sh` installed the agents. The script tells the agent to
search, to get a document and to ask for the context of a file. Every answer must reach the model with the passage in
it and within the budget of the call. What the model received is printed.

Set RA_CLIENTS_DUMP to a file to write all requests there.
"""

import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap

from endpoint import MODEL, Endpoint

HERE = pathlib.Path(__file__).parent
TIMEOUT_SECONDS = 90
SHOWN_CHARACTERS = 400
# What an agent may write around an answer. Codex adds the time that the call took.
WRAPPING_TOKENS = 20

QUESTION = "When do spring tides come?"
PASSAGE = "Spring tides come twice a month, when the sun and the moon pull along one line."
SECTION = "docs:sea.md#spring-tides"
# The last item is what the answer must contain besides the passage. `get` doesn't repeat the id it was given.
SCRIPT = [
    ("search", {"queries": ["spring tides twice a month"], "limit": 8, "max_tokens": 500}, SECTION),
    ("get", {"ids": ["docs:sea.md"], "max_tokens": 300}, "# Water"),
    ("context", {"files": ["src/harbour.py"], "limit": 8, "max_tokens": 500}, SECTION),
    ("similar", {"id": "docs:tide-table.md", "limit": 8, "max_tokens": 500}, SECTION),
]


def make_project(root):
    """Writes one section that answers the question, among longer ones that match too. No answer fits its budget whole."""
    log = "".join(f"On day {day} the sea stood {day % 9} feet above the mark.\n\n" for day in range(60))
    pages = {
        ".ra.toml": 'root = true\n[trees]\ndocs = "docs"\n[search]\ncutoff_ratio = 0\n',
        "docs/sea.md": f"# Water\n\nIt is salty.\n\n## Spring tides\n\n{PASSAGE}\n\n## Log\n\n{log}",
        "docs/tide-table.md": f"# Tide table\n\n{PASSAGE} Look it up before you sail.\n",
        "src/harbour.py": f'"""Opens the harbour. {PASSAGE}"""\n',
    }
    for number in range(12):
        text = f"At spring tides the sun and the moon lift boat {number} along the wall.\n\n" * 30
        pages[f"docs/harbour{number}.md"] = f"# Harbour {number}\n\n## Spring tides of harbour {number}\n\n{text}"
    for path, text in pages.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


class NodeAgent:
    """A program of an npm package. `configure` writes its configuration, and returns its arguments and environment."""

    def __init__(self, package, program, configure):
        self.package, self.program, self.configure = package, program, configure

    def version(self, kept):
        package = json.loads((kept / "agents" / "node_modules" / self.package / "package.json").read_text())
        return f"{self.package} {package['version']}"

    def command(self, ra, kept, project, home, url):
        arguments, environment = self.configure(ra, home, url)
        return [kept / "agents" / "node_modules" / ".bin" / self.program, *arguments], environment


class PythonAgent:
    """A library of PyPI in a virtual environment, with the agent that `libraries.py` has for it."""

    def __init__(self, package, directory):
        self.package, self.directory = package, directory

    def version(self, kept):
        paths = [str(path) for path in (kept / self.directory).glob("lib/python*/site-packages")]
        found = next(iter(importlib.metadata.distributions(name=self.package, path=paths)))
        return f"{self.package} {found.version}"

    def command(self, ra, kept, project, home, url):
        python = kept / self.directory / "bin" / "python"
        return [python, "-B", HERE / "libraries.py", self.package, ra, project, url, QUESTION], {}


def claude_code(ra, home, url):
    config = home / "mcp.json"
    config.write_text(json.dumps({"mcpServers": {"ra": {"command": ra, "args": ["mcp"]}}}))
    tools = ",".join(f"mcp__ra__{tool}" for tool, _, _ in SCRIPT)
    environment = {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        # With tool search the model has to look up a tool before it can call it; the answers are the same.
        "ENABLE_TOOL_SEARCH": "false",
    }
    return ["-p", QUESTION, "--mcp-config", config, "--strict-mcp-config", "--allowedTools", tools], environment


def codex(ra, home, url):
    (home / ".codex").mkdir()
    # Approval isn't configured: `codex exec` declines calls that need it, and tools with a read-only hint don't. Codex
    # asks the model before a server that isn't required has started.
    (home / ".codex" / "config.toml").write_text(textwrap.dedent(f"""\
        model = "{MODEL}"
        model_provider = "scripted"
        check_for_update_on_startup = false
        [analytics]
        enabled = false
        [model_providers.scripted]
        name = "scripted"
        base_url = "{url}/v1"
        wire_api = "responses"
        [mcp_servers.ra]
        command = {json.dumps(ra)}
        args = ["mcp"]
        required = true
        startup_timeout_sec = 60
    """))
    return ["exec", "--skip-git-repo-check", "--sandbox", "read-only", QUESTION], {}


AGENTS = {
    "claude-code": NodeAgent("@anthropic-ai/claude-code", "claude", claude_code),
    "codex": NodeAgent("@openai/codex", "codex", codex),
    "pydantic-ai": PythonAgent("pydantic-ai-slim", "pydantic-ai"),
    "openai-agents": PythonAgent("openai-agents", "openai-agents"),
    "langchain-mcp-adapters": PythonAgent("langchain-mcp-adapters", "langchain-mcp-adapters"),
    "fastmcp": PythonAgent("fastmcp", "fastmcp"),
}

COUNT_TOKENS = """
const { Tiktoken } = require('js-tiktoken/lite');
const ranks = require('js-tiktoken/ranks/cl100k_base');
const encoder = new Tiktoken(ranks.default ?? ranks);
const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(texts.map((text) => encoder.encode(text, [], []).length)));
"""


def count_tokens(texts, kept):
    """The cl100k_base tokens of each text, counted by js-tiktoken, which needs no network for its table."""
    environment = {"PATH": os.environ["PATH"], "NODE_PATH": str(kept / "agents" / "node_modules")}
    command = ["node", "-e", COUNT_TOKENS]
    return json.loads(subprocess.check_output(command, input=json.dumps(texts), env=environment, text=True, timeout=60))


def converse(command, environment, project, endpoint):
    """Runs the agent to its end and returns what went wrong."""
    try:
        run = subprocess.run(command, cwd=project, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, timeout=TIMEOUT_SECONDS)
        problems, output = [f"exit code {run.returncode}"] if run.returncode else [], run.stdout
    except subprocess.TimeoutExpired as expired:
        problems, output = [f"the agent did not end within {TIMEOUT_SECONDS} seconds"], expired.stdout or b""
    problems += endpoint.errors
    if len(endpoint.results) < len(SCRIPT):
        problems.append(f"the model received {len(endpoint.results)} of {len(SCRIPT)} answers")
    if problems:
        print("  the agent printed:", textwrap.indent(output.decode(errors="replace")[-3000:], "    "), sep="\n")
    return problems


def check_answer(tool, budget, wanted, text, tokens):
    missing = [f"{tool}: the model did not receive `{part}`" for part in (PASSAGE, wanted) if part not in text]
    if tokens > budget + WRAPPING_TOKENS:
        missing.append(f"{tool}: the model received {tokens} tokens; the budget was {budget}")
    return missing


def main():
    agent, ra, kept = AGENTS[sys.argv[1]], os.path.abspath(sys.argv[2]), pathlib.Path(sys.argv[3]).absolute()
    print(f"  {agent.version(kept)}")
    with tempfile.TemporaryDirectory() as scratch, Endpoint([call[:2] for call in SCRIPT]) as endpoint:
        project, home = pathlib.Path(scratch, "project"), pathlib.Path(scratch, "home")
        project.mkdir()
        home.mkdir()
        make_project(project)
        command, added = agent.command(ra, kept, project, home, endpoint.url)
        # Nothing but the endpoint can be reached: the proxy is a port where nobody listens.
        outside = {"HTTP_PROXY": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1"}
        environment = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", **outside, **added}
        problems = converse(command, environment, project, endpoint)
    if "RA_CLIENTS_DUMP" in os.environ:
        pathlib.Path(os.environ["RA_CLIENTS_DUMP"]).write_text(json.dumps(endpoint.requests, indent=1))

    texts = [text for _, text in sorted(endpoint.results.items())]
    for (tool, arguments, wanted), text, tokens in zip(SCRIPT, texts, count_tokens(texts, kept)):
        more = f"\n[{len(text) - SHOWN_CHARACTERS} more characters]" if len(text) > SHOWN_CHARACTERS else ""
        print(f"  {tool} {json.dumps(arguments)}: the model received {tokens} tokens")
        print(textwrap.indent(text[:SHOWN_CHARACTERS].rstrip() + more, "  | ", lambda _: True))
        problems += check_answer(tool, arguments["max_tokens"], wanted, text, tokens)
    for problem in problems:
        print(f"  failed: {problem}")
    sys.exit(bool(problems))


main()
