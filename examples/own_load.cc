// A mechanism of one's own, with a load and an impact law: a cart is pushed to and fro between two
// walls. Model files are described in docs/model-format.md.
#include <cmath>
#include <iostream>

#include "slipstick/model_file.h"
#include "slipstick/simulate.h"

namespace {

constexpr const char* kCart = R"toml(
gravity = [0, 0]
[parameters]
force = 2       # [N]
om = 3          # [rad/s]
[[bodies]]
name = "cart"
mass = 1
inertia = 1
joint = { type = "prismatic", axis = [1, 0], coordinate = "x" }
[[forces]]
coordinate = "x"
value = "force*cos(om*t)"
[[surfaces]]
name = "wall"
point = [0.4, 0]
normal = [-1, 0]
[[contacts]]
name = "buffer"
body = "cart"
surface = "wall"
restitution = 0.5
law = "newton"
)toml";

}  // namespace

int main() {
  const slipstick::LoadedModel cart = slipstick::parse_model("cart", kCart, {});
  slipstick::SimulationOptions options;
  options.until = 2.0;
  const slipstick::Run run = slipstick::simulate(*cart.model, cart.initial, options);
  const slipstick::Event& first = run.events.at(0);
  // x = F/(m om^2) (1 - cos om t) reaches 0.4 m at t = acos(1 - 0.4 m om^2/F)/om.
  const double expected = std::acos(1.0 - 0.4 * 9.0 / 2.0) / 3.0;
  std::cout << "first impact at " << first.time << " s, by hand " << expected << " s\n";
  const slipstick::ImpactRecord& impact = *first.impact;
  std::cout << "velocity " << impact.v_minus[0] << " -> " << impact.v_plus[0] << " m/s\n";
  return std::abs(first.time - expected) < 1e-12 ? 0 : 1;
}
