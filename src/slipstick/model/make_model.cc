#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "slipstick/core/nearest_name.h"
#include "slipstick/core/scales.h"
#include "slipstick/errors.h"
#include "slipstick/model/forces.h"
#include "slipstick/model/model.h"

namespace slipstick {
namespace {

template <class Range, class Key>
int find_index(const Range& range, const Key& key, std::string_view name) {
  const auto found = std::find_if(range.begin(), range.end(),
                                  [&](const auto& item) { return std::invoke(key, item) == name; });
  return found == range.end() ? -1 : static_cast<int>(found - range.begin());
}

Vec2 rotate(double angle, const Vec2& a) { return Eigen::Rotation2Dd(angle) * a; }

/// The position of a material point: constant + sum of amplitude R w over elements.
struct PointForm {
  Vec2 constant = Vec2::Zero();
  std::vector<std::pair<int, Vec2>> terms;

  void add(int element, const Vec2& w) {
    const auto same = [&](const auto& term) { return term.first == element; };
    const auto found = std::find_if(terms.begin(), terms.end(), same);
    if (found == terms.end()) {
      terms.emplace_back(element, w);
    } else {
      found->second += w;
    }
  }
};

/// d . R(phi) w = (d . w) cos phi + (d . J w) sin phi.
void add_direction(Row& row, const Vec2& direction, const PointForm& point) {
  row.offset += direction.dot(point.constant);
  for (const auto& [element, w] : point.terms) {
    const double cosine = direction.dot(w);
    const double sine = direction.dot(turn_left(w));
    const auto found = std::find_if(row.terms.begin(), row.terms.end(),
                                    [e = element](const Row::Term& t) { return t.element == e; });
    if (found == row.terms.end()) {
      row.terms.push_back({element, cosine, sine});
    } else {
      found->cosine += cosine;
      found->sine += sine;
    }
  }
}

Row make_row(const Vec2& direction, const PointForm& point) {
  Row row;
  add_direction(row, direction, point);
  return row;
}

/// Where a body's frame is.
struct Placement {
  PointForm origin;
  Orientation turn;
};

/// Builds a model step by step; each step fills one part of it from the spec.
class Builder {
 public:
  explicit Builder(const ModelSpec& spec) : spec_(spec) {}

  Model build() {
    model_.name = spec_.name;
    model_.title = spec_.title;
    model_.source = spec_.source;
    model_.gravity = spec_.gravity;
    check_counts();
    check_names();
    place_bodies();
    add_groups();
    add_inertia();
    add_surfaces();
    add_contacts();
    add_centroidal_tree();
    add_forces();
    model_.has_forces = has_applied_forces(model_);
    model_.depends_on_time = has_time_dependence(model_);
    add_relabels();
    add_gait();
    add_skeleton();
    return std::move(model_);
  }

 private:
  void check_counts() const {
    if (spec_.bodies.empty()) throw InputError(spec_.where, "expected at least one body, got none");
    const auto limit = [&](std::size_t count, int most, const char* what) {
      if (count > static_cast<std::size_t>(most)) {
        throw InputError(spec_.where, "expected at most " + std::to_string(most) + " " + what +
                                          ", got " + std::to_string(count));
      }
    };
    limit(spec_.coordinates.size(), kMaxCoordinates, "coordinates");
    limit(spec_.contacts.size(), kMaxContacts, "contacts");
    if (spec_.coordinates.empty()) {
      throw InputError(spec_.where, "expected a joint that moves, got only fixed bodies");
    }
  }

  template <class Entries>
  static void check_unique(const Entries& entries, const char* what) {
    for (auto it = entries.begin(); it != entries.end(); ++it) {
      const auto same = [&](const auto& other) { return other.name == it->name; };
      if (std::any_of(entries.begin(), it, same)) {
        throw InputError(it->where, std::string("expected names used once, got a second ") + what +
                                        " '" + it->name + "'");
      }
    }
  }

