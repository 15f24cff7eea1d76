import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type CodeQuery, defaultOptions } from "@tongs/core/query/CodeQuery"
import { BlobReader } from "./BlobReader.ts"
import * as ContentSearch from "./ContentSearch.ts"
import { PartialText } from "./text/PartialText.ts"

const query: CodeQuery = {
  ...defaultOptions,
  expression: { _tag: "Text", text: "needle", span: { start: 0, length: 0 } },
  inPath: false
}

const text = "needle\n".repeat(4_000)

const candidates = Array.from({ length: 10 }, (_, document) => ({
  targets: [0] as [number],
  gitDir: "a.git",
  fullName: "a/b",
  path: `f${document}.txt`,
  oid: "0".repeat(40),
  size: text.length,
  definitions: [],
  index: { file: "index", inode: 1, document, layout: null, chunks: undefined }
}))

it.live("leaves the rest of the candidates after many lines, until every candidate was verified once", () =>
  Effect.promise(async (signal) => {
    const blobs = new BlobReader()
    const stored: ContentSearch.StoredContents = { read: (all) => all.map(() => PartialText.ofWhole(text)) }
    const answers: Array<ReadonlyArray<string>> = []
    for (let left = candidates; left.length > 0;) {
      const { hits, rest } = await ContentSearch.searchContents(
        { blobs, stored },
        { query, candidates: left, show: { lines: "complete", context: 0 } },
        signal
      )
      answers.push(hits.map(({ candidate }) => left[candidate]?.path ?? ""))
      left = rest.flatMap((at) => left[at] ?? [])
    }
    await blobs.close()
    // Three files have 12,000 lines.
    assert.deepStrictEqual(
      answers.map(({ length }) => length),
      [3, 3, 3, 1]
    )
    assert.deepStrictEqual(
      answers.flat(),
      candidates.map(({ path }) => path)
    )
  })
)
