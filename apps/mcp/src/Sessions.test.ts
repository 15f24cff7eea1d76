import { assert, describe, it } from "@effect/vitest"
import * as Sessions from "./Sessions.ts"

const full = () => {
  const sessions = Sessions.make()
  for (let index = 0; index < Sessions.MAX_SESSIONS; index++) {
    sessions.begin(String(index))
    sessions.finish(String(index))
  }
  return sessions
}

describe("the sessions", () => {
  it("are within the limit until one more begins", () => {
    const sessions = full()
    assert.isUndefined(sessions.surplus())
    sessions.begin("more")
    assert.strictEqual(sessions.surplus(), "0")
  })

  it("with a request in flight outlive the idle ones, however old", () => {
    const sessions = full()
    sessions.begin("0")
    sessions.begin("0")
    sessions.finish("0")
    for (let index = 1; index < Sessions.MAX_SESSIONS; index++) {
      sessions.begin(String(index))
      sessions.finish(String(index))
    }
    sessions.begin("more")
    assert.strictEqual(sessions.surplus(), "1")
    sessions.remove("1")
    assert.isUndefined(sessions.surplus())
    assert.isTrue(sessions.has("0"))
  })

  it("give up the least recently used if all are busy", () => {
    const sessions = full()
    for (let index = 0; index < Sessions.MAX_SESSIONS; index++) sessions.begin(String(index))
    sessions.begin("more")
    assert.strictEqual(sessions.surplus(), "0")
  })
})
