#include "glproc/op/table.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

bool is_missing(const TableCell& cell) {
    const double* number = std::get_if<double>(&cell);
    return number != nullptr && std::isnan(*number);
}

/// With all digits.
std::string exact(const TableCell& cell) {
    return is_missing(cell) ? std::string() : std::visit([](const auto& value) { return fmt::format("{}", value); }, cell);
}

std::string csv_cell(const TableCell& cell) {
    const std::string text = exact(cell);
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + '"';
}

std::string json_text(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            quoted += '\\';
            quoted += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            quoted += fmt::format("\\u{:04x}", static_cast<int>(c));
        } else {
            quoted += c;
        }
    }
    return quoted + '"';
}

std::string json_cell(const TableCell& cell) {
    if (const std::string* text = std::get_if<std::string>(&cell)) {
        return json_text(*text);
    }
    const double* number = std::get_if<double>(&cell);
    return number != nullptr && !std::isfinite(*number) ? "null" : exact(cell);
}

/// For people.
std::string shown(const TableColumn& column, const TableCell& cell) {
    const double* number = std::get_if<double>(&cell);
    if (number == nullptr || std::isnan(*number)) {
        return exact(cell);
    }
    return column.decimals < 0 ? fmt::format("{:.6g}", *number) : fmt::format("{:.{}f}", *number, column.decimals);
}

/// How many columns of a terminal a text takes: its UTF-8 characters.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// One line of `texts`, each as wide as its column.
std::string text_line(const Table& table, const std::vector<std::string>& texts, const std::vector<std::size_t>& widths) {
    std::string line;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::string blanks(widths[i] - width_of(texts[i]), ' ');
        line += i == 0 ? "" : "  ";
        line += table.columns[i].type == ColumnType::text ? texts[i] + blanks : blanks + texts[i];
    }
    line.resize(line.find_last_not_of(' ') + 1);
    return line + '\n';
}

} // namespace

void write_csv(const Table& table, const TakeText& take) {
    std::string line;
    for (const TableColumn& column : table.columns) {
        line += line.empty() ? "" : ",";
        line += csv_cell(column.name);
    }
    take(line + '\n');
    table.rows([&](std::span<const TableCell> cells) {
        line.clear();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            line += i == 0 ? "" : ",";
            line += csv_cell(cells[i]);
        }
        take(line + '\n');
    });
}

void write_json(const Table& table, const TakeText& take) {
    bool is_first = true;
    take("[");
    table.rows([&](std::span<const TableCell> cells) {
        std::string line = is_first ? "\n{" : ",\n{";
        is_first = false;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            line += i == 0 ? "" : ", ";
            line += json_text(table.columns[i].name) + ": " + json_cell(cells[i]);
        }
        take(line + '}');
    });
    take(is_first ? "]\n" : "\n]\n");
}

void write_text(const Table& table, const TakeText& take) {
    std::vector<std::string> names;
    std::vector<std::string> units;
    std::vector<std::size_t> widths;
    for (const TableColumn& column : table.columns) {
        names.push_back(column.name);
        units.push_back(column.unit);
        widths.push_back(std::max(width_of(column.name), width_of(column.unit)));
    }
    std::vector<std::string> texts(table.columns.size());
    const auto show = [&](std::span<const TableCell> cells) {
        std::transform(table.columns.begin(), table.columns.end(), cells.begin(), texts.begin(), shown);
    };
    table.rows([&](std::span<const TableCell> cells) {
        show(cells);
        std::transform(texts.begin(), texts.end(), widths.begin(), widths.begin(),
                       [](const std::string& text, std::size_t width) { return std::max(width_of(text), width); });
    });
    take(text_line(table, names, widths));
    if (std::any_of(units.begin(), units.end(), [](const std::string& unit) { return !unit.empty(); })) {
        take(text_line(table, units, widths));
    }
    table.rows([&](std::span<const TableCell> cells) {
        show(cells);
        take(text_line(table, texts, widths));
    });
}

Value list_of(const Table& table) {
    Value::List list;
    table.rows([&](std::span<const TableCell> cells) {
        Value::Object row;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            row.push_back({table.columns[i].name, std::visit([](const auto& value) { return Value{value}; }, cells[i])});
        }
        list.push_back({std::move(row)});
    });
    return {std::move(list)};
}

Report report_of(Value::Object facts, const std::string& key, Table table, const std::string& title) {
    const auto shared = std::make_shared<const Table>(std::move(table));
    Report report;
    facts.push_back({key, list_of(*shared)});
    report.tree = {std::move(facts)};
    write_csv(*shared, [&](std::string_view part) { report.csv += part; });
    report.text = [shared, title](const TextShape&) {
        std::string text = title.empty() ? "" : title + '\n';
        write_text(*shared, [&](std::string_view part) { text += part; });
        return text;
    };
    return report;
}

} // namespace glproc
