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
    if (const auto why = plan.work.why_unavailable ? plan.work.why_unavailable(gpu) : std::nullopt) {
        throw Error(ErrorCode::operation, *why, "use --method auto");
    }
}

TileGrid grid_of_tiles(Context& gpu, const Plan& plan) {
    const TileNeeds needs = plan.work.needs(gpu);
    return plan.gathered()
               ? plan_grid(gpu, plan.shape.source, plan.shape.result, needs, plan.gathered()->source_of)
               : plan_grid(gpu, plan.shape.source, needs);
}

TileGrid grid_of(Context& gpu, const Plan& plan) {
    return std::visit(Overloaded{[&](const GatheredTiles& tiles) {
                                     return tiles.grid ? tiles.grid(gpu) : grid_of_tiles(gpu, plan);
                                 },
                                 [&](const ByChain& chain) { return chain.grid(gpu); },
                                 [&](const auto&) { return grid_of_tiles(gpu, plan); }},
                      plan.work.cutting);
}

TileJob job_of(Context& gpu, const Plan& plan, const RowSource& source) {
    return {.source = source,
            .result = plan.shape.result,
            .needs = plan.work.needs(gpu),
            .grid = grid_of(gpu, plan),
            .source_of = plan.gathered() ? plan.gathered()->source_of : nullptr,
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
    return {.form = plan.shape.result, .metadata = source.metadata, .open = [&gpu, &source, plan, made] {
                if (!*made) {
                    auto rows = std::make_unique<RowStore>(plan.shape.result, gpu.memory_bytes() / 8);
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
    run_rows(gpu, plan.look.at(gpu, &source, told(0)), source, to, told(0.5));
}

} // namespace

GpuImage run_whole(Context& gpu, const Plan& plan, const GpuImage& source) {
    check_available(gpu, plan);
    if (plan.look.at) {
        return run_whole(gpu, plan.look.at(gpu, &source, {}), source);
    }
    return run_proved(gpu, plan, {source, whole_of(plan.shape.source)}, whole_of(plan.shape.result));
}

void run_rows(Context& gpu, const Plan& plan, const RowSource& source, RowWriter& to,
              const TileProgress& progress) {
    check_available(gpu, plan);
    if (plan.look.at) {
        return run_looking(gpu, plan, source, to, progress);
    }
    std::visit(Overloaded{[&](const auto&) { run_tiles(gpu, job_of(gpu, plan, source), to, progress); },
                          [&](const BySweeps&) { run_swept(gpu, plan, source, to, progress); },
                          [&](const ByChain& chain) { chain.run(gpu, source, to, progress); }},
               plan.work.cutting);
}

Plan settled(Context& gpu, const Plan& plan, const Look& picture, const TileProgress& progress) {
    check_available(gpu, plan);
    return plan.look.sets_size ? plan.look.at(gpu, picture, progress) : plan;
}

std::vector<Form> forms_made(const Plan& plan) {
    std::vector<Form> made = plan.shape.between;
    made.push_back(plan.shape.result);
    return made;
}

Form form_for_all(const Plan& plan) {
    if (plan.look.sets_size) {
        throw Error(ErrorCode::usage, "the frames of a video have one size, but this would give each its own",
                    "crop takes the same part of every frame");
    }
    return plan.shape.result;
}

RowSource result_rows(Context& gpu, const Plan& plan, const RowSource& source) {
    check_available(gpu, plan);
    if (std::holds_alternative<BySweeps>(plan.work.cutting)) {
        return swept_rows(gpu, plan, source);
    }
    return {.form = plan.shape.result, .metadata = source.metadata, .open = [&gpu, &source, plan] {
                return std::make_unique<ResultReader>(gpu, job_of(gpu, plan, source), source.metadata);
            }};
}

bool takes_whole(Context& gpu, const Plan& plan) {
    check_available(gpu, plan); // the needs of tiles are known only for a plan that can run
    return grid_of(gpu, plan).is_whole(plan.shape.result);
}

namespace {

/// The form that a twin gives to a picture, or of a part of one that is treated like a picture of its
/// own.
Form form_made(const Plan& plan, const Form& source) {
    const bool is_part = !plan.moves() && source != plan.shape.source;
    return is_part ? Form{source.width, source.height, plan.shape.result.channels, plan.shape.result.depth}
                   : plan.shape.result;
}

} // namespace

Image image_by_processor(const Plan& plan, const Image& source) {
    const RowSource rows = rows_of(source);
    const Plan seen = plan.look.alone ? plan.look.alone(rows) : plan;
    ImageRows made(form_made(seen, source.form()));
    seen.twin.run(*rows.open(), made);
    made.finish();
    return std::move(made.image());
}

bool needs_no_device(const Plan& plan) {
    return !plan.twin.only_proves && (plan.twin.run || plan.look.alone);
}

std::function<void(RowReader&, RowWriter&)> one_after_another(const std::vector<Plan>& plans) {
    const auto can_follow = [&](const Plan& plan) {
        return plan.twin.run || (plan.look.alone && !plan.look.sets_size);
    };
    if (!plans.front().twin.run || !std::ranges::all_of(plans, can_follow)) {
        return {};
    }
    return [plans](RowReader& source, RowWriter& to) {
        Image before;
        for (const Plan& plan : plans) {
            const bool is_first = &plan == &plans.front();
            const RowSource rows = is_first ? RowSource{} : rows_of(before);
            const Plan seen = plan.look.alone ? plan.look.alone(rows) : plan;
            std::unique_ptr<RowReader> reader = is_first ? nullptr : rows.open();
            if (&plan == &plans.back()) {
                return seen.twin.run(reader ? *reader : source, to);
            }
            ImageRows made(form_made(seen, reader ? reader->form() : source.form()));
            seen.twin.run(reader ? *reader : source, made);
            reader.reset();
            before = std::move(made.image());
        }
    };
}

Plan with_probe(Plan plan, std::function<Plan()> probe) {
    plan.look.at = [look = std::move(plan.look.at), probe = std::move(probe)](
                       Context& gpu, const Look& picture, const TileProgress& progress) {
        Plan seen = look(gpu, picture, progress);
        seen.proof.probe = probe;
        return seen;
    };
    return plan;
}

Plan with_fallback(Plan plan, std::function<std::vector<std::pair<std::string, Plan>>()> others) {
    if (!plan.look.at) {
        plan.proof.fallback = std::make_shared<Fallback>(Fallback{std::move(others)});
        return plan;
    }
    // The plan that the look makes has the fallback, and so analyses the picture again.
    plan.look.at = [look = std::move(plan.look.at), others = std::move(others)](
                       Context& gpu, const Look& picture, const TileProgress& progress) {
        return with_fallback(look(gpu, picture, progress), [&gpu, picture, progress, others] {
            std::vector<std::pair<std::string, Plan>> looked = others();
            for (auto& [name, other] : looked) {
                if (other.look.at) {
                    Plan seen = other.look.at(gpu, picture, progress);
                    other = std::move(seen);
                }
            }
            return looked;
        });
    };
    return plan;
}

void set_by_processor(Plan& plan, OnImage make, double row_cost) {
    plan.twin.row_cost = row_cost;
    plan.twin.work = row_cost / plan.shape.result.width / plan.shape.result.channels;
    plan.twin.holds_picture = true;
    plan.twin.run = [make = std::move(make)](RowReader& source, RowWriter& to) {
        Image image(source.form());
        source.read(image.bytes());
        to.write(make(image).bytes());
    };
}

Plan on_cpu(Plan plan) {
    plan.work.on_cpu = true;
    plan.work.why_unavailable = {};
    plan.work.run = [twin = plan](Context& gpu, const Part& source, const Rect& result) {
        if (twin.moves() && result != whole_of(twin.shape.result)) {
            throw Error(ErrorCode::operation, "the method cpu takes whole images only");
        }
        return gpu.upload(image_by_processor(twin, gpu.download(source.image)), "result");
    };
    return plan;
}

} // namespace glproc
