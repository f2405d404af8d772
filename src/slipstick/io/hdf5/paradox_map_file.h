#pragma once

/// The result file of a region map (docs/formats.md).

#include "slipstick/io/byte_sink.h"
#include "slipstick/model_file.h"
#include "slipstick/paradox.h"

namespace slipstick {

void write_map_hdf5(const LoadedModel& loaded, const MapAxis& first, const MapAxis& second,
                    const ParadoxMap& map, const ByteSink& sink);

}  // namespace slipstick
