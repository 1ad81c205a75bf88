#include "glproc/op/table.hpp"

#include "glproc/op/table_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

template <class T>
void append_whole(std::string& to, T value) {
    std::array<char, 24> digits{};
    to.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

/// Whether a real number looks like a whole one that has so many digits at most, which is quicker to write.
bool is_whole(double value, double most) {
    return std::abs(value) < most && value == std::trunc(value) && (value != 0 || !std::signbit(value));
}

/// With all digits.
void append_exact(std::string& to, const TableCell& cell) {
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) {
        append_whole(to, *whole);
    } else if (const auto* text = std::get_if<std::string>(&cell)) {
        to += *text;
    } else if (const double value = std::get<double>(cell); is_whole(value, 1e15)) {
        append_whole(to, static_cast<std::int64_t>(value));
    } else if (!std::isnan(value)) {
        fmt::format_to(std::back_inserter(to), "{}", value);
    }
}

void append_csv(std::string& to, const TableCell& cell) {
    const auto* text = std::get_if<std::string>(&cell);
    if (text == nullptr) {
        return append_exact(to, cell);
    }
    to += csv_field(*text);
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

void append_json(std::string& to, const TableCell& cell) {
    const auto* text = std::get_if<std::string>(&cell);
    const auto* number = std::get_if<double>(&cell);
    if (text != nullptr) {
        to += json_text(*text);
    } else if (number != nullptr && !std::isfinite(*number)) {
        to += "null";
    } else {
        append_exact(to, cell);
    }
}

/// For people.
void append_shown(std::string& to, const TableColumn& column, const TableCell& cell) {
    const auto* number = std::get_if<double>(&cell);
    if (const auto* text = std::get_if<std::string>(&cell)) { // a name may hold the end of a line
        std::transform(text->begin(), text->end(), std::back_inserter(to),
                       [](char c) { return static_cast<unsigned char>(c) < 0x20 ? '?' : c; });
    } else if (number == nullptr || std::isnan(*number)) {
        append_exact(to, cell);
    } else if (column.decimals >= 0) {
        fmt::format_to(std::back_inserter(to), "{:.{}f}", *number, column.decimals);
    } else if (is_whole(*number, 1e6)) { // six digits hold it
        append_whole(to, static_cast<std::int64_t>(*number));
    } else {
        fmt::format_to(std::back_inserter(to), "{:.6g}", *number);
    }
}

/// Gives a text on in large parts.
class Parts {
  public:
    explicit Parts(const TakeText& take) : take_(take) {}
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    /// Where to append.
    std::string& text() { return text_; }

    void end_row() {
        constexpr std::size_t large = std::size_t{1} << 16U;
        if (text_.size() >= large) {
            end();
        }
    }

    void end() {
        take_(text_);
        text_.clear();
    }

  private:
    const TakeText& take_;
    std::string text_;
};

/// How many columns of a terminal a text takes: its UTF-8 characters.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// The width of a column, from its cells.
class ColumnWidth {
  public:
    explicit ColumnWidth(const TableColumn& column)
        : column_(column), width_(std::max(width_of(column.name), width_of(column.unit))) {}

    void see(const TableCell& cell) {
        const auto* whole = std::get_if<std::int64_t>(&cell);
        const auto* real = std::get_if<double>(&cell);
        const bool has_order = real != nullptr && std::isfinite(*real) && (*real != 0 || !std::signbit(*real));
        const bool is_fixed = whole != nullptr || (has_order && column_.decimals >= 0);
        if (!is_fixed) {
            measure(cell);
        } else if (!has_any_) {
            least_ = largest_ = cell;
            has_any_ = true;
        } else if (cell < least_) {
            least_ = cell;
        } else if (largest_ < cell) {
            largest_ = cell;
        }
    }

    std::size_t width() {
        if (std::exchange(has_any_, false)) { // the longest of all with so many decimals is one of these
            measure(least_);
            measure(largest_);
        }
        return width_;
    }

  private:
    void measure(const TableCell& cell) {
        text_.clear();
        append_shown(text_, column_, cell);
        width_ = std::max(width_, width_of(text_));
    }

    const TableColumn& column_;
    std::size_t width_;
    bool has_any_ = false;
    TableCell least_;
    TableCell largest_;
    std::string text_;
};

/// Columns of text, from which lines are made.
class TextLines {
  public:
    TextLines(const Table& table, std::vector<std::size_t> widths) : table_(table), widths_(std::move(widths)) {}

    /// `append(text, i)` appends the text of column i.
    template <class Append>
    void append_line(std::string& to, const Append& append) {
        const std::size_t begin = to.size();
        for (std::size_t i = 0; i < widths_.size(); ++i) {
            cell_.clear();
            append(cell_, i);
            to += i == 0 ? "" : "  ";
            const bool is_text = table_.columns[i].type == ColumnType::text;
            const std::size_t blanks = widths_[i] - std::min(widths_[i], width_of(cell_));
            to.append(is_text ? 0 : blanks, ' ');
            to += cell_;
            to.append(is_text ? blanks : 0, ' ');
        }
        while (to.size() > begin && to.back() == ' ') {
            to.pop_back();
        }
        to += '\n';
    }

  private:
    const Table& table_;
    std::vector<std::size_t> widths_;
    std::string cell_;
};

} // namespace

