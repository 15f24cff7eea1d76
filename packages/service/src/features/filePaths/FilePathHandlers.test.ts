import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Forge from "../../main/Forge.test-support.ts"

const { TestForge } = Forge

const files = { "src/index.ts": "", "src/deep/index.test.ts": "", "docs/ü.md": "", "odd\nname": "" }

layer(Forge.layer((repos) => void Forge.repository(repos, "hello", files)))("filePaths", (it) => {
  it.effect("finds files by parts of their path", () =>
    Effect.gen(function* () {
      const { base, get } = yield* TestForge
      const url = `/tongs${base}/hello/file-paths`
      const found = yield* get(`${url}?q=index`)
      assert.deepStrictEqual(found.json, {
        total_count: 2,
        incomplete_results: false,
        items: [
          { path: "src/index.ts", matches: [[4, 9]] },
          { path: "src/deep/index.test.ts", matches: [[9, 14]] }
        ]
      })
      const page = yield* get(`${url}?q=index&per_page=1&page=2`)
      assert.deepStrictEqual(
        page.json.items.map(({ path }: { readonly path: string }) => path),
        ["src/deep/index.test.ts"]
      )
      assert.strictEqual((yield* get(`${url}?q=%C3%BC`)).json.items[0].path, "docs/ü.md")
      assert.strictEqual((yield* get(`${url}?q=`)).json.total_count, 4)
      assert.strictEqual((yield* get(`${url}?q=index&ref=nowhere`)).status, 404)
    })
  )
})
