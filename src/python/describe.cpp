// What the registry says of every operation, as lists and dictionaries.
#include "session.hpp"

#include <algorithm>

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

} // namespace glproc::python
