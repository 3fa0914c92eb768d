#include "lsp/text/document.hpp"

#include "lsp/text/lines.hpp"

namespace zug::lsp {

tl::expected<void, Error> apply_changes(Document& document, const Json& changes) {
    for (const Json& change : changes) {
        const auto& text = change.at("text").get_ref<const std::string&>();
        if (text.size() > longest_text) return failure("the text is too long");
        const auto range = change.find("range");
        if (range == change.end()) {
            document.text = text;
            continue;
        }
        const Lines lines(document.text);
        const std::size_t begin = lines.offset(position_of(range->at("start")));
        const std::size_t end = lines.offset(position_of(range->at("end")));
        if (end < begin) return failure("the range of a change ends before it begins");
        if (document.text.size() - (end - begin) + text.size() > longest_text) return failure("the text is too long");
        document.text.replace(begin, end - begin, text);
    }
    return {};
}

} // namespace zug::lsp
