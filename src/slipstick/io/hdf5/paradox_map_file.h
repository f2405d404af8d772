#pragma once

/// The result file of a region map (docs/formats.md).

#include "slipstick/analysis/paradox/paradox.h"
#include "slipstick/io/byte_sink.h"
#include "slipstick/io/model/model_file.h"

namespace slipstick {

void write_map_hdf5(const LoadedModel& loaded, const MapAxis& first, const MapAxis& second,
                    const ParadoxMap& map, const ByteSink& sink);

}  // namespace slipstick
