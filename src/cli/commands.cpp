#include "cli/commands.hpp"

#include "cli/bench/bench.hpp"
#include "cli/bench/memory_bench.hpp"
#include "cli/companion.hpp"
#include "cli/files/file_flags.hpp"
#include "cli/files/input.hpp"
#include "cli/files/split_command.hpp"
#include "cli/files/volume_flags.hpp"
#include "cli/pipe/pipe.hpp"
#include "cli/settings.hpp"
#include "glproc/ops/operations_over_time.hpp"
#include "job/output/encoding.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace glproc::cli {

namespace {

/// Fields whose value may stand without a name.
std::vector<PlacedArgument> places_after_files(const OpInfo& op) {
    std::vector<PlacedArgument> places;
    for (const FieldInfo& field : op.fields) {
        if (field.is_place) {
            places.push_back(
                {field.value, fmt::format("value of --{}, which may be left out", field.name), false});
        }
    }
    return places;
}

std::vector<PlacedArgument> places_of(const OpInfo& op) {
    std::vector<PlacedArgument> places;
    const bool pictures = op.input == Input::image;
    places.push_back({"IN",
                      op.joins   ? "image files or folders to read"
                      : pictures ? "image files or folders to read; - is stdin"
                                 : "array to read, .npy or raw; - is stdin",
                      true, pictures});
    if (op.product == Product::image && making(op, Product::report).product == Product::report) {
        places.push_back(
            {"OUT", "image to write, or a folder for several; without it a report is printed", false});
    } else if (!op.others.empty() && op.product == Product::image) {
        places.push_back({"OUT", "image or .npy to write, or a folder for several"});
    } else if (!op.others.empty()) {
        places.push_back({"OUT", "image or .npy to write; without it a table is printed", false});
    } else if (op.has_output()) {
        const bool is_image = op.product == Product::image;
        const bool is_array = op.product == Product::array;
        places.push_back({"OUT", fmt::format("{} to write{}; - is stdout",
                                             is_image   ? "image"
                                             : is_array ? "array"
                                                        : "file",
                                             pictures && !op.joins ? ", or a folder for several" : "")});
    }
    const std::vector<PlacedArgument> after = places_after_files(op);
    places.insert(places.end(), after.begin(), after.end());
    return places;
}

/// An alias is a word, or a word and the flags that it stands for: "dilate --do dilate".
std::vector<std::string> plain_aliases(const OpInfo& op) {
    std::vector<std::string> plain;
    std::copy_if(op.aliases.begin(), op.aliases.end(), std::back_inserter(plain),
                 [](const std::string& alias) { return alias.find(' ') == std::string::npos; });
    return plain;
}

std::vector<Shorthand> shorthands_of(const OpInfo& op) {
    std::vector<Shorthand> shorthands;
    for (const std::string& alias : op.aliases) {
        std::istringstream words(alias);
        Shorthand shorthand;
        words >> shorthand.word;
        shorthand.flags.assign(std::istream_iterator<std::string>(words), {});
        if (!shorthand.flags.empty()) {
            shorthands.push_back(std::move(shorthand));
        }
    }
    return shorthands;
}

std::vector<Flag> flags_of(const OpInfo& op) {
    std::vector<Flag> flags;
    for (const FieldInfo& field : op.fields) {
        flags.push_back({.info = field, .implied = field.implied});
    }
    for (const std::vector<Flag>& generic :
         {input_flags(op.input), op.input == Input::image ? budget_flags() : std::vector<Flag>{},
          salvage_flags(op.input), video_flags(op), volume_flags(op), output_flags(op), many_flags(op)}) {
        for (const Flag& flag : generic) {
            // A parameter of the operation comes before what is done to every output: convert has --gray
            // itself.
            const auto is_taken = [&](const std::string& word) {
                return std::any_of(op.fields.begin(), op.fields.end(), [&](const FieldInfo& field) {
                    return field.name == word || field.alias == word;
                });
            };
            if (!is_taken(flag.info.name)) {
                flags.push_back(flag);
            } else if (!flag.info.alias.empty() &&
                       !is_taken(flag.info.alias)) { // the old spelling of it alone
                flags.push_back(flag);
                flags.back().hidden = true;
                flags.back().info.name = std::exchange(flags.back().info.alias, "");
            }
        }
    }
    return flags;
}

Command from_operation(const OpInfo& op) {
    return {.name = op.name,
            .aliases = plain_aliases(op),
            .shorthands = shorthands_of(op),
            .summary = op.summary,
            .example = op.example,
            .examples = op.examples,
            .places = places_of(op),
            .flags = LateList<Flag>::made_by([&op] { return flags_of(op); }),
            .cost = op.cost,
            .op = &op};
}

std::vector<Flag> bench_flags(const std::string& size) {
    Flag sizes = with_value("size", "WxH|N", "size of a generated input: WxH pixels, or N values");
    sizes.info.default_value = size;
    Flag input = with_value("input", "random|constant|gradient|FILE", "input: generated, or a file");
    input.info.default_value = "random";
    Flag seconds =
        with_value("seconds", "N",
                   "how long a method is timed whose times differ: 10, and 0.6 on a processor, unless told");
    seconds.info.range = FieldText<double>::range(bench_seconds_limit);
    return {sizes, input, seconds, toggle("json", 0, "print one line of JSON for each size")};
}

/// The form of a generated picture, where the operation has no parameter of that name.
std::vector<Flag> bench_form_flags(const OpInfo& op) {
    if (op.input != Input::image) {
        return {};
    }
    Flag depth = with_value("depth", "8|16|f32", "bits per channel of a generated image");
    depth.info.default_value = "8";
    Flag channels = with_value("channels", "N", "channels of a generated image, 1 to 4");
    channels.info.default_value = std::to_string(op.bench.channels);
    std::vector<Flag> flags{depth, channels};
    std::erase_if(flags, [&](const Flag& flag) {
        return std::any_of(op.fields.begin(), op.fields.end(),
                           [&](const FieldInfo& field) { return field.name == flag.info.name; });
    });
    return flags;
}

/// What `bench` measures of an operation.
Flag method_flag() {
    Flag flag = with_value("method", "M", "measure only this method");
    flag.info.alias = "variant";
    return flag;
}

/// What follows the files in the example of an operation.
std::string example_after_files(const OpInfo& op) {
    if (op.joins) {
        return op.example.substr(std::min(op.example.find("--"), op.example.size()));
    }
    std::size_t at = 0;
    for (int files = op.has_output() ? 2 : 1; files > 0 && at < op.example.size(); --files) {
        at = std::min(op.example.find(' ', at), op.example.size() - 1) + 1;
    }
    return op.example.substr(at);
}

/// The flags of the operation, except the one that chooses a variant: that one chooses what is measured.
Command measure_operation(const OpInfo& op) {
    const std::vector<PlacedArgument> places = places_after_files(op);
    const std::vector<Flag> own = bench_flags(op.bench.size);
    const auto is_taken = [&own](const FieldInfo& field) {
        return std::any_of(own.begin(), own.end(),
                           [&](const Flag& flag) { return flag.info.name == field.name; });
    };
    const std::string settings = example_after_files(op);
    Command command{.name = fmt::format("{} {}", bench_command, op.name),
                    .aliases = plain_aliases(op),
                    .summary = "check, then time every method of " + op.name,
                    .example =
                        fmt::format("{}{}--size {}", settings, settings.empty() ? "" : " ", op.bench.size),
                    .places = places,
                    .op = &op,
                    .measures = true};
    for (const FieldInfo& field : op.fields) {
        if (field.name != op.bench.field && !is_taken(field)) {
            command.flags.get().push_back({.info = field, .implied = field.implied});
        }
    }
    Flag variant = method_flag();
    if (variant_flag(op) != variant.info.name) {
        variant.info.name = std::exchange(variant.info.alias, "");
    }
    for (const auto& rows : {op.bench.automatic, op.bench.variants}) {
        for (const BenchVariant& row : rows) {
            variant.info.choices.push_back({row.name, row.when});
        }
    }
    command.flags.get().push_back(variant);
    for (const std::vector<Flag>& generic : {own, bench_form_flags(op), input_flags(op.input)}) {
        command.flags.get().insert(command.flags.get().end(), generic.begin(), generic.end());
    }
    return command;
}

/// Appends the place of the operations, and the flag that names a file of them.
Command with_steps(Command command) {
    command.takes_steps = true;
    command.places.push_back({"OP", "an operation and its flags; join several with then", false, true});
    command.flags = LateList<Flag>::made_by([others = std::move(command.flags)] {
        std::vector<Flag> flags{
            with_value(recipe_flag, "FILE", "read operations from a file, one per line; # comments")};
        flags.insert(flags.end(), others.begin(), others.end());
        return flags;
    });
    return command;
}

Command measure_pipe() {
    Command command = with_steps(measure_operation(pipe_info()));
    const std::string operations = pipe_info().example.substr(pipe_info().example.find("blur"));
    command.summary = "check, then time operations as one chain and one by one";
    command.example = fmt::format("--size {} {}", pipe_info().bench.size, operations);
    return command;
}

Command measure_commands() {
    Command command{.name = bench_command,
                    .summary = "check, then time every method of an operation, or of all",
                    .example = "scan --size 1048576",
                    .examples = {{"Time one method of one operation on a large image",
                                  "blur --sigma 2 --size 4096x4096 --method tiled"}},
                    .places = {{"OP",
                                "operation; glproc bench OP --help lists its flags. Without it, all are "
                                "timed at modest sizes and printed as Markdown tables",
                                false}},
                    .flags = {method_flag()}};
    const std::vector<Flag> generic = bench_flags("");
    command.flags.get().insert(command.flags.get().end(), generic.begin(), generic.end());
    command.commands = LateList<Command>::made_by([] {
        std::vector<Command> measures;
        for (const std::vector<const OpInfo*>& measured : {operations(), memory_benches()}) {
            for (const OpInfo* op : measured) {
                if (!op->bench.variants.empty()) {
                    measures.push_back(measure_operation(*op));
                }
            }
        }
        measures.push_back(measure_pipe());
        return measures;
    });
    return command;
}

std::vector<Command> make_commands() {
    std::vector<Command> all;
    for (const ListedOperation& listed : listed_operations()) {
        all.push_back(from_operation(*listed.info));
        all.back().heading = listed.heading;
    }
    const auto joining = std::ranges::find(all, undoes_split, &Command::name);
    const std::string beside = joining->heading;
    all.insert(joining + 1, describe_split())->heading = beside;
    const auto others = static_cast<std::ptrdiff_t>(all.size());
    all.push_back(with_steps(from_operation(pipe_info())));
    std::ranges::transform(companions(), std::back_inserter(all), with_steps);
    all.push_back(measure_commands());
    all.push_back(
        {.name = info_command,
         .aliases = {"identify"},
         .summary = "describe image files or, without any, the device and the formats",
         .example = "photo.jpg",
         .examples = {{"Describe every image of a folder as JSON", "photos --json"},
                      {"Describe the GPU and its limits", "glproc info"},
                      {"Compile all programs while a container is built", "--compile"}},
         .places = {{"IN", "image files or folders to describe; - is stdin", false, true}},
         .flags = {toggle("json", 0, "print JSON"), toggle("recursive", 'r', "also look into subfolders"),
                   toggle("compile", 0,
                          "compile and check all programs now, so that no later command waits for them"),
                   input_flags(Input::image).front()}});
    for (Flag& flag : budget_flags()) {
        all.back().flags.get().push_back(std::move(flag));
    }
    all.push_back({.name = selftest_command,
                   .summary = "check every operation against its reference on this device",
                   .example = "--quick",
                   .examples = {{"Check two operations only", "blur median --quick"}},
                   .places = {{"OP", "operations to check; all if none is given", false, true}},
                   .flags = {toggle("quick", 0, "only the method auto takes, on 8-bit RGB"),
                             toggle("json", 0, "print JSON")}});
    all.push_back({.name = help_command,
                   .summary = "explain a command, or search all help for a word",
                   .example = all.front().name,
                   .examples = {{"Find out how something is done", "watermark"},
                                {"Explain the flags that all commands share", "flags"}},
                   .places = {{"WORD", "a command, or words to search for; flags explains the shared flags",
                               false, true}}});
    std::for_each(all.begin() + others, all.end(),
                  [](Command& command) { command.heading = "Chains, video and device"; });
    return all;
}

} // namespace

