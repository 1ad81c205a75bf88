#include "glproc/kinds/chain.hpp"

#include "glproc/base/error.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/files/overlap.hpp"
#include "glproc/kinds/chain_tiles.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace glproc {

namespace {

/// The plans from `first` up to the next one that analyses its picture.
Plans until_look(const Plans& plans, std::size_t first) {
    const auto begin = plans.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin,
            std::find_if(begin, plans.end(), [](const Plan& plan) { return plan.look.at != nullptr; })};
}

GpuImage run_all(Context& gpu, const Plans& plans, const GpuImage& source) {
    std::optional<GpuImage> last;
    for (const Plan& plan : joined(plans)) {
        GpuImage next = run_whole(gpu, plan, last ? *last : source);
        last.emplace(std::move(next));
    }
    return std::move(*last);
}

/// A plan that analyses its picture sees the result of the plans before it.
GpuImage run_all_with_looks(Context& gpu, const Plans& plans, const GpuImage& source) {
    std::optional<GpuImage> last;
    for (std::size_t i = 0; i < plans.size();) {
        const GpuImage& from = last ? *last : source;
        Plans part = until_look(plans, i + 1);
        part.insert(part.begin(), plans[i].look.at ? plans[i].look.at(gpu, &from, {}) : plans[i]);
        i += part.size();
        GpuImage next = run_all(gpu, part, from);
        last.emplace(std::move(next));
    }
    return std::move(*last);
}

/// Rows made from rows that are made from rows.
class Cascade {
  public:
    Cascade(Context& gpu, const RowSource& source) : gpu_(gpu), sources_{source} {}

    const RowSource& last() const { return sources_.back(); }

    /// If a picture repeats, its rows are made more than once, so its plan is not cut together with others.
    /// Sweeps need all rows in their order.
    void add(const Plans& plans) {
        Plans together;
        for (const Plan& plan : plans) {
            if (!plan.has_tiles() || plan.work.needs(gpu_).repeats) {
                add_one(std::exchange(together, {}));
                add_one({plan});
            } else {
                together.push_back(plan);
            }
        }
        add_one(together);
    }

  private:
    /// Joins as many plans as leave room for a tile.
    void add_one(Plans plans) {
        while (!plans.empty()) {
            auto end = plans.end();
            Plan plan = cut_together(gpu_, plans);
            while (end - plans.begin() > 1 && !has_room(plan)) {
                plan = cut_together(gpu_, {plans.begin(), --end});
            }
            sources_.push_back(result_rows(gpu_, plan, sources_.back()));
            plans.erase(plans.begin(), end);
        }
    }

    bool has_room(const Plan& plan) const {
        try {
            const GatheredTiles* gathered = plan.gathered();
            return !gathered || !gathered->grid || gathered->grid(gpu_).size.x > 0;
        } catch (const Error& error) {
            if (error.code() != ErrorCode::operation) {
                throw;
            }
            return false;
        }
    }

    Context& gpu_;
    std::deque<RowSource> sources_; // a deque, because sources must stay where they are
};

/// The plan, whose fallback looks at that picture once more.
Plan keeping(Plan plan, std::shared_ptr<const void> picture) {
    if (plan.proof.fallback) {
        struct Kept {
            std::shared_ptr<Fallback> fallback;
            std::shared_ptr<const void> picture;
        };
        const auto kept = std::make_shared<const Kept>(Kept{plan.proof.fallback, std::move(picture)});
        plan.proof.fallback = {kept, kept->fallback.get()};
    }
    return plan;
}

/// The plans after their looks: each look reads all rows that it depends on. `told(turn)` hears of its
/// progress.
template <class Told>
Plans after_looks(Context& gpu, const Plans& plans, const RowSource& source, const Told& told) {
    Plans seen;
    int turn = 0;
    for (const Plan& plan : plans) {
        if (plan.look.at) {
            const auto before = std::make_shared<Cascade>(gpu, source);
            before->add(seen);
            seen.push_back(keeping(plan.look.at(gpu, &before->last(), told(turn++)), before));
        } else {
            seen.push_back(plan);
        }
    }
    return seen;
}

/// `to` gets the rows of the whole chain.
void run_all_rows(Context& gpu, const Plans& plans, const RowSource& source, RowWriter& to,
                  const TileProgress& progress) {
    const auto looks =
        std::count_if(plans.begin(), plans.end(), [](const Plan& plan) { return plan.look.at != nullptr; });
    const auto told_in = [&](std::ptrdiff_t turn) -> TileProgress {
        return [&progress, looks, turn](double share) {
            if (progress) {
                progress((static_cast<double>(turn) + share) / (static_cast<double>(looks) + 1));
            }
        };
    };
    const Plans seen = after_looks(gpu, plans, source, told_in);
    const TileProgress told = told_in(looks);
    Cascade all(gpu, source);
    all.add(seen);
    const std::unique_ptr<RowWriter> written = write_behind(to, all.last().form.row_bytes());
    constexpr int rows_at_once = 64;
    visit_bands(
        all.last(), rows_at_once, [&](const Image& rows) { written->write(rows.bytes()); }, told);
    written->finish();
}

/// The plan after its look at the result of those before it.
Plan look_after(Context& gpu, const Plans& before, const Plan& plan, const Look& picture,
                const TileProgress& progress) {
    if (before.empty()) {
        return plan.look.at(gpu, picture, progress);
    }
    if (const auto* image = std::get_if<const GpuImage*>(&picture)) {
        const auto made = std::make_shared<const GpuImage>(run_all_with_looks(gpu, before, **image));
        return keeping(plan.look.at(gpu, made.get(), progress), made);
    }
    const RowSource& source = *std::get<const RowSource*>(picture);
    const auto rows = std::make_shared<Cascade>(gpu, source);
    rows->add(after_looks(gpu, before, source, [](int) { return TileProgress{}; }));
    return keeping(plan.look.at(gpu, &rows->last(), progress), rows);
}

