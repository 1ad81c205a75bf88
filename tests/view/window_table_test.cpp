// The table of objects below the picture, and their marks in it.
#include "view/window_fixture.hpp"

#include <array>

using namespace glproc;
using namespace glproc::test;
using namespace glproc::view;

namespace {

struct Box {
    int left = 0;
    int top = 0;
    int width = 0;
    int height = 0;
};

/// White boxes on black.
Image boxes(int wide, int high, const std::vector<Box>& all) {
    Image image(wide, high, 1, Depth::u8);
    for (const Box& box : all) {
        for (int y = box.top; y < box.top + box.height; ++y) {
            std::fill_n(image.values<std::uint8_t>().begin() + y * wide + box.left, box.width,
                        std::uint8_t{255});
        }
    }
    return image;
}

const std::vector<Box> three{{20, 10, 30, 20}, {200, 100, 10, 60}, {350, 280, 6, 4}};

std::array<int, 3> pixel(const Image& image, double x, double y) {
    const auto at = [&](int c) { return static_cast<int>(image.at(int(x), int(y), c)); };
    return {at(0), at(1), at(2)};
}

void click(Window& window, Point2 at) {
    window.point_at(float(at.x), float(at.y));
    window.hold(true);
    window.hold(false);
    window.view.settle();
}

/// The middle of an object, in the window; the picture's part begins below the toolbar.
Point2 in_window(Window& window, const Box& box) {
    const Point2 at =
        window.view.app().viewport().to_frame({box.left + box.width / 2.0, box.top + box.height / 2.0});
    const Point2 area = window.view.app().picture_corner();
    return {area.x + at.x, area.y + at.y};
}

/// Whether a box of this colour is around the object.
bool is_marked(Window& window, const Box& box, std::array<int, 3> colour) {
    const Image seen = window.view.screenshot();
    const Viewport& viewport = window.view.app().viewport();
    const Point2 area = window.view.app().picture_corner();
    const Point2 at = viewport.to_frame({double(box.left), box.top + box.height / 2.0});
    for (int dx = -5; dx <= 1; ++dx) {
        if (pixel(seen, area.x + std::floor(at.x) + dx, area.y + at.y) == colour) {
            return true;
        }
    }
    return false;
}

constexpr std::array<int, 3> selected{0xff, 0xd2, 0x3f};

} // namespace

TEST_CASE("window table: it has the rows that the operation gives") {
    Window window(boxes(400, 300, three));
    CHECK(window.news().table == nullptr);
    window.add("components");
    const auto table = window.news().table;
    REQUIRE(table != nullptr);
    REQUIRE(table->rows() == three.size());
    CHECK(table->count() == three.size());
    CHECK(table->name() == "components");
    for (std::size_t i = 0; i < three.size(); ++i) {
        CHECK(table->place(i) == ScreenPlace{{double(three[i].left), double(three[i].top)},
                                             double(three[i].width),
                                             double(three[i].height)});
        CHECK(std::get<std::int64_t>(table->row(i)[1]) == three[i].width * three[i].height);
    }
    window.document().set(0, window.field("min-area"), "100");
    window.view.settle();
    REQUIRE(window.news().table != nullptr);
    CHECK(window.news().table->rows() == 2);
    window.document().switch_step(0, false);
    window.view.settle();
    CHECK(window.news().table == nullptr);
}

TEST_CASE("window table: it is of what the operation gets, and marks need that no operation follows") {
    Window window(boxes(400, 300, three));
    window.add("flip");
    window.add("components");
    REQUIRE(window.news().table != nullptr);
    const auto first = window.news().table->place(0);
    REQUIRE(first);
    const Image flipped = [&] {
        window.document().switch_step(1, false);
        return window.expected();
    }();
    CHECK(flipped.at(int(first->corner.x), int(first->corner.y), 0) == 255);
    CHECK(first->corner.x != three[0].left);
    window.document().switch_step(1, true);
    window.add("invert");
    REQUIRE(window.news().table != nullptr);
    CHECK_FALSE(window.news().table->is_shown());
    click(window, in_window(window, three[0]));
    CHECK_FALSE(window.view.app().table().selected());
}

