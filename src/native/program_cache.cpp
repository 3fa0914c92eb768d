#include "native/program_cache.hpp"
#include "compiler/compile.hpp"
#include "ir/rules_digest.hpp"

#include "program_version.hpp"

#include <chrono>

namespace zug::native {
namespace {

using Clock = std::chrono::steady_clock;
// Programs that compile faster are not worth a file.
constexpr auto worth_keeping = std::chrono::milliseconds(3);

std::unique_ptr<run::Compiled> load(const std::shared_ptr<const ir::Program>& program, const Cache& cache,
                                    const Key& key) {
    const auto body = cache.load(key);
    if (!body) return nullptr;
    auto parts = archive::read<run::KeptParts>(*body);
    return parts ? run::restore(program, std::move(*parts)) : nullptr;
}

} // namespace

Key key_of(const ir::Program& program) {
    archive::Writer writer;
    writer.value(program_version);
    writer.value(ir::rules_digest(program));
    return digest_of(writer.bytes);
}

std::unique_ptr<run::Compiled> compile(const std::shared_ptr<const ir::Program>& program, const Cache& cache,
                                       std::string& why) {
    const Key key = key_of(*program);
    if (auto known = load(program, cache, key)) return known;
    const auto begin = Clock::now();
    auto compiled = run::compile(program, why);
    if (!compiled || Clock::now() - begin < worth_keeping) return compiled;
    archive::Writer writer;
    writer.value(run::keep(*compiled));
    cache.store(key, write_blob(writer.bytes, key));
    return compiled;
}

} // namespace zug::native
