#pragma once

/// What the check of a finished run found (check.h).
///
///     for (const slipstick::Violation& violation : run.verdict->check.violations) {
///       std::cout << violation.law << " at " << violation.time << " s\n";
///     }

#include <string>
#include <vector>

namespace slipstick {

/// A law that a run broke, and where it did so first at this contact.
struct Violation {
  std::string law;    ///< which
  int contact = -1;   ///< index; -1: of the whole mechanism
  double time = 0.0;  ///< [s]
  double size = 0.0;  ///< in units of the run's own scale of the quantity
};

/// All sizes are relative to the run's own scales: check.h.
struct Check {
  /// The largest errors found.
  struct Worst {
    double gap = 0.0;           ///< of the size of the bodies
    double normal_force = 0.0;  ///< pulling, of the forces in the step
    double cone = 0.0;          ///< friction outside of Coulomb's law, of the forces in the step
    double energy = 0.0;        ///< relative to the energies that were converted
    double momentum = 0.0;      ///< equations of motion and of impacts, of their terms
  };
  bool passed = true;                 ///< no law is broken
  Worst worst;                        ///< also of laws that hold
  std::vector<Violation> violations;  ///< in the order found, one per law and contact
};

/// From start to end [J]: kinetic + potential = loads + surfaces + impacts + friction + damping
/// + error.
struct Balance {
  double kinetic = 0.0;    ///< change
  double potential = 0.0;  ///< change, of gravity and springs; new names of coordinates change none
  double loads = 0.0;      ///< work of applied forces
  double surfaces = 0.0;   ///< work that moving surfaces put in through friction
  double impacts = 0.0;    ///< work of impulses, seen from the surfaces
  double friction = 0.0;   ///< work of friction, seen from the surfaces
  double damping = 0.0;    ///< work of dampers
  double error = 0.0;      ///< what is left
};

/// Both.
struct RunVerdict {
  Check check;      ///< of the laws
  Balance balance;  ///< of the energies
};

}  // namespace slipstick