  void check_names() {
    check_unique(spec_.bodies, "body");
    check_unique(spec_.surfaces, "surface");
    check_unique(spec_.contacts, "contact");
    for (const BodySpec& body : spec_.bodies) {
      for (const std::string& coordinate : body.joint.coordinates) {
        if (std::count(joint_coordinates_.begin(), joint_coordinates_.end(), coordinate) > 0) {
          throw InputError(body.where,
                           "expected coordinates used once, got a second '" + coordinate + "'");
        }
        joint_coordinates_.push_back(coordinate);
      }
    }
    model_.coordinates = spec_.coordinates;
    auto given = spec_.coordinates;
    auto used = joint_coordinates_;
    std::sort(given.begin(), given.end());
    std::sort(used.begin(), used.end());
    if (given != used) {
      throw InputError(spec_.where,
                       "expected `coordinates` to list each joint's coordinates once, got others");
    }
  }

  int find_body(const std::string& where, const std::string& name, bool or_world = true) const {
    const int index = find_index(spec_.bodies, &BodySpec::name, name);
    if (index < 0) {
      std::vector<std::string> names;
      for (const BodySpec& body : spec_.bodies) names.push_back(body.name);
      throw InputError(where, std::string("expected the name of a body") +
                                  (or_world ? " or 'world'" : "") + ", got '" + name + "'" +
                                  make_suggestion(name, names));
    }
    return index;
  }

  /// Places parents before children. Bodies that cannot be placed form a cycle.
  void place_bodies() {
    const int n = model_.size();
    model_.tree.elements.resize(static_cast<std::size_t>(n));
    model_.tree.C = MatQ::Identity(n, n);
    std::vector<const BodySpec*> waiting;
    for (const BodySpec& body : spec_.bodies) {
      if (body.joint.parent != kWorld) (void)find_body(body.where, body.joint.parent);
      waiting.push_back(&body);
    }
    while (!waiting.empty()) {
      const auto ready = [&](const BodySpec* body) {
        return body->joint.parent == kWorld || placements_.contains(body->joint.parent);
      };
      const auto next = std::find_if(waiting.begin(), waiting.end(), ready);
      if (next == waiting.end()) {
        throw InputError(waiting.front()->where,
                         "expected bodies that hang on the world, got a cycle through '" +
                             waiting.front()->name + "'");
      }
      placements_[(*next)->name] = place(**next);
      waiting.erase(next);
    }
    model_.tree.C_inverse = model_.tree.C.inverse();
  }

  PointForm point_on(const Placement& body, const Vec2& at) const {
    PointForm point = body.origin;
    const Vec2 w = rotate(body.turn.turn, at);
    if (body.turn.frame == kWorldFrame) {
      point.constant += w;
    } else {
      point.add(body.turn.frame, w);
    }
    return point;
  }
  PointForm point_on(const std::string& where, const std::string& body, const Vec2& at) const {
    return point_on(placement_of(where, body), at);
  }
  const Placement& placement_of(const std::string& where, const std::string& body) const {
    static const Placement kAtWorld;
    if (body == kWorld) return kAtWorld;
    return placements_.at(spec_.bodies[static_cast<std::size_t>(find_body(where, body))].name);
  }

  int index_of(const std::string& coordinate) const {
    return find_index(model_.coordinates, std::identity{}, coordinate);
  }
  Element& element(int index) { return model_.tree.elements[static_cast<std::size_t>(index)]; }

  Placement place(const BodySpec& body) {
    const JointSpec& joint = body.joint;
    const Placement& parent = placement_of(body.where, joint.parent);
    Placement out{point_on(parent, joint.at), parent.turn};
    out.turn.turn += joint.angle;
    switch (joint.type) {
      case JointType::kFixed:
        break;
      case JointType::kRevolute:
        turn_by(out, parent.turn, joint, joint.coordinates.at(0));
        break;
      case JointType::kPrismatic:
        slide_by(out, parent.turn, body, joint.coordinates.at(0));
        break;
      case JointType::kTranslation:
      case JointType::kFree:
        for (int i = 0; i < 2; ++i) {
          out.origin.add(index_of(joint.coordinates.at(static_cast<std::size_t>(i))),
                         i == 0 ? Vec2::UnitX() : Vec2::UnitY());
        }
        if (joint.type == JointType::kFree) {
          turn_by(out, parent.turn, joint, joint.coordinates.at(2));
        }
        break;
    }
    return out;
  }

