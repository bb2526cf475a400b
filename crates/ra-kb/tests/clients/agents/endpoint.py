"""A model endpoint that follows a script, for agents that are tested without a model.

It speaks as much of three APIs as the agents use: Anthropic Messages, OpenAI Responses and OpenAI Chat Completions.
Every request carries the whole conversation, so the endpoint keeps no state but its log: it answers with the first
tool call of the script that has no result yet, and with a short text once all have one.
"""

import itertools
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL = "scripted"
GOODBYE = "Done."
# Claude Code merges messages that have the same id.
numbers = itertools.count(1)


class Endpoint:
    """Serves the script, a list of `(tool, arguments)`, on a free port until it is closed."""

    def __init__(self, script):
        self.script = script
        self.requests = []  # (path, body) of every POST
        self.results = {}  # The number of the call -> what the model was given as its result
        self.errors = []
        self.lock = threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Handler,), {"endpoint": self}))
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def reply(self, path, body):
        """The content type and the body of the answer to one request."""
        api = next((api for api in APIS if path.endswith(api.PATH)), None)
        if api is None:
            raise LookupError(f"{path} is not scripted")
        tools = dict(api.tools(body))
        with self.lock:
            self.requests.append((path, body))
            self.results.update(api.results(body))
            number = len(self.results)
        # Agents also ask for titles or summaries, without offering tools.
        if number == len(self.script) or not tools:
            return api.answer(body, api.text(GOODBYE))
        name, arguments = self.script[number]
        offered = [tool for tool in tools if tool == name or tool.endswith(f"__{name}")]
        if len(offered) != 1:
            raise LookupError(f"the agent offers {offered or 'no such tool'} for {name}; its tools are {sorted(tools)}")
        return api.answer(body, api.call(f"call_{number}", tools[offered[0]], arguments))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    endpoint = None

    def do_POST(self):
        path = self.path.split("?")[0]
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        try:
            kind, text = self.endpoint.reply(path, body)
            self.send(200, kind, text)
        except Exception as error:  # The agent's own message would not say what went wrong here.
            self.endpoint.errors.append(f"{type(error).__name__}: {error}")
            self.send(400, "application/json", json.dumps({"error": {"type": "invalid_request_error", "message": str(error)}}))

    def do_GET(self):
        self.send(404, "application/json", "{}")

    do_HEAD = do_GET

    def send(self, status, kind, text):
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, *_):
        pass


def as_json(value):
    return "application/json", json.dumps(value)


def as_events(events):
    return "text/event-stream", "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)


def call_number(call_id):
    """The position in the script of a call, or None for one that the agent made up."""
    head, _, number = str(call_id).rpartition("call_")
    return int(number) if not head and number.isdigit() else None


def joined(content):
    """The text of a result as the model reads it: a string, or the texts of its parts."""
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", json.dumps(part)) for part in content or [])


class Messages:
    """Anthropic Messages, as streamed events or as one object."""

    PATH = "/v1/messages"

    @staticmethod
    def tools(body):
        return [(tool["name"], tool["name"]) for tool in body.get("tools", [])]

    @staticmethod
    def results(body):
        for message in body["messages"]:
            for part in message["content"] if isinstance(message["content"], list) else []:
                if part["type"] == "tool_result" and call_number(part["tool_use_id"]) is not None:
                    yield call_number(part["tool_use_id"]), joined(part["content"])

    @staticmethod
    def text(text):
        return {"type": "text", "text": text}

    @staticmethod
    def call(call_id, name, arguments):
        return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}

    @staticmethod
    def answer(body, part):
        stop = "tool_use" if part["type"] == "tool_use" else "end_turn"
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": f"msg_{next(numbers)}", "type": "message", "role": "assistant", "model": body["model"], "usage": usage}
        if not body.get("stream"):
            return as_json({**message, "content": [part], "stop_reason": stop, "stop_sequence": None})
        if stop == "tool_use":
            start, delta = {**part, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(part["input"])}
        else:
            start, delta = {**part, "text": ""}, {"type": "text_delta", "text": part["text"]}
        return as_events([
            {"type": "message_start", "message": {**message, "content": [], "stop_reason": None, "stop_sequence": None}},
            {"type": "content_block_start", "index": 0, "content_block": start},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage},
            {"type": "message_stop"},
        ])


class CountTokens(Messages):
    """The count that Claude Code asks for to see whether the conversation still fits."""

    PATH = "/v1/messages/count_tokens"

    @staticmethod
    def tools(body):
        return []

    @staticmethod
    def answer(body, part):
        return as_json({"input_tokens": 1})


class Responses:
    """OpenAI Responses, as streamed events or as one object."""

    PATH = "/v1/responses"

    @staticmethod
    def tools(body):
        """Codex puts the tools of a server into a namespace, which a call repeats."""
        for tool in body.get("tools", []):
            if tool["type"] == "namespace":
                for inner in tool["tools"]:
                    yield f"{tool['name'].rstrip('_')}__{inner['name']}", (inner["name"], tool["name"])
            elif "name" in tool:
                yield tool["name"], (tool["name"], None)

    @staticmethod
    def results(body):
        for item in body["input"] if isinstance(body["input"], list) else []:
            if item.get("type") == "function_call_output" and call_number(item["call_id"]) is not None:
                yield call_number(item["call_id"]), joined(item["output"])

    @staticmethod
    def text(text):
        content = [{"type": "output_text", "text": text, "annotations": []}]
        return {"type": "message", "id": f"msg_{next(numbers)}", "role": "assistant", "status": "completed", "content": content}

    @staticmethod
    def call(call_id, tool, arguments):
        name, namespace = tool
        item = {"type": "function_call", "id": f"fc_{call_id}", "call_id": call_id, "name": name, "status": "completed"}
        return {**item, "arguments": json.dumps(arguments), **({"namespace": namespace} if namespace else {})}

    @staticmethod
    def answer(body, item):
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        response = {"id": f"resp_{next(numbers)}", "object": "response", "created_at": 0, "model": body["model"], "tools": []}
        response |= {"parallel_tool_calls": False, "tool_choice": "auto"}
        done = {**response, "status": "completed", "output": [item], "usage": usage}
        if not body.get("stream"):
            return as_json(done)
        return as_events([
            {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": done},
        ])


class ChatCompletions:
    """OpenAI Chat Completions, as one object."""

    PATH = "/v1/chat/completions"

    @staticmethod
    def tools(body):
        return [(tool["function"]["name"], tool["function"]["name"]) for tool in body.get("tools", [])]

    @staticmethod
    def results(body):
        for message in body["messages"]:
            if message["role"] == "tool" and call_number(message["tool_call_id"]) is not None:
                yield call_number(message["tool_call_id"]), joined(message["content"])

    @staticmethod
    def text(text):
        return {"role": "assistant", "content": text}

    @staticmethod
    def call(call_id, name, arguments):
        function = {"name": name, "arguments": json.dumps(arguments)}
        return {"role": "assistant", "content": None, "tool_calls": [{"id": call_id, "type": "function", "function": function}]}

    @staticmethod
    def answer(body, message):
        if body.get("stream"):
            raise NotImplementedError("chat completions are not streamed")
        finish = "tool_calls" if "tool_calls" in message else "stop"
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        completion = {"id": f"chat_{next(numbers)}", "object": "chat.completion", "created": 0, "model": body["model"], "usage": usage}
        return as_json({**completion, "choices": [{"index": 0, "finish_reason": finish, "message": message}]})


APIS = [CountTokens, Messages, Responses, ChatCompletions]
