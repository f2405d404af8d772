#pragma once

/// Which contacts are closed along a motion: known from event to event, not decided by a tolerance.

#include <utility>

#include "slipstick/contact/modes.h"

namespace slipstick {

/// The closed contacts, in the model's order, and the open ones that start from zero gap.
class ContactSet {
 public:
  ContactSet() = default;
  /// All of a model's contacts are open.
  explicit ContactSet(std::size_t contacts) : leaving_(contacts, 0) {}
  /// From its parts, as `closed` and `leaving` give them.
  ContactSet(PerContact<ClosedContact> closed, PerContact<int> leaving)
      : closed_(std::move(closed)), leaving_(std::move(leaving)) {}

  [[nodiscard]] const PerContact<ClosedContact>& closed() const { return closed_; }
  /// Nothing if the contact is open.
  [[nodiscard]] const ClosedContact* find(int contact) const;
  [[nodiscard]] PerContact<int> list() const;
  /// A mode per contact according to its slip, before any force is known.
  [[nodiscard]] ModeWord make_word() const;
  /// Order of the zero of an open contact's gap: 1 after a rebound, 2 and 3 after a release with
  /// and without acceleration; 0: the gap is not zero.
  [[nodiscard]] int leaving(int contact) const {
    return leaving_[static_cast<std::size_t>(contact)];
  }
  [[nodiscard]] const PerContact<int>& leaving() const { return leaving_; }

  /// Closes a contact that slips with the sign of `slip`, or sets its slip.
  void close(const Model& model, int contact, double slip);
  /// Opens a contact; `leaving` as above.
  void open(int contact, int leaving);
  /// From now on no open contact is at zero gap.
  void forget_leaving() { leaving_.assign(leaving_.size(), 0); }
  /// Takes the names that hold after a relabelling; contacts without a new name are open.
  void relabel(const Model& model, const Relabel& relabel);

  [[nodiscard]] bool operator==(const ContactSet&) const = default;

 private:
  PerContact<ClosedContact> closed_;
  PerContact<int> leaving_;
};

}  // namespace slipstick
