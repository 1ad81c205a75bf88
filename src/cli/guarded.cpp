#include "cli/guarded.hpp"

#include "cli/device.hpp"
#include "cli/terminal/signals.hpp"
#include "cli/terminal/terminal.hpp"
#include "cli/words/own_files.hpp"
#include "cli/words/sound_hint.hpp"
#include "glproc/base/error.hpp"
#include "glproc/image/no_memory.hpp"

#include <exception>
#include <new>
#include <string>

namespace glproc::cli {

int run_guarded(const std::vector<std::string>& words, const std::function<int()>& run) {
    const int failed = static_cast<int>(ErrorCode::operation);
    claim_standard_streams();
    install_signal_handlers();
    try {
        leave_caches_of_others();
        return run();
    } catch (const Error& error) {
        print_error(error.what(), sound_hint(with_own_files(error.hint(), files_in(words)), words));
        return static_cast<int>(error.code());
    } catch (const NoMemoryForImage& error) {
        print_error(error.what(), no_memory_hint);
        return failed;
    } catch (const std::bad_alloc&) {
        print_error("out of memory");
        return failed;
    } catch (const std::exception& error) {
        print_error(std::string("internal: ") + error.what());
        return failed;
    } catch (...) {
        print_error("internal: unknown exception");
        return failed;
    }
}

} // namespace glproc::cli
