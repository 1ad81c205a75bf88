// What the driver complains about becomes an Error.
#include "glproc/gl/debug.hpp"

#include "glproc/base/error.hpp"
#include "support/catch.hpp"
#include "support/fixture.hpp"

#include <functional>
#include <string>

#include <glad/gl.h>

using namespace glproc;
using namespace glproc::test;
using Catch::Matchers::Contains;

namespace {

/// What finish() throws after `work`, in a context of its own.
std::string complaint(bool debug, const std::function<void()>& work) {
    std::string text;
    ContextOptions options = second_context_options();
    options.debug = debug;
    with_second_context(options, [&](Context& own) {
        work();
        try {
            own.finish();
        } catch (const Error& error) {
            text = error.code() == ErrorCode::operation ? error.what() : "wrong code";
        }
    });
    return text;
}

void say(GLenum type, GLenum severity) {
    glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, type, 7, severity, -1, "the sky is falling");
}

} // namespace

TEST_CASE("a debug message of medium severity or worse becomes an error that quotes it") {
    const std::string quote = "finishing: the driver says: the sky is falling";
    CHECK(complaint(true, [] { say(GL_DEBUG_TYPE_ERROR, GL_DEBUG_SEVERITY_HIGH); }) == quote);
    CHECK(complaint(true, [] { say(GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR, GL_DEBUG_SEVERITY_MEDIUM); }) == quote);
    CHECK(complaint(true, [] { say(GL_DEBUG_TYPE_ERROR, GL_DEBUG_SEVERITY_LOW); }).empty());
    CHECK(complaint(true, [] { say(GL_DEBUG_TYPE_OTHER, GL_DEBUG_SEVERITY_NOTIFICATION); }).empty());
    CHECK(complaint(true, [] { say(GL_DEBUG_TYPE_PERFORMANCE, GL_DEBUG_SEVERITY_MEDIUM); }).empty());
    CHECK(complaint(false, [] { say(GL_DEBUG_TYPE_ERROR, GL_DEBUG_SEVERITY_HIGH); }).empty());
}

TEST_CASE("a message is reported once, and the first of several") {
    DebugLog log;
    CHECK_NOTHROW(log.throw_if_any("testing"));
    log.add(GL_DEBUG_TYPE_ERROR, 1, GL_DEBUG_SEVERITY_HIGH, "first");
    log.add(GL_DEBUG_TYPE_ERROR, 2, GL_DEBUG_SEVERITY_HIGH, "second");
    CHECK_THROWS_WITH(log.throw_if_any("testing"), "testing: the driver says: first");
    CHECK_NOTHROW(log.throw_if_any("testing"));
}

TEST_CASE("an OpenGL error is named, debug context or not") {
    for (const bool debug : {false, true}) {
        CHECK_THAT(complaint(debug, [] { glBindTexture(GL_RGBA, 0); }),
                   Contains("finishing: GL_INVALID_ENUM"));
    }
    CHECK_THAT(complaint(false, [] { glDispatchCompute(1, 1, 1); }), Contains("GL_INVALID_OPERATION"));
}
