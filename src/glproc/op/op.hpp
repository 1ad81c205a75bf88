// How an operation describes itself. Parsing, --help, range errors, the reference and the
// registry tests are derived from this description; nothing about an operation is written anywhere else.
#pragma once

#include "glproc/files/rows.hpp"
#include "glproc/gl/gpu_array.hpp"
#include "glproc/gl/gpu_image.hpp"
#include "glproc/image/image.hpp"
#include "glproc/op/meaning.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace glproc {

class Context;
struct ArrayFile;
struct PictureFacts;
struct PictureInput;
struct Plan;
struct Table;

/// A measure of pixels that are floats, which may all be small: JSON has its digits, however small it is.
struct FloatMeasure {
    double value = 0;
};

/// A tree of numbers, strings, lists and ordered objects: the content of a report, independent of any syntax.
struct Value {
    struct Member;
    using List = std::vector<Value>;
    using Object = std::vector<Member>;
    std::variant<std::int64_t, double, FloatMeasure, std::string, List, Object> data;
};

struct Value::Member {
    std::string key;
    Value value;
};

/// A value of pixels of that depth, or a measure of such values.
inline Value pixel_value(double value, Depth depth) {
    return depth == Depth::f32 ? Value{FloatMeasure{value}} : Value{value};
}

/// Where the text of a report goes.
struct TextShape {
    int columns = 40;      ///< bars are at most so wide
    bool terminal = false; ///< a person reads it, so a few dozen rows are enough
};

/// The result of an operation that measures, ready to be printed.
struct Report {
    Value tree;      ///< for JSON, without `table`
    std::string csv; ///< with a header line; empty if there is a table
    std::function<std::string(const TextShape&)> text; ///< for people
    /// The picture, if a field that names_picture was given: 3 channels of 8 bits, or the drawing if its name
    /// ends in .svg.
    std::optional<GpuImage> picture = {};
    Meaning picture_meaning = Meaning::kept;
    std::string drawing = {};
    /// Rows of many things, which are written when they are wanted: in JSON the last member, `table_key`; CSV is they alone.
    /// tree_with_rows() and csv_with_rows() of op/table.hpp have all.
    std::shared_ptr<const Table> table = {};
    std::string table_key = {};
    /// Instead of a table, where rows hold more than numbers: the last member of JSON, made when it is wanted.
    std::function<std::vector<Value>()> list = {};
    std::string list_key = {};
    /// Writes the file of this format, one of OpInfo::files, in parts. It is then all that is made of the report.
    std::function<void(std::string_view format, const std::function<void(std::string_view part)>& take)> file = {};
    std::string failure = {}; ///< why the call failed although its work was done: a bound was exceeded
};

/// One value that a parameter can take, and when to use it.
struct Choice {
    std::string name;
    std::string when;
};

/// The inclusive range of a number, as far as it is limited.
struct Limit {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

/// The part of a number's range that a slider covers, and by how much a key moves it.
struct Slider {
    double low = 0;
    double high = 0;
    double step = 0;
};

/// How a number, or each of a list of numbers, changes with the size of the picture: by this power of it. Numbers of pixels
/// are lengths, and need no powers.
struct SizePowers {
    std::array<int, 9> powers = {}; ///< all 0: as its unit says
    std::string_view ending = {};   ///< the powers count where the text ends so
};

/// The type of a parameter's value, for front ends that offer more than text; all of them can be set by text.
enum class FieldKind { text, toggle, number, whole, choice, choices, picture, file };

/// One parameter, as people see it.
struct FieldInfo {
    std::string name;          ///< "sigma": --sigma on the command line, .sigma in C++
    std::string value;         ///< "S[,SY]"; empty for a switch
    std::string unit;          ///< "pixels", or empty
    std::string range;         ///< "0 to 1000" or "auto|tiled|direct"
    std::string default_value; ///< as text; empty where there is none
    std::string help;          ///< one sentence without a full stop
    bool required = false;
    std::string alias = {};           ///< another name that is understood
    std::string contradicts = {};     ///< another field, which cannot be given as well
    std::vector<Choice> choices = {}; ///< where the values have names: each with a sentence
    std::string needs = {};           ///< another field, without which this one has no effect
    bool reads_picture = false;       ///< the value is a second picture that the operation reads
    bool names_picture = false;       ///< the value is the file that Report::picture goes to
    bool names_array = false;         ///< the value is the .npy file that is written beside the result
    bool is_place = false;            ///< the value may also stand after the files, without the name
    std::string implied = {};         ///< the value that the name alone stands for
    FieldKind kind = FieldKind::text;
    int values = 1;     ///< of numbers: 2 where each axis may have its own, "X,Y"
    Limit limit = {};   ///< of a number
    Slider slider = {}; ///< of a number
    bool is_level = false; ///< a value of the picture, which may also be written as 50% or 128/255
    bool holds_places = false; ///< the value is a file that has places in the picture
    SizePowers size_powers = {};
};

/// The input of an operation on images: the uploaded image, the same pixels in CPU memory, and the name to
/// report.
struct ImageInput {
    const std::string& name;
    const Image& pixels;
    const GpuImage& image;
    bool wants_report = false; ///< beside a picture or an array
};

/// The input of an operation on arrays: the uploaded array.
struct ArrayInput {
    const GpuArray& array;
};

/// The input of an operation on pictures of any size: their rows, and the name to report.
struct RowsInput {
    const std::string& name;
    const RowSource& source;
    std::function<void(double share)> progress = {}; ///< called with the share of the work that is finished
    bool wants_report = false;                       ///< beside a picture or an array
};

using OpInput = std::variant<ImageInput, ArrayInput>;

/// The products of one run by the processor alone, in memory.
struct MadeAlone {
    std::optional<Image> picture = {};
    std::optional<Array> array = {};
    std::optional<Report> report = {};
};

/// The products of one run: a picture, an array or a report, or a report beside one of the others.
struct Products {
    Products() = default;
    // Implicit, since most operations make one of them and return it.
    Products(GpuImage made) : picture(std::move(made)) {}
    Products(GpuArray made) : array(std::move(made)) {}
    Products(Report made) : report(std::move(made)) {}

