/** The handlers of the explorer's read-only API, over the typed client. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import { Connection } from "@tongs/connection/Connection"
import * as RemoteBlame from "@tongs/connection/blame/RemoteBlame"
import { Forge } from "@tongs/core/client/Forge"
import * as Entries from "@tongs/core/contract/CatalogEntry"
import type * as Failure from "@tongs/core/contract/Failure"
import { ExplorerApi, type RepositoryName } from "../ExplorerApi.ts"
import * as Activity from "./Activity.ts"
import * as CommitChecks from "./CommitChecks.ts"
import * as Comparisons from "./Comparisons.ts"
import * as Downloads from "./Downloads.ts"
import * as Issues from "./Issues.ts"
import * as PullRequests from "./PullRequests.ts"
import * as ReviewThreads from "./ReviewThreads.ts"
import * as Releases from "./Releases.ts"
import * as Runs from "./Runs.ts"
import * as RequestUrl from "./RequestUrl.ts"
import * as Responses from "./Responses.ts"
import { background, interactive } from "./RequestOptions.ts"
import * as Outlines from "./Outlines.ts"
import * as StartPage from "./StartPage.ts"
import * as RawFile from "./RawFile.ts"
import * as RepositoryPages from "./RepositoryPages.ts"
import * as Search from "./Search.ts"
import * as Files from "./Files.ts"
import * as WorkTreeView from "./WorkTreeView.ts"

/** Turns the failures of a handler into responses. */
const withFailures = <A, R>(effect: Effect.Effect<A, Failure.Failure, R>) =>
  effect.pipe(Effect.catch((error) => Effect.succeed(Responses.failure(error))))

const target = ({ path = "", ref, ...repository }: Omit<Files.Target, "path" | "ref"> & Partial<Files.Target>) => ({
  ...repository,
  path,
  ref
})

/** Maximum number of requests for a blame until the page asks for more. */
const MAX_BLAME_REQUESTS = 20

const views = HttpApiBuilder.group(ExplorerApi, "views", (handlers) =>
  Effect.map(Effect.flatMap(Forge, RemoteBlame.make), ({ blame }) =>
    handlers
      .handle("getConnection", () => withFailures(StartPage.connection()))
      .handle("listRepositories", () => withFailures(StartPage.repositories()))
      .handle("getActivity", ({ query: { days, repo = [] } }) => withFailures(Activity.activity(repo, days)))
      .handle("search", ({ query: { page = 1, q } }) => withFailures(Search.page(q, page)))
      .handle("getFile", ({ query }) => withFailures(Files.file(target(query))))
      .handle("getFolder", ({ query }) => withFailures(Files.tree(target(query))))
      .handle("listRefs", ({ query }) => withFailures(Files.refs(query)))
      .handle("listHistory", ({ query: { page = 1, ...query } }) => withFailures(Files.history(target(query), page)))
      .handle("getRemoteBlame", ({ query: { requests, ...query } }) =>
        withFailures(blame(query, { more: MAX_BLAME_REQUESTS, total: requests }, background))
      )
      .handle("getRawFile", ({ query }) => withFailures(RawFile.raw(target(query))))
  )
)

const changes = HttpApiBuilder.group(ExplorerApi, "changes", (handlers) =>
  handlers
    .handle("getComparison", ({ query }) => withFailures(Comparisons.comparison(query)))
    .handle("getCommit", ({ query }) => withFailures(Comparisons.commit(query)))
    .handle("listPatches", ({ query }) => withFailures(Comparisons.patches(query)))
)

const issues = HttpApiBuilder.group(ExplorerApi, "issues", (handlers) =>
  handlers
    .handle("getIssue", ({ query }) => withFailures(Issues.issue(query)))
    .handle("getTimeline", ({ query }) => withFailures(Issues.timeline(query)))
    .handle("listIssues", ({ query }) => withFailures(Issues.list(query)))
)

