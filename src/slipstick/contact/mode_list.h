#pragma once

/// Modes of the contacts with what follows from each: the solutions of the contact problem.

#include <boost/container/small_vector.hpp>

#include "slipstick/classify.h"
#include "slipstick/contact/contact_problem.h"
#include "slipstick/mode_word.h"

namespace slipstick {

static_assert(kMaxContacts <= static_cast<int>(ModeWord::kMost));

/// Without heap for one contact, which has at most four modes.
using ModeList = boost::container::small_vector<ModeSolution, 4>;

}  // namespace slipstick
