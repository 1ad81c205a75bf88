// One description of a table, and what it looks like as text, CSV and JSON.
#include "glproc/op/table.hpp"

#include "support/catch.hpp"

#include <limits>
#include <string>

using namespace glproc;

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
    const Report report = report_of({{"schema", {std::string("test/1")}}}, "things", table_of(three_rows), "in.png");
    const auto& tree = std::get<Value::Object>(report.tree.data);
    CHECK(tree[0].key == "schema");
    CHECK(tree[1].key == "things");
    const auto& rows = std::get<Value::List>(tree[1].value.data);
    REQUIRE(rows.size() == 3);
    const auto& first = std::get<Value::Object>(rows[0].data);
    CHECK(first[1].key == "area");
    CHECK(std::get<std::int64_t>(first[1].value.data) == 12345);
    CHECK(report.csv == written(write_csv, table_of(three_rows)));
    CHECK(report.text({}) == "in.png\n" + written(write_text, table_of(three_rows)));
}
