// Which programs are known to compute right values on this driver.
#pragma once

#include "glproc/gl/program_store.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace glproc {

class Program;

/// Thrown if a probe needs a program that the work itself did not need: it would have to be built, and proves
/// nothing.
struct UselessProbe {};

/// Programs are open until one of their results was compared with the reference (op/proof.hpp). That costs a
/// few milliseconds once per driver: the store remembers the programs that were right.
class Proofs {
  public:
    /// Without a call nothing is ever open. There may be no store; programs are then open in every process.
    void begin(std::optional<ProgramStore> store, std::function<void(const std::string&)> warn);
    bool is_on() const { return is_on_; }

    /// Whether a result of this program was right, in this process or in an earlier one.
    bool is_proved(const Program& program);

    /// Notes that a program was run.
    void dispatched(const Program& program);

    /// Kernels of the programs that have run and are open, each once.
    std::vector<std::string> open_kernels() const;
    bool any_open() const { return !open_.empty(); }

    /// Programs that run until end_probe() belong to a probe. Nothing is proved during a probe. Unless it
    /// `may_build`, a program that does not exist yet makes it a UselessProbe.
    void begin_probe(bool may_build);
    /// Closes the open programs that the probe ran, if its result was right.
    void end_probe(bool was_right);
    bool is_probing() const { return is_probing_; }
    bool refuses_new_programs() const { return is_probing_ && !may_build_; }

    /// Closes all programs that are open, because their own result was compared. With `stored` false: because
    /// nothing that can be compared runs them, and they are not asked for again in this process.
    void close_all(bool stored);
    /// Forgets which of them have run: their result is not used.
    void drop_open() { open_.clear(); }

    void warn(const std::string& what) const;

    /// Wall-clock time that probes and comparisons took.
    double milliseconds = 0;

  private:
    void load();
    void save() const;

    bool is_on_ = false;
    bool is_loaded_ = false;
    bool is_probing_ = false;
    bool may_build_ = false;
    std::optional<ProgramStore> store_;
    std::function<void(const std::string&)> warn_;
    std::set<std::uint64_t> proved_; ///< identities, as the store has them
    std::set<std::uint64_t> passed_; ///< programs of this process that are not stored
    std::set<const Program*> open_;
    std::set<const Program*> probed_;
};

} // namespace glproc
