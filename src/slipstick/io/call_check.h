#pragma once

#include <string>

namespace slipstick {

/// Throws InputError at `where` unless `call`, without the program's name, is a verb that answers
/// with options that only ask. A file of claims may come from anybody: its calls write no file,
/// open no page, and never come back to `reproduce`.
void check_call(const std::string& where, const std::string& call);

}  // namespace slipstick
