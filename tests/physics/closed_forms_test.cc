/// The general kernel against the closed forms of the papers, derived by hand and separately in
/// closed_forms.cc, at random states of every built-in model.

#include "physics/closed_forms.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "slipstick/model/dynamics.h"
#include "slipstick/model_file.h"

namespace slipstick {
namespace {

using closed_forms::Params;
using closed_forms::Terms;
using ClosedForm =
    std::function<Terms(const Params&, const Eigen::VectorXd&, const Eigen::VectorXd&)>;

struct ClosedFormCase {
  const char* model;
  ClosedForm closed_form;
};

Params make_params(const LoadedModel& loaded) {
  Params params;
  for (const Setting& setting : loaded.parameters) params[setting.name] = setting.value;
  // Klein's slides stand where the initial angle puts them.
  for (const Setting& setting : loaded.initial_values) params.emplace(setting.name, setting.value);
  return params;
}

/// Entries agree to 1e-12 of the largest entry: the sums behind them are ordered differently.
template <class A, class B>
void expect_equal(const A& computed, const B& expected, const char* what) {
  ASSERT_EQ(computed.rows(), expected.rows()) << what;
  ASSERT_EQ(computed.cols(), expected.cols()) << what;
  const double scale = 1.0 + expected.cwiseAbs().maxCoeff();
  EXPECT_LE((computed - expected).cwiseAbs().maxCoeff(), 1e-12 * scale)
      << what << "\ncomputed\n"
      << computed << "\nexpected\n"
      << expected;
}

class ClosedForms : public ::testing::TestWithParam<ClosedFormCase> {};

TEST_P(ClosedForms, EqualTheGeneralKernel) {
  const LoadedModel loaded = read_model(GetParam().model, {});
  const Params params = make_params(loaded);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-3.0, 3.0);
  for (int i = 0; i < 200; ++i) {
    State state = loaded.initial;
    for (double& q : state.q) q = uniform(random);
    for (double& v : state.v) v = uniform(random);
    const Dynamics computed = eval_dynamics(*loaded.model, state);
    const Terms expected = GetParam().closed_form(params, state.q, state.v);
    expect_equal(computed.M, expected.M, "M");
    expect_equal(computed.h, expected.h, "h");
    expect_equal(computed.contacts.gap, expected.gap, "gap");
    expect_equal(computed.contacts.gap_rate, expected.gap_rate, "gap_rate");
    expect_equal(computed.contacts.slip, expected.slip, "slip");
    expect_equal(computed.contacts.W_n, expected.W_n, "W_n");
    expect_equal(computed.contacts.W_t, expected.W_t, "W_t");
    expect_equal(computed.contacts.bias_n, expected.bias_n, "bias_n");
    expect_equal(computed.contacts.bias_t, expected.bias_t, "bias_t");
  }
}

/// Other parameters too: a coefficient that happens to be 0 or 1 by default would hide an error.
TEST_P(ClosedForms, EqualTheGeneralKernelForOtherParameters) {
  const LoadedModel defaults = read_model(GetParam().model, {});
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> factor(0.7, 1.2);
  for (int i = 0; i < 20; ++i) {
    std::vector<Override> overrides;
    for (const Setting& setting : defaults.parameters) {
      if (setting.name == "n") continue;            // a count
      if (setting.name == "foot_radius") continue;  // the papers' feet are points
      const double value =
          setting.value == 0.0 ? 0.1 * factor(random) : setting.value * factor(random);
      overrides.push_back({setting.name, std::to_string(value)});
    }
    // The rail must stay within reach of the arm.
    if (std::string(GetParam().model) == "two-link-rail") overrides.push_back({"H", "1.5*l"});
    const LoadedModel loaded = read_model(GetParam().model, overrides);
    const Dynamics computed = eval_dynamics(*loaded.model, loaded.initial);
    const Terms expected =
        GetParam().closed_form(make_params(loaded), loaded.initial.q, loaded.initial.v);
    expect_equal(computed.M, expected.M, "M");
    expect_equal(computed.h, expected.h, "h");
    expect_equal(computed.contacts.gap, expected.gap, "gap");
    expect_equal(computed.contacts.slip, expected.slip, "slip");
    expect_equal(computed.contacts.W_t, expected.W_t, "W_t");
  }
}

std::string make_name(const ::testing::TestParamInfo<ClosedFormCase>& info) {
  std::string name = info.param.model;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    BuiltIn, ClosedForms,
    ::testing::Values(ClosedFormCase{"two-link-rail", closed_forms::two_link_rail},
                      ClosedFormCase{"two-contact-body", closed_forms::two_contact_body},
                      ClosedFormCase{"jamming-chain", closed_forms::jamming_chain},
                      ClosedFormCase{"jamming-chain-level", closed_forms::jamming_chain_level},
                      ClosedFormCase{"sliding-rod", closed_forms::sliding_rod},
                      ClosedFormCase{"klein-bar", closed_forms::klein_bar},
                      ClosedFormCase{"painleve-bar", closed_forms::painleve_bar},
                      ClosedFormCase{"rimless-wheel", closed_forms::rimless_wheel},
                      ClosedFormCase{"compass-biped", closed_forms::compass_biped},
                      ClosedFormCase{"bouncing-ball", closed_forms::bouncing_ball},
                      ClosedFormCase{"sliding-block", closed_forms::sliding_block}),
    make_name);

}  // namespace
}  // namespace slipstick
