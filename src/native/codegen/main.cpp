// zug-codegen: the compile service that zug runs (native/compile_service.hpp).

#include "native/codegen/build.hpp"
#include "native/compile_service.hpp"

int main(int argc, char** argv) {
    using zug::native::Request;
    const zug::native::Builders builders = {.baseline = zug::codegen::build_baseline,
                                            .best = [](const Request& request, unsigned threads) {
                                                return zug::codegen::build(request, {.threads = threads});
                                            }};
    return zug::native::compile_service_main(argc, argv, builders);
}