TEST_CASE("window table: a click on a row shows its object and marks it") {
    Window window(boxes(4000, 3000, {{100, 100, 400, 300}, {3900, 2900, 8, 6}}));
    window.add("components");
    REQUIRE(window.news().table != nullptr);
    CHECK(window.view.app().viewport().fits());
    click(window, window.view.app().table().place_of(0));
    CHECK(window.view.app().table().selected() == std::size_t{0});
    CHECK(window.view.app().viewport().fits()); // it is in sight
    CHECK(is_marked(window, {100, 100, 400, 300}, selected));
    click(window, window.view.app().table().place_of(1));
    CHECK(window.view.app().table().selected() == std::size_t{1});
    const Viewport& viewport = window.view.app().viewport();
    CHECK(viewport.zoom() >= 3);
    const Point2 at = viewport.to_frame({3904, 2903});
    const Image area = window.view.app().picture_area();
    CHECK(at.x > 0);
    CHECK(at.x < area.width());
    CHECK(at.y > 0);
    CHECK(at.y < area.height());
    CHECK(is_marked(window, {3900, 2900, 8, 6}, selected));
}

TEST_CASE("window table: a click on an object selects its row, and one beside it none") {
    Window window(boxes(400, 300, three));
    window.add("components");
    window.press('1');
    for (std::size_t i = 0; i < three.size(); ++i) {
        click(window, in_window(window, three[i]));
        CHECK(window.view.app().table().selected() == i);
        CHECK(is_marked(window, three[i], selected));
    }
    click(window, in_window(window, {100, 100, 2, 2}));
    CHECK_FALSE(window.view.app().table().selected());
    CHECK_FALSE(is_marked(window, three[0], selected));
}

TEST_CASE("window table: a key goes from object to object, and round again") {
    Window window(boxes(400, 300, three));
    window.press('N'); // there is none
    window.add("components");
    for (const std::size_t row : {0, 1, 2, 0}) {
        window.press('N');
        CHECK(window.view.app().table().selected() == row);
    }
    window.view.app().press('N', false, true);
    window.view.settle();
    CHECK(window.view.app().table().selected() == std::size_t{2});
}

TEST_CASE("window table: boxes are seen on the original, and rows are copied") {
    Window window(boxes(400, 300, three));
    window.add("invert"); // objects are now the ground
    window.add("components");
    window.press('1');
    const Point2 inside{three[0].left + 10.0, three[0].top + 10.0};
    const auto seen = [&] {
        const Point2 at = window.view.app().viewport().to_frame(inside);
        return pixel(window.view.app().picture_area(), at.x, at.y);
    };
    CHECK(seen() == std::array{0, 0, 0});
    const Point2 row = window.view.app().table().place_of(0);
    const double buttons = row.y - 44;
    for (double x = 20; x < 420 && !window.view.app().table().is_on_original(); x += 20) {
        click(window, {x, buttons});
    }
    REQUIRE(window.view.app().table().is_on_original());
    CHECK(seen() == std::array{255, 255, 255});
    const std::string copied = ImGui::GetClipboardText();
    CHECK(copied.starts_with("label,area,left,top,width,height,x,y\n1,"));
    CHECK(std::count(copied.begin(), copied.end(), '\n') == 2);
}

TEST_CASE("window table: objects are shown in colours, and the chosen one has an outline") {
    Window window(boxes(400, 300, three));
    window.add("components");
    window.press('1');
    REQUIRE(window.news().labels != nullptr);
    const auto seen = [&](double x, double y) {
        const Point2 at = window.view.app().viewport().to_frame({x, y});
        return pixel(window.view.app().picture_area(), at.x, at.y);
    };
    const auto inside = [&](std::size_t i) {
        return seen(three[i].left + three[i].width / 2.0, three[i].top + three[i].height / 2.0);
    };
    CHECK(inside(0) == std::array{255, 255, 255});
    click(window, window.view.app().table().colours_switch());
    REQUIRE(window.view.app().table().is_in_colours());
    CHECK(inside(0) == std::array{240, 140, 136}); // 0.4 white and 0.6 of the first colour of the list
    CHECK(inside(1) == std::array{126, 194, 240});
    CHECK(inside(2) == std::array{148, 217, 148});
    CHECK(seen(150, 50) == std::array{0, 0, 0});
    const Point2 edge{double(three[1].left), three[1].top + 20.5};
    CHECK(seen(edge.x - 1, edge.y) == std::array{0, 0, 0});
    click(window, window.view.app().table().place_of(1));
    CHECK(seen(edge.x - 1, edge.y) == selected);
    CHECK(seen(edge.x - 2, edge.y) == selected);
    CHECK(seen(edge.x - 3, edge.y) == std::array{0, 0, 0});
    CHECK(inside(1) == std::array{126, 194, 240});
    const std::string saved = (window / "saved.png").string();
    window.view.engine().save(window.document().steps(), saved);
    window.view.settle();
    const Image in_file = load(saved);
    const Image expected = window.expected();
    CHECK(std::ranges::equal(in_file.bytes(), expected.bytes()));
    window.press('C');
    CHECK(inside(0) == std::array{255, 255, 255});
    window.document().set(0, window.field("overlay"), (window / "photo.png").string());
    window.press('C');
    CHECK(window.news().labels != nullptr); // which have no overlay
}

