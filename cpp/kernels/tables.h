// The tables that kernel files define; only dispatch.cpp and those files include this.
//
// A kernel file is compiled with wide instructions, so nothing in it may be visible to the linker but its table: every
// function in an anonymous namespace, no function template or inline function of another header. Otherwise the linker
// could keep the wide copy of a shared inline function and run it on a CPU without those instructions.
#pragma once

#include "kernels/kernels.h"

namespace hippocore::kernels {

extern const Kernels kScalarKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
#elif defined(__aarch64__)
extern const Kernels kNeonKernels;
#endif

// 2^f for f in -0.5 .. 0.5 as a polynomial: the Taylor series 1 + terms[0] f + terms[1] f f …, cut after f^5 and so off
// by less than 2^-18.
inline constexpr float kExp2Terms[5] = {6.9314718e-1F, 2.4022651e-1F, 5.5504109e-2F, 9.6181291e-3F, 1.3333558e-3F};
// 2^-125 stands for everything smaller: no float below is a normal number.
inline constexpr float kSmallestExponent = -125.0F;

}  // namespace hippocore::kernels
