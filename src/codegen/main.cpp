// zug-codegen: makes machine code for zug, which runs it (see native/helper.hpp). With `-` as its only argument it
// shows what becomes of the request on standard input: times and the optimised intermediate representation.

#include "codegen/build.hpp"
#include "native/helper.hpp"

int main(int argc, char** argv) {
    return zug::native::helper_main(argc, argv, [](const zug::native::Request& request, unsigned threads) {
        return zug::codegen::build(request, {.threads = threads});
    });
}