const pullRequests = HttpApiBuilder.group(ExplorerApi, "pullRequests", (handlers) =>
  handlers
    .handle("getPullRequest", ({ query }) => withFailures(PullRequests.pullRequest(query)))
    .handle("listPullRequestCommits", ({ query }) => withFailures(PullRequests.commits(query)))
    .handle("getPullRequestChanges", ({ query }) => withFailures(Comparisons.pullRequest(query)))
    .handle("listReviewThreads", ({ query }) => withFailures(ReviewThreads.list(query)))
    .handle("listCommitPullRequests", ({ query }) => withFailures(PullRequests.ofCommit(query)))
    .handle("getChecks", ({ query }) => withFailures(CommitChecks.ofCommit(query)))
    .handle("listAnnotations", ({ query }) => withFailures(CommitChecks.annotations(query)))
)

const releases = HttpApiBuilder.group(ExplorerApi, "releases", (handlers) =>
  handlers
    .handle("listReleases", ({ query }) => withFailures(Releases.list(query)))
    .handle("getRelease", ({ query }) => withFailures(Releases.release(query)))
    .handle("getAsset", ({ query }) => withFailures(Releases.asset(query)))
)

const runs = HttpApiBuilder.group(ExplorerApi, "runs", (handlers) =>
  handlers
    .handle("listRuns", ({ query }) => withFailures(Runs.list(query)))
    .handle("getRun", ({ query }) => withFailures(Runs.run(query)))
    .handle("getLog", ({ query }) => withFailures(Runs.log(query)))
    .handle("getLogFile", ({ query }) => withFailures(Runs.logFile(query)))
)

interface Call {
  readonly request: unknown
  readonly params?: object
  readonly query?: object
  readonly payload?: object
}

/** Passes a call of an extension on to the forge. */
const extension = (
  group: "codeSearch" | "codeNavigation" | "history" | "filePaths" | "codeIndex" | "savedSearches",
  name: string
) => {
  const entry = Entries.entriesOfGroup(group).find((one) => one.name === name)
  if (entry === undefined) throw new Error(`The contract has no ${group}.${name}`)
  const route = `GET ${entry.endpoint.path.replaceAll(/:(\w+)/g, "{$1}")}`
  return ({ params, payload, query }: Call) =>
    withFailures(
      Effect.gen(function* () {
        const forge = yield* Forge
        const { page, per_page: perPage, ...input }: Record<string, unknown> = { ...params, ...query, ...payload }
        const options = yield* interactive
        // Passes the events on unchanged, because decoding and encoding them again would cost more than all other
        // steps.
        if (Entries.isStream(entry.endpoint)) return yield* events(forge.download(route, input, options))
        if (entry.operation.paging === undefined) {
          const result = yield* forge.call(entry, input, options)
          return result === undefined ? HttpServerResponse.empty() : Responses.json(result)
        }
        const found = yield* forge.list(entry, input, {
          ...options,
          ...(typeof page === "number" ? { page } : {}),
          ...(typeof perPage === "number" ? { perPage } : {})
        }).first
        const { incompleteResults, items, totalCount } = found
        if (Entries.successSchema(entry.endpoint).ast._tag === "Arrays") return Responses.json(items)
        const count = totalCount === undefined ? {} : { total_count: totalCount }
        return Responses.json({ ...count, incomplete_results: incompleteResults, items })
      })
    )
}

/** Streams the bytes of events. */
const events = Effect.fnUntraced(function* (bytes: Stream.Stream<Uint8Array, Failure.Failure>) {
  return HttpServerResponse.stream(yield* Downloads.started(bytes), { contentType: "application/x-ndjson" })
})

interface RepositoryCall extends Call {
  readonly params: RepositoryName
  readonly query: { readonly ref?: string }
}

