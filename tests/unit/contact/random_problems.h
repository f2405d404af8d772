#pragma once

/// Contact problems made directly, without a model: random ones with a fixed seed, and the few
/// rigid bodies whose answers are known in closed form.

#include <Eigen/Core>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "slipstick/contact/contact_problem.h"

namespace slipstick {

/// M v' + h = W_n f_n + W_t f_t, a = W^T v' + bias: the equations before anything is eliminated.
struct ContactEquations {
  Eigen::MatrixXd M;
  Eigen::VectorXd h;
  Eigen::MatrixXd W_n, W_t;  ///< one column per contact
  Eigen::VectorXd bias_n, bias_t;
  std::vector<ClosedContact> contacts;

  [[nodiscard]] Eigen::Index size() const { return M.rows(); }
  [[nodiscard]] Eigen::Index contact_count() const { return W_n.cols(); }
};

/// Eliminates v': every contact is closed, none is locked.
[[nodiscard]] ContactProblem make_problem(const ContactEquations& equations);

/// "c0", "c1", ...
[[nodiscard]] std::vector<std::string> make_names(const ContactProblem& problem);

enum class ProblemKind {
  kGeneric,        ///< every entry random: each word's equations are regular or incompatible
  kFeet,           ///< one rigid body on two or three feet of one line
  kWedge,          ///< one rigid body on two or three points with their own normals
  kRankDeficient,  ///< columns of W are combinations of fewer, with compatible biases
  kZeroTangent,    ///< some contacts cannot move along their surface
};

struct RandomProblem {
  ProblemKind kind = ProblemKind::kGeneric;
  ContactEquations equations;
};

/// Draws problems one after the other; the same seed gives the same ones.
class RandomProblems {
 public:
  explicit RandomProblems(std::uint64_t seed) : random_(seed) {}

  /// Nine of ten are generic; mostly one or two contacts, at most four.
  [[nodiscard]] RandomProblem draw();
  [[nodiscard]] RandomProblem draw(ProblemKind kind);
  /// Generic, unilateral, every contact sliding.
  [[nodiscard]] ContactEquations draw_sliding();

  [[nodiscard]] double draw_number(double least, double greatest);
  /// Both ends included.
  [[nodiscard]] int draw_integer(int least, int greatest);

 private:
  [[nodiscard]] bool draw_chance(double probability) { return draw_number(0.0, 1.0) < probability; }
  [[nodiscard]] Eigen::MatrixXd draw_matrix(Eigen::Index rows, Eigen::Index cols);
  [[nodiscard]] ClosedContact draw_contact(int index);
  [[nodiscard]] ContactEquations draw_generic(int n, int k);
  [[nodiscard]] ContactEquations draw_body(bool on_one_line);
  /// Replaces the biases by those of one motion, which no redundant contact contradicts.
  void make_biases_compatible(ContactEquations& equations);

  std::mt19937_64 random_;
};

/// A rigid body (x, y, theta) on feet at (position_i, -height) from its centre of mass.
struct Feet {
  double mass = 1.0;       ///< [kg]
  double gyration = 1.0;   ///< radius [m]
  double height = 1.0;     ///< of the centre of mass [m]
  double force_x = 0.0;    ///< applied at the centre of mass [N]
  double force_y = -10.0;  ///< [N]
  std::vector<double> positions;
  std::vector<double> mu;
  int slip_sign = 0;
};

[[nodiscard]] ContactEquations make_feet(const Feet& feet);

}  // namespace slipstick
