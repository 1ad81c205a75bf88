#include "glproc/kinds/chain_tiles.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/kinds/gather/move.hpp"
#include "glproc/kinds/point.hpp"
#include "glproc/op/proof.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

namespace glproc {

Plans joined(const Plans& plans) {
    constexpr std::size_t longest = 8;
    Plans result;
    Plans run;
    for (const Plan& plan : plans) {
        if (run.size() == longest || (!run.empty() && !can_join(run, plan))) {
            result.push_back(joined_plan(std::exchange(run, {})));
        }
        run.push_back(plan);
    }
    result.push_back(joined_plan(run));
    return result;
}

namespace {

/// A plan, and the needs of its tiles.
struct Link {
    Plan plan;
    TileNeeds needs;

    /// The part of its source that a part of its result depends on.
    Rect source_of(const Rect& result) const {
        if (plan.gathered()) {
            return plan.gathered()->source_of(result);
        }
        const auto [x, width] =
            along(result.x, result.right(), needs.halo.x, needs.grain.x, plan.shape.source.width);
        const auto [y, height] =
            along(result.y, result.bottom(), needs.halo.y, needs.grain.y, plan.shape.source.height);
        return {x, y, width, height};
    }

    /// Whether the memory and the textures for that part suffice.
    bool fits(const TileRoom& room, const Rect& result, const Rect& source) const {
        const std::int64_t columns = room.texture_size * needs.texel_pixels;
        const double pixels = double(source.width) * source.height +
                              (plan.gathered() ? double(result.width) * result.height : 0);
        return std::max(source.width, result.width) <= columns &&
               std::max(source.height, result.height) <= std::min(room.texture_size, needs.most_rows) &&
               pixels * needs.pixel_bytes <= room.bytes;
    }

  private:
    /// First pixel and length along an axis of n pixels.
    std::pair<int, int> along(int first, int end, int halo, int grain, int n) const {
        const int from = first / grain * grain - halo;
        const int to = covering(end, grain) * grain + halo;
        if (needs.repeats && (from < 0 || to > n)) {
            return {0, n};
        }
        return {std::max(from, 0), std::min(to, n) - std::max(from, 0)};
    }
};

using Links = std::vector<Link>;

Links links_of(Context& gpu, const Plans& plans) {
    Links links;
    std::transform(plans.begin(), plans.end(), std::back_inserter(links), [&gpu](const Plan& plan) {
        return Link{plan, plan.work.needs(gpu)};
    });
    return links;
}

/// The parts of each link's source that a part of the last link's result depends on.
std::vector<Rect> parts_of(const Links& links, const Rect& result) {
    std::vector<Rect> parts(links.size());
    Rect needed = result;
    for (std::size_t i = links.size(); i-- > 0;) {
        needed = links[i].source_of(needed);
        parts[i] = needed;
    }
    return parts;
}

bool fit(const Links& links, const TileRoom& room, const Rect& result) {
    const std::vector<Rect> parts = parts_of(links, result);
    for (std::size_t i = 0; i < links.size(); ++i) {
        if (!links[i].fits(room, i + 1 < links.size() ? parts[i + 1] : result, parts[i])) {
            return false;
        }
    }
    return true;
}

/// Runs link by link, and makes no more of each part than the next link needs.
GpuImage run_part(Context& gpu, const Links& links, const Part& source, const Rect& result) {
    const std::vector<Rect> parts = parts_of(links, result);
    std::optional<GpuImage> last;
    for (std::size_t i = 0; i < links.size(); ++i) {
        const Plan& plan = links[i].plan;
        const Rect& wanted = i + 1 < links.size() ? parts[i + 1] : result;
        GpuImage next = run_proved(gpu, plan, {last ? *last : source.image, parts[i]}, wanted);
        if (!plan.gathered() && parts[i] != wanted) { // a part with its halo
            next = run_move(gpu, {}, plan.shape.result, next, parts[i], wanted);
        }
        last.emplace(std::move(next));
    }
    return std::move(*last);
}

} // namespace

Plan cut_together(Context& gpu, const Plans& plans) {
    const Plans fewer = joined(plans);
    if (fewer.size() == 1) {
        return fewer.front();
    }
    const auto links = std::make_shared<const Links>(links_of(gpu, fewer));
    Plan plan{.shape = {.source = plans.front().shape.source, .result = plans.back().shape.result}};
    plan.work.needs = [links](Context&) { return links->back().needs; };
    const auto grid = [links, source = plan.shape.source, result = plan.shape.result](Context& on) {
        const TileRoom room = room_of(on);
        return plan_grid(on, source, result, links->back().needs,
                         [&](const Rect& rect) { return fit(*links, room, rect); });
    };
    plan.work.cutting =
        GatheredTiles{[links](const Rect& result) { return parts_of(*links, result).front(); }, grid};
    plan.work.run = [links](Context& on, const Part& source, const Rect& result) {
        return run_part(on, *links, source, result);
    };
    return plan;
}

bool fits_whole(Context& gpu, const Plans& plans) {
    return fit(links_of(gpu, plans), room_of(gpu), whole_of(plans.back().shape.result));
}

} // namespace glproc
