import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CatFile } from "./CatFile.ts"
import { git, workTree } from "./Fixture.test-support.ts"
import { Git } from "./Git.ts"
import { GitRepositories } from "./GitRepository.ts"

const readings: Array<string> = []

const counting = Layer.effect(
  Git,
  Effect.map(Git, (real) =>
    Git.of({
      ...real,
      run: (args, options) =>
        Effect.suspend(() => {
          if (args[0] === "for-each-ref") readings.push(args[0])
          return real.run(args, options)
        })
    })
  )
).pipe(Layer.provide(Git.layer))

const layer = GitRepositories.layerTemporary.pipe(Layer.provide(CatFile.layer), Layer.provide(counting))

it.effect("readers of references that just changed share one look", () =>
  Effect.gen(function* () {
    const path = yield* workTree
    const oid = git(path, ["rev-parse", "HEAD"])
    const repository = yield* (yield* GitRepositories).open(path)
    for (let round = 0; round < 5; round++) {
      readings.length = 0
      yield* repository.createRef(`refs/heads/r${round}`, oid)
      const found = yield* Effect.forEach(
        Array.from({ length: 100 }, () => `refs/heads/r${round}`),
        repository.ref,
        { concurrency: "unbounded" }
      )
      assert.isTrue(found.every((ref) => ref?.oid === oid))
      assert.isAtMost(readings.length, 2)
    }
  }).pipe(Effect.provide(layer))
)
