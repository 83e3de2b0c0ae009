/* Functions of the TensorFlow Lite 2.18 C interface that the Go binding calls. */
#ifndef BAWAB_TFLITE_C_API_H
#define BAWAB_TFLITE_C_API_H

#include <stdarg.h>

#include "common.h"

typedef struct TfLiteModel TfLiteModel;
typedef struct TfLiteInterpreterOptions TfLiteInterpreterOptions;
typedef struct TfLiteInterpreter TfLiteInterpreter;

TfLiteModel *TfLiteModelCreate(const void *data, size_t size);
TfLiteModel *TfLiteModelCreateFromFile(const char *path);
void TfLiteModelDelete(TfLiteModel *model);

TfLiteInterpreterOptions *TfLiteInterpreterOptionsCreate(void);
void TfLiteInterpreterOptionsDelete(TfLiteInterpreterOptions *options);
void TfLiteInterpreterOptionsSetNumThreads(TfLiteInterpreterOptions *options,
                                           int32_t threads);
void TfLiteInterpreterOptionsAddDelegate(TfLiteInterpreterOptions *options,
                                         TfLiteDelegate *delegate);
void TfLiteInterpreterOptionsSetErrorReporter(
    TfLiteInterpreterOptions *options,
    void (*reporter)(void *user_data, const char *format, va_list args),
    void *user_data);

TfLiteInterpreter *TfLiteInterpreterCreate(
    const TfLiteModel *model, const TfLiteInterpreterOptions *options);
void TfLiteInterpreterDelete(TfLiteInterpreter *interpreter);
TfLiteStatus TfLiteInterpreterAllocateTensors(TfLiteInterpreter *interpreter);
TfLiteStatus TfLiteInterpreterInvoke(TfLiteInterpreter *interpreter);
TfLiteStatus TfLiteInterpreterResizeInputTensor(TfLiteInterpreter *interpreter,
                                                int32_t index, const int *dims,
                                                int32_t count);
int32_t TfLiteInterpreterGetInputTensorCount(
    const TfLiteInterpreter *interpreter);
TfLiteTensor *TfLiteInterpreterGetInputTensor(
    const TfLiteInterpreter *interpreter, int32_t index);
int32_t TfLiteInterpreterGetOutputTensorCount(
    const TfLiteInterpreter *interpreter);
const TfLiteTensor *TfLiteInterpreterGetOutputTensor(
    const TfLiteInterpreter *interpreter, int32_t index);

TfLiteType TfLiteTensorType(const TfLiteTensor *tensor);
int32_t TfLiteTensorNumDims(const TfLiteTensor *tensor);
int32_t TfLiteTensorDim(const TfLiteTensor *tensor, int32_t index);
size_t TfLiteTensorByteSize(const TfLiteTensor *tensor);
void *TfLiteTensorData(const TfLiteTensor *tensor);
const char *TfLiteTensorName(const TfLiteTensor *tensor);
TfLiteQuantizationParams TfLiteTensorQuantizationParams(
    const TfLiteTensor *tensor);
TfLiteStatus TfLiteTensorCopyFromBuffer(TfLiteTensor *tensor, const void *from,
                                        size_t size);
TfLiteStatus TfLiteTensorCopyToBuffer(const TfLiteTensor *tensor, void *to,
                                      size_t size);

#endif
