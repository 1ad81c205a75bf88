#include "view/document.hpp"

#include "cli/pipe/pipe.hpp"
#include "cli/pipe/recipe.hpp"
#include "glproc/base/error.hpp"
#include "glproc/base/shell_word.hpp"
#include "glproc/files/file.hpp"
#include "glproc/op/plan.hpp"
#include "glproc/op/value_words.hpp"
#include "view/panels/curve.hpp"
#include "view/tools/handles.hpp"

#include <algorithm>
#include <iomanip>
#include <iterator>
#include <span>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace glproc::view {

namespace {

constexpr std::size_t most_undone = 200;

bool names_file(const FieldInfo& field) {
    return field.kind == FieldKind::picture || field.kind == FieldKind::file;
}

/// The value as the field names it: controls know no synonyms.
std::string as_named(const FieldInfo& field, const std::string& text) {
    std::vector<std::string> names;
    std::ranges::transform(field.choices, std::back_inserter(names), &Choice::name);
    const std::string named = choice_called(text, names);
    return named.empty() ? text : named;
}

/// What the operation's example gives the field; empty where it does not say.
std::string in_example(const OpInfo& op, const FieldInfo& field, const std::optional<Form>& form) {
    for (const auto& [name, text] : settings_in(op.example)) {
        if (name == field.name) {
            return names_curve(field)     ? text_of(CurvePoints{{0, 0}, {1, 1}})
                   : !form                ? text
                   : names_part(field)    ? fmt::format("0,0,{},{}", form->width, form->height)
                   : names_corners(field) ? text_of(corners_of(form->width, form->height))
                                          : text;
        }
    }
    return field.is_place && field.required ? as_named(field, op.example.substr(op.example.rfind(' ') + 1))
                                            : "";
}

Step step_from(const cli::PipeStep& typed) {
    const cli::Command& chain = *cli::find_command(cli::pipe_command);
    cli::configure_step(chain, typed); // which says what is wrong
    const cli::Arguments arguments = cli::parse_arguments(typed.words, cli::pipe_steps());
    Step step{.op = arguments.command->op};
    for (const FieldInfo& field : step.op->fields) {
        if (arguments.has(field.name)) {
            step.given[field.name] = as_named(field, arguments.value(field.name));
            step.aspect = names_aspect(field) ? step.given[field.name] : step.aspect;
        }
    }
    return step;
}

Steps steps_from(const std::vector<cli::PipeStep>& typed) {
    Steps steps;
    std::ranges::transform(typed, std::back_inserter(steps), step_from);
    return steps;
}

/// As a recipe has it.
std::string quoted_in_recipe(const std::string& word) {
    std::ostringstream text;
    const bool plain =
        !word.empty() && word.find_first_of(" \t'\"\\") == std::string::npos && word.front() != '#';
    plain ? text << word : text << std::quoted(word);
    return text.str();
}

} // namespace

std::string Step::value_of(const FieldInfo& field) const {
    const auto found = given.find(field.name);
    return found == given.end() ? field.default_value : found->second;
}

bool names_part(const FieldInfo& field) {
    return field.value == "X,Y,W,H"; // as the help has it
}

bool names_aspect(const FieldInfo& field) {
    return field.value == "W:H";
}

void forget_part(Step& step, const FieldInfo& field) {
    const auto says_part = [](const FieldInfo& one) {
        return names_part(one) || names_aspect(one) || one.value.starts_with("WxH[");
    };
    if (says_part(field) && std::ranges::any_of(step.op->fields, names_part)) {
        std::erase_if(step.given, [&](const auto& value) {
            const FieldInfo* given = field_called(*step.op, value.first);
            return given != nullptr && says_part(*given);
        });
    }
}

std::string without_dashes(std::string message) {
    for (std::size_t at = message.find("--"); at != std::string::npos; at = message.find("--", at)) {
        message.erase(at, 2);
    }
    return message;
}

