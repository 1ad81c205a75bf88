#include "cli/many/partners.hpp"

#include "cli/configure.hpp"
#include "cli/files/input.hpp"
#include "cli/files/second_pictures.hpp"
#include "cli/many/input_list.hpp"
#include "glproc/op/field.hpp"
#include "glproc/op/table.hpp"
#include "job/first_profile.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>
#include <vector>

namespace glproc::cli {

namespace fs = std::filesystem;

namespace {

bool is_folder(const PictureInput& picture) {
    std::error_code missing;
    return fs::is_directory(picture.path, missing);
}

} // namespace

std::vector<std::string> without_partners(Operation& operation, const Arguments& arguments,
                                          const std::vector<Errand>& errands) {
    std::set<std::string> met;
    for (const Errand& errand : errands) {
        if (errand.found) {
            met.insert(errand.below);
        }
    }
    std::vector<std::string> strays;
    for (const PictureInput* picture : operation.pictures()) {
        if (met.empty() || !is_folder(*picture)) {
            continue;
        }
        for (const ListedInput& there : pictures_in(picture->path, arguments.has("recursive"))) {
            const std::string name = fs::path(there.path).filename().native();
            if (!met.contains(there.below.empty() ? name : there.below + "/" + name)) {
                strays.push_back(there.path);
            }
        }
    }
    return strays;
}

Partners::Partners(const Arguments& arguments, Operation& operation)
    : arguments_(arguments), has_some_(!operation.pictures().empty()) {
    const std::vector<PictureInput*> pictures = operation.pictures();
    has_own_ = std::any_of(pictures.begin(), pictures.end(),
                           [](const PictureInput* picture) { return is_folder(*picture); });
    if (has_own_) {
        return;
    }
    const bool is_converted = !read_second_pictures(operation, arguments).empty();
    are_plain_ =
        !is_converted && std::none_of(pictures.begin(), pictures.end(), [](const PictureInput* picture) {
            return picture->image->depth() == Depth::f32; // light, or numbers
        });
}

std::unique_ptr<Operation> Partners::configured_for(const Errand& errand) const {
    std::unique_ptr<Operation> made = configure(arguments_);
    for (PictureInput* picture : made->pictures()) {
        if (is_folder(*picture)) {
            picture->path = (fs::path(picture->path) / errand.below).native();
            refuse_special(picture->path, true); // as found in a folder, not named
        }
    }
    return made;
}

std::optional<Partnered> Partners::of(const Errand& errand) const {
    const bool is_shared =
        !has_own_ &&
        (!has_some_ || (are_plain_ && FirstProfile(errand.in, read_reading(arguments_)).is_plain()));
    if (is_shared) {
        return std::nullopt;
    }
    Partnered made{configured_for(errand), {}};
    made.notes = read_second_pictures(*made.operation, arguments_, errand.in);
    return made;
}

FitSecondImages Partners::fit_for(const Errand& errand) const {
    return [this, errand](const FirstProfile& first, Notes& notes) {
        std::unique_ptr<Operation> made = configured_for(errand);
        notes = read_second_pictures(*made, arguments_, first);
        return made;
    };
}

FileTable with_file_column(const std::string& csv, const std::string& file) {
    std::istringstream table(csv);
    FileTable result;
    std::getline(table, result.header);
    result.header = "file," + result.header + "\n";
    for (std::string line; std::getline(table, line);) {
        result.lines += csv_field(file) + "," + line + "\n";
    }
    return result;
}

} // namespace glproc::cli
