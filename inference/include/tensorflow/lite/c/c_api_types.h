/* Scalar types of the TensorFlow Lite 2.18 C interface.
 *
 * These headers are written for this project. They declare the part of the
 * interface that the Go binding and the delegate call, with the layout of the
 * library that the set-up installs; they are no copy of the upstream headers
 * and no complete substitute for them. */
#ifndef BAWAB_TFLITE_C_API_TYPES_H
#define BAWAB_TFLITE_C_API_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum TfLiteStatus {
  kTfLiteOk = 0,
  kTfLiteError = 1,
  kTfLiteDelegateError = 2,
  kTfLiteApplicationError = 3,
} TfLiteStatus;

/* The Go binding has names for the first ten; bawab's models use kTfLiteInt8. */
typedef enum TfLiteType {
  kTfLiteNoType = 0,
  kTfLiteFloat32 = 1,
  kTfLiteInt32 = 2,
  kTfLiteUInt8 = 3,
  kTfLiteInt64 = 4,
  kTfLiteString = 5,
  kTfLiteBool = 6,
  kTfLiteInt16 = 7,
  kTfLiteComplex64 = 8,
  kTfLiteInt8 = 9,
} TfLiteType;

/* real value = scale * (stored value - zero_point), for a whole tensor. */
typedef struct TfLiteQuantizationParams {
  float scale;
  int32_t zero_point;
} TfLiteQuantizationParams;

#endif
