// A list that is made when it is first asked for.
#include "cli/commands.hpp"
#include "support/catch.hpp"

using namespace glproc::cli;

TEST_CASE("late list: made once, when it is asked for, and copied as it is") {
    int made = 0;
    auto list = LateList<int>::made_by([&made] {
        ++made;
        return std::vector<int>{1, 2, 3};
    });
    LateList<int> before = list;
    CHECK(made == 0);
    CHECK(list.get() == std::vector<int>{1, 2, 3});
    CHECK(std::vector<int>(list.begin(), list.end()).size() == 3);
    CHECK(made == 1);
    list.get().push_back(4);
    CHECK(list.get().back() == 4);
    CHECK(before.get().size() == 3);
    CHECK(made == 2);
    CHECK(LateList<int>{}.empty());
}
