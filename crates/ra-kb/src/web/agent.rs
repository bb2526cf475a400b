//! Shows what an MCP client receives for a tool call. The call goes through a real server, over its own protocol.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use maud::{Markup, html};
use ra_core::tokens;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};

use super::frame::{self, Tab, number};
use super::links::{parameter, parameters};
use super::{WebState, failed};
use crate::mcp::{InProcessServer, RequestError, RequestRunner};

/// The size of the buffer between the client and the server.
const BUFFER_BYTES: usize = 1 << 16;

/// A client that is connected to the server of these pages.
struct Client {
    lines: tokio::io::Lines<BufReader<tokio::io::ReadHalf<DuplexStream>>>,
    output: tokio::io::WriteHalf<DuplexStream>,
    next: u64,
}

impl Client {
    /// Connects, and returns the client with the answer to its handshake.
    async fn connect(runner: Arc<RequestRunner>) -> Result<(Self, Value), RequestError> {
        let (ours, theirs) = tokio::io::duplex(BUFFER_BYTES);
        let (input, output) = tokio::io::split(theirs);
        tokio::spawn(async move { InProcessServer::sharing(runner).serve(input, output).await });
        let (input, output) = tokio::io::split(ours);
        let mut client = Self { lines: BufReader::new(input).lines(), output, next: 1 };
        let info = json!({ "name": "ra serve", "version": env!("CARGO_PKG_VERSION") });
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info });
        let (answer, _) = client.request("initialize", hello).await?;
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await?;
        Ok((client, answer))
    }

    async fn send(&mut self, message: &Value) -> Result<(), RequestError> {
        self.output.write_all(format!("{message}\n").as_bytes()).await.map_err(|_| disconnected())
    }

    /// Sends a request and returns its answer, and the line that was received.
    async fn request(&mut self, method: &str, params: Value) -> Result<(Value, String), RequestError> {
        let id = self.next;
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await?;
        loop {
            let line = self.lines.next_line().await.ok().flatten().ok_or_else(disconnected)?;
            let message: Value = serde_json::from_str(&line).unwrap_or_default();
            if message["id"] == id {
                return Ok((message, line));
            }
        }
    }
}

fn disconnected() -> RequestError {
    RequestError::Error("error: the server closed the connection\n".to_owned())
}

/// What is asked for.
struct Call {
    tool: String,
    arguments: String,
}

/// What a client has received.
struct Received {
    instructions: String,
    tools: Vec<Value>,
    /// The answer and the line that it came in, or why there was no call.
    answer: Option<Result<(Value, String), String>>,
}

pub(super) async fn page(State(web): WebState, RawQuery(query): RawQuery) -> Response {
    let all = parameters(query.as_deref());
    let call = Call { tool: parameter(&all, "tool"), arguments: parameter(&all, "arguments") };
    match received(web.runner.clone(), &call).await {
        Ok(received) => frame::page("Agent · ra", Tab::Agent, body(&call, &received)),
        Err(error) => failed(error, axum::http::StatusCode::INTERNAL_SERVER_ERROR),
    }
}

async fn received(runner: Arc<RequestRunner>, call: &Call) -> Result<Received, RequestError> {
    let (mut client, hello) = Client::connect(runner).await?;
    let (listed, _) = client.request("tools/list", json!({})).await?;
    let tools = listed["result"]["tools"].as_array().cloned().unwrap_or_default();
    let instructions = hello["result"]["instructions"].as_str().unwrap_or_default().to_owned();
    let answer = match (call.tool.as_str(), serde_json::from_str::<Value>(&call.arguments)) {
        ("", _) => None,
        (_, Err(error)) => Some(Err(format!("The arguments are not JSON: {error}"))),
        (tool, Ok(arguments)) => {
            Some(Ok(client.request("tools/call", json!({ "name": tool, "arguments": arguments })).await?))
        }
    };
    Ok(Received { instructions, tools, answer })
}

/// Returns arguments to begin with.
fn example(tool: &str) -> &'static str {
    match tool {
        "get" => r#"{"ids": [""], "outline": true}"#,
        "context" => r#"{"files": [""]}"#,
        "similar" => r#"{"id": ""}"#,
        "verify" => r#"{"text": ""}"#,
        "list_sources" => "{}",
        _ => r#"{"queries": ["how does it work"], "max_tokens": 2000}"#,
    }
}

fn body(call: &Call, received: &Received) -> Markup {
    let tool = if call.tool.is_empty() { "search" } else { &call.tool };
    let arguments = if call.arguments.is_empty() { example(tool) } else { &call.arguments };
    let names = received.tools.iter().filter_map(|tool| tool["name"].as_str());
    html! {
        main #main .wide {
            h1 { "What an agent receives" }
            p .lead { "A tool call goes through the MCP server, and this is the answer as its client gets it." }
            form .call method="get" action="/agent" {
                div .field {
                    label for="tool" { "Tool" }
                    select #tool name="tool" {
                        @for name in names {
                            option value=(name) selected[name == tool] data-example=(example(name)) { (name) }
                        }
                    }
                }
                div .field .grow {
                    label for="arguments" { "Arguments, as JSON" }
                    textarea #arguments name="arguments" rows="3" spellcheck="false" { (arguments) }
                }
                button { "Call" }
            }
            @match &received.answer {
                None => {},
                Some(Err(problem)) => p .problem role="alert" { (problem) },
                Some(Ok((message, line))) => (answer(message, line)),
            }
            (before_the_call(received))
        }
    }
}

fn answer(message: &Value, line: &str) -> Markup {
    let texts = message["result"]["content"].as_array().into_iter().flatten();
    let text: String = texts.filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n");
    let error = message["error"]["message"].as_str();
    let is_error = error.is_some() || message["result"]["isError"] == true;
    let shown = error.unwrap_or(&text);
    html! {
        section aria-labelledby="answer-title" {
            h2 #answer-title { "Answer" }
            p .facts role="status" {
                strong { (number(tokens::count(shown))) " tokens" } " for the model"
                @if is_error { ", as an error" }
                " · " (number(line.len())) " bytes over the wire"
            }
            pre #received .received tabindex="0" { (shown) }
            details {
                summary { "The message of the protocol" }
                pre .received tabindex="0" { (line) }
            }
        }
    }
}

/// Shows what every conversation costs before the first call.
fn before_the_call(received: &Received) -> Markup {
    let sizes: Vec<(String, usize)> = received
        .tools
        .iter()
        .map(|tool| (tool["name"].as_str().unwrap_or_default().to_owned(), tokens::count(&tool.to_string())))
        .collect();
    let total: usize = sizes.iter().map(|(_, tokens)| tokens).sum();
    html! {
        section {
            h2 { "Before any call" }
            p {
                "A client gives its model the instructions (" (number(tokens::count(&received.instructions)))
                " tokens) and the definitions of the tools (" (number(total)) " tokens)."
            }
            details {
                summary { "Instructions" }
                pre .received tabindex="0" { (received.instructions) }
            }
            @for (tool, (name, tokens)) in received.tools.iter().zip(&sizes) {
                details {
                    summary { (name) " · " (number(*tokens)) " tokens" }
                    p { (tool["description"].as_str().unwrap_or_default()) }
                    pre .received tabindex="0" {
                        (serde_json::to_string_pretty(&tool["inputSchema"]).unwrap_or_default())
                    }
                }
            }
        }
    }
}
