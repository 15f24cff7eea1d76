/** Loads the content of each screen through the client, in atoms that start when they are first observed. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type * as Cause from "effect/Cause"
import * as AsyncResult from "effect/reactivity/AsyncResult"
import * as Atom from "effect/reactivity/Atom"
import { Forge } from "@tongs/core/client/Forge"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import { type Failure, NotFound } from "@tongs/core/contract/Failure"
import type { ContentEntry } from "@tongs/core/contract/Contents"
import type { Page } from "@tongs/core/paging/Page"
import * as ScreenContent from "./ScreenContent.ts"
import type { Content, List, ListDefinition, Notice } from "./ScreenContent.ts"
import * as DocumentLayout from "./DocumentLayout.ts"
import * as ListDefinitions from "./ListDefinitions.ts"
import type * as Route from "./Route.ts"

/**
 * Errors of loading. `NoSuchElementError` is only for the type checker: it never occurs, as each list has a first page.
 */
export type LoadError = Failure | Cause.NoSuchElementError

/** Content and its age. */
export interface LoadedContent<A extends Content = Content> {
  readonly content: A
  /** Time at which the forge last confirmed the content, in epoch milliseconds. */
  readonly confirmedAt: number
  /** True if the content came from the client's cache and needs a refresh. */
  readonly isStale: boolean
}

type Result<A extends Content = Content> = AsyncResult.AsyncResult<LoadedContent<A>, LoadError>

/** The atoms of one screen. */
export interface ContentSource {
  readonly content: Atom.Atom<Result>
  /** Loads the next page when written to; undefined if the content has no pages. */
  readonly nextPage: Atom.Writable<unknown, void> | undefined
  /** The atoms to refresh. The old content stays visible until all of them have loaded. */
  readonly refreshable: ReadonlyArray<Atom.Atom<unknown>>
}

/** Items per page: the maximum of the API, so that long lists need few requests. */
const PER_PAGE = 100

/** Items per page for items that contain a complete repository. The client does not cache much larger responses. */
const PER_PAGE_LARGE = 50

/** Number of pages to load concurrently after the first, so that the next page is ready when the user scrolls. */
const CONCURRENCY = 3

/** Maximum age in milliseconds of cached content that is shown while a refresh is in flight. */
const STALE_FOR = 60 * 60_000

/** Maximum number of retries of a search while the forge's index is not ready, after 1 s, 2 s, 3 s and so on. */
const MAX_SEARCH_RETRIES = 8

interface CallOptions {
  readonly priority: "interactive"
  readonly staleFor?: number
}

const callOptions: CallOptions = { priority: "interactive" }

/**
 * Returns call options that accept cached content only for the first load of an atom. A refresh must reach the forge.
 */
const optionsFor = (get: Atom.AtomContext): CallOptions =>
  value(get.self<AsyncResult.AsyncResult<unknown, unknown>>()) === undefined
    ? { ...callOptions, staleFor: STALE_FOR }
    : callOptions

/** Creates a function that returns the source of a screen. Releases unused sources, whose content the client caches. */
export const make = (runtime: Atom.AtomRuntime<Forge>): ((route: Route.Route) => ContentSource) =>
  Atom.family((route: Route.Route) => create(runtime, route))

