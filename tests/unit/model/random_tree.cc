#include "unit/model/random_tree.h"

namespace slipstick {
namespace {

double pick(std::mt19937_64& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Vec2 pick_point(std::mt19937_64& random) {
  const double x = pick(random, -1.0, 1.0);
  return {x, pick(random, -1.0, 1.0)};
}

bool pick_flag(std::mt19937_64& random) { return pick(random, 0.0, 1.0) < 0.5; }

JointSpec pick_joint(std::mt19937_64& random, const ModelSpec& spec) {
  JointSpec joint;
  const auto count = spec.bodies.size();
  const int kind = count == 0 ? 4 : std::uniform_int_distribution<int>(0, 4)(random);
  joint.type = static_cast<JointType>(kind);
  const bool in_world = joint.type == JointType::kFree || joint.type == JointType::kTranslation;
  if (count > 0 && !in_world) {
    joint.parent =
        spec.bodies[std::uniform_int_distribution<std::size_t>(0, count - 1)(random)].name;
  }
  joint.at = pick_point(random);
  joint.axis = pick_point(random);
  joint.angle = pick(random, -1.0, 1.0);
  joint.absolute = pick_flag(random);
  joint.clockwise = pick_flag(random);
  static constexpr std::size_t kCounts[] = {0, 1, 1, 2, 3};
  for (std::size_t i = 0; i < kCounts[static_cast<std::size_t>(kind)]; ++i) {
    joint.coordinates.push_back("q" + std::to_string(count) + "_" + std::to_string(i));
  }
  return joint;
}

}  // namespace

ModelSpec make_random_spec(std::mt19937_64& random, int bodies) {
  ModelSpec spec;
  spec.name = "random";
  spec.gravity = 5.0 * pick_point(random);
  for (int i = 0; i < bodies; ++i) {
    BodySpec body;
    body.name = "body" + std::to_string(i);
    body.joint = pick_joint(random, spec);
    body.masses = {{pick(random, 0.2, 2.0), pick_point(random)}};
    if (pick_flag(random)) body.masses.push_back({pick(random, 0.2, 2.0), pick_point(random)});
    body.inertia = pick(random, 0.1, 1.0);
    if (spec.coordinates.size() + body.joint.coordinates.size() > kMaxCoordinates) break;
    spec.coordinates.insert(spec.coordinates.end(), body.joint.coordinates.begin(),
                            body.joint.coordinates.end());
    spec.bodies.push_back(body);
  }
  std::shuffle(spec.coordinates.begin(), spec.coordinates.end(), random);
  const std::vector<std::string> variables = make_variable_names(spec.coordinates);
  spec.surfaces.push_back({"", "belt", pick_point(random), pick_point(random), "",
                           Function(Expression("", "0.3*sin(2*t)", variables, {}))});
  const std::string last = spec.bodies.back().name;
  for (int i = 0; i < 2; ++i) {
    ContactSpec contact;
    contact.name = "contact" + std::to_string(i);
    contact.body = spec.bodies[static_cast<std::size_t>(i) % spec.bodies.size()].name;
    contact.surface = "belt";
    contact.point = pick_point(random);
    contact.radius = i == 0 ? 0.0 : 0.3;
    spec.contacts.push_back(contact);
  }
  spec.linear_springs.push_back(
      {"", {last, pick_point(random)}, {kWorld, pick_point(random)}, 2.0, 0.4, 0.3});
  spec.torsion_springs.push_back({"", last, spec.bodies.front().name, 1.5, 0.2, 0.1});
  spec.point_forces.push_back({"", "", "", {last, pick_point(random)}, 0.7, -0.4, 0.2});
  spec.coordinate_forces.push_back({"", spec.coordinates.front(), "", Function(0.6)});
  return spec;
}

State make_random_state(std::mt19937_64& random, const Model& model) {
  State state{pick(random, 0.0, 1.0), VecQ(model.size()), VecQ(model.size())};
  for (double& q : state.q) q = pick(random, -2.0, 2.0);
  for (double& v : state.v) v = pick(random, -2.0, 2.0);
  return state;
}

}  // namespace slipstick
