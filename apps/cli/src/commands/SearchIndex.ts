/** What the embedded forge's own index says to a query: whole lines, with their numbers. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Progress from "../session/Progress.ts"
import { UsageError } from "../base/UsageError.ts"
import type { Found } from "./SearchResult.ts"

/** Most files that the index gives. */
export const MAX_FILES = 1_000

/** Milliseconds that a search may take. */
const DEADLINE = 10_000

const Ranges = Schema.Array(Schema.Tuple([Schema.Int, Schema.Int]))

const File = Schema.TaggedStruct("File", {
  owner: Schema.String,
  repo: Schema.String,
  path: Schema.String,
  rank: Schema.Finite,
  inPath: Ranges,
  chunks: Schema.Array(
    Schema.Struct({
      lines: Schema.Array(Schema.Struct({ number: Schema.Int, text: Schema.String, cut: Schema.Int, matches: Ranges }))
    })
  ),
  matchCount: Schema.Int
})

const Done = Schema.TaggedStruct("Done", {
  files: Schema.Int,
  matches: Schema.Int,
  incomplete: Schema.Array(Schema.Literals(["deadline", "limit", "indexing", "failed"]))
})

const Going = Schema.TaggedStruct("Progress", { files: Schema.Int, repositories: Schema.Int })

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Union([File, Done, Going])))

/** Of what the search has no more of, why. */
const reasons = {
  deadline: "the search stopped early",
  limit: "--limit shows more",
  indexing: "the index is not complete yet",
  failed: "some files could not be read"
} as const // the keys are the contract's

/** The best files for a query of the explorer's language. */
export const search = Effect.fnUntraced(function* (beyond: HttpClient.HttpClient, q: string, limit: number) {
  const urlParams = { q, limit: Math.min(limit, MAX_FILES), context: 0, deadline: DEADLINE }
  const files: Array<typeof File.Type> = []
  let done: typeof Done.Type | undefined
  let far = ""
  yield* Effect.gen(function* () {
    const answer = yield* beyond.execute(HttpClientRequest.get("/tongs/search", { urlParams }))
    if (answer.status >= 400) return yield* new UsageError({ detail: yield* answer.text, hint: "" })
    yield* answer.stream.pipe(
      Stream.decodeText,
      Stream.splitLines,
      Stream.filter((line) => line !== ""),
      Stream.mapEffect((line) => decode(line)),
      Stream.runForEach((event) =>
        Effect.sync(() => {
          if (event._tag === "File") files.push(event)
          else if (event._tag === "Done") done = event
          else far = `${NumberFormat.quantity(event.files, "file")} so far`
        })
      )
    )
  }).pipe(
    // The forge is in this process, and of this build: that it cannot be reached or understood is a defect.
    Effect.catchTag(["HttpClientError", "SchemaError"], Effect.die),
    (running) =>
      Progress.show(
        running,
        Effect.sync(() => (far === "" ? "Searching …" : `Searching: ${far} …`))
      )
  )
  const best = files.sort((a, b) => b.rank - a.rank).slice(0, limit)
  return {
    files: best.map((file) => ({
      name: `${file.owner}/${file.repo}:${file.path}`,
      lines: file.chunks.flatMap(({ lines }) =>
        lines.filter(({ matches }) => matches.length > 0).map(({ cut, ...line }) => ({ ...line, isCut: cut > 0 }))
      ),
      matches: file.matchCount
    })),
    total: Math.max(done?.files ?? 0, best.length),
    matches: done?.matches,
    incomplete: done?.incomplete.map((reason) => reasons[reason]) ?? ["the search broke off"]
  } satisfies Found
})
