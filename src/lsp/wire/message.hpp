#pragma once
// Messages of JSON-RPC 2.0 and their errors, as version 3.17 of the Language Server Protocol defines them.

#include "lsp/text/json.hpp"

#include <tl/expected.hpp>

#include <string>

namespace zug::lsp {

enum class ErrorCode : int {
    ParseError = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    ServerNotInitialized = -32002,
    RequestFailed = -32803,
    ContentModified = -32801,
    RequestCancelled = -32800,
};

struct ResponseError {
    ErrorCode code{};
    std::string message;
};

using Answer = tl::expected<Json, ResponseError>;

inline tl::unexpected<ResponseError> refuse(ErrorCode code, std::string message) {
    return tl::unexpected(ResponseError{code, std::move(message)});
}

inline Json response(const Json& id, const Answer& answer) {
    Json message = {{"jsonrpc", "2.0"}, {"id", id}};
    if (answer)
        message["result"] = *answer;
    else
        message["error"] = {{"code", static_cast<int>(answer.error().code)}, {"message", answer.error().message}};
    return message;
}

} // namespace zug::lsp
