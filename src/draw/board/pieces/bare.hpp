#pragma once
// Types without their `?`: a site or none is drawn as a site.

#include "ir/program.hpp"

namespace zug::draw::board {

inline ir::TypeId bare(const ir::Program& program, ir::TypeId type) {
    return program.types.kind(type) == ir::TypeKind::Optional ? program.types.inner(type) : type;
}

inline ir::TypeKind bare_kind(const ir::Program& program, ir::TypeId type) {
    return program.types.kind(bare(program, type));
}

} // namespace zug::draw::board
