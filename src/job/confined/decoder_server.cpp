// The decoder's process itself.
#include "glproc/base/error.hpp"
#include "glproc/files/admission.hpp"
#include "glproc/files/page_reader.hpp"
#include "job/confined/confine.hpp"
#include "job/confined/decoder_call.hpp"
#include "job/confined/decoder_process.hpp"
#include "job/confined/picture_packet.hpp"

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <new>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace glproc::job {

namespace {

void limit(int resource, std::uint64_t most) {
    struct rlimit limit {
        most, most
    };
    ::setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

/// In the child, before it reads anything.
void obey(const Budget& budget) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    limit(RLIMIT_CORE, 0);
    if (budget.memory > 0) {
        limit(RLIMIT_AS, budget.memory);
    }
    if (budget.seconds > 0) { // of every core, in case that nobody is left to watch
        limit(RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(budget.seconds)) * 64);
    }
}

void give_up_rights(const Budget& budget) {
    if (!budget.untrusted) {
        return;
    }
    admit_only(Admission::robust);
    if (!confine()) {
        throw Error(ErrorCode::operation,
                    "this system cannot confine the decoder, which needs seccomp",
                    "that takes a build with libseccomp, and Linux 3.17");
    }
}

/// Formats of modules: a module has to be loaded while files can still be opened.
void load_module_for(std::span<const std::byte> bytes) {
    const auto format = sniff(bytes);
    try {
        if (format) {
            check_encodable(extension_of(*format));
        }
    } catch (const Error&) { // NOLINT(bugprone-empty-catch): decoding will say it
    }
}

Error out_of_memory(std::string_view name, const Budget& budget) {
    return budget.memory == 0
               ? Error(ErrorCode::operation, fmt::format("{}: out of memory", name))
               : Error(ErrorCode::input,
                       fmt::format("{}: not decoded within {} MiB of memory", name, budget.memory >> 20U),
                       hint_for(budget, "--max-memory"));
}

std::optional<Extent> box_in(const std::string& text) {
    const std::size_t cross = text.find('x');
    return cross == std::string::npos
               ? std::nullopt
               : std::optional(Extent{std::atoi(text.c_str()), std::atoi(text.c_str() + cross + 1)});
}

/// A series, or that there is none, as answers. Each image is decoded when it is asked for: one that waits
/// here would be held beside those on which the other process works.
void answer_series(std::span<const std::byte> file, const DecoderCall& call, Notes& notes) {
    const std::unique_ptr<PictureSeries> series = open_series(file, call.name, call.options);
    answer(decoder_descriptor, pack_series(series ? std::optional(series->info()) : std::nullopt, notes));
    notes.clear();
    try {
        while (series && take_question(decoder_descriptor)) {
            std::optional<SeriesPicture> picture = series->next();
            if (!picture) {
                break;
            }
            std::vector<std::byte> head = pack_delay(picture->delay);
            const std::vector<std::byte> facts = pack_header(picture->image, notes);
            head.insert(head.end(), facts.begin(), facts.end());
            answer(decoder_descriptor, head, picture->image.bytes());
            notes.clear();
        }
        answer(decoder_descriptor, pack_delay({}));
    } catch (const std::bad_alloc&) {
        answer(decoder_descriptor, pack_delay({}), pack_error(out_of_memory(call.name, call.budget)));
    } catch (const Error& error) {
        answer(decoder_descriptor, pack_delay({}), pack_error(as_within(call.budget, call.name, error)));
    }
}

/// Those that are asked for; what is wrong with one of them is no end.
void answer_pages(std::span<const std::byte> file, const DecoderCall& call) {
    PageReader reader(file, call.options);
    while (const std::optional<PageWanted> wanted = take_question(decoder_descriptor)) {
        try {
            Notes notes;
            const Image image = reader.read(wanted->page, wanted->name, &notes);
            answer(decoder_descriptor, pack_header(image, notes), image.bytes());
        } catch (const std::bad_alloc&) {
            answer(decoder_descriptor, pack_error(out_of_memory(wanted->name, call.budget)));
        } catch (const Error& error) {
            answer(decoder_descriptor, pack_error(as_within(call.budget, wanted->name, error)));
        }
    }
}

} // namespace

Error as_within(const Budget& budget, std::string_view name, const Error& error) {
    const bool memory = error.code() == ErrorCode::operation && budget.memory > 0 &&
                        std::string_view(error.what()).find("memory") != std::string_view::npos;
    if (memory) {
        return out_of_memory(name, budget);
    }
    const bool pixels = error.hint().find("--max-pixels") != std::string::npos;
    return pixels && budget.untrusted ? Error(error.code(), error.what(), hint_for(budget, "--max-pixels"))
                                      : error;
}

int serve_as_decoder(const std::vector<std::string>& words) {
    if (words.size() != 11) {
        return static_cast<int>(ErrorCode::usage);
    }
    Notes notes;
    DecoderCall call;
    call.name = words[1];
    Budget& budget = call.budget;
    budget.seconds = std::strtod(words[3].c_str(), nullptr);
    budget.memory = std::strtoull(words[4].c_str(), nullptr, 10);
    budget.untrusted = words[5] == "1";
    call.options = {.max_pixels = std::strtoull(words[2].c_str(), nullptr, 10), .notes = &notes};
    call.options.alone = words[6] == "1";
    call.options.keep_partial = words[7] == "1";
    call.options.box = box_in(words[8]);
    call.options.page = std::atoi(words[9].c_str());
    call.answers = static_cast<Answers>(std::atoi(words[10].c_str()));
    try {
        drop_inheritance(decoder_descriptor);
        obey(budget);
        const std::vector<std::byte> file = take_file(decoder_descriptor);
        load_module_for(file);
        give_up_rights(budget);
        if (call.answers == Answers::series) {
            answer_series(file, call, notes);
            return 0;
        }
        if (call.answers == Answers::pages) {
            answer_pages(file, call);
            return 0;
        }
        const Image image = decode(file, call.name, call.options);
        answer(decoder_descriptor, pack_header(image, notes), image.bytes());
    } catch (const std::bad_alloc&) {
        answer(decoder_descriptor, pack_error(out_of_memory(call.name, budget)));
    } catch (const Error& error) {
        answer(decoder_descriptor, pack_error(as_within(budget, call.name, error)));
    }
    return 0;
}

int run_within(const Budget& budget, std::string_view name, std::span<const std::byte> bytes,
               const std::function<int()>& work) {
    check_allowed(budget, bytes, name);
    load_module_for(bytes);
    const pid_t child = ::fork();
    if (child < 0) {
        throw Error(ErrorCode::operation, "the decoder's process cannot be started");
    }
    if (child == 0) {
        int status = static_cast<int>(ErrorCode::operation);
        try {
            if (budget.untrusted) {
                forget_environment();
                close_descriptors(STDERR_FILENO);
            }
            obey(budget);
            give_up_rights(budget);
            status = work();
        } catch (...) {
        }
        std::_Exit(status);
    }
    return checked(wait_for(child, deadline_of(budget)), budget, name);
}

} // namespace glproc::job
