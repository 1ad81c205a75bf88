// One description of a table, and what it looks like as text, CSV and JSON.
#include "glproc/op/table.hpp"

#include "support/catch.hpp"
#include "support/inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>

using namespace glproc;
using namespace glproc::test;

namespace {

Table table_of(const std::vector<std::vector<TableCell>>& rows) {
    return {{{"label", ColumnType::whole},
             {"area", ColumnType::whole, "pixels"},
             {"mean", ColumnType::real, "", 2},
             {"name", ColumnType::text}},
            [rows](const TakeRow& take) {
                for (const auto& row : rows) {
                    take(row);
                }
            }};
}

const std::vector<std::vector<TableCell>> three_rows{
    {std::int64_t{1}, std::int64_t{12345}, 0.1, std::string("round")},
    {std::int64_t{2}, std::int64_t{7}, std::numeric_limits<double>::quiet_NaN(), std::string("a \"b\", c")},
    {std::int64_t{10}, std::int64_t{0}, -3.0, std::string("µ\n")}};

template <class Write>
std::string written(const Write& write, const Table& table) {
    std::string text;
    write(table, [&](std::string_view part) { text += part; });
    return text;
}

} // namespace

TEST_CASE("a table is CSV that keeps every digit and quotes what needs it") {
    CHECK(written(write_csv, table_of(three_rows)) == "label,area,mean,name\n1,12345,0.1,round\n"
                                                      "2,7,,\"a \"\"b\"\", c\"\n10,0,-3,\"µ\n\"\n");
    CHECK(written(write_csv, table_of({})) == "label,area,mean,name\n");
}

TEST_CASE("a table is JSON, and what is not there is null") {
    CHECK(written(write_json, table_of(three_rows)) ==
          "[\n{\"label\": 1, \"area\": 12345, \"mean\": 0.1, \"name\": \"round\"},\n"
          "{\"label\": 2, \"area\": 7, \"mean\": null, \"name\": \"a \\\"b\\\", c\"},\n"
          "{\"label\": 10, \"area\": 0, \"mean\": -3, \"name\": \"µ\\u000a\"}\n]\n");
    CHECK(written(write_json, table_of({})) == "[]\n");
}

TEST_CASE("a table is text with numbers to the right under their units") {
    auto rows = three_rows;
    rows[2][3] = std::string("µ");
    CHECK(written(write_text, table_of(rows)) == "label    area   mean  name\n"
                                                 "       pixels\n"
                                                 "    1   12345   0.10  round\n"
                                                 "    2       7         a \"b\", c\n"
                                                 "   10       0  -3.00  µ\n");
}

TEST_CASE("a report of a table has its rows in the tree, in CSV and in text") {
    const Report report =
        report_of({{"schema", {std::string("test/1")}}}, "things", table_of(three_rows), "in.png");
    const Value all = tree_with_rows(report);
    const auto& tree = std::get<Value::Object>(all.data);
    CHECK(tree[0].key == "schema");
    CHECK(tree[1].key == "things");
    const auto& rows = std::get<Value::List>(tree[1].value.data);
    REQUIRE(rows.size() == 3);
    const auto& first = std::get<Value::Object>(rows[0].data);
    CHECK(first[1].key == "area");
    CHECK(std::get<std::int64_t>(first[1].value.data) == 12345);
    CHECK(csv_with_rows(report) == written(write_csv, table_of(three_rows)));
    CHECK(report.csv.empty()); // only what is asked for is written
    CHECK(report.text({}) == "in.png\n" + written(write_text, table_of(three_rows)));
}

TEST_CASE("cells of a table are written as fmt writes them, however quickly") {
    std::vector<double> values{0,
                               -0.0,
                               1,
                               -1,
                               0.5,
                               1e5,
                               999999,
                               999999.5,
                               1e6,
                               -1e6,
                               1e14,
                               1e15,
                               123456789012345678.0,
                               1e16,
                               1e17,
                               1e-7,
                               -0.001,
                               3.14159265358979,
                               1e300,
                               5e-324,
                               std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity()};
    for (std::uint32_t i = 0; i < 2000; ++i) {
        values.push_back((hash_01(1, i) - 0.5) * std::pow(10.0, static_cast<int>(hash_01(2, i) * 30) - 10));
        values.push_back(std::trunc(values.back()));
    }
    Table table{{{"exact", ColumnType::real}, {"fixed", ColumnType::real, "", 2}, {"six", ColumnType::real}},
                [&](const TakeRow& take) {
                    for (const double value : values) {
                        const std::array<TableCell, 3> row{value, value, value};
                        take(row);
                    }
                }};
    std::string csv = "exact,fixed,six\n";
    std::vector<std::array<std::string, 3>> texts{{"exact", "fixed", "six"}};
    std::array<std::size_t, 3> widths{5, 5, 3};
    for (const double value : values) {
        csv += fmt::format("{0},{0},{0}\n", value);
        texts.push_back(
            {fmt::format("{:.6g}", value), fmt::format("{:.2f}", value), fmt::format("{:.6g}", value)});
        for (std::size_t i = 0; i < 3; ++i) {
            widths[i] = std::max(widths[i], texts.back()[i].size());
        }
    }
    std::string text;
    for (const auto& row : texts) {
        text +=
            fmt::format("{:>{}}  {:>{}}  {:>{}}\n", row[0], widths[0], row[1], widths[1], row[2], widths[2]);
    }
    CHECK(written(write_csv, table) == csv);
    CHECK(written(write_text, table) == text);
}
