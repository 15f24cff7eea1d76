import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { SettingRows } from "../../accounts/SettingRows.ts"
import { folder } from "../../git/Fixture.test-support.ts"
import * as TestDatabase from "../../storage/TestDatabase.test-support.ts"
import { Archives } from "./Archives.ts"
import { ArtifactRows } from "./ArtifactRows.ts"
import { Uploads } from "./Uploads.ts"

it.effect("keeps an archive that an upload of another process has stored since", () =>
  Effect.gen(function* () {
    const removed: Array<string> = []
    const fakes = Layer.mergeAll(
      Layer.mock(ArtifactRows, {
        unreferencedDigests: () => Effect.succeed(["expired", "stored", "absent"]),
        isUnexpired: (digest) => Effect.succeed(digest === "stored")
      }),
      Layer.mock(Archives, {
        path: (digest) => digest,
        digests: Effect.succeed(new Set(["expired", "stored", "other"])),
        remove: (digest) => Effect.sync(() => void removed.push(digest))
      }),
      Layer.mock(SettingRows, {})
    )
    const services = Layer.provideMerge(fakes, TestDatabase.storageLayer(yield* folder))
    yield* Layer.build(Layer.provide(Uploads.layer, services))
    for (let pause = 0; pause < 100 && removed.length === 0; pause++)
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 10)))
    yield* TestClock.adjust("59 minutes")
    assert.deepStrictEqual(removed, ["expired"])
  })
)
