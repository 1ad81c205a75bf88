#include "cli/selftest.hpp"

#include "cli/device.hpp"
#include "cli/json.hpp"
#include "cli/probes.hpp"
#include "cli/terminal/progress.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/words/unknown.hpp"
#include "glproc/base/counted.hpp"
#include "glproc/base/error.hpp"
#include "glproc/gl/program_store.hpp"
#include "glproc/op/op.hpp"
#include "glproc/op/proof.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace glproc::cli {

namespace {

constexpr std::string_view note_name = "selftest";
/// Odd, so that texels, groups and tiles end in the middle.
constexpr int width = 67;
constexpr int height = 23;

/// What was found about one operation by one method.
struct Row {
    std::string op;
    std::string method;
    int right = 0;
    int unavailable = 0;
    double seconds = 0;
    std::vector<std::string> wrong = {}; ///< a sentence each
};

/// Unless the test has to be quick.
std::vector<Form> forms_of(const OpInfo& op, bool quick) {
    return quick ? std::vector<Form>{{width, height, 3, Depth::u8}} : probe_forms(op, width, height);
}

class SelfTest {
  public:
    SelfTest(const Settings& settings, std::vector<const OpInfo*> ops, bool quick, bool prints)
        : ops_(std::move(ops)), quick_(quick), prints_(prints), gpu_(options_of(settings)),
          progress_(wants_progress(settings)) {
        report_device(gpu_.device(), settings);
    }

    void run() {
        print(header());
        int done = 0;
        for (const OpInfo* op : ops_) {
            const auto& variants =
                quick_ && !op->bench.automatic.empty() ? op->bench.automatic : op->bench.variants;
            for (const BenchVariant& variant : variants) {
                if (quick_ || variant.name != "cpu") { // which is the reference itself
                    progress_.show(op->name, done, static_cast<int>(ops_.size()));
                    rows_.push_back({op->name, variant.name});
                    test(*op, variant, rows_.back());
                    print(line_of(rows_.back()));
                }
            }
            ++done;
        }
        progress_.hide();
        print(fmt::format("{} right, {} wrong\n", right(), wrong()));
        if (ops_.size() == operations().size()) {
            keep_verdict();
        }
    }

    int wrong() const {
        int count = 0;
        for (const Row& row : rows_) {
            count += static_cast<int>(row.wrong.size());
        }
        return count;
    }

    std::string json() const {
        Json::List rows;
        for (const Row& row : rows_) {
            rows.push_back(Json::object({{"operation", row.op},
                                         {"method", row.method},
                                         {"right", row.right},
                                         {"wrong", static_cast<int>(row.wrong.size())},
                                         {"unavailable", row.unavailable},
                                         {"seconds", row.seconds},
                                         {"failures", Json(row.wrong)}}));
        }
        return json_line(Json::object({{"schema", "glproc.selftest/1"},
                                       {"device", gpu_.device().renderer},
                                       {"version", gpu_.device().version},
                                       {"right", right()},
                                       {"wrong", wrong()},
                                       {"rows", std::move(rows)}}));
    }

  private:
    static ContextOptions options_of(const Settings& settings) {
        ContextOptions options = settings.context;
        options.self_check = false; // what is wrong is to be seen
        return options;
    }

    /// Rows appear as they are found: where a driver compiles slowly the whole table takes minutes.
    void print(std::string_view text) {
        if (prints_) {
            progress_.hide();
            print_product(text);
        }
    }

    std::string header() const {
        return fmt::format("{} ({})\n{:<12} {:<14} {:>6} {:>6} {:>12} {:>9}\n", gpu_.device().renderer,
                           gpu_.device().version, "operation", "method", "right", "wrong", "unavailable", "seconds");
    }

    static std::string line_of(const Row& row) {
        std::string text = fmt::format("{:<12} {:<14} {:>6} {:>6} {:>12} {:>9.3f}\n", row.op, row.method, row.right,
                                       row.wrong.size(), row.unavailable, row.seconds);
        for (const std::string& what : row.wrong) {
            text += fmt::format("  wrong: {}\n", what);
        }
        return text;
    }

