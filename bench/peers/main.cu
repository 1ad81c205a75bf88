// Times what CUDA's own libraries do on the kinds of input that `glproc bench` uses, so that the two can be
// laid side by side.
//
//   build/peers/peers [--json] [--op OP] [--input random|constant] [--size 8192x8192] [--seconds S]
//   build/peers/peers --versions
//
// OP is scan, or one of picture_ops below. --json prints lines as `glproc bench --json` does
// (schema glproc.bench/1). A variant is timed 15 times, or as often as fits into S seconds (3). Exit status 1
// means that a result was wrong or that the GPU failed.
#include "measure.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace peers {

namespace {

__global__ void fill_words(Input input, std::uint32_t* target, std::size_t words) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < words;
         i += step) {
        target[i] = word_at(input, i);
    }
}

bool all_right = true; // whether each result so far was verified

const char* name(Input input) {
    return input == Input::random ? "random" : "constant";
}

std::string device_name() {
    int device = 0;
    cudaDeviceProp properties{};
    check(cudaGetDevice(&device));
    check(cudaGetDeviceProperties(&properties, device));
    return properties.name;
}

class Event {
  public:
    Event() { check(cudaEventCreate(&event_)); }
    ~Event() { cudaEventDestroy(event_); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    void record() const { check(cudaEventRecord(event_)); }
    float ms_since(const Event& begin) const {
        check(cudaEventSynchronize(event_));
        float ms = 0;
        check(cudaEventElapsedTime(&ms, begin.event_, event_));
        return ms;
    }

  private:
    cudaEvent_t event_{};
};

/// Milliseconds of each of this many runs, sorted. They are queued one after the other, events between them,
/// so that the GPU never waits for a launch.
std::vector<float> timed(const std::function<void()>& run, std::size_t runs) {
    std::vector<Event> events(runs + 1);
    events.front().record();
    for (std::size_t i = 0; i < runs; ++i) {
        run();
        events[i + 1].record();
    }
    std::vector<float> times;
    for (std::size_t i = 0; i < runs; ++i) {
        times.push_back(events[i + 1].ms_since(events[i]));
    }
    check(cudaGetLastError());
    std::sort(times.begin(), times.end());
    return times;
}

/// Up to 15 timed runs that take no more than this many seconds, after a warm-up that lets the clock rise.
std::vector<float> timed_within(const std::function<void()>& run, double seconds) {
    constexpr float warm_up_ms = 100;
    float last = 0;
    for (float spent = 0; spent < warm_up_ms; spent += std::max(last, 0.1F)) {
        last = timed(run, 1).front();
    }
    const double fitting = 1000 * seconds / last;
    const auto runs = static_cast<std::size_t>(std::clamp(fitting, 1.0, 15.0));
    if (last < warm_up_ms) {
        run(); // keeps the GPU busy until the first timed run is queued
    }
    return timed(run, runs);
}

} // namespace

void fill(Input input, void* target, std::size_t words) {
    fill_words<<<1024, 256>>>(input, static_cast<std::uint32_t*>(target), words);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
}

Counts count_bytes(Input input, std::uint64_t first, std::uint64_t stride, std::uint64_t end) {
    Counts counts{};
    for (std::uint64_t i = first; i < end; i += stride) {
        ++counts[byte_at(input, i)];
    }
    return counts;
}

std::string text(Size size) {
    return std::to_string(size.width) + "x" + std::to_string(size.height);
}

Report::Report(const Options& options, std::string op, std::string size, Input input)
    : options_(options), op_(std::move(op)), size_(std::move(size)), input_(name(input)) {}

Report::~Report() {
    if (!rows_.empty()) {
        options_.json ? print_json() : static_cast<void>(std::printf("\n"));
        std::fflush(stdout);
    }
}

void Report::variant(const std::string& name, double bytes, const std::function<void()>& run,
                     const std::function<bool()>& verify) {
    Row row;
    row.name = name;
    try {
        run();
        check(cudaDeviceSynchronize());
        row.verified = verify();
        all_right = all_right && row.verified;
        row.ms = timed_within(run, options_.seconds);
        row.gbps = bytes / 1e6 / row.ms[row.ms.size() / 2];
    } catch (const std::exception& error) {
        row.unavailable = error.what();
    }
    add(row);
}

void Report::missing(const std::string& name, const std::string& why) {
    Row row;
    row.name = name;
    row.unavailable = why;
    add(row);
}

void Report::add(Row row) {
    if (!options_.json) {
        if (rows_.empty()) {
            std::printf("%s  %s  %s\n%s, timed by CUDA events\n\n", op_.c_str(), size_.c_str(),
                        input_.c_str(), device_name().c_str());
            std::printf("%-48s %9s %9s %9s %5s %8s  %s\n", "variant", "median ms", "min", "max", "runs",
                        "GB/s", "verified");
        }
        print_line(row);
        std::fflush(stdout);
    }
    rows_.push_back(std::move(row));
}

void Report::print_line(const Row& row) const {
    if (!row.unavailable.empty()) {
        std::printf("%-48s not run: %s\n", row.name.c_str(), row.unavailable.c_str());
        return;
    }
    std::printf("%-48s %9.4f %9.4f %9.4f %5zu %8.2f  %s\n", row.name.c_str(), row.ms[row.ms.size() / 2],
                row.ms.front(), row.ms.back(), row.ms.size(), row.gbps, row.verified ? "yes" : "NO");
}

