/// slipstick: parse the command line, run one verb, turn failures into exit codes.

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "command_line.h"
#include "slipstick/errors.h"

namespace {

using slipstick::cli::fail;
using slipstick::cli::kBadInput;
using slipstick::cli::kNumerics;
using slipstick::cli::kOther;

int run(int argc, char** argv) {
  slipstick::cli::CommandLine line;
  if (const auto ended = line.parse(argc, argv)) return *ended;
  int code = kOther;
  try {
    code = line.action();
  } catch (const slipstick::InputError& error) {
    return fail(kBadInput, error.what());
  } catch (const std::domain_error& error) {
    return fail(kNumerics, error.what());
  }
  if (std::fflush(stdout) != 0) return fail(kOther, "standard output could not be written");
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  // Exceeding a limit on file sizes is then an error of the write, like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return fail(kOther, "out of memory; a shorter run or fewer events need less");
  } catch (const std::exception& error) {
    return fail(kOther, error.what());
  }
}
