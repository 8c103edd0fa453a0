"""A fallback server for when the real one cannot start: one tool, which reports the problem and its fix.

A client silently skips a server that failed for a while; this one lets it show the reason. Standard library only, and
any Python 3.
"""

import json
import sys

from autology_boot import facts

PROTOCOLS = (
    "2025-11-25",
    "2025-06-18",
    "2025-03-26",
    "2024-11-05",
)  # Versions with a handshake, newest first.
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
TOOL = "autology_status"
ENVELOPE = "io.modelcontextprotocol/protocolVersion"  # In the requests of clients that do not shake hands.
ANSWERED = "autology-replayed-"  # Beginning of the ids of requests that autology.startup answered.


def serve(problem, lines, write):
    """Answer each JSON-RPC line of *lines* by *write*; return the exit code."""
    for line in lines:
        if not line.strip():
            continue
        answer = _answer(problem, line)
        if answer is not None:
            write(json.dumps(answer).encode("ascii") + b"\n")
    return 0


def standard_output(data):
    """Write *data* at once."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _answer(problem, line):
    try:
        request = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return _error(None, PARSE_ERROR, "Parse error")
    if not isinstance(request, dict) or not isinstance(request.get("method"), str):
        return _error(None, INVALID_REQUEST, "Invalid request")
    if "id" not in request or str(request["id"]).startswith(ANSWERED):
        return None  # A notification, or a request that was answered before the problem was met.
    parameters = request.get("params")
    parameters = parameters if isinstance(parameters, dict) else {}
    answer = _result(problem, request["id"], request["method"], parameters)
    meta = parameters.get("_meta")
    if "result" in answer and isinstance(meta, dict) and ENVELOPE in meta:
        answer["result"]["resultType"] = "complete"
    return answer


def _result(problem, id, method, parameters):
    if method == "initialize":
        return _success(id, _introduction(problem, parameters.get("protocolVersion")))
    if method == "ping":
        return _success(id, {})
    if method == "tools/list":
        return _success(id, {"tools": [_tool()]})
    if method == "tools/call":
        if parameters.get("name") != TOOL:
            return _error(id, INVALID_PARAMS, "Unknown tool: %s. %s" % (parameters.get("name"), problem))
        return _success(id, {"content": [{"type": "text", "text": _status(problem)}], "isError": False})
    return _error(id, METHOD_NOT_FOUND, "Method not found: " + method)


def _introduction(problem, version):
    return {
        "protocolVersion": version if version in PROTOCOLS else PROTOCOLS[0],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "autology", "version": facts.VERSION},
        "instructions": _status(problem),
    }


def _tool():
    return {
        "name": TOOL,
        "title": "Why Autology is not running",
        "description": "Says why Autology, the memory of this project, cannot run, and how to fix it.",
        "inputSchema": {"type": "object", "properties": {}},
        "annotations": {"readOnlyHint": True, "openWorldHint": False},
        "_meta": {"anthropic/alwaysLoad": True},
    }


def _status(problem):
    return "Autology could not start.\nWhat is wrong: %s\nWhat to do: %s" % (problem.what, problem.remedy)


def _success(id, result):
    return {"jsonrpc": "2.0", "id": id, "result": result}


def _error(id, code, message):
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}