  /// An absolute angle is its own internal coordinate. A relative one on a turning parent is not:
  /// internally z = (parent's angle) + (sense) q, counter-clockwise.
  void turn_by(Placement& out, const Orientation& parent, const JointSpec& joint,
               const std::string& coordinate) {
    const int i = index_of(coordinate);
    const double sense = joint.clockwise ? -1.0 : 1.0;
    Tree& tree = model_.tree;
    const bool relative = !joint.absolute && parent.frame != kWorldFrame;
    element(i) = {true, i, relative ? 1.0 : sense};
    out.turn = {i, joint.absolute ? joint.angle : parent.turn + joint.angle};
    if (relative) {
      tree.coordinates_are_internal = false;
      tree.C.row(i) = element(parent.frame).sense * tree.C.row(parent.frame);
      tree.C(i, i) += sense;
    }
  }

  void slide_by(Placement& out, const Orientation& parent, const BodySpec& body,
                const std::string& coordinate) {
    const int i = index_of(coordinate);
    const double length = body.joint.axis.norm();
    if (!(length > 0.0)) {
      throw InputError(body.where, "expected an axis that is not zero, got [0, 0]");
    }
    const bool turns = parent.frame != kWorldFrame;
    element(i) = {false, parent.frame, turns ? element(parent.frame).sense : 0.0};
    out.origin.add(i, rotate(parent.turn, body.joint.axis / length));
  }

  void add_inertia() {
    Tree& tree = model_.tree;
    const int n = tree.size();
    MatQ dots = MatQ::Zero(n, n);
    MatQ crosses = MatQ::Zero(n, n);
    tree.M_constant = MatQ::Zero(n, n);
    for (const BodySpec& body : spec_.bodies) {
      const Placement& placement = placements_.at(body.name);
      for (const PointMass& mass : body.masses) {
        const PointForm point = point_on(placement, mass.at);
        add_direction(tree.weight, mass.mass * spec_.gravity, point);
        add_moments(mass.mass, point, dots, crosses);
      }
      const int frame = placement.turn.frame;
      if (frame != kWorldFrame) tree.M_constant(frame, frame) += body.inertia;
    }
    for (int e = 0; e < n; ++e) {
      for (int f = e; f < n; ++f) add_pair(tree, e, f, dots(e, f), crosses(e, f));
    }
  }

  /// The one body whose free or translation joint carries everything, if there is one.
  [[nodiscard]] const JointSpec* find_free_base() const {
    const JointSpec* base = nullptr;
    for (const BodySpec& body : spec_.bodies) {
      if (body.joint.parent != kWorld) continue;
      const bool free =
          body.joint.type == JointType::kFree || body.joint.type == JointType::kTranslation;
      if (!free || base != nullptr) return nullptr;
      base = &body.joint;
    }
    return base;
  }

  void add_centroidal_tree() {
    CentroidalTree& out = model_.centroidal;
    int base_x = -1;
    int base_y = -1;
    if (const JointSpec* base = find_free_base()) {
      base_x = index_of(base->coordinates[0]);
      base_y = index_of(base->coordinates[1]);
      out.has_base = true;
      out.base_x = static_cast<std::size_t>(base_x);
      out.base_y = static_cast<std::size_t>(base_y);
    }
    std::vector<int> reduced(static_cast<std::size_t>(model_.size()), -1);
    int kept = 0;
    for (int i = 0; i < model_.size(); ++i) {
      if (i == base_x || i == base_y) continue;
      reduced[static_cast<std::size_t>(i)] = kept++;
    }
    add_centroidal_elements(out, reduced);
    const PointForm centre = add_centroidal_inertia(out, reduced);
    out.centre = make_arm(centre, Vec2::UnitX(), Vec2::UnitY());
    for (std::size_t i = 0; i < model_.contacts.size(); ++i) {
      out.contacts.push_back(make_centroidal_contact(i, centre, reduced));
    }
  }

  [[nodiscard]] CentroidalContact make_centroidal_contact(std::size_t index,
                                                          const PointForm& centre,
                                                          const std::vector<int>& reduced) const {
    const ContactSpec& spec = spec_.contacts[index];
    const Contact& contact = model_.contacts[index];
    const Surface& surface = model_.surfaces[static_cast<std::size_t>(contact.surface)];
    PointForm point = make_relative(point_on(spec.where, spec.body, spec.point), reduced);
    CentroidalContact out;
    out.from_base = make_arm(point, surface.tangent, surface.normal);
    for (const auto& [e, w] : centre.terms) point.add(e, -w);
    out.arm = make_arm(point, surface.tangent, surface.normal);
    out.gap_offset = contact.normal.offset;
    out.roll.fill(0.0);
    if (contact.turn.frame != kWorldFrame) {
      const int frame = reduced[static_cast<std::size_t>(contact.turn.frame)];
      out.roll[static_cast<std::size_t>(frame)] = contact.radius;
    }
    out.tangent = surface.tangent;
    out.normal = surface.normal;
    out.surface = contact.surface;
    out.surface_accelerates = !surface.speed.is_constant();
    return out;
  }

