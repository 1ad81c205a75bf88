// What operations say about themselves, and how their parameters are read from text. No GPU.
#include "glproc/op/op.hpp"

#include "glproc/ops/blur.hpp"
#include "glproc/ops/box.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace glproc;

namespace {

struct Refusal {
    std::string what;
    std::string hint;
};

/// What set() says to a bad value, which must be a usage error; all empty where it takes it.
Refusal refusal(const std::string& op, const std::string& field, const std::string& text) {
    const OpInfo* info = find_operation(op);
    REQUIRE(info != nullptr);
    try {
        info->make()->set(field, text);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::usage);
        CHECK_FALSE(std::string(error.what()).empty());
        return {error.what(), error.hint()};
    }
    return {};
}

bool takes(const std::string& op, const std::string& field, const std::string& text) {
    return refusal(op, field, text).what.empty();
}

std::vector<std::string> words(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> result;
    for (std::string word; in >> word;) {
        result.push_back(word);
    }
    return result;
}

const FieldInfo* find_field(const OpInfo& info, const std::string& name) {
    const auto is_it = [&](const FieldInfo& field) { return field.name == name; };
    const auto found = std::find_if(info.fields.begin(), info.fields.end(), is_it);
    return found == info.fields.end() ? nullptr : &*found;
}

} // namespace

TEST_CASE("every operation is found by its name and its aliases, and by nothing else") {
    std::set<std::string> names;
    for (const OpInfo* info : operations()) {
        CHECK(find_operation(info->name) == info);
        CHECK(names.insert(info->name).second);
        for (const std::string& alias : info->aliases) {
            const bool has_flags = alias.find(' ') != std::string::npos; // a word of the command line
            CHECK(find_operation(alias) == (has_flags ? nullptr : info));
            CHECK(names.insert(alias.substr(0, alias.find(' '))).second);
        }
    }
    CHECK(names.count("blur") == 1);
    CHECK(names.count("box") == 1);
    CHECK(find_operation("blurr") == nullptr);
    CHECK(find_operation("") == nullptr);
}

TEST_CASE("every operation and every field says what it is") {
    for (const OpInfo* info : operations()) {
        INFO(info->name);
        CHECK_FALSE(info->summary.empty());
        CHECK(info->summary.back() != '.');
        CHECK_FALSE(info->example.empty());
        REQUIRE(info->make != nullptr);
        std::set<std::string> names;
        for (const FieldInfo& field : info->fields) {
            INFO("field " << field.name);
            CHECK(names.insert(field.name).second);
            CHECK_FALSE(field.help.empty());
            CHECK(field.help.back() != '.');
            CHECK(std::none_of(field.name.begin(), field.name.end(),
                               [](unsigned char c) { return c == '_' || std::isupper(c); }));
            if (!field.value.empty()) {
                CHECK_FALSE(field.range.empty());
            }
            CHECK_FALSE((field.required && !field.default_value.empty()));
        }
    }
}

TEST_CASE("fields need fields that exist, and only reports name pictures") {
    for (const OpInfo* info : operations()) {
        for (const FieldInfo& field : info->fields) {
            INFO(info->name << " --" << field.name);
            CHECK((field.needs.empty() || find_field(*info, field.needs) != nullptr));
            CHECK((!field.names_picture || info->product == Product::report));
            CHECK((!field.names_array || info->product == Product::image));
        }
    }
}

TEST_CASE("every default can be typed") {
    for (const OpInfo* info : operations()) {
        for (const FieldInfo& field : info->fields) {
            INFO(info->name << " --" << field.name << " " << field.default_value);
            if (!field.required && !field.value.empty() && !field.default_value.empty()) {
                CHECK_NOTHROW(info->make()->set(field.name, field.default_value));
            }
        }
    }
}

TEST_CASE("every example names fields that exist with values that are taken, the required ones among them") {
    for (const OpInfo* info : operations()) {
        const std::vector<std::string> example = words(info->example);
        const auto operation = info->make();
        std::set<std::string> given;
        for (std::size_t i = 0; i < example.size(); ++i) {
            if (example[i].rfind("--", 0) != 0) {
                continue;
            }
            const std::string name = example[i].substr(2);
            INFO(info->name << " --" << name);
            const FieldInfo* field = find_field(*info, name);
            if (field == nullptr) {
                continue; // a flag of the command line, like --json
            }
            given.insert(name);
            const bool is_switch = field->value.empty();
            REQUIRE((is_switch || i + 1 < example.size()));
            CHECK_NOTHROW(operation->set(name, is_switch ? "" : example[i + 1]));
        }
        for (const FieldInfo& field : info->fields) {
            INFO(info->name << " needs --" << field.name);
            CHECK((!field.required || field.is_place || given.count(field.name) == 1));
            if (field.is_place && field.required) {
                CHECK_NOTHROW(operation->set(field.name, example.back()));
            }
        }
    }
}

