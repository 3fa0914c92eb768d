#pragma once
// The kinds of calls that can be made to fail, for the preloaded library and the tests.

#include <array>
#include <string_view>

namespace zug::test {

enum class FaultKind {
    Allocate,
    List,
    Lock,
    MakeFolder,
    Map,
    Message, // to standard error
    Open,
    Output, // to standard output
    Permit,
    Pipe,
    Process,
    Read,
    Remove,
    Rename,
    Resize,
    Seek,
    Stat,
    Sync,
    Thread,
    Write, // to any other file
};

// Their names, in this order.
inline constexpr std::array<std::string_view, 20> fault_kinds = {
    "allocate", "list", "lock",   "make-folder", "map",    "message", "open", "output", "permit", "pipe",
    "process",  "read", "remove", "rename",      "resize", "seek",    "stat", "sync",   "thread", "write"};

} // namespace zug::test