  /// The elements that are kept, under their new numbers and all counter-clockwise.
  void add_centroidal_elements(CentroidalTree& out, const std::vector<int>& reduced) {
    const auto renumber = [&](int frame) {
      return frame == kWorldFrame ? kWorldFrame : reduced[static_cast<std::size_t>(frame)];
    };
    out.only_angles = true;
    for (int i = 0; i < model_.size(); ++i) {
      const int kept = reduced[static_cast<std::size_t>(i)];
      if (kept < 0) continue;
      const Element& from = element(i);
      const int frame = renumber(from.frame);
      out.tree.elements.push_back({from.is_angle, frame, frame == kWorldFrame ? 0.0 : 1.0});
      out.coordinates[static_cast<std::size_t>(kept)] = static_cast<std::size_t>(i);
      out.senses[static_cast<std::size_t>(kept)] = from.is_angle ? from.sense : 1.0;
      out.only_angles &= from.is_angle;
    }
  }

  static Arm make_arm(const PointForm& point, const Vec2& x, const Vec2& y) {
    Arm out;
    out.fill(Vec2::Zero());
    for (const auto& [e, w] : point.terms) {
      out[static_cast<std::size_t>(e)] = {x.dot(w), y.dot(w)};
    }
    return out;
  }

  /// The same point over the elements that are kept, under their new numbers.
  static PointForm make_relative(PointForm point, const std::vector<int>& reduced) {
    std::erase_if(point.terms, [&](const auto& term) {
      return reduced[static_cast<std::size_t>(term.first)] < 0;
    });
    for (auto& term : point.terms) term.first = reduced[static_cast<std::size_t>(term.first)];
    return point;
  }

  /// Fills mass, moments and centre; returns the centre of mass relative to the base. Without a
  /// base nothing is subtracted, and gravity stays in the tree.
  PointForm add_centroidal_inertia(CentroidalTree& out, const std::vector<int>& reduced) const {
    const int m = out.tree.size();
    out.tree.M_constant = MatQ::Zero(m, m);
    PointForm centre;  // sum of mass times position, then divided by the mass
    double total = 0.0;
    std::vector<std::pair<double, PointForm>> masses;
    for (const BodySpec& body : spec_.bodies) {
      const Placement& placement = placements_.at(body.name);
      for (const PointMass& mass : body.masses) {
        masses.emplace_back(mass.mass, make_relative(point_on(placement, mass.at), reduced));
        total += mass.mass;
        for (const auto& [e, w] : masses.back().second.terms) centre.add(e, mass.mass * w);
      }
      if (placement.turn.frame == kWorldFrame) continue;
      const int frame = reduced[static_cast<std::size_t>(placement.turn.frame)];
      out.tree.M_constant(frame, frame) += body.inertia;
    }
    if (!out.has_base) {
      out.tree.weight = model_.tree.weight;
      centre.terms.clear();
    }
    for (auto& term : centre.terms) term.second /= total;
    out.inverse_mass = out.has_base ? 1.0 / total : 0.0;
    MatQ dots = MatQ::Zero(m, m);
    MatQ crosses = MatQ::Zero(m, m);
    for (auto& [mass, point] : masses) {
      for (const auto& [e, w] : centre.terms) point.add(e, -w);
      add_moments(mass, point, dots, crosses);
    }
    for (int e = 0; e < m; ++e) {
      for (int f = e; f < m; ++f) add_pair(out.tree, e, f, dots(e, f), crosses(e, f));
    }
    add_angle_tables(out);
    return centre;
  }

  static void add_angle_tables(CentroidalTree& out) {
    out.inertia.fill(0.0);
    out.weight.fill(Vec2::Zero());
    if (!out.only_angles) return;
    for (int i = 0; i < out.tree.size(); ++i) {
      out.inertia[static_cast<std::size_t>(i)] = out.tree.M_constant(i, i);
    }
    for (const ElementPair& pair : out.tree.pairs) {
      out.moments[triangle_index(static_cast<std::size_t>(pair.second),
                                 static_cast<std::size_t>(pair.first))] = {pair.dot, pair.cross};
    }
    for (const Row::Term& term : out.tree.weight.terms) {
      out.weight[static_cast<std::size_t>(term.element)] = {term.cosine, term.sine};
    }
  }

