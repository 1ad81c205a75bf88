#include "glproc/op/plan.hpp"

#include "glproc/base/error.hpp"
#include "glproc/base/overloaded.hpp"
#include "glproc/files/memory_rows.hpp"
#include "glproc/files/row_store.hpp"
#include "glproc/op/proof.hpp"
#include "glproc/op/swept.hpp"

#include <algorithm>

namespace glproc {

namespace {

void check_available(Context& gpu, const Plan& plan) {
    if (const auto why = plan.why_unavailable ? plan.why_unavailable(gpu) : std::nullopt) {
        throw Error(ErrorCode::operation, *why, "use --method auto");
    }
}

TileGrid grid_of_tiles(Context& gpu, const Plan& plan) {
    const TileNeeds needs = plan.needs(gpu);
    return plan.source_of ? plan_grid(gpu, plan.source, plan.result, needs, plan.source_of)
                          : plan_grid(gpu, plan.source, needs);
}

TileGrid grid_of(Context& gpu, const Plan& plan) {
    return std::visit(Overloaded{[&](const ByTiles& tiles) {
                                     return tiles.grid ? tiles.grid(gpu) : grid_of_tiles(gpu, plan);
                                 },
                                 [&](const BySweeps&) { return grid_of_tiles(gpu, plan); },
                                 [&](const ByChain& chain) { return chain.grid(gpu); }},
                      plan.cutting);
}

TileJob job_of(Context& gpu, const Plan& plan, const RowSource& source) {
    return {.source = source,
            .result = plan.result,
            .needs = plan.needs(gpu),
            .grid = grid_of(gpu, plan),
            .source_of = plan.source_of,
            .run = [&gpu, plan](const GpuImage& part, const Rect& from, const Rect& tile) {
                return run_proved(gpu, plan, {part, from}, tile);
            }};
}

/// Makes the rows that are asked for.
class ResultReader final : public RowReader {
  public:
    ResultReader(Context& gpu, TileJob job, Metadata metadata)
        : form_(job.result), metadata_(std::move(metadata)), tiles_(gpu, std::move(job)) {}

    const Form& form() const override { return form_; }
    const Metadata& metadata() const override { return metadata_; }
    bool keeps_thread() const override { return true; }
    void read(std::span<std::byte> rows) override {
        while (!rows.empty()) {
            if (left_.empty()) {
                left_ = tiles_.next_band();
            }
            const auto part = left_.first(std::min(left_.size(), rows.size()));
            std::copy(part.begin(), part.end(), rows.begin());
            left_ = left_.subspan(part.size());
            rows = rows.subspan(part.size());
        }
    }

