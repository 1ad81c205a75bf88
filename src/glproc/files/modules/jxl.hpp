// What reading and writing JPEG XL share.
#pragma once

#include "glproc/files/modules/module.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/thread_parallel_runner.h>

namespace glproc::modules::jxl {

using Bytes = std::vector<std::byte>;

struct Free {
    void operator()(JxlDecoder* decoder) const { JxlDecoderDestroy(decoder); }
    void operator()(JxlEncoder* encoder) const { JxlEncoderDestroy(encoder); }
    void operator()(void* runner) const { JxlThreadParallelRunnerDestroy(runner); }
};
using Runner = std::unique_ptr<void, Free>;

inline Runner make_runner() {
    return Runner(JxlThreadParallelRunnerCreate(nullptr, JxlThreadParallelRunnerDefaultNumWorkerThreads()));
}

inline JxlPixelFormat format_of(const Form& form) {
    return {static_cast<std::uint32_t>(form.channels),
            form.depth == Depth::u8    ? JXL_TYPE_UINT8
            : form.depth == Depth::u16 ? JXL_TYPE_UINT16
                                       : JXL_TYPE_FLOAT,
            JXL_NATIVE_ENDIAN, 0};
}

void read(Reading& reading);
void write(Writing& writing);

} // namespace glproc::modules::jxl
