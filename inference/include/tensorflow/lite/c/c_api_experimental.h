/* Functions that the Go binding expects in the experimental part of the
 * interface. bawab calls none of them; the binding does not compile without. */
#ifndef BAWAB_TFLITE_C_API_EXPERIMENTAL_H
#define BAWAB_TFLITE_C_API_EXPERIMENTAL_H

#include "c_api.h"

typedef int32_t TfLiteBuiltinOperator;

TfLiteStatus TfLiteInterpreterResetVariableTensors(
    TfLiteInterpreter *interpreter);
void TfLiteInterpreterOptionsAddBuiltinOp(
    TfLiteInterpreterOptions *options, TfLiteBuiltinOperator op,
    const TfLiteRegistration *registration, int32_t min_version,
    int32_t max_version);
void TfLiteInterpreterOptionsAddCustomOp(TfLiteInterpreterOptions *options,
                                         const char *name,
                                         const TfLiteRegistration *registration,
                                         int32_t min_version,
                                         int32_t max_version);
void TfLiteInterpreterOptionsSetUseNNAPI(TfLiteInterpreterOptions *options,
                                         bool enable);

#endif