Step new_step(const OpInfo& op, const std::optional<Form>& form) {
    // Of an operation that can also measure alone, the one that makes a picture.
    Step step{.op = &making(op, Product::image)};
    if (const FieldInfo* amount = field_called(op, "amount")) { // how strong it is, which a person is to say
        step.given[amount->name] = "0";
    }
    for (const FieldInfo& field : op.fields) {
        if (field.required && !names_file(field)) {
            step.given[field.name] = in_example(op, field, form);
        }
    }
    if (!fault_of(step, form.value_or(any_picture)).empty() &&
        missing_file(step) == nullptr) { // one of several is needed
        for (const FieldInfo& field : op.fields) {
            if (const std::string text = in_example(op, field, form); !text.empty() && !names_file(field)) {
                step.given[field.name] = text;
            }
        }
    }
    return step;
}

const FieldInfo* field_called(const OpInfo& op, std::string_view name) {
    const auto found = std::ranges::find(op.fields, name, &FieldInfo::name);
    return found == op.fields.end() ? nullptr : &*found;
}

const FieldInfo* missing_file(const Step& step) {
    const auto found = std::ranges::find_if(step.op->fields, [&](const FieldInfo& field) {
        return field.required && names_file(field) && step.value_of(field).empty();
    });
    return found == step.op->fields.end() ? nullptr : &*found;
}

std::unique_ptr<Operation> operation_of(const Step& step) {
    std::unique_ptr<Operation> operation = step.op->make();
    for (const FieldInfo& field : step.op->fields) {
        if (step.has(field)) {
            operation->set(field.name, step.given.at(field.name));
        }
    }
    return operation;
}

namespace {

/// Throws Error(usage) where the step does not take such a picture.
Form result_of(const Step& step, const Form& form) {
    const std::unique_ptr<Operation> operation = operation_of(step);
    for (PictureInput* picture : operation->pictures()) {
        picture->image = std::make_shared<Image>(1, 1, 3, Depth::u8); // whatever it will be
    }
    return operation->plan(form).shape.result;
}

} // namespace

