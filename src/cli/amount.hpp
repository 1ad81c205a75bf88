// Amounts with a unit, as people write them: --memory 1G, --max-memory 512MiB, --max-size 300K, --max-pixels
// 200M.
#pragma once

#include "glproc/op/op.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace glproc::cli {

/// What an amount counts: bytes, of which 1024 are a K, or pixels and frames, of which 1000 are.
enum class Counted { bytes, things };

/// AmountFlag::plain of memory.
inline constexpr std::uint64_t mebibyte = 1U << 20U;

/// A flag that takes an amount.
struct AmountFlag {
    std::string_view name;
    Counted counted = Counted::bytes;
    std::uint64_t plain = 1;    ///< what 1 without a unit stands for
    Limit limit = {};           ///< in those
    std::string_view unit = {}; ///< the name of that, for messages: "MiB"
};

/// A number, and K, M, G or T; of bytes also KiB, KB, and so on, in capitals or not. Without a unit, and of
/// things, the number must be whole. Throws Error(usage).
std::uint64_t parse_amount(const AmountFlag& flag, const std::string& text);

} // namespace glproc::cli
