import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { EventRows } from "../events/EventRows.ts"
import { RefChanges } from "../events/RefChanges.ts"
import { git } from "../git/Fixture.test-support.ts"
import * as Forge from "../main/Forge.test-support.ts"
import { UserRows } from "../accounts/UserRows.ts"
import { requireRow } from "../storage/RowDecoder.ts"
import * as Support from "./Issues.test-support.ts"

/** A repository without a work tree. */
const BARE = "keeper/bare"

const setUp = Effect.gen(function* () {
  yield* Support.setUp
  const changes = yield* RefChanges
  const users = yield* UserRows
  const repository = yield* Support.repository(BARE)
  const tip = yield* requireRow(repository.git.resolve("HEAD"))
  /** Creates a commit on top of others. */
  const commit = (message: string, ...parents: ReadonlyArray<string>) =>
    git(repository.git.path, ["commit-tree", ...parents.flatMap((oid) => ["-p", oid]), "-m", message, `${tip}^{tree}`])
  /** Moves or creates a branch as an account. */
  const push = Effect.fnUntraced(function* (login: string, branch: string, after: string) {
    const ref = `refs/heads/${branch}`
    const actor = yield* requireRow(users.byLogin(login))
    const before = (yield* repository.git.ref(ref))?.oid ?? null
    const write = before === null ? repository.git.createRef(ref, after) : repository.git.updateRef(ref, after, before)
    yield* changes.during({ actor, repository }, { ref, before, after }, write)
  })
  return { commit, push, repository, tip }
})

const shown = (fullName: string, issue: number) =>
  Effect.map(Support.issueEvents(fullName), (events) =>
    events.flatMap((one) => (one.issue === issue ? [[one.event, one.actor, one.commit_id].join(" ")] : []))
  )

const stateOf = Effect.fnUntraced(function* (fullName: string, number: number) {
  const { get } = yield* Forge.TestForge
  const { json } = yield* get(`/repos/${fullName}/issues/${number}`)
  return [json.state, json.state_reason, json.closed_by?.login].filter((part) => part !== null && part !== undefined)
})