  static void add_moments(double mass, const PointForm& point, MatQ& dots, MatQ& crosses) {
    for (const auto& [e, w_e] : point.terms) {
      for (const auto& [f, w_f] : point.terms) {
        dots(e, f) += mass * w_e.dot(w_f);
        crosses(e, f) += mass * cross(w_e, w_f);
      }
    }
  }

  static void add_pair(Tree& tree, int e, int f, double dot_sum, double cross_sum) {
    const Element& first = tree.elements[static_cast<std::size_t>(e)];
    const Element& second = tree.elements[static_cast<std::size_t>(f)];
    const bool both_in_world = first.frame == kWorldFrame && second.frame == kWorldFrame;
    if (both_in_world || (e == f && first.is_angle)) {
      tree.M_constant(e, f) += dot_sum;
      if (e != f) tree.M_constant(f, e) += dot_sum;
    } else if (dot_sum != 0.0 || cross_sum != 0.0) {
      tree.pairs.push_back({e, f, dot_sum, cross_sum});
    }
  }

  void add_surfaces() {
    for (const SurfaceSpec& surface : spec_.surfaces) {
      const double length = surface.normal.norm();
      if (!(length > 0.0)) {
        throw InputError(surface.where, "expected a normal that is not zero, got [0, 0]");
      }
      const Vec2 normal = surface.normal / length;
      model_.surfaces.push_back(
          {surface.name, surface.point, normal, turn_right(normal), surface.speed});
    }
  }

  [[nodiscard]] const BodySpec& find_root(const BodySpec& body) const {
    const BodySpec* out = &body;
    while (out->joint.parent != kWorld) {
      out = &spec_.bodies[static_cast<std::size_t>(find_body(out->where, out->joint.parent))];
    }
    return *out;
  }

  /// The first coordinate that moves a body's tree, or -1.
  [[nodiscard]] int find_group(const BodySpec& body) const {
    const BodySpec& root = find_root(body);
    int out = -1;
    for (const BodySpec& other : spec_.bodies) {
      if (&find_root(other) != &root) continue;
      for (const std::string& coordinate : other.joint.coordinates) {
        const int i = index_of(coordinate);
        if (out < 0 || i < out) out = i;
      }
    }
    return out;
  }

  void add_groups() {
    model_.groups.assign(spec_.coordinates.size(), -1);
    for (const BodySpec& body : spec_.bodies) {
      const int group = find_group(body);
      for (const std::string& coordinate : body.joint.coordinates) {
        model_.groups[static_cast<std::size_t>(index_of(coordinate))] = group;
      }
    }
  }

  /// Lengths come from lever arms, not from places: where a surface is, and how far away, must not
  /// change what counts as small.
  void add_lengths() {
    const int n = static_cast<int>(model_.groups.size());
    model_.lengths = VecQ::Zero(n);
    const auto grow = [&](int group, double length) {
      if (group >= 0) model_.lengths[group] = std::max(model_.lengths[group], length);
    };
    for (const Contact& contact : model_.contacts) grow(contact.group, contact.length);
    for (const BodySpec& body : spec_.bodies) {
      const int group = find_group(body);
      if (group >= 0 && !has_arms(group)) grow(group, find_size(body));
    }
    for (int i = 0; i < n; ++i) {
      const double length = model_.lengths[model_.groups[static_cast<std::size_t>(i)]];
      model_.lengths[i] = length > 0.0 ? length : 1.0;
    }
    for (Contact& contact : model_.contacts) {
      contact.length = contact.group >= 0 ? model_.lengths[contact.group] : 1.0;
    }
    model_.length_scale = model_.lengths.maxCoeff();
  }
  [[nodiscard]] bool has_arms(int group) const {
    return std::any_of(model_.contacts.begin(), model_.contacts.end(), [&](const Contact& contact) {
      return contact.group == group && contact.length > 0.0;
    });
  }