void Report::print_json() const {
    const bool is_picture = size_.find('x') != std::string::npos;
    const std::string size = is_picture ? "\"" + size_ + "\"" : size_;
    std::printf(R"({"schema":"glproc.bench/1","device":"%s","op":"%s","size":%s,"input":"%s","variants":[)",
                device_name().c_str(), op_.c_str(), size.c_str(), input_.c_str());
    const char* separator = "";
    for (const Row& row : rows_) {
        std::printf(R"(%s{"name":"%s",)", separator, row.name.c_str());
        separator = ",";
        if (!row.unavailable.empty()) {
            std::printf(R"("unavailable":"%s"})", row.unavailable.c_str());
            continue;
        }
        std::printf(
            R"("ms":{"median":%.6f,"min":%.6f,"max":%.6f},"gbps":%.3f,"verified":%s,"timer":"CUDA events","runs":%zu})",
            row.ms[row.ms.size() / 2], row.ms.front(), row.ms.back(), row.gbps,
            row.verified ? "true" : "false", row.ms.size());
    }
    std::printf("]}\n");
}

namespace {

void copy_with_cuda(Report& report, const Picture& picture) {
    const std::size_t bytes = 4 * picture.size.pixels();
    const DeviceArray<std::uint8_t> out(bytes);
    report.variant(
        "CUDA memcpy, device to device", 2.0 * static_cast<double>(bytes),
        [&] { check(cudaMemcpyAsync(out.data(), picture.bytes.data(), bytes, cudaMemcpyDeviceToDevice)); },
        [&] { return out.copy(bytes / 2, 4096) == picture.bytes.copy(bytes / 2, 4096); });
}

const std::vector<std::string> picture_ops{
    "copy",       "histogram", "blur",   "box",   "integral", "sobel", "laplacian", "unsharp",   "median",
    "morphology", "convolve",  "resize", "blend", "color",    "warp",  "rotate",    "bilateral", "canny"};

void measure_pictures(const Options& options, Input input, Size size) {
    const Picture picture(input, size);
    std::vector<Rows> all{{"copy", copy_with_cuda}, {"histogram", histogram_with_cub}};
    const std::vector<Rows> npp = npp_rows();
    all.insert(all.end(), npp.begin(), npp.end());
    for (const std::string& op : picture_ops) {
        if (!options.wants(op)) {
            continue;
        }
        Report report(options, op, text(size), input);
        for (const Rows& rows : all) {
            if (op == rows.op) {
                rows.measure(report, picture);
            }
        }
    }
}

void measure_all(const Options& options) {
    for (const Input input : {Input::random, Input::constant}) {
        if (!options.input.empty() && options.input != name(input)) {
            continue;
        }
        for (const int power : {20, 24, 28}) {
            const std::size_t count = std::size_t{1} << power;
            if (options.wants("scan") && options.wants_size(std::to_string(count))) {
                Report report(options, "scan", std::to_string(count), input);
                scan_with_cub(report, input, count);
            }
        }
        for (const Size size : {Size{2448, 1505}, Size{8192, 8192}}) {
            if (options.wants_size(text(size))) {
                measure_pictures(options, input, size);
            }
        }
    }
}

/// Of the GPU, CUDA and NPP, in one line.
void print_versions() {
    int runtime = 0;
    check(cudaRuntimeGetVersion(&runtime));
    std::printf("%s, CUDA %d.%d, %s\n", device_name().c_str(), runtime / 1000, runtime % 1000 / 10,
                npp_version().c_str());
}

bool one_of(const std::string& word, const std::vector<std::string>& known) {
    return std::find(known.begin(), known.end(), word) != known.end();
}

int usage() {
    std::string ops = "scan";
    for (const std::string& op : picture_ops) {
        ops += "|" + op;
    }
    std::fprintf(
        stderr,
        "usage: peers [--json] [--op %s]\n"
        "             [--input random|constant] [--size 2448x1505|8192x8192|1048576|16777216|268435456]\n"
        "             [--seconds S] | --versions\n",
        ops.c_str());
    return 2;
}

} // namespace

} // namespace peers

int main(int count, char** words) {
    peers::Options options;
    bool only_versions = false;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        if (word == "--json") {
            options.json = true;
        } else if (word == "--versions") {
            only_versions = true;
        } else if (word == "--op" && i + 1 < count) {
            options.op = words[++i];
        } else if (word == "--input" && i + 1 < count) {
            options.input = words[++i];
        } else if (word == "--size" && i + 1 < count) {
            options.size = words[++i];
        } else if (word == "--seconds" && i + 1 < count) {
            options.seconds = std::atof(words[++i]);
        } else {
            return peers::usage();
        }
    }
    if ((!peers::one_of(options.op, {"", "scan"}) && !peers::one_of(options.op, peers::picture_ops)) ||
        !peers::one_of(options.input, {"", "random", "constant"})) {
        return peers::usage();
    }
    try {
        only_versions ? peers::print_versions() : peers::measure_all(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "peers: error: %s\n", error.what());
        return 1;
    }
    return peers::all_right ? 0 : 1;
}