    std::optional<GpuImage> picture = {};
    std::optional<GpuArray> array = {};
    std::optional<Report> report = {};
};

/// One operation with its parameters, as the command line holds it.
class Operation {
  public:
    Operation() = default;
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;
    virtual ~Operation() = default;

    /// Sets a parameter from text; a switch takes an empty text. Throws Error(usage): unknown name, not a
    /// number, out of range, unknown choice, a switch that contradicts another.
    virtual void set(std::string_view field, std::string_view text) = 0;

    /// Whether pictures of this form need no device, because there is a PlanTwin or make_alone(). `at_need`:
    /// nor where the result has other bits than a device's, as method cpu has them. The form of vectors is
    /// empty. Throws the errors of plan().
    virtual bool by_processor(const Form& form, bool at_need) const = 0;

    /// The same as run() with a report, by the processor alone: for operations that do not turn one picture into another, or not
    /// only.
    virtual MadeAlone make_alone(const std::string& name, const Image& pixels) const = 0;

    /// The same for an operation on vectors.
    virtual Array make_array_alone(const Array& values) const = 0;

    /// `input` must be of the kind in OpInfo::input.
    virtual Products run(Context& gpu, const OpInput& input) const = 0;

    /// The second pictures that were named, to be loaded before anything runs.
    virtual std::vector<PictureInput*> pictures() = 0;

    /// The arrays to write beside the result that were named. Each gets a writer before anything runs.
    virtual std::vector<ArrayFile*> arrays() { return {}; }

    /// For an operation with OpInfo::joins: the facts that it wants of all its images, to be filled in before plan(); else none.
    virtual std::vector<PictureFacts*> joined_facts() { return {}; }

    /// For an operation with OpInfo::joins: where the images after the first one go, before plan() and the like; else null.
    virtual std::vector<RowSource>* joined() { return nullptr; }

    /// The plan for pictures of this form, for an operation that turns one picture into another. This object
    /// must outlive it.
    virtual Plan plan(const Form& form) const = 0;

    /// Whether it takes pictures of floats.
    virtual bool takes_floats() const = 0;

    /// The box of an operation that shrinks pictures to fit it and does nothing else: decoders may do a part
    /// of that.
    virtual std::optional<Extent> box() const { return std::nullopt; }

    /// The same operation for a picture with these facts; null where they make no difference. `facts` then describe the result,
    /// but for its meaning, which is in the plan. This object must outlive the other.
    virtual std::unique_ptr<Operation> on(PictureFacts& /*facts*/, const Form& /*form*/) const { return nullptr; }

    /// The form of the result for pictures of this form. Throws Error(usage) if it does not take such
    /// pictures.
    virtual Form result_form(const Form& form) const = 0;

    /// Whether pictures of this form fit on the GPU as a whole and do not take long. Throws the errors of
    /// run_rows() if it cannot process such pictures at all.
    virtual bool takes_whole(Context& gpu, const Form& form) const = 0;

    /// The same as run(), for a picture of any size. Returns the report, if there is one. The rows of a picture or an
    /// array go to `to`; the caller calls finish(). For operations on images.
    virtual std::optional<Report> run_rows(Context& gpu, const RowsInput& input, RowWriter* to) const = 0;

