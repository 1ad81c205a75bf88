#include "glproc/files/usable.hpp"

#include "glproc/files/formats.hpp"
#include "glproc/files/module_file.hpp"

#include <algorithm>

namespace glproc {
namespace {

std::string_view name_of(ModuleState state) {
    switch (state) {
    case ModuleState::ready:
        return "ready";
    case ModuleState::not_built:
        return "not built";
    case ModuleState::not_installed:
        return "not installed";
    case ModuleState::not_loadable:
        return "library missing";
    }
    return {};
}

template <class Codec>
bool can_use(const Codec& codec) {
    return codec.module == nullptr || loaded_module(*codec.module).state == ModuleState::ready;
}

} // namespace

std::vector<FormatAbility> format_abilities() {
    std::vector<FormatAbility> all;
    for (const codecs::Reader& reader : codecs::readers()) {
        FormatAbility one{.title = reader.title,
                          .extensions = {std::string(reader.extension)},
                          .can_read = can_use(reader),
                          .module = reader.module == nullptr ? std::string_view() : reader.module->name};
        for (const codecs::Writer& writer : codecs::writers()) {
            if (format_of(writer.extension) != reader.format)
                continue;
            one.can_write = can_use(writer);
            if (writer.extension != reader.extension)
                one.extensions.emplace_back(writer.extension);
        }
        all.push_back(std::move(one));
    }
    return all;
}

bool is_lacking(std::string_view extension) {
    return std::ranges::any_of(codecs::writers(), [&](const codecs::Writer& writer) {
        return writer.extension == extension && !codecs::is_there(writer);
    });
}

std::vector<ModuleAbility> module_abilities() {
    std::vector<ModuleAbility> all;
    for (const ModuleInfo& module : all_modules()) {
        const LoadedModule& loaded = loaded_module(module);
        all.push_back({module.name, module.title, name_of(loaded.state), loaded.problem, loaded.hint});
    }
    return all;
}

} // namespace glproc
