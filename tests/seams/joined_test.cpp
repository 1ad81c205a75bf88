// Images that are joined to the first one, or laid over it, come in its profile and its light, whatever road they take.
#include "seams/seams_folder.hpp"

#include <algorithm>

using namespace glproc;
using namespace glproc::test;
namespace fs = std::filesystem;

namespace {

/// The second image as a file, a page of one and a format that does not come in rows.
struct JoinedFolder : SeamsFolder {
    JoinedFolder() {
        for (const std::string name : {"profile", "plain"}) {
            const Image image = picture_of(name + ".png");
            save(image, *this / (name + ".tif"));
            const auto series = write_series(*this / (name + "-pages.tif"), "tif", SeriesInfo{.count = 2});
            series->write(image, {});
            series->write(image, {});
            series->finish();
        }
    }
};

struct Joined {
    int status = 0;
    std::string file;
    std::vector<std::string> said;
};

Joined joined(const JoinedFolder& folder, const Words& words, const std::string& second) {
    fs::remove(folder / "out.png");
    const ProgramResult result = run_glproc(folder.path(), words);
    Joined made{result.status, fs::exists(folder / "out.png") ? read_text(folder / "out.png") : "", {}};
    for (std::string line : lines_of(without_software_warning(result.err))) {
        if (const std::size_t at = line.find(second); at != std::string::npos) {
            line.replace(at, second.size(), "it");
        }
        made.said.push_back(line);
    }
    return made;
}

} // namespace

TEST_CASE("seams: an image with another profile is joined as its file is, be it a page or a file") {
    const JoinedFolder folder;
    const std::vector<std::pair<std::string, std::string>> pairs{{"plain.png", "profile"}, {"profile.png", "plain"}};
    for (const auto& [first, second] : pairs) {
        for (const Words& command : {Words{"append"}, Words{"stack"}, Words{"montage"}}) {
            const auto call = [&](const std::string& name, const Words& more) {
                return joined(folder, with(with({command[0], first, name, "out.png"}, tail_of(command)), more), name);
            };
            const Joined plain = call(second + ".png", {});
            REQUIRE(plain.status == 0);
            CHECK(plain.said.size() == 1); // colours are converted, which is said
            for (const std::string& name : {second + ".tif", second + ".tif#1", second + "-pages.tif#2"}) {
                INFO(command[0] << " " << first << " " << name);
                const Joined page = call(name, {});
                CHECK(page.status == 0);
                CHECK((page.file == plain.file));
                CHECK(page.said == plain.said);
            }
            // No profile of an untrusted file is read: values stay, which is said.
            INFO(command[0] << " " << first << " " << second << " untrusted");
            const Joined untrusted = call(second + ".png", {"--untrusted"});
            CHECK(untrusted.status == 0);
            REQUIRE(untrusted.said.size() == 1);
            CHECK(untrusted.said[0].find("colours do not match") != std::string::npos);
        }
    }
}

TEST_CASE("seams: a second image with another profile is used as if it had been converted before") {
    const JoinedFolder folder;
    REQUIRE(run_glproc(folder.path(), {"profile", "profile.png", "converted.png", "--to", "srgb"}).status == 0);
    for (const std::string name : {"profile.png", "profile.tif#1", "profile-pages.tif#2"}) {
        for (const Words& command : {Words{"blend", "--with", name, "--mode", "multiply"}, Words{"match", "--with", name}}) {
            INFO(fmt::format("{}", fmt::join(command, " ")));
            Words converted = command;
            std::replace(converted.begin(), converted.end(), name, std::string("converted.png"));
            const auto call = [&](const Words& words) { return joined(folder, with({words[0], "plain.png", "out.png"}, tail_of(words)), name); };
            const Joined truth = call(converted);
            const Joined made = call(command);
            REQUIRE(truth.status == 0);
            CHECK(made.status == 0);
            CHECK((made.file == truth.file));
            CHECK(made.said.size() == 1);
        }
        const ProgramResult truth = run_glproc(folder.path(), {"compare", "plain.png", "converted.png", "--json"});
        const ProgramResult made = run_glproc(folder.path(), {"compare", "plain.png", name, "--json"});
        CHECK(truth.status == 0);
        const auto figures = [](const ProgramResult& report) { return report.out.substr(report.out.find("\"mse\"")); };
        CHECK(figures(made) == figures(truth));
    }
}

TEST_CASE("seams: pages with profiles of their own meet images of a folder as they meet them alone") {
    const JoinedFolder folder;
    fs::create_directories(folder / "in");
    fs::create_directories(folder / "with");
    const auto pages = write_series(folder / "in/m.tif", "tif", SeriesInfo{.count = 2});
    pages->write(picture_of("plain.png"), {});
    pages->write(picture_of("profile.png"), {});
    pages->finish();
    save(picture_of("plain.png"), folder / "with/m.tif");
    const Words alone{"blend", "in/m.tif", "alone.tif", "--with", "with/m.tif"};
    REQUIRE(run_glproc(folder.path(), alone).status == 0);
    CHECK(run_glproc(folder.path(), {"blend", "in", "out/", "--with", "with"}).status == 0);
    REQUIRE(fs::exists(folder / "out/m.tif"));
    CHECK((read_text(folder / "out/m.tif") == read_text(folder / "alone.tif")));
}