TEST_CASE("every choice of an enum is taken, and a typing mistake in it is met with a suggestion") {
    for (const auto& row : enum_rows<FilterMethod>) {
        CHECK(takes("blur", "method", std::string(row.name)));
        CHECK_FALSE(row.when.empty());
    }
    for (const auto& row : enum_rows<AlphaMode>) {
        CHECK(takes("box", "alpha", std::string(row.name)));
        CHECK_FALSE(row.when.empty());
    }
    for (const auto& row : enum_rows<BorderMode>) {
        CHECK(takes("blur", "border", std::string(row.name)));
        CHECK_FALSE(row.when.empty());
    }
    CHECK(refusal("blur", "method", "tilde").what == "unknown --method 'tilde' (did you mean 'tiled'?)");
    CHECK(refusal("blur", "method", "tilde").hint == "one of: auto, cpu, tiled, window, walk, direct, fast");
    CHECK(refusal("blur", "border", "clmap").what == "unknown --border 'clmap' (did you mean 'clamp'?)");
    CHECK(refusal("blur", "alpha", "nonsense").what == "unknown --alpha 'nonsense'");
    CHECK_FALSE(takes("blur", "method", ""));
    CHECK(takes("blur", "method", "Tiled")); // as other tools, which know no case
    CHECK(takes("crop", "gravity", "South-East"));
    CHECK_FALSE(takes("blur", "method", "tiled "));
}

TEST_CASE("an unknown field is refused by name") {
    CHECK(refusal("blur", "sigm", "1").what == "blur has no --sigm");
}

TEST_CASE("numbers within the range are taken in every usual notation") {
    for (const char* text : {"0", "1000", "2.5", "1e2", "1E+2", "0.0001", ".5", "5.", "1e-400"}) {
        INFO(text);
        CHECK((takes("blur", "sigma", text) || std::string(text) == "1e-400")); // below the least double
    }
    CHECK(takes("blur", "sigma", "1,2"));
    CHECK(takes("blur", "sigma", "0,1000"));
    CHECK(takes("box", "radius", "65535"));
    CHECK(takes("box", "radius", "0,65535"));
}

TEST_CASE("what is no number is refused, and the hint says what is taken") {
    for (const char* text : {"", " ", "x", "2x", "2 ", " 2", "0x10", "1,", ",1", ",", "--", "nan", "NaN",
                             "inf", "-inf", "1e999", "1;2", "2,x"}) {
        INFO("sigma '" << text << "'");
        const Refusal blur = refusal("blur", "sigma", text);
        CHECK_FALSE(blur.what.empty());
        CHECK_FALSE(blur.hint.empty());
        INFO("radius '" << text << "'");
        CHECK_FALSE(takes("box", "radius", text));
    }
    CHECK(refusal("blur", "sigma", "wide").what == "--sigma wide is not a number");
    CHECK(refusal("blur", "sigma", "wide").hint == "--sigma takes 0 to 1000 pixels");
    CHECK(refusal("box", "radius", "1.5").what == "--radius 1.5 is not a whole number");
    CHECK(refusal("box", "radius", "many").hint == "--radius takes 0 to 65535 pixels");
    CHECK(refusal("blur", "sigma", "1,2,3").what == "--sigma 1,2,3 has more than two values");
}

TEST_CASE("numbers out of range are refused, however far out they are") {
    CHECK(refusal("blur", "sigma", "-1").what == "--sigma -1 is out of range");
    CHECK(refusal("blur", "sigma", "1000.001").hint == "--sigma takes 0 to 1000 pixels");
    CHECK(refusal("blur", "sigma", "3,-2").what == "--sigma -2 is out of range");
    CHECK(refusal("blur", "truncate", "101").what == "--truncate 101 is out of range");
    CHECK(refusal("box", "radius", "65536").what == "--radius 65536 is out of range");
    CHECK(refusal("box", "radius", "-1").what == "--radius -1 is out of range");
    CHECK(refusal("box", "radius", "4294967296").what == "--radius 4294967296 is out of range");
    CHECK(refusal("box", "radius", "1e300").what == "--radius 1e300 is out of range");
}

TEST_CASE("the border 'reflect' is refused as ambiguous, with the two it may mean") {
    for (const char* op : {"blur", "box"}) {
        const Refusal said = refusal(op, "border", "reflect");
        CHECK(said.what == "--border reflect is ambiguous");
        CHECK(said.hint ==
              "'mirror' is dcb|abcd|cba (OpenCV REFLECT_101), 'symmetric' is dcba|abcd|dcba (SciPy reflect)");
    }
}

