// What the peers share: made-up input that the CPU can compute again at any place, device memory, timing by
// CUDA events, and the report.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace peers {

inline void check(cudaError_t status) {
    if (status != cudaSuccess) {
        throw std::runtime_error(cudaGetErrorString(status));
    }
}

// ---- input
// -------------------------------------------------------------------------------------------------------

enum class Input { random, constant };

/// The i-th 32-bit word of an input: a hash of its place, or the same everywhere.
__host__ __device__ inline std::uint32_t word_at(Input input, std::uint64_t i) {
    if (input == Input::constant) {
        return 0x7f7f7f7fU;
    }
    std::uint64_t h = (i + 1) * 0x9e3779b97f4a7c15ULL;
    h = (h ^ (h >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    h = (h ^ (h >> 27U)) * 0x94d049bb133111ebULL;
    return static_cast<std::uint32_t>(h >> 32U);
}

/// The same input read as bytes.
inline std::uint8_t byte_at(Input input, std::uint64_t i) {
    return static_cast<std::uint8_t>(word_at(input, i / 4) >> (8 * (i % 4)));
}

// ---- device memory
// -----------------------------------------------------------------------------------------------

template <class T>
class DeviceArray {
  public:
    explicit DeviceArray(std::size_t count) { check(cudaMalloc(&data_, count * sizeof(T))); }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* data() const { return data_; }

    /// One element, for a check by sample.
    T at(std::size_t i) const { return copy(i, 1).front(); }

    std::vector<T> copy(std::size_t first, std::size_t count) const {
        std::vector<T> host(count);
        check(cudaMemcpy(host.data(), data_ + first, count * sizeof(T), cudaMemcpyDeviceToHost));
        return host;
    }

  private:
    T* data_ = nullptr;
};

/// Writes words of the input to device memory.
void fill(Input input, void* target, std::size_t words);

// ---- pictures
// ----------------------------------------------------------------------------------------------------

struct Size {
    int width;
    int height;
    std::size_t pixels() const { return static_cast<std::size_t>(width) * height; }
};

/// An RGBA8 picture without gaps between its rows. Its first quarter, read as one byte a pixel, is a grey
/// picture of the same size.
struct Picture {
    Picture(Input input, Size size) : input(input), size(size), bytes(4 * size.pixels()) {
        fill(input, bytes.data(), size.pixels());
    }
    /// One channel of a pixel, computed anew; beyond the border it repeats.
    int sample(int x, int y, int channel) const {
        const auto row = static_cast<std::uint64_t>(std::clamp(y, 0, size.height - 1));
        const auto column = static_cast<std::uint64_t>(std::clamp(x, 0, size.width - 1));
        return byte_at(input, (row * size.width + column) * 4 + channel);
    }

    Input input;
    Size size;
    DeviceArray<std::uint8_t> bytes;
};

using Counts = std::array<std::int64_t, 256>;

/// How often each byte occurs at the places first, first + stride, ... below end, counted on the CPU.
Counts count_bytes(Input input, std::uint64_t first, std::uint64_t stride, std::uint64_t end);

// ---- measuring
// ---------------------------------------------------------------------------------------------------

struct Options {
    bool json = false;
    double seconds = 3; // a variant is timed for no longer than this
    std::string op;     // empty: all
    std::string input;  // empty: all
    std::string size;   // empty: all
    bool wants(const std::string& name) const { return op.empty() || op == name; }
    bool wants_size(const std::string& text) const { return size.empty() || size == text; }
};

/// The variants of one operation on one input: a line each as soon as it is measured, or one of JSON at the
/// end.
class Report {
  public:
    Report(const Options& options, std::string op, std::string size, Input input);
    ~Report();
    Report(const Report&) = delete;
    Report& operator=(const Report&) = delete;

    /// Runs once, verifies what that run wrote, warms up, then times each of up to 15 runs. `bytes` is the
    /// least that the operation must move: its input read once, its output written once.
    void variant(const std::string& name, double bytes, const std::function<void()>& run,
                 const std::function<bool()>& verify);

    /// A library that this program was built without.
    void missing(const std::string& name, const std::string& why);

  private:
    struct Row {
        std::string name;
        std::string unavailable;
        std::vector<float> ms; // sorted
        double gbps = 0;
        bool verified = false;
    };
    void add(Row row);
    void print_json() const;
    void print_line(const Row& row) const;

    Options options_;
    std::string op_, size_, input_;
    std::vector<Row> rows_;
};

std::string text(Size size);

// ---- the libraries
// -----------------------------------------------------------------------------------------------

void scan_with_cub(Report& report, Input input, std::size_t count);
void histogram_with_cub(Report& report, const Picture& picture);

/// What a library has for one operation.
struct Rows {
    const char* op;
    void (*measure)(Report& report, const Picture& picture);
};
std::vector<Rows> npp_rows();
std::string npp_version();

} // namespace peers
