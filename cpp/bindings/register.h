// The table of contents of the native module: one function a part, each in a file of its own.
#pragma once

#include <pybind11/pybind11.h>

#include "memory/memory.h"

namespace hippocore::bindings {

void register_errors(pybind11::module_& module);   // errors.cpp
void register_scoring(pybind11::module_& module);  // scoring.cpp
void register_values(pybind11::module_& module);   // values.cpp: Filter, Weights, Rows, Hits
void register_store(pybind11::module_& module);    // store.cpp

void define_columns(pybind11::class_<memory::Memory>& store);  // columns.cpp: Store.columns
void define_upkeep(pybind11::class_<memory::Memory>& store);   // upkeep.cpp: folding, backup, verify and the like

}  // namespace hippocore::bindings