    int right() const {
        int count = 0;
        for (const Row& row : rows_) {
            count += row.right;
        }
        return count;
    }

    void test(const OpInfo& op, const BenchVariant& variant, Row& row) {
        const auto begin = std::chrono::steady_clock::now();
        for (const ProbeSettings& settings : probe_settings(op, quick_)) {
            const std::unique_ptr<Operation> operation = op.make();
            try {
                for (const auto& [field, text] : settings) {
                    operation->set(field, text);
                }
            } catch (const Error&) { // it names a file that is not there
                ++row.unavailable;
                continue;
            }
            if (op.input == Input::vector) {
                test_arrays(variant, *operation, row);
            } else {
                test_pictures(op, variant, *operation, row);
            }
        }
        row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

    void test_pictures(const OpInfo& op, const BenchVariant& variant, const Operation& operation, Row& row) {
        const std::string name = "probe";
        for (const Form& form : forms_of(op, quick_)) {
            const Image picture = probe_picture(form);
            const GpuImage uploaded = gpu_.upload(picture, name);
            test_one(
                variant, operation, ImageInput{name, picture, uploaded},
                fmt::format("{} bits, {}", static_cast<int>(form.depth), counted(form.channels, "channel")),
                row);
        }
    }

    void test_arrays(const BenchVariant& variant, const Operation& operation, Row& row) {
        for (const ArrayType type : {ArrayType::u32, ArrayType::i32, ArrayType::f32}) {
            const GpuArray uploaded = gpu_.upload(probe_array(type), "probe");
            test_one(variant, operation, ArrayInput{uploaded},
                     type == ArrayType::u32   ? "u32"
                     : type == ArrayType::i32 ? "i32"
                                              : "f32",
                     row);
        }
    }

    void test_one(const BenchVariant& variant, const Operation& operation, const OpInput& input,
                  const std::string& what, Row& row) {
        try {
            if (variant.unavailable(operation, gpu_, input)) {
                ++row.unavailable;
                return;
            }
            const Workload work = variant.make(operation, gpu_, input);
            work.run();
            const Verdict verdict = work.check();
            if (verdict.wrong.empty() || verdict.lost) { // a variant that is there to lose counts
                ++row.right;
            } else {
                row.wrong.push_back(fmt::format("{}: {}", what, verdict.wrong));
            }
        } catch (const Error& error) {
            if (error.code() == ErrorCode::usage || error.code() == ErrorCode::input) { // no such picture, or no such file
                ++row.unavailable;
            } else {
                row.wrong.push_back(fmt::format("{}: {}", what, error.what()));
            }
        }
    }

    void keep_verdict() const {
        if (const auto notes = user_program_store(gpu_.device())) {
            notes->set_note(note_name, fmt::format("{:%F}, {}{} right, {} wrong", fmt::gmtime(std::time(nullptr)),
                                                   quick_ ? "quick, " : "", right(), wrong()));
        }
    }

    std::vector<const OpInfo*> ops_;
    bool quick_;
    bool prints_;
    Context gpu_;
    Progress progress_;
    std::vector<Row> rows_;
};

} // namespace

int self_test(const Arguments& arguments, const Settings& settings) {
    std::vector<std::string> names;
    for (const OpInfo* op : operations()) {
        names.push_back(op->name);
    }
    std::vector<const OpInfo*> ops;
    for (const std::string& word : arguments.places) {
        const OpInfo* op = find_operation(word);
        ops.push_back(op != nullptr ? op : throw unknown_operation(word, names));
    }
    const bool prints_json = arguments.has("json");
    SelfTest test(settings, ops.empty() ? operations() : std::move(ops), arguments.has("quick"), !prints_json);
    test.run();
    if (prints_json) {
        print_product(test.json());
    }
    return test.wrong() == 0 ? 0 : static_cast<int>(ErrorCode::operation);
}

std::optional<std::string> last_self_test(const DeviceInfo& device) {
    const auto notes = user_program_store(device);
    return notes ? notes->note(note_name) : std::nullopt;
}

} // namespace glproc::cli
