#include "solve/storage/work.hpp"

#include "base/file.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace zug::solve {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic{"ZUGWORK\0", 8};
constexpr std::uint32_t version = 5; // of the checkpoint format; also raised when keys or results change
constexpr const char* manifest_name = "manifest";
constexpr const char* new_manifest_name = "manifest.new";

// What comes before the manifest's archive.
struct Head {
    std::array<char, magic.size()> made_by{};
    std::uint32_t its_version = 0, unused = 0;
    std::uint64_t hash = 0;
    Digest mac{};
};
static_assert(std::has_unique_object_representations_v<Head>);

fs::path folder_for_nameless() {
    const char* folder = std::getenv("TMPDIR");
    return folder != nullptr && *folder != 0 ? folder : "/var/tmp";
}

std::string difference(const SolveKey& was, const SolveKey& is) {
    if (was.game != is.game || was.params != is.params) return "it is of another game";
    if (was.rules != is.rules) return "the rules have changed since";
    if (was.ties != is.ties) return "it is for another --ties";
    if (was.symmetries != is.symmetries) return "it was made with or without --no-symmetry";
    if (was.start != is.start) return "it is for another first position";
    return {};
}

} // namespace

Work::Work(FolderOptions options, SolveKey solve_key) : options_(std::move(options)), solve_key_(std::move(solve_key)) {
    schedule();
}

Work::~Work() {
    found_.clear();
    if (has_folder() && !has_checkpoint_) remove_all_but({});
}

void Work::schedule(Clock::duration spent) {
    const std::chrono::duration<double> wanted(options_.checkpoint_seconds);
    const auto wait = std::chrono::duration_cast<Clock::duration>(wanted);
    next_ = Clock::now() + (wanted.count() > 0 ? std::max(wait, 4 * spent) : wait);
}

tl::expected<std::optional<archive::Bytes>, Error> Work::find(std::string& why) {
    if (!has_folder()) return std::nullopt;
    auto found = read_manifest(why);
    if (found) why = difference(found->first.solve_key, solve_key_);
    has_checkpoint_ = true; // and stays, if it can perhaps be read another time, or be trusted
    if (found && why.empty() && !found->second && !options_.trusted) return failure(std::string(not_authentic));
    if (found && why.empty()) why = open_files(found->first);
    if (auto good = io_error_->check(); !good) return tl::unexpected(good.error());
    if (!found || !why.empty()) {
        clear();
        return std::nullopt;
    }
    next_number_ = found->first.next_number;
    return std::move(found->first.state);
}

std::string Work::open_files(const Manifest& manifest) {
    std::set<std::string> names{manifest_name};
    for (const FileEntry& entry : manifest.files) {
        auto file = WorkFile::open(folder(), entry.name, entry.bytes, entry.hash, io_error_);
        if (io_error_->any()) return {};
        if (file == nullptr) return fmt::format("its file {} is damaged", entry.name);
        names.insert(entry.name);
        files_.push_back(file);
        found_.emplace(entry.name, std::move(file));
    }
    remove_all_but(names);
    return {};
}

void Work::clear() {
    found_.clear();
    has_checkpoint_ = false;
    if (!has_folder()) return;
    std::set<std::string> alive; // files are deleted with their last owner
    for (const auto& file : files_)
        if (const auto held = file.lock()) {
            held->keep(false);
            alive.insert(held->name());
        }
    ::unlink((folder() / manifest_name).c_str());
    remove_all_but(alive);
}

bool Work::has_checkpoint(const fs::path& folder) {
    std::error_code error;
    return fs::exists(folder / manifest_name, error);
}

std::shared_ptr<WorkFile> Work::create() {
    if (!has_folder()) return create_nameless();
    auto file = WorkFile::create(folder(), fmt::format("{:06}", next_number_++), io_error_);
    files_.push_back(file);
    return file;
}

