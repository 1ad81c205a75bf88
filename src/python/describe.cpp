// What the registry says of every operation, as lists and dictionaries, and operations with the values that
// Python gives them.
#include "session.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/kinds/chain.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <pybind11/stl.h>

namespace glproc::python {

namespace py = pybind11;

namespace {

std::string_view word_of(FieldKind kind) {
    switch (kind) {
    case FieldKind::toggle:
        return "toggle";
    case FieldKind::number:
        return "number";
    case FieldKind::whole:
        return "whole";
    case FieldKind::choice:
        return "choice";
    case FieldKind::choices:
        return "choices";
    case FieldKind::picture:
        return "picture";
    case FieldKind::file:
        return "file";
    case FieldKind::text:
        break;
    }
    return "text";
}

py::dict dict_of(const FieldInfo& field) {
    py::list choices;
    for (const Choice& choice : field.choices) {
        choices.append(py::make_tuple(choice.name, choice.when));
    }
    py::dict dict;
    dict["name"] = field.name;
    dict["value"] = field.value;
    dict["unit"] = field.unit;
    dict["range"] = field.range;
    dict["default"] = field.default_value;
    dict["help"] = field.help;
    dict["required"] = field.required;
    dict["choices"] = choices;
    dict["needs"] = field.needs;
    dict["contradicts"] = field.contradicts;
    dict["alias"] = field.alias;
    dict["reads_picture"] = field.reads_picture;
    dict["names_picture"] = field.names_picture;
    dict["names_array"] = field.names_array;
    dict["is_place"] = field.is_place;
    dict["implied"] = field.implied;
    dict["kind"] = std::string(word_of(field.kind));
    dict["values"] = field.values;
    dict["is_level"] = field.is_level;
    return dict;
}

constexpr std::string_view word_of(Product product) {
    return product == Product::image ? "image" : product == Product::array ? "array" : "report";
}

/// The key is what the session knows it by.
py::dict dict_of(const ListedOperation& listed, const OpInfo& op) {
    py::list fields;
    for (const FieldInfo& field : op.fields) {
        fields.append(dict_of(field));
    }
    std::vector<std::string> aliases = op.aliases;
    std::erase_if(aliases, [](const std::string& alias) {
        return alias.find(' ') != std::string::npos; // with flags: words of the command line
    });
    for (std::string& alias : aliases) {
        std::replace(alias.begin(), alias.end(), '-', '_');
    }
    py::list others;
    for (const OpInfo& other : op.others) {
        others.append(dict_of(listed, other));
    }
    const std::string product(word_of(op.product));
    py::dict dict;
    dict["name"] = op.name;
    dict["key"] = &op == listed.info ? op.name : op.name + "/" + product;
    dict["heading"] = std::string(listed.heading);
    dict["aliases"] = py::cast(aliases);
    dict["summary"] = op.summary;
    dict["example"] = op.example;
    dict["input"] = op.input == Input::image ? "image" : "vector";
    dict["product"] = product;
    dict["others"] = others;
    dict["joins"] = op.joins;
    dict["takes_floats"] = op.takes_floats;
    dict["fields"] = fields;
    return dict;
}

} // namespace

py::list describe() {
    py::list list;
    for (const ListedOperation& listed : listed_operations()) {
        list.append(dict_of(listed, *listed.info));
    }
    return list;
}

namespace {

/// The rows of a copy of the array.
RowSource rows_of_copy(const NumpyArray& array, const std::string& name) {
    const auto image = std::make_shared<const Image>(image_of(pixels_of(array, name)));
    RowSource rows = glproc::rows_of(*image);
    rows.open = [image, open = std::move(rows.open)] { return open(); };
    return rows;
}

} // namespace

/// By its key in describe(): its name, and its product where it makes several.
const OpInfo& info_of(const std::string& key) {
    const std::size_t end = key.find('/');
    const OpInfo* op = find_operation(key.substr(0, end));
    if (op == nullptr) {
        throw Error(ErrorCode::usage, fmt::format("unknown operation '{}'", key));
    }
    if (end == std::string::npos) {
        return *op;
    }
    return making(*op, key.ends_with("/image")    ? Product::image
                       : key.ends_with("/report") ? Product::report
                                                  : Product::array);
}

std::unique_ptr<Operation> configured(const OpInfo& op, const Settings& settings) {
    std::unique_ptr<Operation> operation = op.make();
    std::vector<std::pair<std::string, std::shared_ptr<const Image>>> pictures;
    for (const Setting& setting : settings) {
        if (setting.field == joined_setting) {
            operation->joined()->push_back(
                rows_of_copy(py::reinterpret_borrow<NumpyArray>(setting.value), op.name));
        } else if (py::isinstance<NumpyArray>(setting.value)) {
            const auto array = py::reinterpret_borrow<NumpyArray>(setting.value);
            pictures.emplace_back(setting.field,
                                  std::make_shared<const Image>(image_of(pixels_of(array, setting.field))));
            operation->set(setting.field, setting.field); // a name to know it by
        } else {
            operation->set(setting.field, py::cast<std::string>(setting.value));
        }
    }
    for (PictureInput* named : operation->pictures()) {
        const auto found = std::find_if(pictures.begin(), pictures.end(),
                                        [&](const auto& picture) { return picture.first == named->path; });
        if (found == pictures.end()) {
            throw Error(ErrorCode::usage, fmt::format("{} takes an image as an array", op.name));
        }
        named->image = found->second;
    }
    return operation;
}

std::shared_ptr<Operation> chained(const Steps& steps) {
    std::vector<std::unique_ptr<Operation>> operations;
    for (const auto& [name, settings] : steps) {
        operations.push_back(configured(info_of(name), settings));
    }
    return chain_of(std::move(operations));
}

} // namespace glproc::python
