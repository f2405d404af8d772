#include "slipstick/sim/hybrid/contact_set.h"

#include <algorithm>

namespace slipstick {

const ClosedContact* ContactSet::find(int contact) const {
  const auto found = std::find_if(closed_.begin(), closed_.end(),
                                  [&](const ClosedContact& c) { return c.index == contact; });
  return found == closed_.end() ? nullptr : &*found;
}

PerContact<int> ContactSet::list() const {
  PerContact<int> out;
  for (const ClosedContact& contact : closed_) out.push_back(contact.index);
  return out;
}

ModeWord ContactSet::make_word() const {
  ModeWord out(leaving_.size());
  for (const ClosedContact& contact : closed_) {
    out.set(static_cast<std::size_t>(contact.index), make_slip_mode(contact.slip_sign));
  }
  return out;
}

void ContactSet::close(const Model& model, int contact, double slip) {
  open(contact, 0);
  const Contact& c = model.contacts[static_cast<std::size_t>(contact)];
  const int slip_sign = slip > 0.0 ? 1 : (slip < 0.0 ? -1 : 0);
  const auto place = std::find_if(closed_.begin(), closed_.end(), [&](const ClosedContact& other) {
    return other.index > contact;
  });
  closed_.insert(place, ClosedContact{contact, c.mu, c.mu_s, slip_sign, c.bilateral});
}

void ContactSet::open(int contact, int leaving) {
  leaving_[static_cast<std::size_t>(contact)] = leaving;
  if (const ClosedContact* found = find(contact)) {
    closed_.erase(closed_.begin() + (found - closed_.data()));
  }
}

void ContactSet::relabel(const Model& model, const Relabel& relabel) {
  ContactSet out(leaving_.size());
  for (const ClosedContact& contact : closed_) {
    const int name = relabel.contacts[static_cast<std::size_t>(contact.index)];
    if (name >= 0) out.close(model, name, contact.slip_sign);
  }
  for (std::size_t i = 0; i < leaving_.size(); ++i) {
    const int name = relabel.contacts[i];
    if (name >= 0 && leaving_[i] != 0) out.open(name, leaving_[i]);
  }
  *this = out;
}

}  // namespace slipstick
