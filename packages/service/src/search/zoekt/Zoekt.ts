/** A client for the JSON API of zoekt-webserver. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { IndexError } from "../CodeIndex.ts"

const ZoektRepository = Schema.Struct({
  Repository: Schema.Struct({
    Name: Schema.String,
    /** Folder from which zoekt indexed the repository. */
    Source: Schema.String,
    Branches: Schema.NullOr(Schema.Array(Schema.Struct({ Name: Schema.String, Version: Schema.String })))
  }),
  Stats: Schema.Struct({ Documents: Schema.Int, ContentBytes: Schema.Int })
})

/** A repository in zoekt's index. */
export type ZoektRepository = typeof ZoektRepository.Type

const ZoektMatch = Schema.Struct({
  /** Name of the repository in zoekt. */
  Repository: Schema.String,
  FileName: Schema.String,
  /** Id of the indexed commit. */
  Version: Schema.String
})

/** A file that zoekt found. */
export type ZoektMatch = typeof ZoektMatch.Type

// Zoekt encodes empty lists as null.
const ZoektResult = Schema.Struct({
  Files: Schema.NullOr(Schema.Array(ZoektMatch)),
  FileCount: Schema.Int,
  FilesSkipped: Schema.Int
})
const readList = HttpClientResponse.schemaBodyJson(
  Schema.Struct({ List: Schema.Struct({ Repos: Schema.NullOr(Schema.Array(ZoektRepository)) }) })
)
const readResult = HttpClientResponse.schemaBodyJson(Schema.Struct({ Result: ZoektResult }))

/** Maximum number of files per search. Zoekt returns the best ones. */
const maxFiles = 2_000

/** Nanoseconds after which zoekt ends a search, in case the forge does not cancel it. */
const maxWallTime = 10_000_000_000

/** Creates a client for the server at `url`. Its requests fail with `IndexError`. */
export const make = Effect.fnUntraced(function* (url: string) {
  const client = (yield* HttpClient.HttpClient).pipe(
    HttpClient.mapRequest(HttpClientRequest.prependUrl(url.replace(/\/$/, ""))),
    HttpClient.filterStatusOk
  )
  const failed = (cause: { readonly message: string }) =>
    new IndexError({ detail: `The zoekt server at ${url} failed: ${cause.message}` })
  const post = (path: string, body: unknown) =>
    client.execute(HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(path), body))
  return {
    /** Lists all repositories in zoekt's index. */
    list: post("/api/list", { Q: "" }).pipe(
      Effect.flatMap(readList),
      Effect.mapBoth({ onFailure: failed, onSuccess: ({ List }) => List.Repos ?? [] })
    ),
    /** Finds the files that match a query in zoekt's syntax. */
    search: (query: string) =>
      post("/api/search", { Q: query, Opts: { MaxDocDisplayCount: maxFiles, MaxWallTime: maxWallTime } }).pipe(
        Effect.flatMap(readResult),
        Effect.mapBoth({ onFailure: failed, onSuccess: ({ Result }) => Result })
      )
  }
})