    /// For an operation that makes arrays: the form of the result for pictures of this form.
    virtual ArrayForm array_form(const Form& form) const = 0;
};

enum class Input { image, vector }; ///< a vector is an array with one dimension
enum class Product { image, report, array };

/// The outcome of comparing a result with the CPU reference.
struct Verdict {
    std::string wrong = {};                          ///< empty if the result is right, else what differs
    std::optional<std::int64_t> rows = std::nullopt; ///< for a picture: how many rows were compared
    std::optional<double> lost = std::nullopt;       ///< for a variant that loses counts: the share lost
};

/// One variant of an operation with one input, ready to run again and again.
struct Workload {
    std::function<void()> run;      ///< leaves its result on the GPU or in CPU memory
    std::function<Verdict()> check; ///< compares the result of the last run with the CPU reference
    double least_bytes = 0;         ///< each input read once, each output written once
    bool on_cpu = false;            ///< whether run() does not use the device
};

/// A row of the table that `bench` prints.
struct BenchVariant {
    std::string name;
    std::string when;
    /// Why it cannot run, as a sentence; nothing if it can.
    std::function<std::optional<std::string>(const Operation&, Context&, const OpInput&)> unavailable;
    std::function<Workload(const Operation&, Context&, const OpInput&)> make;
};

/// One column of a ladder.
struct BenchColumn {
    std::string title;
    std::string size;                                               ///< as --size has it
    std::vector<std::pair<std::string, std::string>> settings = {}; ///< fields and their texts
};

/// A table that shows the gain from variant to variant.
struct Ladder {
    std::string title;
    std::vector<BenchColumn> columns;
    std::vector<std::pair<std::string, std::string>> names = {}; ///< of variants: as people call them
};

/// How an operation is measured.
struct BenchInfo {
    std::string size = {}; ///< "2448x1505", or a number of values
    int channels = 4;      ///< of generated pictures
    std::vector<Ladder> ladders = {};
    std::string field = {}; ///< the parameter that chooses among the variants
    std::vector<BenchVariant> variants = {};
    std::vector<BenchVariant> automatic =
        {}; ///< measured only on request: the variant that users get, one of the others
};

/// A call that help shows. The texts are literals.
struct ExampleCall {
    std::string_view what; ///< what it does, without a full stop
    /// The words after the name of the command, or all words where the first is "glproc". The user's files are photo.jpg,
    /// icon.png and the folder photos/.
    std::string_view call;
};

/// A word of other tools, and the call that does the same. The texts are literals.
struct OtherName {
    /// A command or function; a flag, "--width", or one for a single command, "montage --geometry". Or a flag of ImageMagick
    /// with its values, "-set N N", whose "+clone" is another one than "-clone".
    std::string_view word;
    /// The words after the operation's name: IN and OUT, or INS for several inputs, are the files, and braces hold the value
    /// that is used where the word has none. Empty where nothing does the same, and the operation's help is nearest to it.
    std::string_view arguments;
};

/// How long a picture takes, for the choice of a device; the defaults are near to most operations. Measured with parameters of
/// the examples, or the dearest common ones. By llvmpipe: Mesa 22.3.6, two cores of 2.4 GHz (2026-11-24). Without OpenGL: one and
/// two cores of a faster machine, for eight (2026-11-29).
struct OpCost {
    double llvmpipe = 10; ///< milliseconds of a megapixel on one core by llvmpipe
    double per_work = 0;  ///< and that for each multiplication, where methods do as much as the reference
    double alone = 0;     ///< milliseconds of a megapixel without OpenGL, beside the next two
    double shared = 10;   ///< the same on one core, where all cores share it
    double one_core = 0;  ///< the same of work that only one core does; 0: decoding
};

/// An operation's description: its row in the registry.
struct OpInfo {
    std::string name;
    std::vector<std::string> aliases;
    std::string summary; ///< one sentence without a full stop
    std::string example; ///< arguments of a typical call, without "glproc" and the name
    std::vector<ExampleCall> examples = {}; ///< less obvious ones
    std::vector<OtherName> found_by = {};
    OpCost cost = {};
    Input input = Input::image;
    Product product = Product::image;
    /// The same operation, for calls that want another product of it: each has its own `product` and make(). A picture
    /// or an array may then come with the report.
    std::vector<OpInfo> others = {};
    bool takes_floats = true; ///< of pictures
    bool joins = false;       ///< whether it makes one picture of several
    bool joins_any = false;   ///< whether these may differ in size, channels and depth
    std::size_t most_joined = 0; ///< of these, with the first; 0: any number
    std::vector<Choice> files = {}; ///< of a report that goes to OUT: its formats, which are endings of names
    bool strips = false;      ///< whether its results by default carry no metadata but the ICC profile
    std::vector<FieldInfo> fields;
    BenchInfo bench;
    std::function<std::unique_ptr<Operation>()> make;

    /// Whether its product goes to OUT; a report may be printed instead.
    bool has_output() const { return product != Product::report || !files.empty(); }
};

/// Throws Error(usage) for more images than an operation of this name joins. `most` as OpInfo has it.
void check_joined(std::string_view name, std::size_t images, std::size_t most);

/// An operation under the heading that it is listed under.
struct ListedOperation {
    std::string_view heading;
    const OpInfo* info = nullptr;
};

/// The operation as it makes this product; `op` itself if it makes no such product.
const OpInfo& making(const OpInfo& op, Product product);

/// Every registered operation with its heading, in the order of CMakeLists.txt.
const std::vector<ListedOperation>& listed_operations();

/// The same without headings.
const std::vector<const OpInfo*>& operations();

/// Finds an operation by name or alias; nullptr if there is none.
const OpInfo* find_operation(std::string_view name);

/// Fields and their texts in the arguments of a call; the text of a switch is empty.
std::vector<std::pair<std::string, std::string>> settings_in(std::string_view arguments);

/// The nearest candidate at most two edits away from `word` (the first, if several are equally near), or an
/// empty text.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates);

} // namespace glproc
