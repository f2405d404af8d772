#pragma once

/// Results as JSON documents (docs/formats.md). Numbers are printed so that reading them back gives
/// the same double.

#include <span>
#include <string>

#include "slipstick/contact/classify.h"
#include "slipstick/io/model_file.h"

namespace slipstick {

[[nodiscard]] std::string make_classify_json(const LoadedModel& loaded,
                                             const Classification& classification);
[[nodiscard]] std::string make_models_json(std::span<const LoadedModel> models);

/// "consistent", "indeterminate" or "inconsistent".
[[nodiscard]] const char* class_name(ContactClass contact_class);
/// "inactive", "open", "colliding" or "closed".
[[nodiscard]] const char* status_name(ContactStatus status);

}  // namespace slipstick
