#include "cli/files/joined_inputs.hpp"

#include "cli/confined/budget.hpp"
#include "cli/confined/decoder_process.hpp"
#include "cli/files/input.hpp"
#include "glproc/base/error.hpp"
#include "glproc/files/row_store.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

constexpr std::size_t store_bytes = std::size_t{256}
                                    << 20U; // of all pictures that are decoded at once, in memory

/// Rows that were decoded, for as long as anyone has the source.
RowSource kept_rows(const Image& image, std::size_t memory_bytes) {
    const auto store = std::make_shared<RowStore>(image.form(), memory_bytes);
    store->write(image.bytes());
    store->finish();
    RowSource rows = store->down();
    rows.open = [store, open = std::move(rows.open)] { return open(); };
    return rows;
}

RowSource open_one(const std::string& name, const Arguments& arguments, std::size_t memory_bytes) {
    const DecodeOptions options = decode_options(arguments, nullptr);
    const Budget budget = read_budget(arguments);
    try {
        std::optional<RowSource> rows = budget.any() || options.keep_partial
                                            ? std::nullopt
                                            : open_rows(std::filesystem::path(name), options);
        return rows ? std::move(*rows)
                    : kept_rows(decode_within(budget, read_input(name, "image"), input_name(name), options),
                                memory_bytes);
    } catch (const Error& error) {
        throw with_way_on(error);
    }
}

} // namespace

std::vector<RowSource> open_joined(const std::string& first, const std::vector<std::string>& others,
                                   const Arguments& arguments) {
    if (others.empty()) {
        throw Error(ErrorCode::usage, fmt::format("{} takes several images", arguments.command->name),
                    fmt::format("name them before the output: {}", arguments.command->example_call()));
    }
    const std::size_t memory_bytes = store_bytes / others.size();
    const Form form = open_one(first, arguments, memory_bytes).form;
    std::vector<RowSource> opened;
    for (const std::string& name : others) {
        opened.push_back(open_one(name, arguments, memory_bytes));
        if (arguments.command->op->joins_any) {
            continue;
        }
        const Form& other = opened.back().form;
        if (other.width != form.width || other.height != form.height || other.channels != form.channels) {
            throw Error(ErrorCode::usage,
                        fmt::format("{} is {}x{} with {} channels, {} is {}x{} with {}", name, other.width,
                                    other.height, other.channels, first, form.width, form.height,
                                    form.channels),
                        "resize, crop or convert it first");
        }
        if ((other.depth == Depth::f32) != (form.depth == Depth::f32)) {
            throw Error(ErrorCode::usage,
                        fmt::format("{} has {}, {} has {}", name,
                                    other.depth == Depth::f32 ? "floats" : "integers", first,
                                    form.depth == Depth::f32 ? "floats" : "integers"),
                        "glproc convert --depth makes one of the other");
        }
    }
    return opened;
}

} // namespace glproc::cli
