// zug-codegen: makes machine code for zug, which runs it (see native/helper.hpp).

#include "codegen/build.hpp"
#include "native/helper.hpp"

int main(int argc, char** argv) {
    using zug::native::Request;
    const zug::native::Builders builders = {.first = zug::codegen::build_first,
                                            .best = [](const Request& request, unsigned threads) {
                                                return zug::codegen::build(request, {.threads = threads});
                                            }};
    return zug::native::helper_main(argc, argv, builders);
}
