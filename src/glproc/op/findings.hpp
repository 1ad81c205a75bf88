// Values that operations chose by analysing an image, such as "threshold 104/255", for callers that report
// them.
#pragma once

#include <string>
#include <vector>

namespace glproc {

/// Whether operations on this thread report what they find. Parameters that would stay on the GPU are then
/// read back, which takes time.
void want_findings(bool wanted);
bool findings_wanted();

/// Adds to the findings of this thread; discarded if nobody wants them.
void add_finding(std::string what);

/// All findings since the last call, on this thread.
std::vector<std::string> take_findings();

/// While it lives, findings on this thread are discarded, because they belong to another image than the one
/// that the user asked about. Operations run exactly as without it.
class FindingsAside {
  public:
    FindingsAside() : kept_(take_findings()) {}
    FindingsAside(const FindingsAside&) = delete;
    FindingsAside& operator=(const FindingsAside&) = delete;
    ~FindingsAside();

  private:
    std::vector<std::string> kept_;
};

} // namespace glproc