/// All of the result by the processor; steps behind one that sets the size are planned anew.
Image made_by_processor(const Chain& chain, const Plans& plans, const RowSource& source) {
    Image made;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const RowSource before = i == 0 ? source : rows_of(made);
        const Plan plan = before.form == plans[i].shape.source ? plans[i] : chain.steps()[i](before.form);
        const Plan seen = plan.look.alone ? plan.look.alone(before) : plan;
        ImageRows rows(seen.shape.result);
        seen.twin.run(*before.open(), rows);
        made = std::move(rows.image());
    }
    return made;
}

/// Its rows are made one after another, or all of them at the first look where the size depends on it.
void add_processor(Plan& all, const Chain& chain, const std::shared_ptr<const Plans>& steps) {
    const Plans& plans = *steps;
    all.twin.only_proves = std::ranges::any_of(plans, [](const Plan& plan) { return plan.twin.only_proves; });
    for (const Plan& plan : plans) {
        all.twin.work += plan.twin.work;
    }
    all.twin.run = one_after_another(joined(plans));
    all.twin.holds_picture = true;
    const bool can_all =
        std::ranges::all_of(plans, [](const Plan& plan) { return plan.twin.run || plan.look.alone; });
    if (!all.twin.run && can_all) {
        all.look.alone = [chain, steps](const RowSource& source) {
            const auto made = std::make_shared<const Image>(made_by_processor(chain, *steps, source));
            Plan seen{.shape = {.source = source.form, .result = made->form()}};
            seen.twin.run = [made](RowReader&, RowWriter& to) { to.write(made->bytes()); };
            return seen;
        };
    }
}

/// A chain with the size that its step number `at` gives this picture: the steps after it are planned anew.
Plan look_at_size(Context& gpu, const Chain& chain, const Plans& plans, std::size_t at, const Look& picture,
                  const TileProgress& progress) {
    const auto begin = plans.begin();
    const Plan sized =
        look_after(gpu, {begin, begin + static_cast<std::ptrdiff_t>(at)}, plans[at], picture, progress);
    Chain settled;
    for (std::size_t i = 0; i < chain.steps().size(); ++i) {
        settled.then(i == at ? Chain::Step([sized](const Form&) { return sized; }) : chain.steps()[i]);
    }
    const Plan next = plan(settled, plans.front().shape.source);
    return next.look.sets_size ? next.look.at(gpu, picture, progress) : next;
}

} // namespace

Chain& Chain::then(Step step) {
    steps_.push_back(std::move(step));
    return *this;
}

Chain& Chain::then(const Chain& other) {
    const std::vector<Step> more = other.steps_; // `other` may be this chain
    steps_.insert(steps_.end(), more.begin(), more.end());
    return *this;
}

GpuImage Chain::operator()(Context& gpu, const GpuImage& source) const {
    return run(*this, gpu, source);
}

void Chain::operator()(Context& gpu, const RowSource& source, RowWriter& to,
                       const TileProgress& progress) const {
    run(*this, gpu, source, to, progress);
}

Plan plan(const Chain& chain, std::vector<Plan> made) {
    if (made.size() == 1) {
        return made.front();
    }
    const auto plans = std::make_shared<const Plans>(std::move(made));
    Plan all{.shape = {.source = plans->front().shape.source, .result = plans->back().shape.result}};
    all.work.needs = plans->back().work.needs;
    for (const Plan& plan : *plans) {
        all.shape.pixels = all.shape.pixels.then(plan.shape.pixels);
        all.shape.meaning = plan.shape.meaning == Meaning::kept ? all.shape.meaning : plan.shape.meaning;
        all.shape.makes_mask = plan.shape.makes_mask; // of the last one
    }
    all.work.run = [plans](Context& gpu, const Part& source, const Rect&) {
        return run_all_with_looks(gpu, *plans, source.image);
    };
    all.work.why_unavailable = [plans](Context& gpu) {
        std::optional<std::string> why;
        for (const Plan& plan : *plans) {
            why = why || !plan.work.why_unavailable ? why : plan.work.why_unavailable(gpu);
        }
        return why;
    };
    const auto grid = [plans, whole = TileGrid{{all.shape.result.width, all.shape.result.height}}](
                          Context& gpu) { return fits_whole(gpu, *plans) ? whole : TileGrid{}; };
    const auto by_rows = [plans](Context& gpu, const RowSource& source, RowWriter& to,
                                 const TileProgress& progress) {
        run_all_rows(gpu, *plans, source, to, progress);
    };
    all.work.cutting = ByChain{grid, by_rows};
    std::transform(plans->begin(), plans->end() - 1, std::back_inserter(all.shape.between),
                   [](const Plan& plan) { return plan.shape.result; });
    add_processor(all, chain, plans);
    const auto sizing =
        std::find_if(plans->begin(), plans->end(), [](const Plan& plan) { return plan.look.sets_size; });
    if (sizing != plans->end()) {
        all.look.sets_size = true;
        all.look.at = [chain, plans, at = static_cast<std::size_t>(sizing - plans->begin())](
                          Context& gpu, const Look& picture, const TileProgress& progress) {
            return look_at_size(gpu, chain, *plans, at, picture, progress);
        };
    }
    return all;
}

Plan plan(const Chain& chain, const Form& form) {
    if (chain.steps().empty()) {
        throw Error(ErrorCode::usage, "a chain needs an operation");
    }
    Plans made;
    for (const Chain::Step& step : chain.steps()) {
        made.push_back(step(made.empty() ? form : made.back().shape.result));
    }
    return plan(chain, std::move(made));
}

} // namespace glproc
