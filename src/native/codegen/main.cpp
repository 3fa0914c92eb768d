// zug-codegen: makes machine code for zug, which runs it (see native/compile_service.hpp).

#include "native/codegen/build.hpp"
#include "native/compile_service.hpp"

int main(int argc, char** argv) {
    using zug::native::Request;
    const zug::native::Builders builders = {.first = zug::codegen::build_first,
                                            .best = [](const Request& request, unsigned threads) {
                                                return zug::codegen::build(request, {.threads = threads});
                                            }};
    return zug::native::codegen_main(argc, argv, builders);
}
