#include "glproc/gl/transfer.hpp"

#include "glproc/base/copy.hpp"
#include "glproc/gl/blocks.hpp"
#include "glproc/gl/context.hpp"
#include "glproc/gl/context_state.hpp"
#include "glproc/gl/rgb_rows.hpp"
#include "glproc/gl/stopwatch.hpp"
#include "glproc/gl/tuning.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>

namespace glproc {

namespace {

std::ptrdiff_t pitch_of(std::size_t bytes) {
    return static_cast<std::ptrdiff_t>(bytes);
}

std::size_t bytes_of_rows(const Form& form, int rows) {
    return form.row_bytes() * static_cast<std::size_t>(rows);
}

/// Splits into parts of `count` rows or bytes: calls `work` with where each begins and how long it is.
template <class Count, class Work>
void each_part(Count count, Count part, Work work) {
    for (Count first = 0; first < count; first += part) {
        work(first, std::min(part, count - first));
    }
}

/// As many rows as fit in a processor's cache. Memory as large as the image would be fresh, and touching it
/// costs more than the work done here.
int rows_in_cache(const Texture& texture) {
    constexpr std::size_t wanted = std::size_t{1} << 20U;
    return std::clamp(static_cast<int>(wanted / texture.row_bytes()), 1, texture.height());
}

/// Room for some rows of a texture. Uninitialised, as bytes beyond a row's last pixel mean nothing.
std::unique_ptr<std::byte[]> rows_of_texels(const Texture& texture, int rows) {
    return std::make_unique_for_overwrite<std::byte[]>(texture.row_bytes() * static_cast<std::size_t>(rows));
}

void upload_texels(RowFeed& feed, Texture& texture) {
    const Form& form = feed.form();
    if (form.channels != 3 && form.row_bytes() == texture.row_bytes()) {
        return each_part(texture.height(), rows_in_cache(texture),
                         [&](int first, int rows) { texture.write(feed.look(rows), first); });
    }
    const auto texels = rows_of_texels(texture, rows_in_cache(texture));
    each_part(texture.height(), rows_in_cache(texture), [&](int first, int rows) {
        if (form.channels == 3) {
            const auto pixels = feed.look(rows);
            in_bands(rows, texture.row_bytes(), [&](int begin, int count) {
                for (int y = begin; y < begin + count; ++y) {
                    expand_row(pixels.data() + bytes_of_rows(form, y),
                               texels.get() + static_cast<std::size_t>(y) * texture.row_bytes(), form.width,
                               form.depth);
                }
            });
        } else {
            feed.copy(rows, texels.get(), texture.row_bytes());
        }
        texture.write({texels.get(), static_cast<std::size_t>(rows) * texture.row_bytes()}, first);
    });
}

void download_texels(const Texture& texture, RowDrain& drain) {
    const Form& form = drain.form();
    const auto texels = rows_of_texels(texture, rows_in_cache(texture));
    each_part(texture.height(), rows_in_cache(texture), [&](int first, int rows) {
        if (form.channels != 3 && form.row_bytes() == texture.row_bytes()) {
            texture.read(drain.room(rows), first);
            return drain.put(rows);
        }
        texture.read({texels.get(), static_cast<std::size_t>(rows) * texture.row_bytes()}, first);
        if (form.channels != 3) {
            return drain.copy(rows, texels.get(), texture.row_bytes());
        }
        const auto pixels = drain.room(rows);
        in_bands(rows, texture.row_bytes(), [&](int begin, int count) {
            for (int y = begin; y < begin + count; ++y) {
                shrink_row(texels.get() + static_cast<std::size_t>(y) * texture.row_bytes(),
                           pixels.data() + bytes_of_rows(form, y), form.width, form.depth);
            }
        });
        drain.put(rows);
    });
}

/// How many of `bytes` a pass moves at once.
std::size_t part_bytes(const Staging& staging, std::size_t all, const Limits& limits) {
    return std::min(staging.part_bytes(all), static_cast<std::size_t>(limits.storage_block_bytes));
}

/// The same in whole quads of an array.
std::size_t quad_part_bytes(const Staging& staging, std::size_t all, const Limits& limits) {
    constexpr std::size_t quad = Texture::texel_bytes;
    return std::max(part_bytes(staging, all, limits) / quad, std::size_t{1}) * quad;
}

/// Takes the parts that a transfer brings back, one after another.
auto into(std::span<std::byte> bytes) {
    return [left = bytes](std::size_t count, const std::byte* from) mutable {
        copy_bytes(from, left.data(), count);
        left = left.subspan(count);
    };
}

/// How rows lie in a staging buffer, for the kernels transfer/pack and transfer/unpack.
struct RowLayout {
    RowLayout(const Form& form, const Texture& texture, const Staging& staging, const Limits& limits)
        : is_rgb(form.channels == 3), items(is_rgb ? (texture.width() + 3) / 4 : texture.width()),
          pitch(static_cast<std::size_t>(items) * (is_rgb ? 48 : 16)),
          rows(std::clamp(static_cast<int>(part_bytes(staging, pitch * std::size_t(form.height), limits) / pitch), 1,
                          form.height)) {}

