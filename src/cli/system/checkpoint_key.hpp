#pragma once
// The key that authenticates the user's checkpoints (solve/storage/work.hpp): 32 random bytes in a file that only this
// user can read, in the folder where Zug keeps compiled code. Whoever loses it can still resume with
// --trust-checkpoint.

#include "base/digest.hpp"
#include "base/error.hpp"

#include <filesystem>

namespace zug::cli {

// The key in the folder's file `checkpoint-key`, which is made if there is none; of several processes that make it at
// once, all get the same. An error: the file can't be made or read, or others than this user may change it.
tl::expected<SecretKey, Error> checkpoint_key(const std::filesystem::path& folder);
// The same, in native::cache_folder().
tl::expected<SecretKey, Error> checkpoint_key();

} // namespace zug::cli