bool Command::takes_many() const {
    return std::any_of(places.begin(), places.end(), [](const PlacedArgument& place) { return place.many; });
}

std::size_t Command::least_files() const {
    return static_cast<std::size_t>(std::count_if(
        places.begin(), places.end(), [](const PlacedArgument& place) { return place.required; }));
}

bool Command::has_output() const {
    return std::any_of(places.begin(), places.end(),
                       [](const PlacedArgument& place) { return place.name == "OUT"; });
}

bool Command::needs_output() const {
    return std::any_of(places.begin(), places.end(),
                       [](const PlacedArgument& place) { return place.name == "OUT" && place.required; });
}

std::string Command::example_call() const {
    return fmt::format("glproc {}{}{}", name, example.empty() ? "" : " ", example);
}

const std::vector<Command>& commands() {
    static const std::vector<Command> all = make_commands();
    return all;
}

const Command* find_command(std::string_view word, const std::vector<Command>& among) {
    const auto found = std::find_if(among.begin(), among.end(), [&](const Command& c) {
        return c.word() == word || std::find(c.aliases.begin(), c.aliases.end(), word) != c.aliases.end() ||
               !flags_in_word(c, word).empty();
    });
    return found == among.end() ? nullptr : &*found;
}

std::vector<std::string> flags_in_word(const Command& command, std::string_view word) {
    const auto found = std::find_if(command.shorthands.begin(), command.shorthands.end(),
                                    [&](const Shorthand& shorthand) { return shorthand.word == word; });
    return found == command.shorthands.end() ? std::vector<std::string>{} : found->flags;
}

namespace {

Command step_of(const OpInfo& op) {
    Command step{.name = op.name,
                 .aliases = plain_aliases(op),
                 .shorthands = shorthands_of(op),
                 .summary = op.summary,
                 .example = example_after_files(op),
                 .examples = op.examples,
                 .places = places_after_files(op),
                 .op = &op,
                 .is_step = true};
    for (const FieldInfo& field : op.fields) {
        step.flags.get().push_back({.info = field, .implied = field.implied});
    }
    return step;
}

std::vector<Command> steps_that(bool (*takes)(const OpInfo& op)) {
    std::vector<Command> steps;
    for (const OpInfo* listed : operations()) {
        const OpInfo& op = making(*listed, Product::image);
        if (op.input == Input::image && op.product == Product::image && takes(op)) {
            steps.push_back(step_of(op));
        }
    }
    return steps;
}

} // namespace

const std::vector<Command>& pipe_steps() {
    static const std::vector<Command> all = steps_that([](const OpInfo& op) { return !op.joins; });
    return all;
}

const std::vector<Command>& video_steps() {
    static const std::vector<Command> all =
        steps_that([](const OpInfo& op) { return !op.joins || over_time_of(op) != nullptr; });
    return all;
}

} // namespace glproc::cli
