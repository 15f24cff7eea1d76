import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { repository } from "@tongs/service/main/Forge.test-support"
import { commit, folder, git } from "@tongs/service/git/Fixture.test-support"
import * as RepositoryWatcher from "./RepositoryWatcher.ts"

it.live("emits each change by git, also in new folders of references, and ends with its reader", () =>
  Effect.gen(function* () {
    const root = yield* folder
    const [one, two] = [repository(root, "one"), repository(root, "two")]
    const seen = yield* Queue.unbounded<string>()
    const changes = RepositoryWatcher.changes([
      [one, "one"],
      [`${root}/absent`, "absent"],
      [two, "two"]
    ])
    yield* Effect.forkScoped(
      Stream.runForEach(changes, (name) => Queue.offer(seen, name)),
      { startImmediately: true }
    )
    // The streams of the repositories start in separate fibers.
    yield* Effect.sleep("50 millis")
    const after = (change: () => void) => Effect.andThen(Effect.sync(change), Queue.take(seen))
    assert.strictEqual(yield* after(() => void commit(one, { "b.txt": "b" }, "second")), "one")
    assert.strictEqual(yield* after(() => git(two, ["branch", "a/b/c"])), "two")
    assert.strictEqual(yield* after(() => git(two, ["update-ref", "refs/heads/a/b/d", "HEAD"])), "two")
    assert.strictEqual(yield* after(() => git(one, ["checkout", "-q", "--detach"])), "one")
    assert.strictEqual(yield* after(() => git(two, ["pack-refs", "--all"])), "two")
    assert.strictEqual(yield* Queue.size(seen), 0)
  })
)
