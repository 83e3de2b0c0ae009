/* Structures that the runtime shares with operators and delegates.
 *
 * Order and size of the members are those of the 2.18 library. TfLiteContext
 * is declared only as far as it is used: it is always handled by pointer. */
#ifndef BAWAB_TFLITE_COMMON_H
#define BAWAB_TFLITE_COMMON_H

#include "c_api_types.h"

typedef struct TfLiteIntArray {
  int size;
  int data[];
} TfLiteIntArray;

typedef struct TfLiteFloatArray {
  int size;
  float data[];
} TfLiteFloatArray;

typedef enum TfLiteQuantizationType {
  kTfLiteNoQuantization = 0,
  kTfLiteAffineQuantization = 1,
} TfLiteQuantizationType;

typedef struct TfLiteQuantization {
  TfLiteQuantizationType type;
  void *params;
} TfLiteQuantization;

typedef struct TfLiteAffineQuantization {
  TfLiteFloatArray *scale;
  TfLiteIntArray *zero_point;
  int32_t quantized_dimension;
} TfLiteAffineQuantization;

typedef union TfLitePtrUnion {
  char *raw;
  void *data;
} TfLitePtrUnion;

typedef enum TfLiteAllocationType {
  kTfLiteMemNone = 0,
  kTfLiteMmapRo,
  kTfLiteArenaRw,
  kTfLiteArenaRwPersistent,
  kTfLiteDynamic,
} TfLiteAllocationType;

struct TfLiteDelegate;
struct TfLiteContext;
struct TfLiteRegistration;

typedef struct TfLiteTensor {
  TfLiteType type;
  TfLitePtrUnion data;
  TfLiteIntArray *dims;
  TfLiteQuantizationParams params;
  TfLiteAllocationType allocation_type;
  size_t bytes;
  const void *allocation;
  const char *name;
  struct TfLiteDelegate *delegate;
  int buffer_handle;
  bool data_is_stale;
  bool is_variable;
  TfLiteQuantization quantization;
  void *sparsity;
  const TfLiteIntArray *dims_signature;
} TfLiteTensor;

typedef struct TfLiteNode {
  TfLiteIntArray *inputs;
  TfLiteIntArray *outputs;
  TfLiteIntArray *intermediates;
  TfLiteIntArray *temporaries;
  void *user_data;
  void *builtin_data;
  const void *custom_initial_data;
  int custom_initial_data_size;
  struct TfLiteDelegate *delegate;
  bool might_have_side_effect;
} TfLiteNode;

typedef struct TfLiteContext {
  size_t tensors_size;
  TfLiteStatus (*GetExecutionPlan)(struct TfLiteContext *, TfLiteIntArray **);
  TfLiteTensor *tensors;
  void *impl_;
  TfLiteStatus (*ResizeTensor)(struct TfLiteContext *, TfLiteTensor *,
                               TfLiteIntArray *);
  void (*ReportError)(struct TfLiteContext *, const char *, ...);
  TfLiteStatus (*AddTensors)(struct TfLiteContext *, int, int *);
  TfLiteStatus (*GetNodeAndRegistration)(struct TfLiteContext *, int,
                                         TfLiteNode **,
                                         struct TfLiteRegistration **);
} TfLiteContext;

typedef struct TfLiteRegistration {
  void *(*init)(TfLiteContext *, const char *, size_t);
  void (*free)(TfLiteContext *, void *);
  TfLiteStatus (*prepare)(TfLiteContext *, TfLiteNode *);
  TfLiteStatus (*invoke)(TfLiteContext *, TfLiteNode *);
  const char *(*profiling_string)(const TfLiteContext *, const TfLiteNode *);
  int32_t builtin_code;
  const char *custom_name;
  int version;
  void *registration_external;
  void *async_kernel;
  uint64_t inplace_operator;
} TfLiteRegistration;

typedef struct TfLiteDelegate {
  void *data_;
  TfLiteStatus (*Prepare)(TfLiteContext *, struct TfLiteDelegate *);
  TfLiteStatus (*CopyFromBufferHandle)(TfLiteContext *, struct TfLiteDelegate *,
                                       int, TfLiteTensor *);
  TfLiteStatus (*CopyToBufferHandle)(TfLiteContext *, struct TfLiteDelegate *,
                                     int, TfLiteTensor *);
  void (*FreeBufferHandle)(TfLiteContext *, struct TfLiteDelegate *, int *);
  int64_t flags;
  void *opaque_delegate_builder;
} TfLiteDelegate;

#endif
