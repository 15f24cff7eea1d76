import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as AtomRegistry from "effect/reactivity/AtomRegistry"
import { vi } from "vitest"
import * as FakeForge from "../FakeForge.test-support.ts"
import * as PagedSource from "./PagedSource.ts"
import type { Connection } from "@tongs/connection/Connection"
import type { Forge } from "@tongs/core/client/Forge"
import type { Scheduler } from "@tongs/core/limits/Scheduler"

const tags = Array.from({ length: 5_000 }, (_, index) => ({
  name: `v${index}`,
  commit: { sha: "1".repeat(40), url: "" },
  zipball_url: "",
  tarball_url: "",
  node_id: ""
}))

/** Shows each page of a list with 50 pages, and returns its last content. */
const scrollThrough = Effect.fnUntraced(function* (keepsAll: boolean) {
  const services = yield* Effect.context<Forge | Connection | Scheduler>()
  const registry = AtomRegistry.make()
  const source = PagedSource.make(
    { registry, services },
    {
      definition: {
        columns: [],
        noun: ["tag", "tags"],
        emptyMessage: { title: "", hint: "" },
        row: ({ name }: { readonly name: string }) => ({
          id: name,
          title: name,
          copy: name,
          arguments: {},
          value: name,
          cells: () => []
        })
      },
      fetch: (forge, options) => forge.tags.list({ owner: "octo", repo: "hello" }, options).first,
      isNumbered: true,
      perPage: 100
    }
  )
  const table = () => {
    const { content } = registry.get(source.state)
    assert(content?._tag === "Table")
    return content
  }
  source.start()
  for (let first = 0; first < tags.length; first += 100) {
    source.show(first, first + 99, keepsAll)
    yield* Effect.promise(() =>
      vi.waitFor(() => assert.strictEqual(table().rows.at(first)?.id, `v${first}`), { timeout: 20_000, interval: 1 })
    )
  }
  return { ...source, table }
})

const layer = FakeForge.layer({
  respond: (path, query) => (path.endsWith("/tags") ? FakeForge.page(path, query, tags) : undefined)
})

describe("PagedSource", () => {
  it.live("drops the pages of a long list that are far from the visible rows, and loads them again", () =>
    Effect.gen(function* () {
      const { dispose, show, table } = yield* scrollThrough(false)
      assert.isAtMost(table().rows.loaded, 3_100)
      assert.strictEqual(table().rows.count, tags.length)
      assert.strictEqual(table().rows.at(4_000)?.id, "v4000")
      assert.strictEqual(table().rows.at(0), undefined)
      assert.isFalse(table().isFullyLoaded)
      show(0, 20)
      yield* Effect.promise(() =>
        vi.waitFor(() => assert.strictEqual(table().rows.at(0)?.id, "v0"), { timeout: 20_000 })
      )
      dispose()
    }).pipe(Effect.provide(layer))
  )

  it.live("keeps all pages while rows are marked", () =>
    Effect.gen(function* () {
      const { dispose, table } = yield* scrollThrough(true)
      assert.strictEqual(table().rows.loaded, tags.length)
      dispose()
    }).pipe(Effect.provide(layer))
  )
})
