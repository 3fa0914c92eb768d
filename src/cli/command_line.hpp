#pragma once
// The command line as the commands see it: commands, their options, and the conditions that a value has to meet.
//
// It is CLI11 behind handles. That library's header takes ten seconds to compile, so only command_line.cpp includes it.
// The handles are as small as a pointer and can be copied; they are valid as long as the CommandLine lives.

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace zug::cli {

// An option, a flag, or a positional argument. Functions that change it return it, so that calls can be chained.
class Argument {
public:
    explicit Argument(CLI::Option* option) : option_(option) {}

    Argument required(bool required = true);
    Argument describe(const std::string& help);
    // The placeholder of the value in the help; empty for none.
    Argument type_name(const std::string& name);
    // Shows the present value of the target in the help, as the default.
    Argument show_default();
    // Takes one value per occurrence; otherwise a target with several values takes all that follow.
    Argument one_value_each_time();
    Argument excludes(const Argument& other);
    Argument needs(const Argument& other);

    // Conditions. The function returns why a text is wrong, or an empty string if it is right.
    Argument check(const std::function<std::string(const std::string&)>& why_wrong);
    // The same, but the function may rewrite the text. Of several, the last one added is applied first.
    Argument rewrite(const std::function<std::string(std::string&)>& why_wrong);
    Argument within(int low, int high); // both included
    Argument positive();
    Argument one_of(const std::vector<std::string>& names);
    // A number may be followed by one of these units, which multiply it by a factor.
    Argument in_units(const std::map<std::string, double>& units);

    // How often it was given, once the line has been read.
    std::size_t count() const;

private:
    CLI::Option* option_;
};

// What the help says of an option or of an argument without a name.
struct OptionText {
    std::vector<std::string> names; // `-o`, `--json`; of an argument, the word for it
    std::string value;              // the placeholder of its value; empty: it has none, or needs none
    std::string what;
    std::vector<std::string> choices; // the values of which one is wanted; empty: others
    bool is_named = true;
};

// The program's command line, or that of one of its commands.
class Command {
public:
    explicit Command(CLI::App* app) : app_(app) {}

    Command add_command(const std::string& name, const std::string& help);
    // `name`: `--seed`, `-o`, or a word for a positional argument. `target` is set when the line is read, so it has to
    // live until then. For int, std::uint32_t, std::uint64_t and an optional one, double, std::string and a vector of
    // strings.
    template <class T>
    Argument add_option(const std::string& name, T& target, const std::string& help);
    // For bool, and for std::string where a value may follow after `=`: `--prove{auto}` has that value without one.
    template <class T>
    Argument add_flag(const std::string& name, T& target, const std::string& help);
    // An option that has been added.
    Argument get(const std::string& name) const;
    bool has(const std::string& option) const;
    void set_footer(const std::string& text);

    std::string name() const;
    std::string what() const; // its description
    std::string footer() const;
    std::vector<OptionText> options() const;
    // In the order in which they were added.
    std::vector<Command> commands() const;
    // How often an option was given, once the line has been read, and the texts of its values.
    std::size_t count(const std::string& option) const;
    std::vector<std::string> values(const std::string& option) const;

private:
    CLI::App* app_;
};

// The whole line: at most one command.
class CommandLine {
public:
    CommandLine();
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    Command program();
    std::vector<Command> commands() { return program().commands(); }
    std::string help() const;

    enum class Outcome : unsigned char {
        Read,
        Told, // help or version was asked for, and has been printed
        Wrong // the reason has been printed
    };
    Outcome read(int argc, char** argv);
    // The index of the given command, in the order in which they were added; the number of commands if none was given.
    std::size_t chosen() const;

private:
    std::unique_ptr<CLI::App> app_;
};

} // namespace zug::cli
