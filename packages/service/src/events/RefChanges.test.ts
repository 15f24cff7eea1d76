import { spawnSync } from "node:child_process"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import * as SqlClient from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { git } from "../git/Fixture.test-support.ts"
import * as Forge from "../main/Forge.test-support.ts"
import { RepositoryRegistry } from "../repositories/RepositoryRegistry.ts"
import { DeliveryRows } from "../webhooks/DeliveryRows.ts"
import { EventRows, type RefChangeRow } from "./EventRows.ts"
import { HookRows } from "../webhooks/HookRows.ts"
import { RefChanges } from "./RefChanges.ts"
import { requireRow } from "../storage/RowDecoder.ts"

const { TestForge } = Forge

/** The id of an ended process. */
const gone = spawnSync("true").pid

const setUp = Effect.fnUntraced(function* (name: string) {
  const { get, owner } = yield* TestForge
  const repository = yield* requireRow((yield* RepositoryRegistry).find(owner, name))
  const table = yield* EventRows
  const oid = (yield* requireRow(repository.git.ref("refs/heads/main"))).oid
  const actor = repository.row.owner
  /** Inserts the row of a change, as left by a killed process. */
  const leave = (
    id: string,
    ref: string,
    after: string | null,
    {
      actor_id = actor.id,
      begun_at = -5_000,
      before = after === null ? oid : null,
      git = null,
      process = gone
    }: Partial<RefChangeRow> = {}
  ) =>
    table.begin([
      {
        id,
        repository_id: repository.row.id,
        actor_id,
        ref,
        before,
        after,
        api: "http://api",
        html: "http://html",
        process,
        begun_at,
        git,
        runner: null,
        moved: 0
      }
    ])
  const refs = Effect.map(get(`/repos/${owner}/${name}/events`), ({ json }) =>
    json.map(({ payload, type }: { type: string; payload: { full_ref?: string; head: string } }) => [
      type,
      payload.full_ref ?? payload.head
    ])
  )
  /** Creates a commit on top of another. */
  const commit = (parent: string, message = "next") => {
    const { path } = repository.git
    return git(path, ["commit-tree", "-p", parent, "-m", message, `${parent}^{tree}`])
  }
  return {
    repository,
    table,
    oid,
    actor,
    leave,
    refs,
    commit,
    begun: Effect.map(table.begun, (all) => all.map(({ id }) => id))
  }
})

