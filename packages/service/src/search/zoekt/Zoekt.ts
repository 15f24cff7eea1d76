/** What zoekt-webserver's JSON API answers, as far as it is of use here. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { IndexError } from "../CodeIndex.ts"

/** A repository in zoekt's index. */
const Listed = Schema.Struct({
  Repository: Schema.Struct({
    Name: Schema.String,
    /** The folder that it was read from. */
    Source: Schema.String,
    Branches: Schema.NullOr(Schema.Array(Schema.Struct({ Name: Schema.String, Version: Schema.String })))
  }),
  Stats: Schema.Struct({ Documents: Schema.Int, ContentBytes: Schema.Int })
})
export type Listed = typeof Listed.Type

const Match = Schema.Struct({
  /** The name of the repository. */
  Repository: Schema.String,
  FileName: Schema.String,
  /** The commit. */
  Version: Schema.String
})
export type Match = typeof Match.Type

// Empty lists travel as null.
const Found = Schema.Struct({
  Files: Schema.NullOr(Schema.Array(Match)),
  FileCount: Schema.Int,
  FilesSkipped: Schema.Int
})
export type Found = typeof Found.Type

const readList = HttpClientResponse.schemaBodyJson(
  Schema.Struct({ List: Schema.Struct({ Repos: Schema.NullOr(Schema.Array(Listed)) }) })
)
const readFound = HttpClientResponse.schemaBodyJson(Schema.Struct({ Result: Found }))

/** Files that one search gives, the best first. */
export const maxFiles = 2_000

/** Nanoseconds that zoekt takes for a search: it stops by itself where nobody does it. */
const maxWallTime = 10_000_000_000

export const make = Effect.fnUntraced(function* (url: string) {
  const client = (yield* HttpClient.HttpClient).pipe(
    HttpClient.mapRequest(HttpClientRequest.prependUrl(url.replace(/\/$/, ""))),
    HttpClient.filterStatusOk
  )
  const failed = (cause: { readonly message: string }) =>
    new IndexError({ detail: `zoekt at ${url} did not answer as it should: ${cause.message}` })
  const ask = (path: string, body: unknown) =>
    client.execute(HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(path), body))
  return {
    /** All repositories that zoekt has. */
    list: ask("/api/list", { Q: "" }).pipe(
      Effect.flatMap(readList),
      Effect.mapBoth({ onFailure: failed, onSuccess: ({ List }) => List.Repos ?? [] })
    ),
    search: (query: string) =>
      ask("/api/search", { Q: query, Opts: { MaxDocDisplayCount: maxFiles, MaxWallTime: maxWallTime } }).pipe(
        Effect.flatMap(readFound),
        Effect.mapBoth({ onFailure: failed, onSuccess: ({ Result }) => Result })
      )
  }
})