std::shared_ptr<WorkFile> Work::create_nameless() {
    return WorkFile::create(has_folder() ? folder() : folder_for_nameless(), "", io_error_);
}

std::shared_ptr<WorkFile> Work::file(const std::string& name) const {
    const auto at = found_.find(name);
    return at == found_.end() ? nullptr : at->second;
}

void Work::save(const archive::Bytes& state) {
    found_.clear();
    std::erase_if(files_, [](const auto& file) { return file.expired(); });
    Manifest manifest{solve_key_, {}, next_number_, state};
    std::set<std::string> names{manifest_name};
    for (const auto& held : files_) {
        const auto file = held.lock();
        file->sync();
        manifest.files.push_back({file->name(), file->size(), file->hash()});
        names.insert(file->name());
    }
    if (!write_manifest(manifest)) return;
    has_checkpoint_ = true;
    for (const auto& held : files_) held.lock()->keep(true);
    // Until the new name is on disk, a loss of power would bring back the previous checkpoint, with its files.
    if (!options_.folder->sync()) return note_folder_error();
    remove_all_but(names);
    schedule(Clock::now() - asked_);
}

void Work::note_folder_error() {
    io_error_->note(fmt::format("can't write {}: {}", folder().string(), std::strerror(errno)));
}

bool Work::write_manifest(const Manifest& manifest) {
    archive::Writer writer;
    writer.value(manifest);
    Head head;
    std::ranges::copy(magic, head.made_by.begin());
    head.its_version = version;
    head.hash = XXH64(writer.bytes.data(), writer.bytes.size(), 0);
    if (options_.key) head.mac = mac_of(writer.bytes, *options_.key);
    {
        const auto file = WorkFile::create(folder(), new_manifest_name, io_error_);
        file->keep(true);
        file->append(&head, sizeof head);
        file->append(writer.bytes.data(), writer.bytes.size());
        file->sync();
    }
    if (!io_error_->any() && (!options_.folder->sync() || ::rename((folder() / new_manifest_name).c_str(),
                                                                   (folder() / manifest_name).c_str()) != 0))
        note_folder_error();
    return !io_error_->any();
}

std::optional<std::pair<Work::Manifest, bool>> Work::read_manifest(std::string& why) const {
    const fs::path file = folder() / manifest_name;
    std::error_code error;
    const bool exists = fs::exists(file, error);
    if (!exists && !error) return std::nullopt; // killed before its first checkpoint, or new
    const auto text = error ? failure(error.message()) : read_file(file, UINT64_MAX);
    if (!text) {
        io_error_->note(fmt::format("can't read {}: {}", file.string(), text.error().text));
        return std::nullopt;
    }
    Head head;
    if (text->size() >= sizeof head) std::memcpy(&head, text->data(), sizeof head);
    const auto rest = std::span(reinterpret_cast<const std::uint8_t*>(text->data()), text->size())
                          .subspan(std::min(text->size(), sizeof head));
    const bool is_ours = std::string_view(head.made_by.data(), head.made_by.size()) == magic;
    if (is_ours && head.its_version != version) {
        why = "it was made by another version of Zug";
        return std::nullopt;
    }
    std::pair<Manifest, bool> found;
    archive::Reader reader(rest);
    if (is_ours && head.hash == XXH64(rest.data(), rest.size(), 0)) reader.value(found.first);
    if (!is_ours || !reader.done()) {
        why = "its manifest is damaged";
        return std::nullopt;
    }
    found.second = options_.key && head.mac == mac_of(rest, *options_.key);
    return found;
}

void Work::remove_all_but(const std::set<std::string>& names) const {
    const auto paths = list_folder(folder());
    if (!paths) return; // what is left is removed by the next run
    for (const auto& path : *paths) {
        const std::string name = path.filename().string();
        const bool ours =
            name.starts_with(manifest_name) || std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
        std::error_code error;
        if (ours && !names.contains(name)) fs::remove(path, error);
    }
}

} // namespace zug::solve