layer(
  Forge.layer((repos) =>
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"].forEach((name) =>
      Forge.repository(repos, name)
    )
  )
)("changes of references", (it) => {
  it.effect("records the events of a killed process once, for references that moved only", () =>
    Effect.gen(function* () {
      const { actor, begun, leave, oid, refs, repository } = yield* setUp("one")
      const { recover } = yield* RefChanges
      const hook = yield* (yield* HookRows).add({
        owner: { kind: "repository", id: repository.row.id },
        creatorId: actor.id,
        byApp: false,
        active: 1,
        events: ["create"],
        url: "http://127.0.0.1:9/",
        content_type: "json",
        insecure_ssl: "0",
        sealed: null
      })
      yield* repository.git.createRef("refs/heads/moved", oid)
      yield* leave("a", "refs/heads/moved", oid)
      yield* leave("b", "refs/heads/never", oid)
      yield* leave("c", "refs/heads/main", null)
      yield* leave("d", "refs/tags/removed", null)
      yield* Effect.all([recover, recover], { concurrency: 2 })
      assert.deepStrictEqual(yield* begun, [])
      assert.sameDeepMembers(yield* refs, [
        ["CreateEvent", "refs/heads/moved"],
        ["DeleteEvent", "refs/tags/removed"]
      ])
      // A late recovery records no second event.
      yield* leave("a", "refs/heads/moved", oid)
      yield* recover
      assert.lengthOf(yield* refs, 2)
      const deliveries = yield* DeliveryRows
      const sent = deliveries.page({ hookId: hook.id, position: undefined, outcome: undefined, limit: 10 })
      while ((yield* sent).length === 0) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      assert.lengthOf(yield* sent, 1)
    })
  )

  it.effect("records the events of a deleted account, whose actor is the user ghost", () =>
    Effect.gen(function* () {
      const { actor, begun, leave, oid, repository } = yield* setUp("eight")
      const { get, user } = yield* TestForge
      const changes = yield* RefChanges
      const sql = yield* SqlClient.SqlClient
      const id = yield* user({ login: "leaver" })
      yield* repository.git.createRef("refs/heads/left", oid)
      yield* leave("left", "refs/heads/left", oid, { actor_id: id })
      const during = { actor: { ...actor, id, login: "leaver" }, repository }
      const write = Effect.andThen(
        repository.git.createRef("refs/heads/leaving", oid),
        sql`DELETE FROM users WHERE id = ${id}`
      )
      yield* changes.during(during, { ref: "refs/heads/leaving", before: null, after: oid }, write)
      yield* changes.recover
      assert.deepStrictEqual(yield* begun, [])
      const { json } = yield* get(`/repos/${repository.fullName}/events`)
      assert.deepStrictEqual(
        json.map((one: { actor: { login: string }; payload: { full_ref: string } }) => [
          one.actor.login,
          one.payload.full_ref
        ]),
        [
          ["ghost", "refs/heads/left"],
          ["ghost", "refs/heads/leaving"]
        ]
      )
    })
  )

  it.effect("leaves changes of a running process alone for a minute", () =>
    Effect.gen(function* () {
      const { begun, leave, oid, refs, repository } = yield* setUp("two")
      const { recover } = yield* RefChanges
      yield* repository.git.createRef("refs/heads/slow", oid)
      yield* leave("slow", "refs/heads/slow", oid, { process: process.pid })
      yield* recover
      assert.deepStrictEqual(yield* begun, ["slow"])
      assert.deepStrictEqual(yield* refs, [])
      yield* TestClock.adjust("1 minute")
      yield* recover
      // The forge's own recovery can have begun before.
      yield* Effect.repeat(begun, { until: ({ length }) => length === 0 })
      assert.deepStrictEqual(yield* refs, [["CreateEvent", "refs/heads/slow"]])
    })
  )

  it.effect("records the event of a killed process at once after the clock went back", () =>
    Effect.gen(function* () {
      const { begun, leave, oid, refs, repository } = yield* setUp("seven")
      const { recover } = yield* RefChanges
      yield* repository.git.createRef("refs/heads/early", oid)
      const now = yield* Clock.currentTimeMillis
      yield* leave("early", "refs/heads/early", oid, { begun_at: now + 3_600_000 })
      yield* recover
      assert.deepStrictEqual(yield* begun, [])
      assert.deepStrictEqual(yield* refs, [["CreateEvent", "refs/heads/early"]])
    })
  )

  it.effect("leaves no row after a failed change, and records no event for other references", () =>
    Effect.gen(function* () {
      const { actor, begun, oid, refs, repository } = yield* setUp("three")
      const changes = yield* RefChanges
      const at = { actor, repository }
      const move = { ref: "refs/heads/x", before: null, after: oid }
      assert.strictEqual(yield* Effect.flip(changes.during(at, move, Effect.fail("no"))), "no")
      assert.strictEqual(yield* changes.during(at, { ...move, ref: "refs/notes/x" }, Effect.succeed(7)), 7)
      assert.deepStrictEqual(yield* begun, [])
      assert.deepStrictEqual(yield* refs, [])
    })
  )

  it.effect("keeps the event of a change after which another change moved the reference again", () =>
    Effect.gen(function* () {
      const { actor, begun, commit, leave, oid, refs, repository } = yield* setUp("four")
      const changes = yield* RefChanges
      const [second, third] = [commit(oid), commit(oid, "other")]
      const ref = "refs/heads/again"
      // The first push was killed after git had moved the reference, and the next, forced one was complete.
      yield* repository.git.createRef(ref, oid)
      yield* repository.git.updateRef(ref, second, oid)
      yield* leave("first", ref, second, { before: oid })
      yield* leave("same", ref, second, { before: oid, begun_at: -6_000 })
      const move = { ref, before: second, after: third }
      yield* changes.during({ actor, repository }, move, repository.git.updateRef(ref, third, second))
      yield* changes.recover
      assert.deepStrictEqual(yield* begun, [])
      // Of two equal changes, only one was made.
      assert.deepStrictEqual(yield* refs, [
        ["PushEvent", second],
        ["PushEvent", third]
      ])
    })
  )

  it.effect("records all changes of a reference that a killed process left, oldest first", () =>
    Effect.gen(function* () {
      const { commit, leave, oid, refs, repository } = yield* setUp("five")
      const second = commit(oid)
      const ref = "refs/heads/back"
      yield* repository.git.createRef(ref, second)
      yield* leave("1", ref, second, { before: oid, begun_at: -8_000 })
      yield* leave("2", ref, oid, { before: second, begun_at: -7_000 })
      yield* leave("3", ref, second, { before: oid, begun_at: -6_000 })
      // Another program moved this branch further.
      yield* repository.git.createRef("refs/heads/outside", commit(second))
      yield* leave("4", "refs/heads/outside", second, { before: oid })
      yield* leave("5", "refs/heads/outside", commit(oid, "other"), { before: oid })
      yield* (yield* RefChanges).recover
      assert.deepStrictEqual((yield* refs).toReversed(), [
        ["PushEvent", second],
        ["PushEvent", oid],
        ["PushEvent", second],
        ["PushEvent", second]
      ])
    })
  )

  it.effect("records an event that the database refused before the next event of the repository", () =>
    Effect.gen(function* () {
      const { actor, begun, commit, oid, refs, repository } = yield* setUp("nine")
      const changes = yield* RefChanges
      const sql = yield* SqlClient.SqlClient
      const ref = "refs/heads/refused"
      yield* repository.git.createRef(ref, oid)
      const [first, second, third] = [oid, commit(oid), commit(commit(oid))]
      const move = (before: string, after: string) =>
        changes.during({ actor, repository }, { ref, before, after }, repository.git.updateRef(ref, after, before))
      yield* sql`ALTER TABLE events RENAME TO events_away`
      yield* move(first, second)
      yield* sql`ALTER TABLE events_away RENAME TO events`
      assert.lengthOf(yield* begun, 1)
      yield* move(second, third)
      assert.deepStrictEqual((yield* refs).toReversed(), [
        ["PushEvent", second],
        ["PushEvent", third]
      ])
      assert.deepStrictEqual(yield* begun, [])
    })
  )

  it.effect("waits for git to end after its process was killed, but not for ever", () =>
    Effect.gen(function* () {
      const { begun, leave, oid, refs, repository } = yield* setUp("six")
      const { recover } = yield* RefChanges
      yield* leave("orphan", "refs/heads/orphan", oid, { git: process.pid, begun_at: 0 })
      yield* TestClock.adjust("1 minute")
      yield* recover
      assert.deepStrictEqual(yield* begun, ["orphan"])
      yield* repository.git.createRef("refs/heads/orphan", oid)
      yield* TestClock.adjust("4 minutes")
      // The timer's own recovery, which the clock has started, can be recording the event at the same time.
      yield* Effect.repeat(Effect.andThen(recover, begun), { until: (ids) => ids.length === 0, times: 1000 })
      assert.deepStrictEqual(yield* begun, [])
      assert.deepStrictEqual(yield* refs, [["CreateEvent", "refs/heads/orphan"]])
    })
  )
})
