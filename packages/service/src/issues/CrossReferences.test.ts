import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Forge from "../main/Forge.test-support.ts"
import * as Support from "./Issues.test-support.ts"

const { issueEvents } = Support

/** Creates an issue by the API as an account, and gives its number. */
const create = Effect.fnUntraced(function* (token: string, fullName: string, body: string) {
  const { ask } = yield* Forge.TestForge
  const { json } = yield* ask("POST", `/repos/${fullName}/issues`, { token, body: { title: "New", body } })
  const number: number = json.number
  return number
})

const shown = Effect.fnUntraced(function* (fullName: string, issue: number) {
  const events = yield* issueEvents(fullName)
  return events.flatMap((one) =>
    one.issue === issue ? [[one.event, one.actor, ...(one.source === null ? [] : [one.source])].join(" ")] : []
  )
})

layer(Support.layer)("references in texts", (it) => {
  it.effect("add one cross-reference for each issue with the text, also after edits and comments", () =>
    Effect.gen(function* () {
      yield* Support.setUp
      const { ask } = yield* Forge.TestForge
      const target = yield* create("Will", "keeper/hello", "Me, #1")
      const source = yield* create("Will", "keeper/hello", `#${target} and keeper/hello#${target}, not \`#${target}\``)
      const path = `/repos/keeper/hello/issues/${source}`
      yield* ask("PATCH", path, { token: "Will", body: { body: `GH-${target} again` } })
      const comment = yield* ask("POST", `${path}/comments`, { token: "mia", body: { body: `See #${target}` } })
      assert.strictEqual(comment.status, 201)
      assert.deepStrictEqual(yield* shown("keeper/hello", target), [`cross-referenced Will ${source}`])

      const other = yield* create("Will", "keeper/hello", "")
      const posted = yield* ask("POST", `${path}/comments`, { token: "mia", body: { body: "Nothing" } })
      const edited = { token: "mia", body: { body: `Now http://forge.localhost/keeper/hello/issues/${other}.` } }
      yield* ask("PATCH", `/repos/keeper/hello/issues/comments/${posted.json.id}`, edited)
      const [event] = (yield* issueEvents("keeper/hello")).filter(({ issue }) => issue === other)
      assert.deepStrictEqual(
        [event?.event, event?.actor, event?.source, event?.comment_id],
        ["cross-referenced", "mia", source, posted.json.id]
      )
    })
  )

  it.effect("reach issues that the author can read", () =>
    Effect.gen(function* () {
      yield* Support.setUp
      const secret = yield* Support.addIssue("keeper/secret", 7)
      assert.isAbove(secret, 0)
      yield* Support.addIssue("acme/tool", 8)
      yield* create("stranger", "keeper/hello", "keeper/secret#7 acme/tool#8 acme/tool#9 none/none#1")
      assert.deepStrictEqual(yield* shown("keeper/secret", 7), [])
      assert.lengthOf(yield* shown("acme/tool", 8), 1)
      const source = yield* create("carl", "keeper/hello", "keeper/secret#7")
      assert.deepStrictEqual(yield* shown("keeper/secret", 7), [`cross-referenced carl ${source}`])
    })
  )

  it.effect("mention and subscribe accounts that can read the repository once", () =>
    Effect.gen(function* () {
      yield* Support.setUp
      const { ask } = yield* Forge.TestForge
      const open = yield* create("mia", "keeper/hello", "@will @WILL @nobody @acme @acme/team a@will `@carl`")
      const path = `/repos/keeper/hello/issues/${open}`
      yield* ask("POST", `${path}/comments`, { token: "mia", body: { body: "@Will, @stranger" } })
      yield* ask("PATCH", path, { token: "mia", body: { body: "@will @carl" } })
      const all = ["Will", "stranger", "carl"].flatMap((login) => [`mentioned ${login}`, `subscribed ${login}`])
      assert.deepStrictEqual(yield* shown("keeper/hello", open), all)
      const closed = yield* create("carl", "keeper/secret", "@stranger @mia @keeper @carl")
      const readers = ["keeper", "carl"].flatMap((login) => [`mentioned ${login}`, `subscribed ${login}`])
      assert.deepStrictEqual(yield* shown("keeper/secret", closed), readers)
    })
  )

  it.effect("of 1,000 issues and 1,000 accounts are added", () =>
    Effect.gen(function* () {
      yield* Support.setUp
      const { row } = yield* Support.repository("acme/closed")
      assert.isAbove(row.id, 0)
      for (let number = 100; number < 110; number++) yield* Support.addIssue("acme/closed", number)
      const numbers = Array.from({ length: 2000 }, (_, index) => `#${index + 1}`).join(" ")
      yield* create("mia", "acme/closed", numbers)
      const events = yield* issueEvents("acme/closed")
      assert.deepStrictEqual(
        events.map(({ issue }) => issue),
        Array.from({ length: 10 }, (_, index) => index + 100)
      )
    })
  )
})
