import { assert, describe, it } from "@effect/vitest"
import * as HttpSessions from "./HttpSessions.ts"

const full = () => {
  const sessions = HttpSessions.make()
  for (let index = 0; index < HttpSessions.MAX_SESSIONS; index++) {
    sessions.beginRequest(String(index))
    sessions.endRequest(String(index), 0)
  }
  return sessions
}

describe("HttpSessions", () => {
  it("has an excess session only above the limit", () => {
    const sessions = full()
    assert.isUndefined(sessions.excessSession())
    sessions.beginRequest("more")
    assert.strictEqual(sessions.excessSession(), "0")
  })

  it("keeps sessions with a request in flight, and ends an idle one", () => {
    const sessions = full()
    sessions.beginRequest("0")
    sessions.beginRequest("0")
    sessions.endRequest("0", 0)
    for (let index = 1; index < HttpSessions.MAX_SESSIONS; index++) {
      sessions.beginRequest(String(index))
      sessions.endRequest(String(index), 0)
    }
    sessions.beginRequest("more")
    assert.strictEqual(sessions.excessSession(), "1")
    sessions.remove("1")
    assert.isUndefined(sessions.excessSession())
    assert.isTrue(sessions.has("0"))
  })

  it("ends the least recently used session if all are busy", () => {
    const sessions = full()
    for (let index = 0; index < HttpSessions.MAX_SESSIONS; index++) sessions.beginRequest(String(index))
    sessions.beginRequest("more")
    assert.strictEqual(sessions.excessSession(), "0")
  })

  it("has idle sessions only after their last request", () => {
    const sessions = HttpSessions.make()
    for (const session of ["old", "new", "busy"]) sessions.beginRequest(session)
    sessions.endRequest("old", 1_000)
    sessions.endRequest("new", 2_000)
    assert.deepStrictEqual(sessions.idleSessions(1_000), [])
    assert.deepStrictEqual(sessions.idleSessions(2_000), ["old"])
    assert.deepStrictEqual(sessions.idleSessions(9_000), ["old", "new"])
  })
})