layer(Support.layer)("pushed commits", (it) => {
  it.effect("reference issues once, and close them on the default branch", () =>
    Effect.gen(function* () {
      const { commit, push, tip } = yield* setUp
      for (const number of [1, 2, 3, 4]) yield* Support.addIssue(BARE, number)
      yield* Support.addIssue(BARE, 5, { is_pull_request: 1 })
      const first = commit("Fixes #1, see #2\n\n@mia", tip)
      const second = commit("Resolves: #3; closes #1, fixes #5", first)
      yield* push("Will", "topic", second)
      yield* push("Will", "copy", second)
      assert.deepStrictEqual(yield* stateOf(BARE, 1), ["open"])
      assert.deepStrictEqual(yield* shown(BARE, 1), [`referenced Will ${first}`, `referenced Will ${second}`])
      yield* push("keeper", "main", second)
      assert.deepStrictEqual(yield* stateOf(BARE, 1), ["closed", "completed", "keeper"])
      assert.deepStrictEqual(yield* stateOf(BARE, 3), ["closed", "completed", "keeper"])
      assert.deepStrictEqual(yield* shown(BARE, 1), [
        `referenced Will ${first}`,
        `referenced Will ${second}`,
        `closed keeper ${first}`
      ])
      assert.deepStrictEqual(yield* shown(BARE, 2), [`referenced Will ${first}`])
      assert.deepStrictEqual(yield* shown(BARE, 4), [])
      assert.deepStrictEqual(yield* shown(BARE, 5), [`referenced Will ${second}`])
      const { get } = yield* Forge.TestForge
      const { json } = yield* get(`/repos/${BARE}/events`)
      const types: ReadonlyArray<string> = json.map(({ type }: { readonly type: string }) => type)
      assert.deepStrictEqual(types.slice(0, 3).toSorted(), ["IssuesEvent", "IssuesEvent", "PushEvent"])
    })
  )

  it.effect("reach other repositories as far as the account of the push", () =>
    Effect.gen(function* () {
      const { commit, push, repository } = yield* setUp
      yield* Support.addIssue("acme/tool", 1)
      yield* Support.addIssue("acme/tool", 2)
      yield* Support.addIssue("acme/closed", 3)
      const main = yield* requireRow(repository.git.resolve("HEAD"))
      const one = commit("fixes acme/tool#1, fixes acme/closed#3", main)
      yield* push("Will", "main", one)
      assert.deepStrictEqual(yield* stateOf("acme/tool", 1), ["closed", "completed", "Will"])
      assert.deepStrictEqual(yield* shown("acme/tool", 1), [`referenced Will ${one}`, `closed Will ${one}`])
      assert.deepStrictEqual(yield* shown("acme/closed", 3), [])
      const two = commit("fixes acme/tool#2", one)
      yield* push("carl", "main", two)
      assert.deepStrictEqual(yield* shown("acme/tool", 2), [`referenced carl ${two}`])
    })
  )

  it.effect("of a private repository are hidden in events of issues of other repositories", () =>
    Effect.gen(function* () {
      const { commit, push, repository } = yield* setUp
      const { ask, get } = yield* Forge.TestForge
      yield* Support.addIssue("acme/tool", 11)
      const main = yield* requireRow(repository.git.resolve("HEAD"))
      const oid = commit("fixes acme/tool#11", main)
      yield* push("Will", "main", oid)
      const listed = Effect.forEach(["issues/11/events", "issues/11/timeline", "issues/events"], (path) =>
        Effect.map(get(`/repos/acme/tool/${path}`, { token: "stranger" }), ({ json }) => {
          const all: ReadonlyArray<{ readonly event: string; readonly commit_id?: string | null }> = json
          return all.flatMap((one) =>
            one.commit_id === oid || one.event === "closed" ? [[one.event, one.commit_id]] : []
          )
        })
      )
      const [events, timeline] = yield* listed
      assert.deepStrictEqual(events, [
        ["referenced", oid],
        ["closed", oid]
      ])
      assert.deepStrictEqual(timeline, events)
      yield* ask("PATCH", `/repos/${BARE}`, { body: { private: true } })
      const [hiddenEvents, hiddenTimeline, ofRepository] = yield* listed
      assert.deepStrictEqual(hiddenEvents, [["closed", null]])
      assert.deepStrictEqual(hiddenTimeline, [["closed", null]])
      assert.notInclude(JSON.stringify(ofRepository), oid)
      yield* ask("PATCH", `/repos/${BARE}`, { body: { private: false } })
    })
  )

  it.effect("of a new branch count unless another branch has them, also if one push creates both", () =>
    Effect.gen(function* () {
      const { commit, push, repository, tip } = yield* setUp
      const old = commit("old #21", tip)
      yield* push("keeper", "old", old)
      yield* Support.addIssue(BARE, 21)
      const merged = commit("merge #21", commit("side #21", tip), old)
      yield* push("keeper", "merged", merged)
      assert.deepStrictEqual(
        (yield* shown(BARE, 21)).map((one) => one.slice(0, 17)),
        ["referenced keeper", "referenced keeper"]
      )
      const changes = yield* RefChanges
      const both = commit("both #21", old)
      const actor = repository.row.owner
      const moves = ["a", "b"].map((name) => ({ ref: `refs/heads/${name}`, before: null, after: both }))
      const begun = yield* changes.begin({ actor, repository }, moves, process.pid)
      for (const { ref } of moves) yield* repository.git.createRef(ref, both)
      yield* changes.settle({ actor, repository }, begun, () => true)
      assert.deepStrictEqual((yield* shown(BARE, 21)).slice(2), [`referenced keeper ${both}`])
    })
  )

  it.effect("have their effects once after a kill", () =>
    Effect.gen(function* () {
      const { commit, repository } = yield* setUp
      yield* Support.addIssue(BARE, 31)
      const main = yield* requireRow(repository.git.resolve("HEAD"))
      const next = commit("closes #31", main)
      const table = yield* EventRows
      const change = {
        id: "killed",
        repository_id: repository.row.id,
        actor_id: repository.row.owner.id,
        ref: "refs/heads/main",
        before: main,
        after: next,
        api: "http://api",
        html: "http://html",
        process: 0,
        begun_at: -100_000,
        git: null,
        runner: null,
        moved: 0
      }
      yield* table.begin([change])
      yield* repository.git.updateRef("refs/heads/main", next, main)
      const { recover } = yield* RefChanges
      yield* recover
      assert.deepStrictEqual(yield* shown(BARE, 31), [`referenced keeper ${next}`, `closed keeper ${next}`])
      yield* table.begin([change])
      yield* recover
      assert.lengthOf(yield* shown(BARE, 31), 2)
    })
  )
})
