#include "job/stream/joined_pages.hpp"

#include "glproc/base/error.hpp"
#include "job/notes.hpp"
#include "job/page_names.hpp"
#include "job/picture/joined_inputs.hpp"
#include "job/stack_names.hpp"

#include <utility>

#include <fmt/format.h>

namespace glproc::job {

PageGroups groups_over(char axis, const std::string& in, const Reading& reading, const OpInfo& op,
                       Notes& notes) {
    const std::vector<std::string> pages = all_pages(in, reading, nullptr, notes);
    if (pages.size() < 2) {
        throw Error(ErrorCode::usage,
                    fmt::format("{} has one image, so there is nothing along {}", in, axis));
    }
    const auto stack = stack_of(in, static_cast<int>(pages.size()), reading);
    if (!stack || stack->size(axis) == 1) {
        throw Error(
            ErrorCode::usage,
            stack ? fmt::format("{} has no axis {}: {}", in, axis, text_of(stack->axes))
                  : fmt::format("{} does not tell which of its {} images is which slice, channel or time", in,
                                pages.size()),
            "--over pages takes all images of the file");
    }
    check_joined(op.name, static_cast<std::size_t>(stack->size(axis)), op.most_joined);
    PageGroups groups{without_axis(*stack, axis), {}};
    for (const std::vector<int>& numbers : images_over(*stack, axis)) {
        std::vector<std::string>& group = groups.names.emplace_back();
        for (const int number : numbers) {
            group.push_back(pages.at(static_cast<std::size_t>(number) - 1));
        }
    }
    return groups;
}

/// One group.
class JoinedPages::Frame final : public StreamFrame {
  public:
    Frame(JoinedPages& all, const std::vector<std::string>& group)
        : all_(all), operation_(all.make_operation_()), call_(all.call_.by(*operation_)),
          job_(call_, group.front(), {.picture = shared_output()}) {
        *operation_->joined() = open_joined(group.front(), {group.begin() + 1, group.end()}, call_.reading,
                                            call_.op.joins_any, notes_);
        tell_joined_facts(*operation_, group, call_.reading);
        job_.open(true);
        job_.decode();
        job_.check_budget();
    }

    bool needs_no_device(bool at_need) const override { return job_.needs_no_device(at_need); }
    std::optional<Plan> plan() const override { return job_.plan(); }
    void process(Context* gpu) override { gpu != nullptr ? job_.process(*gpu) : job_.process_alone(); }
    double millions() const override { return job_.millions(); }

    void write() override {
        job_.write();
        add_once(all_.notes_, notes_);
        add_once(all_.notes_, job_.input_notes());
        add_once(all_.notes_, job_.output_notes());
    }

  private:
    PictureOutput shared_output() {
        PictureOutput output = all_.output_;
        output.share([this](const Image& image) { all_.writer_->write(image, {}); });
        return output;
    }

    JoinedPages& all_;
    std::unique_ptr<Operation> operation_;
    Call call_;
    PictureJob job_;
    Notes notes_; ///< of the images that are joined
};

JoinedPages::JoinedPages(const Call& call, PageGroups groups, MakeOperation make_operation,
                         PictureOutput output)
    : call_(call), groups_(std::move(groups)), make_operation_(std::move(make_operation)),
      output_(std::move(output)) {
    output_.follow_format(Format::tiff);
    if (!output_.holds_pages()) {
        throw Error(ErrorCode::usage,
                    fmt::format("{} images are made, and {} holds one", count(), output_.name()),
                    "a TIFF holds all of them");
    }
    output_.take_series(static_cast<int>(count()), groups_.stack);
    writer_ = output_.open_series(
        {.kind = SeriesKind::pages, .format = Format::tiff, .count = static_cast<int>(count())});
}

std::unique_ptr<StreamFrame> JoinedPages::next() {
    return given_ < count() ? std::make_unique<Frame>(*this, groups_.names[given_++]) : nullptr;
}

void JoinedPages::finish() {
    writer_->finish();
}

} // namespace glproc::job
