#include "functions.hpp"

#include "tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace zug::test {

namespace {

constexpr std::array<std::string_view, 11> not_functions = {
    "__attribute__", "alignas", "decltype", "explicit",      "if",   "noexcept",
    "requires",      "return",  "sizeof",   "static_assert", "throw"};

bool is_macro(std::string_view name) {
    return std::ranges::none_of(name, [](unsigned char c) { return std::islower(c) != 0; }) && name.size() > 2 &&
           std::isupper(static_cast<unsigned char>(name[0])) != 0;
}

// What has been seen of a declaration, up to its `;` or its body.
struct Declaration {
    std::size_t begin = 0;
    std::size_t parameters = 0; // the index of the token that opens the parameter list; 0: there is none
    std::size_t parameters_end = 0;
    std::string name = {};
    bool is_initialised = false;   // an `=` was there
    bool has_initialisers = false; // a constructor's `:` was there
};

class Finder {
public:
    explicit Finder(std::string_view source) : tokens_(tokens_of(source)) {}

    std::vector<Function> run() {
        while (at_ < tokens_.size()) {
            scope();
            ++at_; // a brace too many
        }
        return std::move(found_);
    }

private:
    std::string_view text(std::size_t index) const { return index < tokens_.size() ? tokens_[index].text : ""; }
    std::string_view now() const { return text(at_); }
    bool is_one_of(std::string_view token, std::initializer_list<std::string_view> others) const {
        return std::ranges::find(others, token) != others.end();
    }

    // The index of the token that closes what the one at `open` opens.
    std::size_t close_of(std::size_t open) const {
        int depth = 0;
        for (std::size_t i = open; i < tokens_.size(); ++i) {
            if (is_one_of(text(i), {"(", "[", "{"})) ++depth;
            if (is_one_of(text(i), {")", "]", "}"}) && --depth == 0) return i;
        }
        return tokens_.size();
    }

    std::size_t close_of_angle(std::size_t open) const {
        int depth = 0;
        for (std::size_t i = open; i < tokens_.size(); ++i) {
            if (text(i) == "<") ++depth;
            if (text(i) == ">" && --depth == 0) return i;
        }
        return tokens_.size();
    }

    int count_parameters(std::size_t open, std::size_t close) const {
        if (close == open + 1 || (close == open + 2 && text(open + 1) == "void")) return 0;
        int count = 1, depth = 0;
        for (std::size_t i = open + 1; i < close; ++i) {
            if (is_one_of(text(i), {"(", "[", "{", "<"})) ++depth;
            if (is_one_of(text(i), {")", "]", "}", ">"})) --depth;
            if (depth == 0 && text(i) == ",") ++count;
        }
        return count;
    }

    // The declarations of a namespace or a class, up to its closing brace.
    void scope() {
        Declaration declaration{.begin = at_};
        while (at_ < tokens_.size() && now() != "}") {
            const std::string_view token = now();
            if (token == "template" && text(at_ + 1) == "<") {
                at_ = close_of_angle(at_ + 1) + 1;
            } else if (token == ";" || (token == ":" && is_one_of(text(at_ - 1), {"public", "protected", "private"}))) {
                if (token == ";" && declaration.parameters != 0 && !is_macro(declaration.name))
                    add(declaration, declaration.begin);
                declaration = {.begin = ++at_};
            } else if (token == "{") {
                if (brace(declaration)) declaration = {.begin = at_};
            } else {
                note(declaration);
            }
        }
    }

    // A token of a declaration that neither ends it nor opens a brace.
    void note(Declaration& declaration) {
        const std::string_view token = now();
        if (token == "operator") {
            std::string name;
            do name += now();
            while (text(++at_) != "(" || name == "operator"); // operator()
            parameter_list(declaration, std::move(name));
        } else if (token == "(") {
            const bool names_function = is_identifier(text(at_ - 1)) && !declaration.is_initialised &&
                                        declaration.parameters == 0 &&
                                        std::ranges::find(not_functions, text(at_ - 1)) == not_functions.end();
            if (names_function)
                parameter_list(declaration, name_before(at_));
            else
                at_ = skip_group();
        } else if (token == "[") {
            lambda_or_group();
        } else {
            if (token == "=" && declaration.parameters == 0) declaration.is_initialised = true;
            if (token == ":" && declaration.parameters != 0) declaration.has_initialisers = true;
            ++at_;
        }
    }

    void parameter_list(Declaration& declaration, std::string name) {
        declaration.parameters = at_;
        declaration.name = std::move(name);
        if (declaration.name == "TEST_CASE") declaration.name = text(at_ + 1);
        at_ = declaration.parameters_end = close_of(at_);
        ++at_;
        if (is_macro(declaration.name) && now() != "{") declaration = {.begin = at_}; // a whole declaration by itself
    }

    // Any group of brackets, with the lambdas in it.
    std::size_t skip_group() {
        const std::size_t close = close_of(at_);
        ++at_;
        body(close);
        return close + 1;
    }

