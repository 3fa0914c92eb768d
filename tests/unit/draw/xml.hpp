#pragma once
// A small check of XML, as the pictures are: elements that are closed, attributes in quotes, no other markup.

#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace zug::test {

// Reads a document, and says what is wrong with it.
class Xml {
public:
    explicit Xml(std::string_view text) : text_(text) { read(); }

    const std::string& wrong() const { return wrong_; } // empty: nothing
    // The values of an attribute, in order, as they are written.
    std::vector<std::string> values(const std::string& attribute) const {
        std::vector<std::string> found;
        for (const auto& [name, value] : attributes_)
            if (name == attribute) found.push_back(value);
        return found;
    }
    std::size_t count(const std::string& element) const { return elements_.count(element); }

private:
    void read() {
        while (wrong_.empty() && at_ < text_.size()) text_[at_] == '<' ? tag() : text();
        if (wrong_.empty() && !open_.empty()) wrong_ = "not closed: " + open_.back();
        if (wrong_.empty() && roots_ != 1) wrong_ = "not one root";
    }
    void text() {
        const char c = text_[at_];
        if (c == '&') {
            entity();
        } else if (c == '>' || (open_.empty() && std::isspace(static_cast<unsigned char>(c)) == 0)) {
            wrong_ = "stray text at " + std::to_string(at_);
        }
        ++at_;
    }
    void entity() {
        for (const std::string_view known : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "&apos;"})
            if (text_.substr(at_).starts_with(known)) return;
        wrong_ = "a bare & at " + std::to_string(at_);
    }
    std::string name() {
        const std::size_t start = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '-'))
            ++at_;
        if (start == at_) wrong_ = "no name at " + std::to_string(at_);
        return std::string(text_.substr(start, at_ - start));
    }
    void tag() {
        const bool closes = text_.substr(at_).starts_with("</");
        at_ += closes ? 2 : 1;
        const std::string element = name();
        if (closes) {
            if (open_.empty() || open_.back() != element)
                wrong_ = "closed but not open: " + element;
            else
                open_.pop_back();
        } else {
            elements_.insert(element);
            if (open_.empty()) ++roots_;
            attributes();
        }
        const bool empty = !closes && text_.substr(at_).starts_with("/>");
        at_ += empty ? 1 : 0;
        if (wrong_.empty() && (at_ >= text_.size() || text_[at_] != '>')) wrong_ = "no end of <" + element;
        if (!closes && !empty) open_.push_back(element);
        ++at_;
    }
    void attributes() {
        std::set<std::string> names;
        while (wrong_.empty() && at_ < text_.size() && text_[at_] == ' ') {
            ++at_;
            const std::string attribute = name();
            if (!names.insert(attribute).second) wrong_ = "twice: " + attribute;
            if (!text_.substr(at_).starts_with("=\"")) wrong_ = "no value of " + attribute;
            const std::size_t start = at_ + 2;
            for (at_ = start; at_ < text_.size() && text_[at_] != '"'; ++at_) {
                if (text_[at_] == '<') wrong_ = "< in " + attribute;
                if (text_[at_] == '&') entity();
            }
            attributes_.emplace_back(attribute, text_.substr(start, at_ - start));
            ++at_;
        }
    }

    std::string_view text_;
    std::size_t at_ = 0, roots_ = 0;
    std::string wrong_;
    std::vector<std::string> open_;
    std::multiset<std::string> elements_;
    std::vector<std::pair<std::string, std::string>> attributes_;
};

} // namespace zug::test
