// What a frame gets of the keys and characters that came since the last one.
#include "view/keys.hpp"

#include "support/catch.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

using namespace glproc::view;

namespace {

constexpr int enter = 257;
constexpr int control = 341;

/// Each frame in a word: +N and -N for keys, characters as they are.
/// The first time that it goes down, `opening` opens something.
std::string frames_of(InputQueue& queue, int opening = 0) {
    std::string text;
    const auto add = [&](const std::string& word) { text += fmt::format("{} ", word); };
    for (bool is_first = true; is_first || queue.has_more(); is_first = false) {
        if (!is_first) {
            add("|");
        }
        queue.pass(
            [&](const KeyEvent& key) {
                add(fmt::format("{}{}", key.action == 0 ? '-' : key.action == 1 ? '+' : '*', key.key));
            },
            [&](const CharacterEvent& typed) { add(fmt::format("{}", static_cast<char>(typed.character))); },
            [&](const KeyEvent& key) { return key.key == std::exchange(opening, key.key == opening ? 0 : opening); });
    }
    return text;
}

void press(InputQueue& queue, int key, char typed = 0) {
    queue.add(KeyEvent{key, 1, 0});
    if (typed != 0) {
        queue.add(CharacterEvent{static_cast<unsigned>(typed)});
    }
}

void let_go(InputQueue& queue, int key) {
    queue.add(KeyEvent{key, 0, 0});
}

} // namespace

TEST_CASE("input: a key that goes down and up between two frames is down in one and up in the next") {
    InputQueue queue;
    press(queue, enter);
    let_go(queue, enter);
    CHECK(frames_of(queue) == "+257 | -257 ");
    CHECK(frames_of(queue).empty());
}

TEST_CASE("input: letters come at once, and Enter after them") {
    InputQueue queue;
    press(queue, 'A', 'a');
    let_go(queue, 'A');
    press(queue, 'A', 'a');
    press(queue, 'B', 'b'); // before the other is let go
    let_go(queue, 'A');
    let_go(queue, 'B');
    press(queue, enter);
    let_go(queue, enter);
    CHECK(frames_of(queue) == "+65 a -65 +65 a +66 b -65 -66 | +257 | -257 ");
}

TEST_CASE("input: letters behind a shortcut wait for what it opens") {
    InputQueue queue;
    press(queue, control);
    queue.add(KeyEvent{'O', 1, 2});
    let_go(queue, 'O');
    let_go(queue, control);
    press(queue, 'A', 'a');
    press(queue, enter);
    CHECK(frames_of(queue) == "+341 +79 | -79 -341 +65 a | +257 ");
}

TEST_CASE("input: letters behind a key that opens a list wait for the list") {
    InputQueue queue;
    press(queue, 'A', 'a');
    let_go(queue, 'A');
    press(queue, 'I', 'i');
    press(queue, 'A', 'a');
    CHECK(frames_of(queue, 'A') == "+65 a | -65 +73 i +65 a ");
}

TEST_CASE("input: Ctrl+V in one go is seen, as often as it is pressed") {
    InputQueue queue;
    press(queue, control);
    press(queue, 'V');
    let_go(queue, 'V');
    queue.add(KeyEvent{'V', 1, 0});
    queue.add(KeyEvent{'V', 2, 0}); // held
    queue.add(KeyEvent{'V', 2, 0});
    let_go(queue, 'V');
    let_go(queue, control);
    CHECK(frames_of(queue) == "+341 +86 | -86 | +86 *86 *86 | -86 -341 ");
}
