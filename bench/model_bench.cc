/// Making a model: from its specification, with other values of its parameters, and from text.

#include <benchmark/benchmark.h>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "slipstick/families.h"
#include "slipstick/io/model/model_source.h"
#include "slipstick/model/model.h"
#include "slipstick/model/spec.h"
#include "slipstick/model_file.h"

namespace slipstick::bench {
namespace {

struct NamedModel {
  const char *model, *parameter;
};
constexpr std::array<NamedModel, 3> kModels{NamedModel{"compass-biped", "alpha"},
                                            NamedModel{"two-contact-body", "mu1"},
                                            NamedModel{"rimless-wheel", "mu"}};

const NamedModel& model_of(const benchmark::State& run) {
  return kModels[static_cast<std::size_t>(run.range(0))];
}

/// The floor: numbers and names to a Model.
void model_of_spec(benchmark::State& run) {
  const ModelSpec spec = make_model_spec(read_model(model_of(run).model, {}).source);
  for (auto _ : run) benchmark::DoNotOptimize(make_model(spec));
}
BENCHMARK(model_of_spec)->DenseRange(0, 2);

void model_of_parameters(benchmark::State& run) {
  const LoadedModel loaded = read_model(model_of(run).model, {});
  const std::vector<std::string> names{model_of(run).parameter};
  double value = 0.02;
  for (auto _ : run) {
    value += 1e-9;
    benchmark::DoNotOptimize(make_with_parameters(loaded, names, std::span(&value, 1)));
  }
}
BENCHMARK(model_of_parameters)->DenseRange(0, 2);

void model_of_text(benchmark::State& run) {
  const LoadedModel loaded = read_model(model_of(run).model, {});
  double value = 0.02;
  for (auto _ : run) {
    value += 1e-9;
    const std::vector<Override> overrides{{model_of(run).parameter, std::to_string(value)}};
    benchmark::DoNotOptimize(parse_model(loaded.source.file, loaded.source.text, overrides));
  }
}
BENCHMARK(model_of_text)->DenseRange(0, 2);

}  // namespace
}  // namespace slipstick::bench
