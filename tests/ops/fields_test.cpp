// What operations say of their parameters to front ends that have sliders and lists.
#include "glproc/op/op.hpp"
#include "support/catch.hpp"

#include <charconv>
#include <cmath>

using namespace glproc;

namespace {

std::string print(double value) {
    std::array<char, 40> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

bool is_number(const FieldInfo& field) {
    return field.kind == FieldKind::number || field.kind == FieldKind::whole;
}

} // namespace

TEST_CASE("fields: a slider covers a part of the range, in steps, and every value on it is taken") {
    int sliders = 0;
    for (const OpInfo* op : operations()) {
        for (const FieldInfo& field : op->fields) {
            INFO(op->name << " --" << field.name);
            CHECK((field.slider.step > 0) == is_number(field));
            if (!is_number(field)) {
                continue;
            }
            ++sliders;
            CHECK(field.slider.low < field.slider.high);
            CHECK(field.slider.low >= field.limit.low);
            CHECK(field.slider.high <= field.limit.high);
            CHECK(field.slider.step < field.slider.high - field.slider.low);
            CHECK((field.kind == FieldKind::number || field.slider.step == std::floor(field.slider.step)));
            for (const double value : {field.slider.low, field.slider.high}) {
                CHECK_NOTHROW(op->make()->set(field.name, print(value)));
            }
            for (const double beyond : {field.limit.low - 1, field.limit.high + 1}) {
                if (std::isfinite(beyond) && std::abs(beyond) < 1e15) {
                    CHECK_THROWS(op->make()->set(field.name, print(beyond)));
                }
            }
        }
    }
    CHECK(sliders > 30);
}

TEST_CASE("fields: the kind of a value is that of its texts") {
    for (const OpInfo* op : operations()) {
        for (const FieldInfo& field : op->fields) {
            INFO(op->name << " --" << field.name);
            CHECK((field.kind == FieldKind::toggle) == field.value.empty());
            if (field.kind == FieldKind::choice) {
                CHECK(!field.choices.empty());
                for (const Choice& choice : field.choices) {
                    CHECK_NOTHROW(op->make()->set(field.name, choice.name));
                }
            }
            if (field.values == 2) {
                CHECK_NOTHROW(op->make()->set(field.name, "1,2"));
            }
            if (is_number(field) && field.values == 1) {
                CHECK_THROWS(op->make()->set(field.name, "1,2"));
            }
            if (field.kind == FieldKind::whole) {
                CHECK_THROWS(op->make()->set(field.name, "1.5"));
            }
            CHECK(field.reads_picture == (field.kind == FieldKind::picture));
        }
    }
}
