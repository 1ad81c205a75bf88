// What glproc does beside the window, as a list above its lower edge.
#pragma once

#include "view/engine/job_queue.hpp"

namespace glproc::view {

/// 0 where there are none.
float jobs_height(const JobQueue& jobs);
void show_jobs(JobQueue& jobs, float width, float height);

} // namespace glproc::view