  private:
    Form form_;
    Metadata metadata_;
    TileRun tiles_;
    std::span<const std::byte> left_;
};

/// The rows of the result are complete before the first is read, so that each source is read only once.
RowSource swept_rows(Context& gpu, const Plan& plan, const RowSource& source) {
    const auto made = std::make_shared<std::unique_ptr<RowStore>>();
    return {.form = plan.result, .metadata = source.metadata, .open = [&gpu, &source, plan, made] {
                if (!*made) {
                    auto rows = std::make_unique<RowStore>(plan.result, gpu.memory_bytes() / 8);
                    run_swept(gpu, plan, source, *rows, {});
                    *made = std::move(rows);
                }
                return (*made)->down().open();
            }};
}

void run_looking(Context& gpu, const Plan& plan, const RowSource& source, RowWriter& to,
                 const TileProgress& progress) {
    // The first look counts as half of the work.
    const auto told = [&progress](double begin) {
        return [&progress, begin](double share) {
            if (progress) {
                progress(begin + share / 2);
            }
        };
    };
    run_rows(gpu, plan.look(gpu, &source, told(0)), source, to, told(0.5));
}

} // namespace

GpuImage run_whole(Context& gpu, const Plan& plan, const GpuImage& source) {
    check_available(gpu, plan);
    if (plan.look) {
        return run_whole(gpu, plan.look(gpu, &source, {}), source);
    }
    return run_proved(gpu, plan, {source, whole_of(plan.source)}, whole_of(plan.result));
}

void run_rows(Context& gpu, const Plan& plan, const RowSource& source, RowWriter& to,
              const TileProgress& progress) {
    check_available(gpu, plan);
    if (plan.look) {
        return run_looking(gpu, plan, source, to, progress);
    }
    std::visit(Overloaded{[&](const ByTiles&) { run_tiles(gpu, job_of(gpu, plan, source), to, progress); },
                          [&](const BySweeps&) { run_swept(gpu, plan, source, to, progress); },
                          [&](const ByChain& chain) { chain.run(gpu, source, to, progress); }},
               plan.cutting);
}

Plan settled(Context& gpu, const Plan& plan, const Look& picture, const TileProgress& progress) {
    check_available(gpu, plan);
    return plan.look_sets_size ? plan.look(gpu, picture, progress) : plan;
}

std::vector<Form> forms_made(const Plan& plan) {
    std::vector<Form> made = plan.between;
    made.push_back(plan.result);
    return made;
}

Form form_for_all(const Plan& plan) {
    if (plan.look_sets_size) {
        throw Error(ErrorCode::usage, "the frames of a video have one size, but this would give each its own",
                    "crop takes the same part of every frame");
    }
    return plan.result;
}

RowSource result_rows(Context& gpu, const Plan& plan, const RowSource& source) {
    check_available(gpu, plan);
    if (std::holds_alternative<BySweeps>(plan.cutting)) {
        return swept_rows(gpu, plan, source);
    }
    return {.form = plan.result, .metadata = source.metadata, .open = [&gpu, &source, plan] {
                return std::make_unique<ResultReader>(gpu, job_of(gpu, plan, source), source.metadata);
            }};
}

bool takes_whole(Context& gpu, const Plan& plan) {
    check_available(gpu, plan); // the needs of tiles are known only for a plan that can run
    return grid_of(gpu, plan).is_whole(plan.result);
}

namespace {

/// The form that by_processor() gives to a picture, or of a part of one that is treated like a picture of its
/// own.
Form form_made(const Plan& plan, const Form& source) {
    const bool is_part = !plan.source_of && source != plan.source;
    return is_part ? Form{source.width, source.height, plan.result.channels, plan.result.depth} : plan.result;
}

} // namespace

Image image_by_processor(const Plan& plan, const Image& source) {
    const RowSource rows = rows_of(source);
    const Plan seen = plan.look_by_processor ? plan.look_by_processor(rows) : plan;
    ImageRows made(form_made(seen, source.form()));
    seen.by_processor(*rows.open(), made);
    made.finish();
    return std::move(made.image());
}

bool needs_no_device(const Plan& plan) {
    return !plan.by_kernel && (plan.by_processor || plan.look_by_processor);
}

std::function<void(RowReader&, RowWriter&)> one_after_another(const std::vector<Plan>& plans) {
    const auto can_follow = [&](const Plan& plan) {
        return plan.by_processor || (plan.look_by_processor && !plan.look_sets_size);
    };
    if (!plans.front().by_processor || !std::ranges::all_of(plans, can_follow)) {
        return {};
    }
    return [plans](RowReader& source, RowWriter& to) {
        Image before;
        for (const Plan& plan : plans) {
            const bool is_first = &plan == &plans.front();
            const RowSource rows = is_first ? RowSource{} : rows_of(before);
            const Plan seen = plan.look_by_processor ? plan.look_by_processor(rows) : plan;
            std::unique_ptr<RowReader> reader = is_first ? nullptr : rows.open();
            if (&plan == &plans.back()) {
                return seen.by_processor(reader ? *reader : source, to);
            }
            ImageRows made(form_made(seen, reader ? reader->form() : source.form()));
            seen.by_processor(reader ? *reader : source, made);
            reader.reset();
            before = std::move(made.image());
        }
    };
}

Plan with_probe(Plan plan, std::function<Plan()> probe) {
    plan.look = [look = std::move(plan.look), probe = std::move(probe)](Context& gpu, const Look& picture,
                                                                        const TileProgress& progress) {
        Plan seen = look(gpu, picture, progress);
        seen.probe = probe;
        return seen;
    };
    return plan;
}

Plan with_fallback(Plan plan, std::function<std::vector<std::pair<std::string, Plan>>()> others) {
    if (!plan.look) {
        plan.fallback = std::make_shared<Fallback>(Fallback{std::move(others)});
        return plan;
    }
    // The plan that look() returns has the fallback, and so analyses the picture again.
    plan.look = [look = std::move(plan.look), others = std::move(others)](Context& gpu, const Look& picture,
                                                                          const TileProgress& progress) {
        return with_fallback(look(gpu, picture, progress), [&gpu, picture, progress, others] {
            std::vector<std::pair<std::string, Plan>> looked = others();
            for (auto& [name, other] : looked) {
                if (other.look) {
                    Plan seen = other.look(gpu, picture, progress);
                    other = std::move(seen);
                }
            }
            return looked;
        });
    };
    return plan;
}

void set_by_processor(Plan& plan, OnImage make, double row_cost) {
    plan.row_cost = row_cost;
    plan.processor_work = row_cost / plan.result.width / plan.result.channels;
    plan.holds_picture = true;
    plan.by_processor = [make = std::move(make)](RowReader& source, RowWriter& to) {
        Image image(source.form());
        source.read(image.bytes());
        to.write(make(image).bytes());
    };
}

Plan on_cpu(Plan plan) {
    plan.on_cpu = true;
    plan.why_unavailable = {};
    plan.run = [twin = plan](Context& gpu, const Part& source, const Rect& result) {
        if (twin.source_of && result != whole_of(twin.result)) {
            throw Error(ErrorCode::operation, "the method cpu takes whole images only");
        }
        return gpu.upload(image_by_processor(twin, gpu.download(source.image)), "result");
    };
    return plan;
}

} // namespace glproc
