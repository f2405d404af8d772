#include "physics/random_body.h"

#include <fmt/format.h>

#include <cmath>

namespace slipstick::testkit {

double RandomBodies::draw(double low, double high) {
  return low + (high - low) * static_cast<double>(engine_()) / 0x1p32;
}

LoadedModel RandomBodies::draw_model() {
  std::vector<Override> settings;
  const auto set = [&](const char* name, double low, double high) {
    settings.push_back({name, fmt::format("{}", draw(low, high))});
  };
  set("rho", 0.3, 1.2);
  set("h", 0.2, 1.5);
  set("l1", -1.5, 0.5);
  settings.push_back({"l2", settings.back().expression + fmt::format(" + {}", draw(0.3, 2.0))});
  set("mu1", 0.1, 1.5);
  set("mu2", 0.1, 1.5);
  set("alpha", -0.6, 0.6);
  if (draw(0.0, 1.0) < 0.5) {
    set("phi1", -0.7, 0.7);
    set("phi2", -0.7, 0.7);
    set("torque", -1.0, 1.0);
  }
  return read_model("two-contact-body", settings);
}

TwoContactBody RandomBodies::draw_body() {
  TwoContactBody out;
  out.inertia = std::pow(draw(0.3, 1.2), 2);
  const bool on_slope = draw(0.0, 1.0) < 0.5;
  const double height = draw(0.2, 1.5);
  const double first = draw(-1.5, 0.5);
  out.lever[0] = {first, -height};
  out.lever[1].x() = first + draw(0.3, 2.0);
  out.lever[1].y() = -height + (on_slope ? 0.0 : draw(-0.3, 0.3));
  for (Vec2& normal : out.normal) {
    const double turn = on_slope ? 0.0 : draw(-0.7, 0.7);
    normal = {-std::sin(turn), std::cos(turn)};
  }
  for (double& mu : out.mu) mu = draw(0.1, 1.5);
  const double slope = draw(-0.6, 0.6);
  out.force = {std::sin(slope), -std::cos(slope)};
  out.torque = on_slope ? 0.0 : draw(-0.2, 0.2);
  return out;
}

TwoContactBody reduce(const LoadedModel& loaded) {
  return make_two_contact_body(*loaded.model, loaded.initial, Tolerances{});
}

}  // namespace slipstick::testkit
