#pragma once

#include <string>

namespace slipstick {

/// Throws InputError at `where` unless `call`, without the program's name, is a verb that answers,
/// with options that only ask. Claims files may come from anyone, so their calls must not write a
/// file, open a page or call `reproduce`.
void check_call(const std::string& where, const std::string& call);

}  // namespace slipstick
