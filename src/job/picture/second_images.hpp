// The second images that operations name.
#pragma once

#include "glproc/op/op.hpp"
#include "job/budget.hpp"
#include "job/first_profile.hpp"

namespace glproc::job {

struct SecondRules {
    bool stdin_is_taken = false; ///< by a first image
    bool meet_at_steps = false;  ///< of a chain, whose steps bring each to the colours that they get
};

/// Reads them. They are brought to the profile and light of `first`, which is null where the steps of a chain
/// do that alone. What is said of it comes back. Throws Error: usage where stdin is read twice, and input.
Notes read_second_images(Operation& operation, const Reading& reading, const FirstProfile* first,
                         SecondRules rules);

} // namespace glproc::job