  void add_contacts() {
    for (const ContactSpec& contact : spec_.contacts) {
      const int index = find_index(spec_.surfaces, &SurfaceSpec::name, contact.surface);
      if (index < 0) {
        std::vector<std::string> names;
        for (const SurfaceSpec& surface : spec_.surfaces) names.push_back(surface.name);
        throw InputError(contact.where, "expected the name of a surface, got '" + contact.surface +
                                            "'" + make_suggestion(contact.surface, names));
      }
      const Surface& surface = model_.surfaces[static_cast<std::size_t>(index)];
      PointForm point = point_on(contact.where, contact.body, contact.point);
      point.constant -= surface.point + contact.radius * surface.normal;
      Contact out;
      out.name = contact.name;
      out.body = find_body(contact.where, contact.body, false);
      out.surface = index;
      out.normal = make_row(surface.normal, point);
      out.tangent = make_row(surface.tangent, point);
      out.turn = placement_of(contact.where, contact.body).turn;
      out.group = find_group(spec_.bodies[static_cast<std::size_t>(out.body)]);
      out.length = contact.radius;
      for (const auto& [e, w] : point.terms) out.length += element(e).is_angle ? w.norm() : 0.0;
      out.blur = kNumberRounding * std::abs(surface.normal.dot(surface.point));
      out.radius = contact.radius;
      out.mu = contact.mu;
      out.mu_s = contact.mu_s;
      out.restitution = contact.restitution;
      out.jump = contact.jump;
      out.law = contact.law;
      out.bilateral = contact.bilateral;
      out.active_when = contact.active_when;
      model_.contact_names.push_back(out.name);
      model_.contacts.push_back(std::move(out));
    }
    add_lengths();
  }

  /// How far a body's masses are from its origin, where no contact has a lever arm [m].
  [[nodiscard]] static double find_size(const BodySpec& body) {
    double mass = 0.0;
    double moment = body.inertia;
    for (const PointMass& part : body.masses) {
      mass += part.mass;
      moment += part.mass * part.at.squaredNorm();
    }
    return mass > 0.0 ? std::sqrt(moment / mass) : 0.0;
  }

  void add_forces() {
    for (const LinearSpringSpec& spring : spec_.linear_springs) {
      const PointForm from = point_on(spring.where, spring.from.body, spring.from.at);
      const PointForm to = point_on(spring.where, spring.to.body, spring.to.at);
      LinearSpring out{make_row(Vec2::UnitX(), from), make_row(Vec2::UnitY(), from),
                       spring.stiffness, spring.length, spring.damping};
      add_direction(out.x, -Vec2::UnitX(), to);
      add_direction(out.y, -Vec2::UnitY(), to);
      model_.linear_springs.push_back(std::move(out));
    }
    for (const TorsionSpringSpec& spring : spec_.torsion_springs) {
      model_.torsion_springs.push_back({placement_of(spring.where, spring.body).turn,
                                        placement_of(spring.where, spring.to).turn,
                                        spring.stiffness, spring.angle, spring.damping});
    }
    for (const CoordinateForceSpec& force : spec_.coordinate_forces) {
      const int index = index_of(force.coordinate);
      if (index < 0) {
        throw InputError(force.where, "expected the name of a coordinate, got '" +
                                          force.coordinate + "'" +
                                          make_suggestion(force.coordinate, model_.coordinates));
      }
      model_.coordinate_forces.push_back({index, force.value});
    }
    for (const PointForceSpec& force : spec_.point_forces) {
      const PointForm point = point_on(force.where, force.at.body, force.at.at);
      model_.point_forces.push_back({make_row(Vec2::UnitX(), point), make_row(Vec2::UnitY(), point),
                                     placement_of(force.where, force.at.body).turn, force.x,
                                     force.y, force.torque});
    }
  }

  void add_relabels() {
    for (const RelabelSpec& relabel : spec_.relabels) {
      const int index = find_index(spec_.contacts, &ContactSpec::name, relabel.contact);
      if (index < 0) {
        throw InputError(relabel.where,
                         "expected the name of a contact, got '" + relabel.contact + "'");
      }
      model_.relabels.push_back({index, relabel.coordinates, relabel.rates, relabel.contacts});
    }
  }

