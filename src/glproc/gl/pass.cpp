#include "glproc/gl/pass.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/overloaded.hpp"
#include "glproc/gl/buffer.hpp"
#include "glproc/gl/context_state.hpp"
#include "glproc/gl/gpu_image.hpp"
#include "glproc/gl/program.hpp"
#include "glproc/gl/texture.hpp"
#include "glproc/gl/watch.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <glad/gl.h>

namespace glproc {

namespace {

void set_uniform(unsigned program, int location, const UniformValue& value) {
    std::visit(Overloaded{
                   [=](int v) { glProgramUniform1i(program, location, v); },
                   [=](std::uint32_t v) { glProgramUniform1ui(program, location, v); },
                   [=](float v) { glProgramUniform1f(program, location, v); },
                   [=](const Int2& v) { glProgramUniform2iv(program, location, 1, v.data()); },
                   [=](const Uint4& v) { glProgramUniform4uiv(program, location, 1, v.data()); },
                   [=](const Float4& v) { glProgramUniform4fv(program, location, 1, v.data()); },
                   [=](const Ints& v) {
                       glProgramUniform1iv(program, location, static_cast<GLsizei>(v.size()), v.data());
                   },
                   [=](const Floats& v) {
                       glProgramUniform1fv(program, location, static_cast<GLsizei>(v.size()), v.data());
                   },
                   [=](const Float4s& v) {
                       glProgramUniform4fv(program, location, static_cast<GLsizei>(v.size()),
                                           v.data()->data());
                   },
               },
               value);
}

Use use_of(Slot::Kind kind) {
    switch (kind) {
    case Slot::Kind::image:
        return Use::image;
    case Slot::Kind::sampler:
        return Use::sampler;
    case Slot::Kind::storage:
    case Slot::Kind::uniform:
        break;
    }
    return Use::storage;
}

GLenum image_access(bool reads, bool writes) {
    return reads && writes ? GL_READ_WRITE : writes ? GL_WRITE_ONLY : GL_READ_ONLY;
}

} // namespace

Pass::Pass(Context& context, std::string_view label, const Program& program)
    : context_(context), label_(label), program_(program) {}

Pass& Pass::reads(std::string_view name, const Texture& texture) {
    bindings_.push_back({std::string(name), &texture, {}, true, false});
    return *this;
}
Pass& Pass::reads(std::string_view name, const GpuImage& image) {
    return reads(name, image.texture());
}
Pass& Pass::reads(std::string_view name, const Buffer& buffer) {
    return reads(name, buffer, {0, buffer.bytes()});
}
Pass& Pass::reads(std::string_view name, const Buffer& buffer, BufferRange range) {
    bindings_.push_back({std::string(name), &buffer, range, true, false});
    return *this;
}
Pass& Pass::writes(std::string_view name, Texture& texture) {
    bindings_.push_back({std::string(name), &texture, {}, false, true});
    return *this;
}
Pass& Pass::writes(std::string_view name, GpuImage& image) {
    return writes(name, image.texture());
}
Pass& Pass::writes(std::string_view name, Buffer& buffer) {
    return writes(name, buffer, {0, buffer.bytes()});
}
Pass& Pass::writes(std::string_view name, Buffer& buffer, BufferRange range) {
    bindings_.push_back({std::string(name), &buffer, range, false, true});
    return *this;
}
Pass& Pass::updates(std::string_view name, GpuImage& image) {
    bindings_.push_back({std::string(name), &image.texture(), {}, true, true});
    return *this;
}
Pass& Pass::updates(std::string_view name, Buffer& buffer) {
    return updates(name, buffer, {0, buffer.bytes()});
}
Pass& Pass::updates(std::string_view name, Buffer& buffer, BufferRange range) {
    bindings_.push_back({std::string(name), &buffer, range, true, true});
    return *this;
}
Pass& Pass::set(std::string_view name, UniformValue value) {
    uniforms_.push_back({std::string(name), value});
    return *this;
}

void Pass::check_complete() const {
    const auto supplied = [&](const std::string& name) {
        const auto is_it = [&](const auto& entry) { return entry.name == name; };
        return std::any_of(bindings_.begin(), bindings_.end(), is_it) ||
               std::any_of(uniforms_.begin(), uniforms_.end(), is_it);
    };
    for (const auto& [name, slot] : program_.slots()) {
        if (!supplied(name)) {
            throw Error(ErrorCode::operation, fmt::format("pass {} does not supply {}", label_, name));
        }
    }
    const auto must_exist = [&](const auto& entry) {
        // A variant of the kernel may leave a declaration unused, but a name that appears nowhere in its text
        // is a mistake.
        if (!program_.mentions(entry.name)) {
            throw Error(ErrorCode::operation, fmt::format("pass {} has no {}", label_, entry.name));
        }
    };
    std::for_each(bindings_.begin(), bindings_.end(), must_exist);
    std::for_each(uniforms_.begin(), uniforms_.end(), must_exist);
}

void Pass::check_group_count(const std::array<std::int64_t, 3>& count) const {
    const auto& limit = context_.limits().group_count;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (count[axis] > limit[axis]) {
            throw Error(ErrorCode::operation,
                        fmt::format("pass {} wants {} groups along {}, {} allows {}", label_, count[axis],
                                    "xyz"[axis], context_.device().renderer, limit[axis]));
        }
    }
}

