import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Catalog from "@tongs/core/contract/Catalog"
import { Output } from "../base/Output.ts"
import * as Stub from "../ForgeStub.test-support.ts"
import * as Flags from "../session/Flags.ts"
import * as EventTable from "./EventTable.ts"

const file = { _tag: "File", owner: "octo", repo: "hello", match_count: 2, language: "TypeScript" }
const commit = { _tag: "Commit", owner: "octo", repo: "hello", sha: Stub.sha("a"), message: "Add a lamp\n\nBody" }
const progress = { _tag: "Progress", files: 1 }

const printed = (...events: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const written = { stdout: "", stderr: "" }
    const entry = Catalog.entries.find(({ endpoint }) => Catalog.isStream(endpoint)) ?? assert.fail("no stream")
    yield* EventTable.print(entry, Stream.fromIterable(events)).pipe(
      Effect.provideService(Flags.Color, Option.none()),
      Effect.provide(
        Layer.merge(
          Stub.layer(() => undefined),
          Output.layerMemory(written)
        )
      )
    )
    return written
  })

it.effect("prints the hits of a search as a table, with the reasons for missing ones", () =>
  Effect.gen(function* () {
    const done = { _tag: "Done", incomplete: ["deadline"] }
    const { stderr, stdout } = yield* printed(progress, { ...file, path: "a.ts" }, { ...file, path: "b.ts" }, done)
    const [head, ...rows] = stdout.trimEnd().split("\n")
    assert.match(head ?? "", /^FILE +OWNER +REPOSITORY +MATCHES +LANGUAGE$/)
    assert.deepStrictEqual(
      rows.map((row) => row.split(/ +/)),
      ["a.ts", "b.ts"].map((path) => [path, "octo", "hello", "2", "TypeScript"])
    )
    assert.strictEqual(stderr, "The forge stopped early (deadline): items may be missing.\n")
  })
)

it.effect("prints commits with their own columns, and that nothing was found", () =>
  Effect.gen(function* () {
    const { stdout } = yield* printed(commit)
    assert.match(stdout, /^COMMIT +OWNER +REPOSITORY +MESSAGE\naaaaaaa +octo +hello +Add a lamp\n$/)
    assert.strictEqual((yield* printed(progress)).stdout, "Nothing.\n")
  })
)
