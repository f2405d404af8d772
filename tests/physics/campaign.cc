#include "physics/campaign.h"

#include <fmt/format.h>

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <random>

#include "slipstick/errors.h"
#include "slipstick/mode_letters.h"
#include "slipstick/model/dynamics.h"
#include "slipstick/model_file.h"
#include "slipstick/sim/mode/mode.h"
#include "slipstick/sim/mode/trajectory.h"
#include "slipstick/simulate.h"

namespace slipstick::testkit {
namespace {

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : random_(seed) {}

  std::string write() {
    const int bodies = choose(1, 4);
    const int contacts = choose(1, 4);
    const int surfaces = choose(1, 2);
    text_ = fmt::format("gravity = [{}, -9.81]\n", number(-1.0, 1.0));
    for (int i = 0; i < bodies; ++i) add_body(i);
    for (int i = 0; i < surfaces; ++i) add_surface(i);
    for (int i = 0; i < contacts; ++i) add_contact(i, bodies, surfaces);
    if (chance(0.3)) add_spring(choose(0, bodies - 1));
    add_start(bodies);
    return text_;
  }

 private:
  int choose(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(double p) { return std::bernoulli_distribution(p)(random_); }
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

  // Each number is drawn in a statement of its own, because compilers differ in the order in which
  // they evaluate arguments.

  void add_body(int i) {
    const double com_y = number(-0.3, 0.0);
    const double com_x = number(-0.2, 0.2);
    const double gyration = number(0.05, 0.4);
    const double mass = number(0.2, 3.0);
    text_ += fmt::format("[[bodies]]\nname = \"b{}\"\nmass = {}\ngyration = {}\ncom = [{}, {}]\n",
                         i, mass, gyration, com_x, com_y);
    if (i > 0) {
      const double y = number(-0.6, -0.1);
      const double x = number(-0.3, 0.3);
      const int parent = choose(0, i - 1);
      text_ += fmt::format(
          "joint = {{ type = \"revolute\", parent = \"b{}\", at = [{}, {}], coordinate = \"a{}\" "
          "}}\n",
          parent, x, y, i);
    } else if (choose(0, 2) > 0) {
      base_height_ = "y";
      text_ += "joint = { type = \"free\", coordinates = [\"x\", \"y\", \"a0\"] }\n";
    } else {
      base_height_ = "";
      text_ += "joint = { type = \"revolute\", coordinate = \"a0\" }\n";
    }
  }

  /// Level or sloped, some of them moving; below a fixed base, so that links can reach it.
  void add_surface(int i) {
    const double slope = chance(0.5) ? 0.0 : number(-0.5, 0.5);
    const double depth = base_height_.empty() ? number(-0.9, -0.4) : 0.0;
    const double speed = chance(0.3) ? number(-1.0, 1.0) : 0.0;
    text_ +=
        fmt::format("[[surfaces]]\nname = \"s{}\"\npoint = [0, {}]\nnormal = [{}, 1]\nspeed = {}\n",
                    i, depth, slope, speed);
  }

  void add_contact(int i, int bodies, int surfaces) {
    static constexpr std::array<const char*, 5> kLaws{"inelastic", "poisson", "newton", "stronge",
                                                      "fremond"};
    const int surface = choose(0, surfaces - 1);
    const int body = choose(0, bodies - 1);
    const char* law = kLaws[static_cast<std::size_t>(choose(0, 4))];
    const double restitution = chance(0.4) ? 0.0 : number(0.0, 0.9);
    const double mu = chance(0.1) ? 0.0 : number(0.05, 1.2);
    const double radius = chance(0.3) ? number(0.02, 0.1) : 0.0;
    const double y = number(-0.7, -0.2);
    const double x = number(-0.4, 0.4);
    text_ += fmt::format(
        "[[contacts]]\nname = \"c{}\"\nbody = \"b{}\"\npoint = [{}, {}]\nradius = {}\n"
        "surface = \"s{}\"\nmu = {}\nrestitution = {}\nlaw = \"{}\"\n",
        i, body, x, y, radius, surface, mu, restitution, law);
  }

  void add_spring(int body) {
    const double stiffness = number(1.0, 30.0);
    const double length = number(0.2, 1.0);
    const double x = number(-1.0, 1.0);
    text_ += fmt::format(
        "[[springs]]\nfrom = {{ at = [{}, 1] }}\nto = {{ body = \"b{}\" }}\nlength = {}\nstiffness "
        "= "
        "{}\n",
        x, body, length, stiffness);
  }

  void add_start(int bodies) {
    text_ += "[initial]\n";
    if (!base_height_.empty()) {
      text_ += chance(0.5) ? fmt::format("y = {}\n", number(1.5, 3.0))
                           : std::string("y = { close = \"c0\", near = 1 }\n");
      text_ += fmt::format("x_dot = {}\n", number(-2.0, 2.0));
    }
    for (int i = 0; i < bodies; ++i) {
      const double rate = number(-2.0, 2.0);
      const double angle = number(-1.0, 1.0);
      text_ += fmt::format("a{} = {}\na{}_dot = {}\n", i, angle, i, rate);
    }
  }

  std::mt19937_64 random_;
  std::string text_;
  std::string base_height_;  ///< its coordinate, if the base is free
};

/// The laws at one state of a mode.
std::string find_broken_law(const Model& model, const Mode& mode, const State& state) {
  const ContactKinematics contacts = eval_contact_kinematics(model, state);
  constexpr double kGap = 1e-9;
  for (int i = 0; i < model.contact_count(); ++i) {
    if (contacts.gap[i] < -kGap) {
      return fmt::format("gap {} of {} at t = {}", contacts.gap[i],
                         model.contacts[static_cast<std::size_t>(i)].name, state.time);
    }
  }
  const ModeField field = eval_mode_field(model, mode, state);
  if (!field.regular || field.rate < 1e-6) return "";  // forces near a jam are less accurate
  const double scale = field.impulse_rate.size() > 0
                           ? field.impulse_rate.cwiseAbs().maxCoeff() / field.rate + 10.0
                           : 0.0;
  constexpr double kForce = 1e-7;
  for (std::size_t j = 0; j < mode.closed.size() && !mode.redundant; ++j) {
    const ClosedMode& contact = mode.closed[j];
    const double f_n = field.impulse_rate[static_cast<Eigen::Index>(2 * j)] / field.rate;
    const double f_t = field.impulse_rate[static_cast<Eigen::Index>(2 * j + 1)] / field.rate;
    const double slip = contacts.slip[contact.contact];
    const auto say = [&](const char* law, double value) {
      return fmt::format("{} ({}) of {} in {} at t = {}", law, value,
                         model.contacts[static_cast<std::size_t>(contact.contact)].name,
                         to_letters(mode.word), state.time);
    };
    if (f_n < -kForce * scale) return say("f_n >= 0", f_n);
    if (contact.sticks() && std::abs(f_t) > contact.mu_s * f_n + kForce * scale) {
      return say("|f_t| <= mu f_n", std::abs(f_t) - contact.mu_s * f_n);
    }
    if (contact.sticks() && std::abs(slip) > 1e-8) return say("no slip", slip);
    if (contact.slides_with_friction() && contact.slip_sign * slip < -1e-8) {
      return say("direction of slip", slip);
    }
    if (std::abs(contacts.gap[contact.contact]) > kGap) {
      return say("closed", contacts.gap[contact.contact]);
    }
  }
  return "";
}

/// dT/dt: gravity, springs and contact forces; without dampers h at rest is all of the others.
double eval_power(const Model& model, const Mode& mode, const State& state) {
  const Dynamics still = eval_dynamics(model, {state.time, state.q, VecQ::Zero(state.q.size())});
  const ModeField field = eval_mode_field(model, mode, state);
  double out = -state.v.dot(still.h);
  for (std::size_t j = 0; j < mode.closed.size(); ++j) {
    const int c = mode.closed[j].contact;
    const ContactKinematics& contacts = still.contacts;
    out +=
        (state.v.dot(contacts.W_n.col(c)) * field.impulse_rate[static_cast<Eigen::Index>(2 * j)] +
         state.v.dot(contacts.W_t.col(c)) *
             field.impulse_rate[static_cast<Eigen::Index>(2 * j + 1)]) /
        field.rate;
  }
  return out;
}

std::string find_broken_energy(const Model& model, const Trajectory& trajectory,
                               const Segment& step) {
  const Mode& mode = trajectory->modes[step.mode];
  const auto eval = [&](double theta) {
    return eval_state(step.polynomial, trajectory->coordinate_count, theta);
  };
  const double before = eval_kinetic_energy(model, eval(0.0));
  const double after = eval_kinetic_energy(model, eval(step.theta_end));
  bool smooth = true;
  boost::math::quadrature::gauss<double, 15> rule;
  const std::size_t time = 2 * static_cast<std::size_t>(trajectory->coordinate_count);
  const double work = rule.integrate(
      [&](double theta) {
        const State state = eval(theta);
        smooth &= eval_mode_field(model, mode, state).rate > 1e-6;
        return eval_power(model, mode, state) * step.polynomial.eval_rate(time, theta);
      },
      0.0, step.theta_end);
  const double scale = before + after + std::abs(work) + 1e-3;
  if (!smooth || std::abs(after - before - work) <= 1e-7 * scale) return "";
  return fmt::format("energy: {} -> {}, work {} in {} at t = {}", before, after, work,
                     to_letters(mode.word), step.from);
}

}  // namespace

std::string make_random_model(std::uint64_t seed) { return Writer(seed).write(); }

CampaignResult run_campaign(const std::string& model, double until) {
  CampaignResult out;
  std::optional<LoadedModel> loaded;
  try {
    loaded = parse_model("random.toml", model, {});
  } catch (const InputError&) {
    return out;
  }
  out.accepted = true;
  SimulationOptions options;
  options.until = until;
  options.max_events = 2000;
  const Run run = simulate(*loaded->model, loaded->initial, options);
  out.end = run.end.reason;
  out.events = static_cast<int>(run.events.size());
  if (run.end.reason == EndReason::kFailure) {
    out.broken = fmt::format("failure at t = {}: {}", run.end.time, run.end.why.sentence);
    return out;
  }
  for (const Segment& step : run.trajectory->segments) {
    constexpr int kSamples = 8;
    for (int i = 0; i <= kSamples && out.broken.empty(); ++i) {
      const double theta = step.theta_end * i / kSamples;
      out.broken = find_broken_law(*loaded->model, run.trajectory->modes[step.mode],
                                   eval_state(step.polynomial, loaded->model->size(), theta));
    }
    if (out.broken.empty()) out.broken = find_broken_energy(*loaded->model, run.trajectory, step);
    if (!out.broken.empty()) break;
  }
  return out;
}

}  // namespace slipstick::testkit
