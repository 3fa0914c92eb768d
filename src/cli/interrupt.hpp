#pragma once
// What ends the program from outside: Ctrl-C, `kill`, a terminal that is closed, the limit of time, the limit of
// memory.
//
// A signal and the end of the time ask the work under way to stop, and the results so far are printed. Work that does
// not stop soon is ended, with a message that says what it was doing (base/activity.hpp); a second Ctrl-C ends the
// program at once. Memory beyond the limit ends it wherever that happens.

#include <atomic>
#include <cstdint>
#include <string>

namespace zug::cli {

void watch_interrupts();
// Ends the program by the signal that asked it to stop, so that its parent knows; returns if that was Ctrl-C or none.
void die_of_signal();
// Set by signals and by the end of the time. Searches and matches poll it while they run.
std::atomic<bool>& interrupted();

// From now on the work may take so long, in seconds; 0: as long as it likes. A second call replaces the first.
void limit_time(double seconds);
// Whether it was the time that set interrupted().
bool out_of_time();
// The message about it.
std::string time_message();
// The process gets no more memory than this for its data. Cost: none.
void limit_memory(std::uint64_t bytes);
// Ends the program with a message about that limit.
[[noreturn]] void out_of_memory();

// While one lives nothing is there to be lost: Ctrl-C and the end of the time end the program at once.
class Unattended {
public:
    Unattended();
    Unattended(const Unattended&) = delete;
    Unattended& operator=(const Unattended&) = delete;
    ~Unattended();
};

// While one lives, the terminal may be in another mode: if the program is ended it is given back the one it was in.
class TerminalMode {
public:
    TerminalMode();
    TerminalMode(const TerminalMode&) = delete;
    TerminalMode& operator=(const TerminalMode&) = delete;
    ~TerminalMode();
};

// While one lives, work that was asked to stop is given all the time it takes: it saves what it has.
class Saving {
public:
    Saving();
    Saving(const Saving&) = delete;
    Saving& operator=(const Saving&) = delete;
    ~Saving();
};

} // namespace zug::cli
