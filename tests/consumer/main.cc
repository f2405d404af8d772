#include "slipstick/contact/classify.h"
#include "slipstick/io/model_file.h"

// Exit status 0: the installed headers, library and built-in models answer a question.
int main() {
  const slipstick::LoadedModel loaded = slipstick::read_model("two-link-rail", {});
  const auto answer = slipstick::classify(loaded.model, loaded.initial, slipstick::Tolerances{});
  return answer.contact_class == slipstick::ContactClass::kInconsistent ? 0 : 1;
}