TEST_CASE(
    "window table: the colours of labels begin again after the last of the list, and follow the filters") {
    std::vector<Box> row;
    for (int i = 0; i < 13; ++i) {
        row.push_back({30 * i + 5, 100, 20, i == 4 ? 2 : 20});
    }
    Window window(boxes(400, 300, row));
    window.add("components");
    window.press('1');
    window.press('C');
    const auto seen = [&](std::size_t i) {
        const Point2 at = window.view.app().viewport().to_frame({row[i].left + 10.5, 101.5});
        return pixel(window.view.app().picture_area(), at.x, at.y);
    };
    CHECK(seen(12) == seen(0));
    const auto sixth = seen(5);
    CHECK(sixth != seen(4));
    window.document().set(0, window.field("min-area"), "100");
    window.view.settle();
    CHECK(seen(4) == std::array{0, 0, 0});
    CHECK(seen(5) != sixth); // it is now the fifth object
    CHECK(seen(12) != seen(0));
}

TEST_CASE("window table: an original of another size has no boxes, and is not shown below them") {
    Window window(boxes(400, 300, {{20, 10, 30, 20}}));
    window.add("crop");
    window.document().set(0, window.field("rect"), "0,0,300,200");
    window.add("components");
    REQUIRE(window.news().table != nullptr);
    window.press('N');
    CHECK(is_marked(window, {20, 10, 30, 20}, selected));
    window.press('S');
    CHECK_FALSE(
        is_marked(window, {20, 10, 30, 20}, selected)); // it is left of the middle, where the original is
}

TEST_CASE("window table: of thousands of objects the row that is selected is in sight") {
    std::vector<Box> many;
    for (int y = 0; y < 60; ++y) {
        for (int x = 0; x < 80; ++x) {
            many.push_back({5 * x + 1, 5 * y + 1, 3, 3});
        }
    }
    Window window(boxes(400, 300, many));
    window.add("components");
    REQUIRE(window.news().table != nullptr);
    REQUIRE(window.news().table->rows() == many.size());
    click(window, in_window(window, many.at(3000)));
    CHECK(window.view.app().table().selected() == std::size_t{3000});
    const Point2 row = window.view.app().table().place_of(3000);
    CHECK(row.y > height - 260);
    CHECK(row.y < height);
    click(window, window.view.app().table().place_of(3001)); // which is seen below it
    CHECK(window.view.app().table().selected() == std::size_t{3001});
}

TEST_CASE("window table: points of another operation have rows and marks, too") {
    Window window(boxes(400, 300, {{50, 60, 1, 1}, {300, 200, 1, 1}}));
    window.add("maxima");
    REQUIRE(window.news().table != nullptr);
    REQUIRE(window.news().table->rows() == 2);
    window.press('1');
    click(window, in_window(window, {300, 200, 1, 1}));
    REQUIRE(window.view.app().table().selected());
    CHECK(window.news().table->place(*window.view.app().table().selected()) == ScreenPlace{{300, 200}, 1, 1});
    CHECK(is_marked(window, {300, 200, 1, 1}, selected));
}

TEST_CASE(
    "object table: of nested objects a point is in the smaller one, and rows beyond the limit are counted") {
    const Table nested{.columns = {{"label"}, {"left"}, {"top"}, {"width"}, {"height"}},
                       .rows = [](const TakeRow& take) {
                           take(std::array<TableCell, 5>{1, 0, 0, 100, 100});
                           take(std::array<TableCell, 5>{2, 40, 40, 10, 10});
                       }};
    const ObjectTable table(nested, "components", {100, 100, 1, Depth::u8}, 1, true);
    CHECK(table.row_at({45, 45}, 0) == std::size_t{1});
    CHECK(table.row_at({39.5, 45}, 1) == std::size_t{1});
    CHECK(table.row_at({39.5, 45}, 0) == std::size_t{0});
    CHECK_FALSE(table.row_at({150, 45}, 0));
    const Table large{.columns = {{"label"}}, .rows = [](const TakeRow& take) {
                          for (std::int64_t i = 0; i < 100003; ++i) {
                              take(std::array<TableCell, 1>{i});
                          }
                      }};
    const ObjectTable most(large, "components", {100, 100, 1, Depth::u8}, 1, true);
    CHECK(most.rows() == ObjectTable::most_rows);
    CHECK(most.count() == 100003);
    CHECK_FALSE(most.place(0));
}
