/** A client for the JSON API of zoekt-webserver. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { IndexError } from "../CodeIndex.ts"

// Zoekt encodes empty lists as null.
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
  /** Branches of the query that have this content. */
  Branches: Schema.NullOr(Schema.Array(Schema.String)),
  Score: Schema.Finite
})

/** A file that zoekt found. */
export type ZoektMatch = typeof ZoektMatch.Type

const ZoektResult = Schema.Struct({
  Files: Schema.NullOr(Schema.Array(ZoektMatch)),
  FileCount: Schema.Int,
  /** Files that zoekt did not search, because a limit was reached. */
  FilesSkipped: Schema.Int,
  /** Shards that zoekt has not loaded yet, or on which zoekt failed. */
  Crashes: Schema.optionalKey(Schema.Int)
})

/** The files that match a query, the best first. */
export type ZoektResult = typeof ZoektResult.Type

const readList = HttpClientResponse.schemaBodyJson(
  Schema.Struct({
    List: Schema.Struct({
      Repos: Schema.NullOr(Schema.Array(ZoektRepository)),
      Crashes: Schema.optionalKey(Schema.Int)
    })
  })
)
const readResult = HttpClientResponse.schemaBodyJson(Schema.Struct({ Result: ZoektResult }))
const readError = HttpClientResponse.schemaBodyJson(Schema.Struct({ Error: Schema.String }))

/** Maximum number of files of a ranked search. Zoekt returns the best files. */
const MAX_RANKED = 200

/** Maximum number of files of a search for all paths. */
export const MAX_PATHS = 20_000

/** Time limit of a list of repositories, which zoekt has in memory. */
const listDeadline = Duration.seconds(2)

/** Nanoseconds after which zoekt ends a search that the forge does not cancel. */
const MAX_WALL_TIME = 60_000_000_000

/** Maximum number of characters of a message from zoekt. */
const MAX_MESSAGE = 200

/** A zoekt-webserver. All requests fail with `IndexError`. */
export interface Zoekt {
  readonly url: string
  /** Lists all repositories. `isPartial` is true while the server loads the index. */
  readonly list: Effect.Effect<
    { readonly repositories: ReadonlyArray<ZoektRepository>; readonly isPartial: boolean },
    IndexError
  >
  /** Finds the best `MAX_RANKED` files for a query in zoekt's syntax. */
  readonly ranked: (query: string) => Effect.Effect<ZoektResult, IndexError>
  /** Finds up to `limit` files for a query in zoekt's syntax, unordered. */
  readonly paths: (query: string, limit?: number) => Effect.Effect<ZoektResult, IndexError>
}

/** Creates a client for the server at `url`. */
export const make = Effect.fnUntraced(function* (url: string) {
  const client = (yield* HttpClient.HttpClient).pipe(
    HttpClient.mapRequest(HttpClientRequest.prependUrl(url.replace(/\/$/, "")))
  )
  const failed = (cause: { readonly message: string }) =>
    new IndexError({ detail: `The zoekt server at ${url} failed: ${cause.message.slice(0, MAX_MESSAGE)}` })
  const post = Effect.fnUntraced(
    function* (path: string, body: unknown) {
      const response = yield* client.execute(HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(path), body))
      if (response.status === 200) return response
      const { Error: message } = yield* Effect.orElseSucceed(readError(response), () => ({ Error: "no message" }))
      return yield* new IndexError({ detail: `status ${response.status}: ${message}` })
    },
    Effect.mapError((error) => failed(error._tag === "IndexError" ? { message: error.detail } : error))
  )
  const search = (query: string, options: Readonly<Record<string, number>>) =>
    post("/api/search", { Q: query, Opts: { ...options, MaxWallTime: MAX_WALL_TIME } }).pipe(
      Effect.flatMap((response) => Effect.mapError(readResult(response), failed)),
      Effect.map(({ Result }) => Result)
    )
  return {
    url,
    list: post("/api/list", { Q: "" }).pipe(
      Effect.flatMap((response) => Effect.mapError(readList(response), failed)),
      Effect.timeoutOrElse({
        duration: listDeadline,
        orElse: () => Effect.fail(failed({ message: `no response within ${Duration.format(listDeadline)}` }))
      }),
      Effect.map(({ List: { Crashes = 0, Repos } }) => ({ repositories: Repos ?? [], isPartial: Crashes > 0 }))
    ),
    ranked: (query) => search(query, { MaxDocDisplayCount: MAX_RANKED }),
    // A file has one match with this type. The response is small, because no lines are included.
    paths: (query, limit = MAX_PATHS) =>
      search(`${query} type:filename`, {
        MaxDocDisplayCount: limit,
        ShardMaxMatchCount: limit,
        TotalMaxMatchCount: limit
      })
  } satisfies Zoekt
})
