// hippocore._core: convert, release the GIL, call, convert. No logic.
#include "bindings/register.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The native core of hippocore. Private: use the names in hippocore.";
  hippocore::bindings::register_errors(module);
  hippocore::bindings::register_scoring(module);
  hippocore::bindings::register_values(module);
  hippocore::bindings::register_store(module);
}