  void add_gait() {
    if (!spec_.gait) return;
    const GaitSpec& gait = *spec_.gait;
    const int contact = model_.find_contact(gait.section);
    if (contact < 0) {
      throw InputError(gait.section_where, "expected the name of a contact, got '" + gait.section +
                                               "'" +
                                               make_suggestion(gait.section, model_.contact_names));
    }
    const int advance = gait.advance.empty() ? -1 : index_of(gait.advance);
    if (advance < 0 && !gait.advance.empty()) {
      throw InputError(gait.advance_where, "expected the name of a coordinate, got '" +
                                               gait.advance + "'" +
                                               make_suggestion(gait.advance, model_.coordinates));
    }
    model_.gait = GaitSection{contact, advance};
  }

  void add_skeleton() {
    Skeleton& out = model_.skeleton;
    out.tree = model_.tree;
    for (const BodySpec& body : spec_.bodies) {
      const Placement& placement = placements_.at(body.name);
      out.bodies.push_back({body.name, make_row(Vec2::UnitX(), placement.origin),
                            make_row(Vec2::UnitY(), placement.origin), placement.turn, body.masses,
                            make_hulls(body), body.joint.type == JointType::kRevolute,
                            make_joint(body.joint), body.inertia});
    }
    for (const ContactSpec& contact : spec_.contacts) {
      out.contacts.push_back(make_body_point({contact.body, contact.point}));
    }
    for (const LinearSpringSpec& spring : spec_.linear_springs) {
      out.springs.emplace_back(make_body_point(spring.from), make_body_point(spring.to));
    }
    for (const TorsionSpringSpec& spring : spec_.torsion_springs) {
      out.torsion_springs.emplace_back(make_body_point({spring.body, {}}).body,
                                       make_body_point({spring.to, {}}).body);
    }
    for (const PointForceSpec& force : spec_.point_forces) {
      out.point_forces.push_back(make_body_point(force.at));
    }
  }

  [[nodiscard]] Joint make_joint(const JointSpec& spec) const {
    Joint out{spec.type,      find_index(spec_.bodies, &BodySpec::name, spec.parent),
              spec.at,        spec.axis,
              spec.angle,     spec.absolute,
              spec.clockwise, {-1, -1, -1}};
    for (std::size_t i = 0; i < spec.coordinates.size(); ++i) {
      out.coordinates.at(i) = index_of(spec.coordinates[i]);
    }
    return out;
  }

  [[nodiscard]] BodyPoint make_body_point(const Anchor& anchor) const {
    return {find_index(spec_.bodies, &BodySpec::name, anchor.body), anchor.at};
  }

  /// Without a shape in the file: all points that are known to belong to the body. The origin
  /// counts only with a revolute or fixed joint; otherwise it may be anywhere.
  [[nodiscard]] std::vector<std::vector<Vec2>> make_hulls(const BodySpec& body) const {
    if (!body.hulls.empty()) return body.hulls;
    std::vector<Vec2> out;
    const JointType type = body.joint.type;
    if (type == JointType::kRevolute || type == JointType::kFixed) out.emplace_back(0.0, 0.0);
    for (const PointMass& mass : body.masses) out.push_back(mass.at);
    for (const ContactSpec& contact : spec_.contacts) {
      if (contact.body == body.name) out.push_back(contact.point);
    }
    for (const BodySpec& child : spec_.bodies) {
      if (child.joint.parent == body.name) out.push_back(child.joint.at);
    }
    for (const LinearSpringSpec& spring : spec_.linear_springs) {
      for (const Anchor* end : {&spring.from, &spring.to}) {
        if (end->body == body.name) out.push_back(end->at);
      }
    }
    return {out};
  }

  const ModelSpec& spec_;
  Model model_;
  std::vector<std::string> joint_coordinates_;
  std::unordered_map<std::string, Placement> placements_;
};

}  // namespace

const std::vector<std::string>& coordinate_names(const Model& model) { return model.coordinates; }
const std::vector<std::string>& contact_names(const Model& model) { return model.contact_names; }

int find_coordinate(const Model& model, std::string_view name) {
  return model.find_coordinate(name);
}
int find_contact(const Model& model, std::string_view name) { return model.find_contact(name); }

int Model::find_coordinate(std::string_view coordinate) const {
  return find_index(coordinates, std::identity{}, coordinate);
}
int Model::find_contact(std::string_view contact) const {
  return find_index(contacts, &Contact::name, contact);
}

Model make_model(const ModelSpec& spec) { return Builder(spec).build(); }

}  // namespace slipstick
