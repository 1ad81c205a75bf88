// A reader of JSON for lists of flat objects: it knows on which line a value stands, and no depth can exhaust
// it.
#include "glproc/base/error.hpp"
#include "glproc/files/file.hpp"
#include "glproc/ops/draw/values.hpp"

#include <cstdint>
#include <set>
#include <string>

#include <fmt/format.h>

namespace glproc {

namespace {

constexpr std::size_t most_bytes = std::size_t{16} << 20U;
constexpr std::size_t most_objects = 10000;

class Reader {
  public:
    Reader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    std::vector<DrawList::Object> list() {
        std::vector<DrawList::Object> objects;
        expect('[', "a list of objects, which begins with [");
        for_each(']', [&] {
            if (objects.size() == most_objects) {
                fail(fmt::format("more than {} objects", most_objects));
            }
            objects.push_back(object());
        });
        if (skip_blanks(); at_ < text_.size()) {
            fail("something follows the list");
        }
        return objects;
    }

  private:
    [[noreturn]] void fail(std::string_view what) const {
        throw Error(ErrorCode::usage, fmt::format("{}:{}: {}", name_, line_, what),
                    R"(a list looks like [{"text": "A", "at": [10, 20]}, {"line": [0, 0, 50, 50]}])");
    }

    void skip_blanks() {
        while (at_ < text_.size() &&
               (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n')) {
            line_ += text_[at_++] == '\n' ? 1 : 0;
        }
    }

    char next() {
        skip_blanks();
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    void expect(char c, std::string_view what) {
        if (next() != c) {
            fail(at_ == text_.size() ? fmt::format("the file ends before {}", what)
                                     : fmt::format("expected {}", what));
        }
        ++at_;
    }

    /// Calls `item` for each item of a list with commas, up to `end`.
    template <class Item>
    void for_each(char end, const Item& item) {
        if (next() == end) {
            ++at_;
            return;
        }
        while (true) {
            item();
            if (next() == end) {
                ++at_;
                return;
            }
            expect(',', fmt::format("a comma or {}", end));
        }
    }

    DrawList::Object object() {
        DrawList::Object members;
        std::set<std::string> keys;
        expect('{', "an object, which begins with {");
        for_each('}', [&] {
            DrawList::Member member;
            member.key = string();
            member.line = line_;
            if (!keys.insert(member.key).second) {
                fail(fmt::format("\"{}\" is given twice", member.key));
            }
            expect(':', "a colon after the name");
            member.value = value(0);
            members.push_back(std::move(member));
        });
        return members;
    }

    std::string value(int depth) {
        constexpr int deepest = 2; // a list of points
        const char c = next();
        if (c == '"') {
            return string();
        }
        if (c == '[' && depth < deepest) {
            ++at_;
            std::string all;
            for_each(']', [&] {
                all += all.empty() ? "" : ",";
                all += value(depth + 1);
            });
            return all;
        }
        const std::size_t begin = at_;
        at_ = std::min(text_.find_first_not_of("0123456789.eE+-", at_), text_.size());
        if (at_ == begin) {
            fail("expected a text, a number or a list of numbers");
        }
        check_bytes(at_ - begin);
        return std::string(text_.substr(begin, at_ - begin));
    }

    /// A name of megabytes would be copied, compared and repeated in messages before it turns out to be unknown.
    void check_bytes(std::size_t bytes) const {
        if (bytes > most_text_bytes) {
            fail(fmt::format("a name or value of more than {} bytes", most_text_bytes));
        }
    }

    std::string string() {
        expect('"', "a text in quotes");
        std::string made;
        while (at_ < text_.size() && text_[at_] != '"') {
            const auto c = static_cast<unsigned char>(text_[at_++]);
            if (c < ' ') {
                --at_;
                fail("a line ends within a text: \\n begins a new one");
            }
            c == '\\' ? escape(made) : made.push_back(static_cast<char>(c));
            check_bytes(made.size());
        }
        if (at_ == text_.size()) {
            fail("a text without its closing quote");
        }
        ++at_;
        return made;
    }

    void escape(std::string& made) {
        constexpr std::string_view names = "\"\\/nt";
        constexpr std::string_view meant = "\"\\/\n\t";
        const char c = at_ < text_.size() ? text_[at_++] : '\0';
        if (const std::size_t found = names.find(c); c != '\0' && found != std::string_view::npos) {
            made.push_back(meant[found]);
        } else if (c == 'u') {
            std::uint32_t code = unit();
            if (code >= 0xd800 && code < 0xdc00 && text_.substr(at_).starts_with("\\u")) {
                at_ += 2;
                code = 0x10000 + ((code - 0xd800) << 10U) + ((unit() - 0xdc00) & 0x3ffU);
            }
            put_utf8(code, made);
        } else {
            fail("a backslash before a letter that has no meaning there");
        }
    }

    std::uint32_t unit() {
        std::uint32_t code = 0;
        for (int i = 0; i < 4; ++i) {
            constexpr std::string_view digits = "0123456789abcdef";
            const std::size_t digit =
                at_ < text_.size() ? digits.find(static_cast<char>(text_[at_] | 0x20)) : std::string::npos;
            if (digit == std::string_view::npos) {
                fail("\\u takes four digits");
            }
            code = code * 16 + static_cast<std::uint32_t>(digit);
            ++at_;
        }
        return code;
    }

    static void put_utf8(std::uint32_t code, std::string& made) {
        const auto put = [&](std::uint32_t byte) { made.push_back(static_cast<char>(byte)); };
        if (code < 0x80) {
            put(code);
        } else if (code < 0x800) {
            put(0xc0U | code >> 6U);
            put(0x80U | (code & 0x3fU));
        } else {
            code < 0x10000 ? put(0xe0U | code >> 12U) : put(0xf0U | code >> 18U);
            if (code >= 0x10000) {
                put(0x80U | (code >> 12U & 0x3fU));
            }
            put(0x80U | (code >> 6U & 0x3fU));
            put(0x80U | (code & 0x3fU));
        }
    }

    std::string_view text_;
    const std::string& name_;
    std::size_t at_ = 0;
    int line_ = 1;
};

} // namespace

const std::vector<DrawList::Object>& DrawList::objects() const {
    static const std::vector<Object> none;
    if (!shared_ || shared_->path.empty()) {
        return none;
    }
    const std::lock_guard lock(shared_->mutex);
    if (!shared_->objects) {
        if (const OpenFile file(shared_->path); file.regular() && file.size() > most_bytes) {
            throw Error(ErrorCode::usage,
                        fmt::format("{}: a list has at most {} bytes", shared_->path, most_bytes));
        }
        const std::vector<std::byte> bytes = read_file(shared_->path);
        const std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
        shared_->objects = std::make_shared<const std::vector<Object>>(Reader(text, shared_->path).list());
    }
    return *shared_->objects;
}

} // namespace glproc