    // At an opening brace. Whether the declaration ends with what it opens.
    bool brace(Declaration& declaration) {
        if (declaration.parameters != 0) {
            const bool initialises_member =
                declaration.has_initialisers && (is_identifier(text(at_ - 1)) || text(at_ - 1) == ">");
            if (initialises_member)
                at_ = skip_group();
            else
                function_body(declaration);
            return !initialises_member;
        }
        const auto begin = tokens_.begin() + static_cast<std::ptrdiff_t>(declaration.begin);
        const auto end = tokens_.begin() + static_cast<std::ptrdiff_t>(at_);
        const auto holds = [&](std::string_view word) {
            return std::ranges::find(begin, end, word, &Token::text) != end;
        };
        const bool is_scope =
            holds("namespace") || holds("extern") || holds("class") || holds("struct") || holds("union");
        if (!is_scope || holds("enum") || declaration.is_initialised) {
            at_ = skip_group();
            return false;
        }
        const std::string outer = class_;
        if (!holds("namespace") && !holds("extern")) class_ = class_name(declaration.begin);
        ++at_;
        scope();
        ++at_;
        class_ = outer;
        return holds("namespace") || holds("extern");
    }

    std::string class_name(std::size_t begin) const {
        std::string name = "class";
        for (std::size_t i = begin; i < at_ && text(i) != ":"; ++i)
            if (is_identifier(text(i)) && text(i) != "final") name = text(i);
        return name;
    }

    void function_body(const Declaration& declaration) {
        const std::size_t close = close_of(at_), begin = declaration.begin;
        const std::string outer = function_;
        function_ = full_name(declaration.name);
        ++at_;
        body(close);
        at_ = close;
        add(declaration, begin, close);
        function_ = outer;
        ++at_;
    }

    // The statements up to the token `end`: their lambdas and local classes.
    void body(std::size_t end) {
        while (at_ < end) {
            if (now() == "[")
                lambda_or_group();
            else if (is_one_of(now(), {"struct", "class"}) && opens_class())
                local_class();
            else
                ++at_;
        }
    }

    bool opens_class() const {
        std::size_t i = at_ + 1;
        while (is_identifier(text(i)) || is_one_of(text(i), {":", "::", ","})) ++i;
        return text(i) == "{";
    }

    void local_class() {
        const std::string outer = class_;
        const std::size_t begin = at_;
        while (now() != "{") ++at_;
        class_ = class_name(begin);
        ++at_;
        scope();
        ++at_;
        class_ = outer;
    }

    void lambda_or_group() {
        const bool is_index = at_ > 0 && (is_identifier(text(at_ - 1)) || is_one_of(text(at_ - 1), {")", "]", "}"})) &&
                              !is_one_of(text(at_ - 1), {"return", "co_return", "else", "case"});
        const std::size_t begin = at_, close = close_of(at_);
        ++at_;
        if (is_index || text(begin + 1) == "[") return;
        std::size_t next = close + 1;
        if (text(next) == "<") next = close_of_angle(next) + 1;
        Declaration lambda{.begin = begin, .name = "lambda in " + function_};
        if (text(next) == "(") {
            lambda.parameters = next;
            lambda.parameters_end = close_of(next);
            next = lambda.parameters_end + 1;
        }
        while (next < tokens_.size() && !is_one_of(text(next), {"{", ";", ",", ")", "("})) ++next;
        if (text(next) != "{") return;
        const std::size_t end = close_of(next);
        at_ = next + 1;
        body(end);
        add(lambda, begin, end);
        at_ = end + 1;
    }

    // `A::name` before an opening bracket.
    std::string name_before(std::size_t open) const {
        std::size_t i = open - 1;
        std::string name{text(i)};
        if (i > 0 && text(i - 1) == "~") name = std::string(text(--i)) + name;
        while (i > 1 && text(i - 1) == "::" && is_identifier(text(i - 2))) {
            i -= 2;
            name = std::string(text(i)) + "::" + name;
        }
        return name;
    }

    std::string full_name(const std::string& name) const {
        return class_.empty() || name.starts_with('"') ? name : class_ + "::" + name;
    }

    void add(const Declaration& declaration, std::size_t begin, std::optional<std::size_t> close = std::nullopt) {
        Function function;
        const bool is_lambda = declaration.name.starts_with("lambda in ");
        function.name = is_lambda ? declaration.name : full_name(declaration.name);
        function.is_outside_class = declaration.name.find("::") != std::string::npos && !is_lambda;
        function.first_line = tokens_[begin].line;
        if (close && *close < tokens_.size()) function.lines = tokens_[*close].line - function.first_line + 1;
        // The arguments of a macro, such as a test's title, are no parameters.
        if (declaration.parameters != 0 && !is_macro(text(declaration.parameters - 1)))
            function.parameters = count_parameters(declaration.parameters, declaration.parameters_end);
        found_.push_back(std::move(function));
    }

    std::vector<Token> tokens_;
    std::vector<Function> found_;
    std::size_t at_ = 0;
    std::string class_, function_; // whose declarations and statements these are; empty: none's
};

} // namespace

std::vector<Function> functions_of(std::string_view source) { return Finder(source).run(); }

} // namespace zug::test
