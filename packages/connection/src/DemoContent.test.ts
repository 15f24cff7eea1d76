import { fileURLToPath } from "node:url"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Predicate, Schedule, Stream } from "effect"
import { Forge } from "@tongs/core/client/Forge"
import { type CatalogEntry, entries, isStream } from "@tongs/core/contract/Catalog"
import { folder } from "@tongs/service/git/Fixture.test-support"
import * as ConnectionLayer from "./ConnectionLayer.ts"
import { demoArguments, unavailable } from "./DemoArguments.test-support.ts"

const file = fileURLToPath(new URL("../../../apps/cli/fixtures/demo.json", import.meta.url))

const demo = Layer.unwrap(
  Effect.map(folder, (home) =>
    ConnectionLayer.layer({ cwd: home, demo: file, limitsStore: "memory" }).pipe(
      Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnv({ env: { HOME: home } })))
    )
  )
)

const nameOf = ({ group, name }: CatalogEntry) => `${group}.${name}`

const read = Effect.fnUntraced(function* (entry: CatalogEntry) {
  const forge = yield* Forge
  const input = demoArguments(entry)
  if (isStream(entry.endpoint)) return yield* Stream.runCollect(forge.stream(entry, input))
  return entry.operation.paging === undefined
    ? yield* forge.call(entry, input)
    : (yield* forge.list(entry, input).first).items
})

/** True for a list without items, and for an object without an id in which all lists are empty. */
const isEmpty = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length === 0
  const lists =
    Predicate.isObject(value) && !("id" in value) ? Object.values(value).filter((member) => Array.isArray(member)) : []
  return lists.length > 0 && lists.every((list) => list.length === 0)
}

layer(demo, { excludeTestServices: true })("the demonstration has content for", (it) => {
  const reads = entries.filter((entry) => entry.readonly && !unavailable.has(nameOf(entry)))
  for (const entry of reads) {
    it.effect(nameOf(entry), () =>
      Effect.gen(function* () {
        // The code index is complete some time after the start.
        const result = yield* Effect.repeat(read(entry), {
          until: (value) => !isEmpty(value),
          schedule: Schedule.max([Schedule.spaced("500 millis"), Schedule.recurs(40)])
        })
        assert.isFalse(isEmpty(result))
      })
    )
  }
})