const create = (runtime: Atom.AtomRuntime<Forge>, route: Route.Route): ContentSource => {
  /** Creates the source of a list with pages. A refresh loads as many pages as before, and shows them together. */
  const paged = <A>(
    pages: (forge: Forge["Service"], options: CallOptions & Paging) => Stream.Stream<Page<A>, Failure>,
    definition: ListDefinition<A>
  ) => {
    const pull = runtime.pull(
      (get) => {
        const previous = value(get.self<AsyncResult.AsyncResult<{ readonly items: ReadonlyArray<Loaded> }>>())
        const minPages = previous?.items.at(-1)?.pages ?? 1
        const options = { ...optionsFor(get), perPage: PER_PAGE, concurrency: CONCURRENCY }
        return Stream.unwrap(Effect.map(Forge, (forge) => pages(forge, options))).pipe(
          Stream.mapEffect((page) => Effect.map(Clock.currentTimeMillis, (now) => ({ page, now }))),
          Stream.scan(
            (): Loaded => ({
              content: ScreenContent.emptyList(definition),
              confirmedAt: Infinity,
              isStale: false,
              pages: 0
            }),
            (loaded, { now, page }) => append(loaded, definition, page, now)
          ),
          Stream.filter(({ content, pages }) => pages >= minPages || content.isFullyLoaded)
        )
      },
      { disableAccumulation: true }
    )
    const content = Atom.make((get): Result<List> =>
      AsyncResult.map(get(pull), ({ items }) => items.at(-1) ?? items[0])
    )
    return { content, nextPage: pull, refreshable: [pull] }
  }

  const load = <A, E>(request: (forge: Forge["Service"], options: CallOptions) => Effect.Effect<A, E>) =>
    runtime.atom((get) => {
      const options = optionsFor(get)
      return Effect.flatMap(Forge, (forge) => request(forge, options))
    })

  /** Creates the source of content from a single response. */
  const single = <A>(
    request: (forge: Forge["Service"], options: CallOptions) => Effect.Effect<A, Failure>,
    render: (response: A, now: number) => Content,
    ageOf: (response: A) => number = ResponseAge.age
  ): ContentSource => {
    const content = load(
      Effect.fnUntraced(function* (forge, options) {
        const response = yield* request(forge, options)
        const now = yield* Clock.currentTimeMillis
        const age = ageOf(response)
        return { content: render(response, now), confirmedAt: now - age, isStale: age > 0 }
      })
    )
    return { content, nextPage: undefined, refreshable: [content] }
  }

  switch (route._tag) {
    case "Repositories":
      return paged(
        (forge, options) =>
          forge.repositories.listForAuthenticatedUser({}, { ...options, perPage: PER_PAGE_LARGE }).pages,
        ListDefinitions.repositories
      )
    case "Repository": {
      const { owner, repo, tab } = route
      const at = { owner, repo, ref: route.ref }
      const root = { owner, repo, path: "", ...atRef(route) }
      switch (tab) {
        case "log":
          return paged(
            (forge, options) =>
              forge.commits.list({ owner, repo, ...(route.ref === undefined ? {} : { sha: route.ref }) }, options)
                .pages,
            ListDefinitions.log(at)
          )
        case "branches": {
          const repository = load((forge, options) => forge.repositories.get({ owner, repo }, options))
          const list = paged(
            (forge, options) => forge.branches.list({ owner, repo }, options).pages,
            ListDefinitions.branches({ owner, repo })
          )
          const content = Atom.make((get): Result => {
            const found = get(repository)
            const name = AsyncResult.isSuccess(found) ? found.value.default_branch : undefined
            return AsyncResult.map(get(list.content), (loaded) =>
              name === undefined ? loaded : { ...loaded, content: ListDefinitions.markDefault(loaded.content, name) }
            )
          })
          return { ...list, content, refreshable: [...list.refreshable, repository] }
        }
        case "tags":
          return paged(
            (forge, options) => forge.tags.list({ owner, repo }, options).pages,
            ListDefinitions.tags({ owner, repo })
          )
        case "files":
          return single(
            (forge, options) => entries(forge, root, options),
            (all, now) => ListDefinitions.folder(all, at, now)
          )
        case "readme":
          return single(
            (forge, options) => readme(forge, root, options),
            ({ file }) => (file === undefined ? noReadme : DocumentLayout.readme(file)),
            ({ all, file }) => Math.max(ResponseAge.age(all), ResponseAge.age(file))
          )
      }
    }
    case "Commit":
      return single(
        (forge, options) => forge.commits.get({ owner: route.owner, repo: route.repo, ref: route.sha }, options),
        (commit, now) => DocumentLayout.commit(commit, { owner: route.owner, repo: route.repo }, now)
      )
    case "Folder":
    case "File": {
      const { owner, repo, path } = route
      return single(
        (forge, options) => forge.contents.get({ owner, repo, path, ...atRef(route) }, options),
        (content, now) =>
          isFolder(content)
            ? ListDefinitions.folder(content, { owner, repo, ref: route.ref }, now)
            : DocumentLayout.file(content, route._tag === "File" ? route.find : undefined)
      )
    }
    case "Search": {
      const { owner, repo, query } = route
      return paged(
        (forge, options) => {
          const search = (callOptions: CallOptions) =>
            forge.search.code(
              { q: `${query} repo:${owner}/${repo}` },
              { ...callOptions, perPage: PER_PAGE_LARGE, concurrency: options.concurrency, mediaType: "text-match" }
            ).pages
          return retryUntilReady((attempt) => search(attempt === 0 ? options : callOptions))
        },
        ListDefinitions.search({ owner, repo }, query)
      )
    }
  }
}