TEST_CASE("only the constant border takes a value") {
    const FieldContext context{"border", "", {}};
    CHECK(FieldText<Border>::parse(context, "constant").value == 0);
    CHECK(FieldText<Border>::parse(context, "constant:0.5").mode == BorderMode::constant);
    CHECK(FieldText<Border>::parse(context, "constant:0.5").value == 0.5);
    CHECK(FieldText<Border>::parse(context, "constant:-2").value == -2);
    CHECK(FieldText<Border>::print({BorderMode::constant, 0.5}) == "constant:0.5");
    CHECK(FieldText<Border>::print(BorderMode::mirror) == "mirror");
    CHECK(refusal("blur", "border", "clamp:1").what == "--border clamp takes no value");
    CHECK_FALSE(takes("blur", "border", "constant:"));
    CHECK_FALSE(takes("blur", "border", "constant:x"));
    CHECK_FALSE(takes("blur", "border", "constant:nan"));
    CHECK_FALSE(takes("blur", "border", "constant:inf"));
    CHECK_FALSE(takes("blur", "border", "constant:1:2"));
    CHECK_FALSE(takes("blur", "border", ":1"));
}

TEST_CASE("a switch takes an empty text, and not beside the one it contradicts") {
    CHECK(takes("scan", "exclusive", ""));
    CHECK(refusal("scan", "exclusive", "yes").what == "--exclusive takes no value");
    for (const auto& [first, second] : {std::pair{"inclusive", "exclusive"}, {"exclusive", "inclusive"}}) {
        const auto operation = find_operation("scan")->make();
        operation->set(first, "");
        CHECK_NOTHROW(operation->set(first, ""));
        CHECK_THROWS_WITH(operation->set(second, ""),
                          std::string("--") + first + " and --" + second + " cannot be given together");
    }
}

TEST_CASE("a switch that contradicts another is contradicted by it") {
    for (const OpInfo* info : operations()) {
        for (const FieldInfo& field : info->fields) {
            INFO(info->name << " --" << field.name);
            const FieldInfo* other = find_field(*info, field.contradicts);
            CHECK((field.contradicts.empty() || (other != nullptr && other->contradicts == field.name)));
        }
    }
}

TEST_CASE("one value stands for both axes, two are x and y") {
    using Text = FieldText<PerAxis<double>>;
    const FieldContext context{"sigma", "pixels", {0, 10}};
    CHECK(Text::parse(context, "2.5") == PerAxis<double>{2.5, 2.5});
    CHECK(Text::parse(context, "1,3") == PerAxis<double>{1, 3});
    CHECK(Text::print(2.5) == "2.5");
    CHECK(Text::print({1, 3}) == "1,3");
}

TEST_CASE("ranges are printed as people read them") {
    CHECK(print_limit({0, 1000}) == "0 to 1000");
    CHECK(print_limit({.low = 1}) == "1 or more");
    CHECK(print_limit({.high = 5.5}) == "5.5 or less");
    CHECK(print_limit({}) == "any number");
    CHECK(find_field(*find_operation("blur"), "sigma")->range == "0 to 1000");
    CHECK(find_field(*find_operation("blur"), "method")->range == "auto|cpu|tiled|window|walk|direct|fast");
    CHECK(find_field(*find_operation("blur"), "border")->range == "clamp|mirror|symmetric|wrap|constant[:V]");
    CHECK(find_field(*find_operation("blur"), "truncate")->default_value == "4");
    CHECK(find_field(*find_operation("blur"), "radius")->default_value.empty());
    CHECK(find_field(*find_operation("blur"), "border")->default_value == "clamp");
}

TEST_CASE("a word two edits away is suggested, the nearest first, and nothing farther") {
    const std::vector<std::string> known{"blur", "box", "histogram"};
    CHECK(did_you_mean("blurr", known) == "blur");
    CHECK(did_you_mean("blr", known) == "blur");
    CHECK(did_you_mean("bulr", known) == "blur");
    CHECK(did_you_mean("histogarm", known) == "histogram");
    CHECK(did_you_mean("hstgrm", known).empty());
    CHECK(did_you_mean("xy", known).empty());
    CHECK(did_you_mean("", known).empty());
    CHECK(did_you_mean("bo", known) == "box");
    CHECK(did_you_mean("histo", known) == "histogram");
    CHECK(did_you_mean("qual", {"null", "quality-of-all", "quality"}) == "quality"); // begun beats mistyped
    CHECK(did_you_mean("blur", {}).empty());
    CHECK(did_you_mean("abc", {"abd", "abe"}) == "abd"); // the first of equals
    CHECK(did_you_mean("abc", {"axx", "abd"}) == "abd"); // the nearest
}

TEST_CASE("an operation that makes several products makes each of them once") {
    int several = 0;
    for (const OpInfo* op : operations()) {
        std::vector<Product> products{op->product};
        for (const OpInfo& other : op->others) {
            INFO(op->name);
            CHECK(std::find(products.begin(), products.end(), other.product) == products.end());
            products.push_back(other.product);
            CHECK(&making(*op, other.product) == &other);
            CHECK(other.name == op->name);
            CHECK(other.fields.size() == op->fields.size());
            CHECK(other.others.empty());
            CHECK_THROWS_AS(other.make()->set("no-such-field", ""), Error);
        }
        CHECK(&making(*op, op->product) == op);
        several += op->others.empty() ? 0 : 1;
    }
    CHECK(several > 0);
    CHECK(making(*find_operation("invert"), Product::array).product == Product::image);
}
