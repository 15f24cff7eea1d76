import { assert, describe, it } from "@effect/vitest"
import { entryOf } from "../call/Tool.ts"
import { question, withoutSecrets } from "./Question.ts"

const { summary } = entryOf("repositoryHooks.update").operation
const parameters = { owner: "octo", repo: "hello", hook_id: "7" }
const request = { method: "PATCH", path: "/repos/octo/hello/hooks/7", parameters }
const facts = { isReversible: false, consequence: undefined, label: "forge.test" }
const ask = (body: unknown) => question({ summary, body }, { ...request, body }, facts)

describe("the question", () => {
  it("names the operation, the repository, every argument and the request", () => {
    assert.strictEqual(
      ask({ config: { url: "https://a.test", insecure_ssl: "1" }, events: ["push"], active: false, add_events: [] }),
      [
        "Update a webhook? This cannot be undone.",
        'Repository: "octo/hello"',
        'hook_id: "7"',
        'config.url: "https://a.test"',
        'config.insecure_ssl: "1"',
        'events: ["push"]',
        "active: false",
        "add_events: []",
        "Request: PATCH /repos/octo/hello/hooks/7 on forge.test"
      ].join("\n")
    )
  })

  it("hides new secrets", () => {
    const body = { config: { url: "https://a.test", secret: "s3cret" }, active: true }
    assert.deepStrictEqual(withoutSecrets(entryOf("repositoryHooks.update"), body), {
      config: { url: "https://a.test", secret: "***" },
      active: true
    })
    assert.deepStrictEqual(withoutSecrets(entryOf("repositoryHooks.updateConfig"), { secret: "s3cret" }), {
      secret: "***"
    })
  })

  it("says what the call gives to others", () => {
    const consequence = "Events are sent to a.test."
    const first = (isReversible: boolean) =>
      question({ summary, body: {} }, { ...request, body: {} }, { ...facts, isReversible, consequence }).split("\n")[0]
    assert.strictEqual(first(true), "Update a webhook? Events are sent to a.test.")
    assert.strictEqual(first(false), "Update a webhook? Events are sent to a.test. This cannot be undone.")
  })

  it("shows each argument on one line, without hidden characters", () => {
    const lines = ask({ config: { url: "a\nhook_id: 8\u202e\u200b\u001b[2J" }, "x\ny": 1 }).split("\n")
    assert.include(lines, String.raw`config.url: "a\nhook_id: 8<U+202E><U+200B>\u001b[2J"`)
    assert.notInclude(lines, "hook_id: 8")
    assert.notInclude(lines, "y: 1")
  })

  it("bounds every argument, so that none crowds out the others", () => {
    const body = {
      config: { url: "x".repeat(100_000) },
      events: Array.from({ length: 10_000 }, () => "push"),
      active: true
    }
    const text = ask(body)
    assert.isBelow(text.length, 1_000)
    assert.include(text, "more characters)")
    assert.include(text, "active: true")
    const many = ask(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`member${index}`, index])))
    assert.isBelow(many.split("\n").length, 50)
    assert.include(many, "more arguments")
  })
})