std::string fault_of(const Step& step, const Form& form) {
    try {
        if (const FieldInfo* file = missing_file(step)) {
            return fmt::format("needs a file: {}", file->name);
        }
        for (const FieldInfo& field : step.op->fields) {
            if (field.required && !step.has(field)) {
                return fmt::format("needs {}", field.name);
            }
        }
        result_of(step, form);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

std::vector<std::string> words_of(const Step& step) {
    std::vector<std::string> words{step.op->name};
    for (const FieldInfo& field : step.op->fields) {
        if (!step.has(field)) {
            continue;
        }
        const std::string& text = step.given.at(field.name);
        words.push_back("--" + field.name + (field.implied.empty() ? "" : "=" + text));
        if (field.kind != FieldKind::toggle && field.implied.empty()) {
            words.push_back(text);
        }
    }
    return words;
}

std::vector<std::string> words_of(const Steps& steps) {
    std::vector<std::string> words;
    for (const Step& step : steps) {
        if (step.on) {
            if (!words.empty()) {
                words.emplace_back(cli::pipe_separator);
            }
            const std::vector<std::string> more = words_of(step);
            words.insert(words.end(), more.begin(), more.end());
        }
    }
    return words;
}

Steps steps_from(const cli::Arguments& arguments) {
    return steps_from(cli::steps_of(arguments));
}

Steps read_steps(const std::string& path) {
    return steps_from(cli::read_recipe(path));
}

void write_steps(const Steps& steps, const std::string& path) {
    std::string text = "# glproc pipe IN OUT --recipe FILE\n";
    for (const Step& step : steps) {
        text += step.on ? "" : "# off: ";
        std::vector<std::string> words = words_of(step);
        std::ranges::transform(words, words.begin(), quoted_in_recipe);
        text += fmt::format("{}\n", fmt::join(words, " "));
    }
    write_file(path, std::as_bytes(std::span(text)));
}

std::string command_line(std::vector<std::string> words, const std::vector<std::string>& flags,
                         const Steps& steps) {
    words.insert(words.end(), flags.begin(), flags.end());
    const std::vector<std::string> more = words_of(steps);
    words.insert(words.end(), more.begin(), more.end());
    std::ranges::transform(words, words.begin(), shell_word);
    return fmt::format("{}", fmt::join(words, " "));
}

void Document::change(const std::string& what) {
    const bool goes_on = !what.empty() && what == changing_;
    changing_ = what;
    ++version_;
    if (!goes_on) {
        before_.push_back(steps_);
        after_.clear();
        if (before_.size() > most_undone) {
            before_.erase(before_.begin());
        }
    }
}

void Document::number() {
    for (Step& step : steps_) {
        step.id = step.id == 0 ? ++last_id_ : step.id;
    }
}

std::optional<std::size_t> Document::find(int id) const {
    const auto found = std::ranges::find(steps_, id, &Step::id);
    return found == steps_.end() ? std::nullopt
                                 : std::optional(static_cast<std::size_t>(found - steps_.begin()));
}

void Document::add(const OpInfo& op) {
    change();
    steps_.push_back(new_step(op, form_before(steps_.size())));
    number();
}

void Document::remove(std::size_t at) {
    change();
    steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(at));
}

void Document::move(std::size_t from, std::size_t to) {
    if (from == to || std::max(from, to) >= steps_.size()) {
        return;
    }
    change();
    Step step = std::move(steps_[from]);
    steps_.erase(steps_.begin() + static_cast<std::ptrdiff_t>(from));
    steps_.insert(steps_.begin() + static_cast<std::ptrdiff_t>(to), std::move(step));
}

void Document::switch_step(std::size_t at, bool on) {
    change();
    steps_[at].on = on;
}

void Document::set(std::size_t at, const FieldInfo& field, const std::string& text) {
    Step& step = steps_[at];
    if (step.has(field) && step.given.at(field.name) == text) {
        return;
    }
    change(fmt::format("{} {}", step.id, field.name));
    if (!field.contradicts.empty()) {
        step.given.erase(field.contradicts);
    }
    forget_part(step, field);
    if (names_aspect(field)) {
        step.aspect = text;
    }
    step.given[field.name] = text;
}

void Document::set(std::size_t at, const std::map<std::string, std::string>& values) {
    auto given = values;
    given.insert(steps_[at].given.begin(), steps_[at].given.end()); // which replaces none of them
    if (given != steps_[at].given) {
        change(fmt::format("{} several", steps_[at].id)); // no field has that name
        steps_[at].given = std::move(given);
    }
}

void Document::reset(std::size_t at, const FieldInfo& field) {
    const Step fresh = new_step(*steps_[at].op, form_before(at));
    settle();
    const bool keeps_aspect = names_aspect(field) && !steps_[at].aspect.empty();
    if (!keeps_aspect && steps_[at].value_of(field) == fresh.value_of(field) &&
        steps_[at].has(field) == fresh.has(field)) {
        return;
    }
    change();
    if (names_aspect(field)) {
        steps_[at].aspect.clear();
    }
    steps_[at].given.erase(field.name);
    if (fresh.has(field)) {
        steps_[at].given[field.name] = fresh.given.at(field.name);
    }
}

void Document::replace(Steps steps) {
    change();
    steps_ = std::move(steps);
    number();
}

void Document::begin_with(Steps steps) {
    steps_ = std::move(steps);
    number();
    mark_saved();
    ++version_;
}

std::optional<Form> Document::form_before(std::size_t at) const {
    if (source_.width == 0) {
        return std::nullopt;
    }
    try {
        Form form = source_;
        for (std::size_t i = 0; i < at; ++i) {
            if (steps_[i].on && missing_file(steps_[i]) == nullptr) {
                form = result_of(steps_[i], form);
            }
        }
        return form;
    } catch (const Error&) { // of a step that cannot be run
        return std::nullopt;
    }
}

void Document::go(std::vector<Steps>& from, std::vector<Steps>& to) {
    if (!from.empty()) {
        to.push_back(std::exchange(steps_, std::move(from.back())));
        from.pop_back();
        settle();
        ++version_;
    }
}

} // namespace glproc::view