std::string shown_text(const TableColumn& column, const TableCell& cell) {
    std::string text;
    append_shown(text, column, cell);
    return text;
}

std::string csv_field(std::string_view text) {
    constexpr std::string_view formulas = "=+-@\t\r";
    std::string field = !text.empty() && formulas.find(text.front()) != std::string_view::npos ? "'" : "";
    field += text;
    if (field.find_first_of(",\"\r\n") == std::string::npos) {
        return field;
    }
    std::string quoted = "\"";
    for (const char c : field) {
        quoted += c;
        quoted += c == '"' ? "\"" : "";
    }
    return quoted + '"';
}

void write_csv(const Table& table, const TakeText& take) {
    Parts parts(take);
    std::string& text = parts.text();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        text += i == 0 ? "" : ",";
        append_csv(text, table.columns[i].name);
    }
    text += '\n';
    table.rows([&](std::span<const TableCell> cells) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            text += i == 0 ? "" : ",";
            append_csv(text, cells[i]);
        }
        text += '\n';
        parts.end_row();
    });
    parts.end();
}

void write_json(const Table& table, const TakeText& take) {
    std::vector<std::string> keys;
    for (const TableColumn& column : table.columns) {
        keys.push_back((keys.empty() ? "" : ", ") + json_text(column.name) + ": ");
    }
    Parts parts(take);
    std::string& text = parts.text();
    text += '[';
    bool is_first = true;
    table.rows([&](std::span<const TableCell> cells) {
        text += std::exchange(is_first, false) ? "\n{" : ",\n{";
        for (std::size_t i = 0; i < cells.size(); ++i) {
            text += keys[i];
            append_json(text, cells[i]);
        }
        text += '}';
        parts.end_row();
    });
    text += is_first ? "]\n" : "\n]\n";
    parts.end();
}

void write_text(const Table& table, const TakeText& take) {
    std::vector<ColumnWidth> columns(table.columns.begin(), table.columns.end());
    table.rows([&](std::span<const TableCell> cells) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            columns[i].see(cells[i]);
        }
    });
    std::vector<std::size_t> widths(columns.size());
    std::transform(columns.begin(), columns.end(), widths.begin(), [](ColumnWidth& column) { return column.width(); });
    TextLines lines(table, std::move(widths));
    Parts parts(take);
    std::string& text = parts.text();
    lines.append_line(text, [&](std::string& to, std::size_t i) { to += table.columns[i].name; });
    if (std::any_of(table.columns.begin(), table.columns.end(),
                    [](const TableColumn& column) { return !column.unit.empty(); })) {
        lines.append_line(text, [&](std::string& to, std::size_t i) { to += table.columns[i].unit; });
    }
    table.rows([&](std::span<const TableCell> cells) {
        lines.append_line(text, [&](std::string& to, std::size_t i) { append_shown(to, table.columns[i], cells[i]); });
        parts.end_row();
    });
    parts.end();
}

namespace {

Value value_of(const TableColumn& column, const TableCell& cell) {
    const auto* real = std::get_if<double>(&cell);
    return real != nullptr && column.is_float_measure
               ? Value{FloatMeasure{*real}}
               : std::visit([](const auto& value) { return Value{value}; }, cell);
}

} // namespace

Value list_of(const Table& table) {
    Value::List list;
    table.rows([&](std::span<const TableCell> cells) {
        Value::Object row;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            row.push_back({table.columns[i].name, value_of(table.columns[i], cells[i])});
        }
        list.push_back({std::move(row)});
    });
    return {std::move(list)};
}

Value tree_with_rows(const Report& report) {
    Value tree = report.tree;
    if (report.table) {
        std::get<Value::Object>(tree.data).push_back({report.table_key, list_of(*report.table)});
    } else if (report.list) {
        std::get<Value::Object>(tree.data).push_back({report.list_key, {report.list()}});
    }
    return tree;
}

std::string csv_with_rows(const Report& report) {
    std::string csv = report.csv;
    if (report.table) {
        write_csv(*report.table, [&](std::string_view part) { csv += part; });
    }
    return csv;
}

Report report_of(Value::Object facts, const std::string& key, Table table, const std::string& title) {
    Report report{.tree = {std::move(facts)}, .csv = {}, .text = {}};
    report.table = std::make_shared<const Table>(std::move(table));
    report.table_key = key;
    report.text = [table = report.table, title](const TextShape&) {
        std::string text = title.empty() ? "" : title + '\n';
        write_text(*table, [&](std::string_view part) { text += part; });
        return text;
    };
    return report;
}

} // namespace glproc