/** Adds the commit of the work tree to calls without `ref`. */
const inDefaultView = (handler: ReturnType<typeof extension>) => (call: RepositoryCall) =>
  withFailures(
    Effect.gen(function* () {
      const view = call.query.ref === undefined ? yield* WorkTreeView.take(call.params) : undefined
      return yield* handler(view === undefined ? call : { ...call, query: { ...call.query, ref: view.commit } })
    })
  )

const outlineOfForge = extension("codeNavigation", "getOutline")

const extensions = Layer.mergeAll(
  HttpApiBuilder.group(ExplorerApi, "codeSearch", (handlers) =>
    handlers
      .handle("search", extension("codeSearch", "search"))
      .handle("getMatches", inDefaultView(extension("codeSearch", "getMatches")))
  ),
  HttpApiBuilder.group(ExplorerApi, "codeNavigation", (handlers) =>
    handlers
      .handle("listDefinitions", extension("codeNavigation", "listDefinitions"))
      .handle("listReferences", extension("codeNavigation", "listReferences"))
      .handle("getOutline", (call) =>
        Effect.gen(function* () {
          const { kind } = yield* Connection
          return kind === "embedded"
            ? yield* outlineOfForge(call)
            : yield* withFailures(Outlines.outline(target({ ...call.params, ...call.query })))
        })
      )
  ),
  HttpApiBuilder.group(ExplorerApi, "history", (handlers) =>
    handlers
      .handle("getBlame", extension("history", "getBlame"))
      .handle("listForFile", extension("history", "listForFile"))
      .handle("listForFolder", extension("history", "listForFolder"))
      .handle("getActivity", extension("history", "getActivity"))
  ),
  HttpApiBuilder.group(ExplorerApi, "filePaths", (handlers) =>
    handlers.handle("find", inDefaultView(extension("filePaths", "find")))
  ),
  HttpApiBuilder.group(ExplorerApi, "savedSearches", (handlers) =>
    handlers
      .handle("list", extension("savedSearches", "list"))
      .handle("listShared", extension("savedSearches", "listShared"))
      .handle("create", extension("savedSearches", "create"))
      .handle("update", extension("savedSearches", "update"))
      .handle("delete", extension("savedSearches", "delete"))
      .handle("getNew", extension("savedSearches", "getNew"))
      .handle("markSeen", extension("savedSearches", "markSeen"))
  ),
  HttpApiBuilder.group(ExplorerApi, "codeIndex", (handlers) =>
    handlers.handle("get", extension("codeIndex", "get")).handle("listLeftOut", extension("codeIndex", "listLeftOut"))
  )
)

const layer = HttpApiBuilder.layer(ExplorerApi).pipe(
  Layer.provide([views, changes, issues, pullRequests, releases, runs, extensions])
)

/** Routes API paths to the handlers, and other paths to `page`. */
export const make = Effect.fnUntraced(function* (
  page: (request: HttpServerRequest.HttpServerRequest, pathname: string) => HttpServerResponse.HttpServerResponse
) {
  const api = yield* HttpRouter.toHttpEffect(layer)
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const address = RequestUrl.parse(request)
    if (address === undefined)
      return Responses.refused(400, "BadRequest", "Invalid URL: the explorer has no such path.")
    if (!RequestUrl.isApi(address)) return RepositoryPages.redirect(address) ?? page(request, address.pathname)
    const url = `${address.pathname}${address.search}`
    const response = yield* api.pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, request.modify({ url })),
      Effect.catch(() => Effect.succeed(Responses.refused(404, "NotFound", `Unknown path ${address.pathname}.`)))
    )
    return HttpServerResponse.setHeader(response, "cache-control", "no-store")
  }).pipe(
    Effect.catchDefect((defect) =>
      HttpApiSchemaError.is(defect) && defect.kind !== "Body"
        ? Effect.succeed(Responses.refused(400, "BadRequest", `Invalid request. ${defect.cause.message}`))
        : Effect.logError(defect).pipe(
            Effect.as(Responses.refused(500, "Defect", "Internal error of the explorer. See its log."))
          )
    )
  )
})