    bool is_rgb;
    int items;         ///< units or texels of a row
    std::size_t pitch; ///< bytes
    int rows;          ///< of a part
};

Pass transfer_pass(Context& gpu, std::string_view direction, const Form& form) {
    const std::string rgb = form.channels == 3 ? std::to_string(static_cast<int>(form.depth)) : "0";
    return gpu.pass("transfer." + std::string(direction), "transfer/" + std::string(direction) + ".comp",
                    {{"RGB", rgb}});
}

Pass transfer_pass(Context& gpu, std::string_view direction, const Form& form, const RowLayout& layout,
                   int first) {
    Pass pass = transfer_pass(gpu, direction, form);
    pass.set("u_pitch", static_cast<int>(layout.pitch / 16)).set("u_first", first);
    return pass;
}

constexpr auto transfer_roads = tuning<TransferRoad>(
    {{"llvmpipe", any_radius, TransferRoad::texture,
      "the device's memory is the CPU's: what a driver copies, it copies once"},
     {"", any_radius, TransferRoad::mapped,
      "268 MB of texels: from the GPU 28 ms, glGetTexImage 58; to it 33, glTexSubImage2D 36 "
      "(NVIDIA H200, driver 580.159.04, 2026-11-22)"}});

/// Shorter arrays go by the driver's own commands.
constexpr std::size_t least_staged = std::size_t{1} << 20U;

MakeStagingBuffer staging_maker(Context& gpu, TransferRoad road) {
    const BufferPlace place = road == TransferRoad::mapped ? BufferPlace::mapped : BufferPlace::stream;
    return [&gpu, place](std::size_t bytes) {
        Context::State& state = gpu.state();
        return Buffer(state.tracker, state.buffers, bytes, "transfer", place);
    };
}

} // namespace

TransferRoad tuned_road(const Context& gpu) {
    const TransferRoad road = tuned(transfer_roads, gpu.device());
    return road == TransferRoad::mapped && !gpu.device().has_mapped_memory ? TransferRoad::stream : road;
}

std::span<const std::byte> RowFeed::look(int rows) {
    const std::size_t bytes = bytes_of_rows(form_, rows);
    if (reader_ == nullptr) {
        const auto part = memory_.first(bytes);
        memory_ = memory_.subspan(bytes);
        return part;
    }
    scratch_.resize(std::max(scratch_.size(), bytes));
    const auto part = std::span(scratch_).first(bytes);
    reader_->read(part);
    return part;
}

void RowFeed::copy(int rows, std::byte* to, std::size_t pitch) {
    const std::size_t row_bytes = form_.row_bytes();
    if (reader_ == nullptr) {
        return copy_rows(look(rows).data(), pitch_of(row_bytes), to, pitch_of(pitch), row_bytes, rows);
    }
    if (pitch == row_bytes) {
        return reader_->read({to, bytes_of_rows(form_, rows)});
    }
    for (int y = 0; y < rows; ++y, to += pitch) {
        reader_->read({to, row_bytes});
    }
}

std::span<std::byte> RowDrain::room(int rows) {
    const std::size_t bytes = bytes_of_rows(form_, rows);
    if (writer_ != nullptr) {
        scratch_.resize(std::max(scratch_.size(), bytes));
        return std::span(scratch_).first(bytes);
    }
    return memory_.first(bytes);
}

void RowDrain::put(int rows) {
    const std::size_t bytes = bytes_of_rows(form_, rows);
    if (writer_ != nullptr) {
        return writer_->write(std::span(scratch_).first(bytes));
    }
    memory_ = memory_.subspan(bytes);
}

void RowDrain::copy(int rows, const std::byte* from, std::size_t pitch) {
    const std::size_t row_bytes = form_.row_bytes();
    if (writer_ == nullptr) {
        copy_rows(from, pitch_of(pitch), room(rows).data(), pitch_of(row_bytes), row_bytes, rows);
        return put(rows);
    }
    if (pitch == row_bytes) {
        return writer_->write({from, bytes_of_rows(form_, rows)});
    }
    for (int y = 0; y < rows; ++y, from += pitch) {
        writer_->write({from, row_bytes});
    }
}

Transfer::Transfer(Context& gpu, TransferRoad road)
    : gpu_(gpu), road_(road), staging_(staging_maker(gpu, road)) {}

void Transfer::prepare(const Form& form) {
    if (road_ != TransferRoad::texture) {
        transfer_pass(gpu_, "unpack", form);
        transfer_pass(gpu_, "pack", form);
    }
}

void Transfer::upload(RowFeed& feed, GpuImage& image) {
    const Stopwatch stopwatch(times_.up);
    if (road_ == TransferRoad::texture) {
        return upload_texels(feed, image.texture());
    }
    const RowLayout layout(feed.form(), image.texture(), staging_, gpu_.limits());
    each_part(image.height(), layout.rows, [&](int first, int rows) {
        const std::size_t bytes = layout.pitch * static_cast<std::size_t>(rows);
        Staging::Slot& slot = staging_.next(bytes);
        feed.copy(rows, slot.buffer().map(true).bytes.data(), layout.pitch);
        transfer_pass(gpu_, "unpack", feed.form(), layout, first)
            .reads("b_rows", slot.buffer(), {0, bytes})
            .writes("i_dst", image)
            .over(layout.items, rows);
        slot.fence();
    });
}

/// Brings back `count` rows or bytes of `unit_bytes` each, in parts: `issue` starts writing a part into a
/// slot, `take` gets its bytes once they are there. The device works on as many parts as there are slots.
template <class Count, class Issue, class Take>
void Transfer::bring_back(Count count, Count part, std::size_t unit_bytes, Issue issue, Take take) {
    struct Part {
        Staging::Slot* slot;
        Count count;
    };
    std::deque<Part> under_way;
    const auto take_oldest = [&] {
        const auto [slot, units] = under_way.front();
        under_way.pop_front();
        slot->wait();
        take(units, slot->buffer().map(false).bytes.data());
    };
    each_part(count, part, [&](Count first, Count units) {
        if (under_way.size() == Staging::slot_count) {
            take_oldest();
        }
        Staging::Slot& slot = staging_.next(unit_bytes * static_cast<std::size_t>(units));
        issue(first, units, slot.buffer());
        slot.fence();
        under_way.push_back({&slot, units});
    });
    while (!under_way.empty()) {
        take_oldest();
    }
}

void Transfer::download(const GpuImage& image, RowDrain& drain) {
    const Stopwatch stopwatch(times_.down);
    if (road_ == TransferRoad::texture) {
        return download_texels(image.texture(), drain);
    }
    const RowLayout layout(drain.form(), image.texture(), staging_, gpu_.limits());
    bring_back(
        image.height(), layout.rows, layout.pitch,
        [&](int first, int rows, Buffer& to) {
            transfer_pass(gpu_, "pack", drain.form(), layout, first)
                .reads("i_src", image)
                .writes("b_rows", to, {0, layout.pitch * static_cast<std::size_t>(rows)})
                .over(layout.items, rows);
        },
        [&](int rows, const std::byte* from) { drain.copy(rows, from, layout.pitch); });
}

void Transfer::upload(std::span<const std::byte> bytes, Buffer& buffer) {
    if (road_ == TransferRoad::texture || bytes.size() < least_staged) {
        return buffer.write(bytes);
    }
    each_part(bytes.size(), staging_.part_bytes(bytes.size()), [&](std::size_t first, std::size_t count) {
        Staging::Slot& slot = staging_.next(count);
        copy_bytes(bytes.data() + first, slot.buffer().map(true).bytes.data(), count);
        buffer.copy_from(slot.buffer(), 0, first, count);
        slot.fence();
    });
}

void Transfer::download(const Buffer& buffer, std::span<std::byte> bytes) {
    if (road_ == TransferRoad::texture || bytes.size() < least_staged) {
        return buffer.read(bytes);
    }
    bring_back(
        bytes.size(), staging_.part_bytes(bytes.size()), 1,
        [&](std::size_t first, std::size_t count, Buffer& to) { to.copy_from(buffer, first, 0, count); },
        into(bytes));
}

void Transfer::upload(std::span<const std::byte> bytes, GpuImage& blocks) {
    each_part(bytes.size(), quad_part_bytes(staging_, bytes.size(), gpu_.limits()),
              [&](std::size_t first, std::size_t count) {
                  Staging::Slot& slot = staging_.next(count);
                  copy_bytes(bytes.data() + first, slot.buffer().map(true).bytes.data(), count);
                  fill_blocks(gpu_, slot.buffer(), count, blocks, first);
                  slot.fence();
              });
}

void Transfer::download(const GpuImage& blocks, std::span<std::byte> bytes) {
    bring_back(
        bytes.size(), quad_part_bytes(staging_, bytes.size(), gpu_.limits()), 1,
        [&](std::size_t first, std::size_t count, Buffer& to) {
            empty_blocks(gpu_, blocks, first, to, {0, count});
        },
        into(bytes));
}

GpuImage Context::upload(const Image& image, std::string_view label) {
    RowFeed feed(image);
    return upload(feed, label);
}

GpuImage Context::upload(RowReader& rows, std::string_view label) {
    RowFeed feed(rows);
    return upload(feed, label);
}

GpuImage Context::upload(RowFeed& feed, std::string_view label) {
    GpuImage result = make_image(feed.form(), label);
    state_->transfer->upload(feed, result);
    return result;
}

GpuImage Context::copy(const GpuImage& image, std::string_view label) {
    GpuImage result = make_image(image.form(), label);
    pass("copy", "copy.comp")
        .reads("i_src", image)
        .writes("i_dst", result)
        .set("u_first", Int2{0, 0})
        .over(image.texture().width(), image.height());
    return result;
}

Image Context::download(const GpuImage& image, Image memory) {
    Image result = image.form() == memory.form() ? std::move(memory) : Image(image.form());
    RowDrain drain(result);
    download(image, drain);
    return result;
}

void Context::download(const GpuImage& image, RowWriter& rows) {
    RowDrain drain(rows, image.form());
    download(image, drain);
}

void Context::download(const GpuImage& image, RowDrain& drain) {
    state_->tracker.check_performing();
    state_->transfer->download(image, drain);
    check("downloading");
}

} // namespace glproc