/** Retries a search without results while the forge's index is not ready. */
const retryUntilReady = <A, E>(
  search: (attempt: number) => Stream.Stream<Page<A>, E>,
  attempt = 0
): Stream.Stream<Page<A>, E> =>
  Stream.flatMap(search(attempt), (page) =>
    page.incompleteResults && page.items.length === 0 && attempt < MAX_SEARCH_RETRIES
      ? Stream.unwrap(Effect.as(Effect.sleep(`${attempt + 1} seconds`), retryUntilReady(search, attempt + 1)))
      : Stream.succeed(page)
  )

interface Paging {
  readonly perPage: number
  readonly concurrency: number
}

/** A list with the number of its loaded pages. */
interface Loaded extends LoadedContent<List> {
  readonly pages: number
}

const append = <A>(
  { confirmedAt, content, isStale, pages }: Loaded,
  definition: ListDefinition<A>,
  page: Page<A>,
  now: number
): Loaded => {
  const age = ResponseAge.age(page)
  const rows = page.items.flatMap((item) => definition.rows(item, now))
  return {
    content: ScreenContent.appendRows(content, rows, {
      total: page.totalCount,
      isFullyLoaded: page.cursor === undefined,
      incompleteResults: content.incompleteResults || page.incompleteResults
    }),
    confirmedAt: Math.min(confirmedAt, now - age),
    isStale: isStale || age > 0,
    pages: pages + 1
  }
}

/** Returns the last loaded value of an atom. */
const value = <A, E>(self: Option.Option<AsyncResult.AsyncResult<A, E>>): A | undefined =>
  Option.getOrUndefined(Option.flatMap(self, AsyncResult.value))

const atRef = ({ ref }: Route.Revision) => (ref === undefined ? {} : { ref })

type ContentPath = { readonly owner: string; readonly repo: string; readonly path: string; readonly ref?: string }

const isFolder = (entry: ContentEntry | ReadonlyArray<ContentEntry>): entry is ReadonlyArray<ContentEntry> =>
  Array.isArray(entry)

const entries = (forge: Forge["Service"], path: ContentPath, options: CallOptions) =>
  Effect.map(forge.contents.get(path, options), (entry) => (isFolder(entry) ? entry : [entry]))

/** Loads the content of a folder, and its README if it has one. */
const readme = Effect.fnUntraced(function* (forge: Forge["Service"], root: ContentPath, options: CallOptions) {
  const all = yield* entries(forge, root, options)
  const named = (pattern: RegExp) => all.find(({ name, type }) => type !== "dir" && pattern.test(name))
  const entry = named(/^readme\.(md|markdown)$/i) ?? named(/^readme(\.\w+)?$/i)
  if (entry === undefined) return { all, file: undefined }
  const file = yield* forge.contents.get({ ...root, path: entry.path }, options)
  if (isFolder(file)) return yield* new NotFound({ request: `GET ${entry.path}`, detail: "the README is a folder" })
  return { all, file }
})

const noReadme: Notice = {
  _tag: "Notice",
  id: "README",
  title: "No README",
  hint: "Add a README.md that describes the repository"
}
