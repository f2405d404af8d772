#pragma once

/// A mechanism that is ready to be evaluated. A Model is made once, by read_model() or
/// parse_model(), and constant afterwards; threads may share it. What it consists of is not shown
/// here: other headers say what can be asked about it.
///
///     const slipstick::LoadedModel arm = slipstick::read_model("two-link-rail", {});
///     for (const std::string& name : slipstick::coordinate_names(*arm.model)) { ... }

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slipstick {

/// Bodies, joints, springs, loads, surfaces and contacts.
struct Model;

/// Names of the coordinates, in the order of State::q.
[[nodiscard]] const std::vector<std::string>& coordinate_names(const Model& model);
/// Names of the contacts, in the order of all lists with an entry per contact.
[[nodiscard]] const std::vector<std::string>& contact_names(const Model& model);

/// Index of a coordinate, or -1 if there is none with this name.
[[nodiscard]] int find_coordinate(const Model& model, std::string_view name);
/// Index of a contact, or -1 if there is none with this name.
[[nodiscard]] int find_contact(const Model& model, std::string_view name);

/// One coordinate that follows from closing one contact.
struct Closing {
  int coordinate = 0;                                ///< that is found
  int contact = 0;                                   ///< that is closed
  double near = 0.0;                                 ///< where the search starts
  std::optional<std::pair<double, double>> between;  ///< names the branch
};

}  // namespace slipstick
