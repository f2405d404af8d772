#pragma once

/// What the fuzz targets and the replay of their corpora do with an input: all that the program
/// does with such a file before and after it is accepted. Each returns, or throws InputError.

#include <string>

namespace slipstick::fuzz {

/// As `show`, `show --report` and the comparison of `rerun` read a result file.
void read_result(const std::string& bytes);
/// Reads and judges claims as `reproduce` does, with arbitrary answers of the calls.
void read_claims(const std::string& text);
/// Reads an event of a result file, for one of two models; what is read must be written again
/// unchanged.
void read_event(const std::string& text);
/// Ranges and settings, one per line, as options have them.
void read_option_values(const std::string& text);

}  // namespace slipstick::fuzz
