#include "search/signature.hpp"

namespace zug::search {

Signature signature(std::span<const SignatureCase> cases, const std::atomic<bool>* stop) {
    Signature total;
    for (const SignatureCase& item : cases) {
        Limits limits;
        limits.depth = item.depth;
        limits.stop = stop;
        const Result result = search(*item.game, item.root, item.method, limits);
        total.nodes += result.nodes;
        if (total.fault.empty()) total.fault = result.fault;
    }
    return total;
}

} // namespace zug::search
