#include "cli/pipe/forms_made.hpp"

#include "cli/pipe/pipe.hpp"
#include "glproc/base/error.hpp"

namespace glproc::cli {

std::vector<Form> forms_made(const Arguments& arguments, const Form& form, const Form& result) {
    std::vector<Form> made;
    if (arguments.command->op == &pipe_info()) {
        try {
            for (const PipeStep& step : steps_to_run(arguments)) {
                made.push_back(configure_step(*arguments.command, step)->result_form(made.empty() ? form : made.back()));
            }
        } catch (const Error&) { // NOLINT(bugprone-empty-catch): a step that needs its second image for this, or a call that is refused
        }
    }
    made.push_back(result);
    return made;
}

} // namespace glproc::cli