/// Issues the barrier bits that the uses of this pass need, in one call, and notes its own accesses.
void Pass::barriers() {
    BarrierTracker& tracker = context_.state().tracker;
    tracker.next_command();
    const auto each = [&](const auto& action) {
        for (const Binding& binding : bindings_) {
            const auto slot = program_.slots().find(binding.name);
            if (slot != program_.slots().end()) {
                LastAccess& last = std::visit([](const auto* r) -> LastAccess& { return r->last_access(); },
                                              binding.resource);
                action(binding, use_of(slot->second.kind), last);
            }
        }
    };
    GLbitfield bits = 0;
    each([&](const Binding& binding, Use use, const LastAccess& last) {
        if (tracker.needs(use, binding.writes, last)) {
            bits |= BarrierTracker::bit(use);
        }
    });
    if (bits != 0) {
        glMemoryBarrier(bits);
    }
    each([&](const Binding& binding, Use use, LastAccess& last) {
        if ((bits & BarrierTracker::bit(use)) != 0) {
            tracker.issued(use);
        }
        tracker.note(binding.reads, binding.writes, last);
    });
}

void Pass::check_range(const Buffer& buffer, const BufferRange& range) const {
    const Limits& limits = context_.limits();
    const std::string& renderer = context_.device().renderer;
    if (range.bytes > static_cast<std::size_t>(limits.storage_block_bytes)) {
        throw Error(ErrorCode::operation,
                    fmt::format("pass {} wants {} bytes of buffer {} at once, {} allows {}", label_,
                                range.bytes, buffer.label(), renderer, limits.storage_block_bytes));
    }
    if (range.offset % static_cast<std::size_t>(limits.storage_alignment) != 0) {
        throw Error(ErrorCode::operation,
                    fmt::format("pass {} wants buffer {} from byte {}, {} allows multiples of {}", label_,
                                buffer.label(), range.offset, renderer, limits.storage_alignment));
    }
    if (range.bytes == 0 || range.offset > buffer.bytes() || range.bytes > buffer.bytes() - range.offset) {
        throw Error(ErrorCode::operation,
                    fmt::format("pass {} wants bytes {} to {} of buffer {}, which has {}", label_,
                                range.offset, range.offset + range.bytes, buffer.label(), buffer.bytes()));
    }
}

void Pass::bind(const Binding& binding) const {
    const auto found = program_.slots().find(binding.name);
    if (found == program_.slots().end()) {
        return;
    }
    const Slot& slot = found->second;
    const auto unit = static_cast<GLuint>(slot.index);
    if (const auto* buffer = std::get_if<const Buffer*>(&binding.resource)) {
        check_range(**buffer, binding.range);
        const auto& [offset, bytes] = binding.range;
        // Up to the next 16 bytes, which every buffer has.
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, unit, (*buffer)->id(), static_cast<GLintptr>(offset),
                          static_cast<GLsizeiptr>((bytes + 15) / 16 * 16));
        return;
    }
    const Texture& texture = *std::get<const Texture*>(binding.resource);
    if (slot.kind == Slot::Kind::sampler) {
        glActiveTexture(GL_TEXTURE0 + unit);
        glBindTexture(GL_TEXTURE_2D, texture.id());
    } else {
        glBindImageTexture(unit, texture.id(), 0, GL_FALSE, 0, image_access(binding.reads, binding.writes),
                           GL_RGBA32UI);
    }
}

bool Pass::is_rehearsal() const {
    return context_.state().tracker.rehearsing;
}

void Pass::over(std::int64_t x, std::int64_t y, std::int64_t z) {
    if (is_rehearsal()) {
        return; // the program may not know its groups yet
    }
    const auto& size = program_.group_size();
    groups(covering(x, size[0]), covering(y, size[1]), covering(z, size[2]));
}

void Pass::groups_1d(std::int64_t count) {
    const std::int64_t rows = (count - 1) / context_.limits().group_count[0] + 1;
    groups(covering(count, rows), rows);
}

void Pass::over_1d(std::int64_t items) {
    if (is_rehearsal()) {
        return;
    }
    const std::int64_t group = std::int64_t{program_.group_size()[0]} * program_.group_size()[1];
    groups_1d(covering(items, group));
}

void Pass::groups(std::int64_t x, std::int64_t y, std::int64_t z) {
    if (is_rehearsal()) {
        return;
    }
    check_complete();
    check_group_count({x, y, z});
    Context::State& state = context_.state();
    state.tracker.check_thread();
    if (!label_.starts_with("transfer.")) { // their number depends on the road
        state.faults.dispatching();
    }
    std::function<void()> dispatched;
    if (watch_dispatch != nullptr) { // before anything is bound, as it reads images
        WatchedDispatch seen{program_, {x, y, z}, {}, {}};
        for (const Binding& binding : bindings_) {
            seen.resources.push_back({binding.name, binding.resource, binding.range});
        }
        for (const Uniform& uniform : uniforms_) {
            seen.uniforms.emplace_back(uniform.name, uniform.value);
        }
        dispatched = watch_dispatch(seen);
    }
    for (const Uniform& uniform : uniforms_) {
        const auto slot = program_.slots().find(uniform.name);
        if (slot != program_.slots().end()) {
            set_uniform(program_.id(), slot->second.index, uniform.value);
        }
    }
    for (const Binding& binding : bindings_) {
        bind(binding);
    }
    barriers();
    state.proofs.dispatched(program_);
    glUseProgram(program_.id());
    const auto dispatch = [&] {
        glDispatchCompute(static_cast<GLuint>(x), static_cast<GLuint>(y), static_cast<GLuint>(z));
    };
    if (state.timer) {
        state.timer->warm_up(program_.id());
        state.timer->measure(label_, dispatch);
    } else {
        dispatch();
    }
    check_gl(fmt::format("pass {}", label_));
    state.debug_log.throw_if_any(fmt::format("pass {}", label_));
    if (dispatched) {
        dispatched();
    }
}

} // namespace glproc
