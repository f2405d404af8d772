#include "slipstick/io/builtin_models.h"

// Exit status 0: the installed headers, library and built-in models are usable.
int main() { return slipstick::builtin_models().empty() ? 1 : 0; }
