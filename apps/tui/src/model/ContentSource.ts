/** Where each place's content comes from: one atom for each, over the client, read when it is looked at. */
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
import * as DocumentLayout from "./DocumentLayout.ts"
import * as ListDefinitions from "./ListDefinitions.ts"
import type * as Route from "./Route.ts"

/** What can come instead of a content; `NoSuchElementError` is in the type alone: every list has a first page. */
export type LoadError = Failure | Cause.NoSuchElementError

/** What was read, and when it was so. */
export interface LoadedContent<A extends ScreenContent.Content = ScreenContent.Content> {
  readonly content: A
  /** Epoch milliseconds at which the forge last said that this is how things are. */
  readonly confirmedAt: number
  /** Whether the client had kept it from an earlier time: it is there at once, and is to be read anew. */
  readonly isStale: boolean
}

type Result<A extends ScreenContent.Content = ScreenContent.Content> = AsyncResult.AsyncResult<
  LoadedContent<A>,
  LoadError
>

export interface ContentSource {
  readonly content: Atom.Atom<Result>
  /** Writing to it reads the next page, where the content is a list that pages. */
  readonly nextPage: Atom.Writable<unknown, void> | undefined
  /** What to refresh to read it anew. What is shown stays until all of it has come. */
  readonly refreshable: ReadonlyArray<Atom.Atom<unknown>>
}

/** Rows a page: the most that the contract gives, so that long lists cost few requests. */
const PER_PAGE = 100

/** The same where a row is or has a whole repository: the client keeps no answer that is much larger. */
const PER_LARGE_PAGE = 50

/** Pages to ask for at a time, from the second on: who goes down a list finds the next one there. */
const TOGETHER = 3

/** Milliseconds for which what was seen is shown at once when one comes back to it, while it is read anew. */
const STALE_FOR = 60 * 60_000

/** Times that a search is asked again for which the forge's index was not ready; the first after a second, each a second later. */
const SEARCHES = 8

interface CallOptions {
  readonly priority: "interactive"
  readonly staleFor?: number
}

/** A person waits. */
const callOptions: CallOptions = { priority: "interactive" }

/** The same for an atom: what it has read already it reads anew, and nothing that was kept will do. */
const optionsFor = (get: Atom.AtomContext): CallOptions =>
  value(get.self<AsyncResult.AsyncResult<unknown, unknown>>()) === undefined
    ? { ...callOptions, staleFor: STALE_FOR }
    : callOptions

export interface Sources {
  readonly of: (place: Route.Route) => ContentSource
}

/** A source is forgotten when nobody holds it: what it read is kept by the client alone. */
export const make = (runtime: Atom.AtomRuntime<Forge>): Sources => ({
  of: Atom.family((place: Route.Route) => create(runtime, place))
})

const create = (runtime: Atom.AtomRuntime<Forge>, place: Route.Route): ContentSource => {
  /** A list that pages. Read anew, it comes with as many pages as there were, all at once. */
  const paged = <A>(
    pages: (forge: Forge["Service"], options: CallOptions & Paging) => Stream.Stream<Page<A>, Failure>,
    kind: ScreenContent.ListDefinition<A>
  ) => {
    const pull = runtime.pull(
      (get) => {
        const before = value(get.self<AsyncResult.AsyncResult<{ readonly items: ReadonlyArray<Loaded> }>>())
        const atLeast = before?.items.at(-1)?.pages ?? 1
        const options = { ...optionsFor(get), perPage: PER_PAGE, concurrency: TOGETHER }
        return Stream.unwrap(Effect.map(Forge, (forge) => pages(forge, options))).pipe(
          Stream.mapEffect((page) => Effect.map(Clock.currentTimeMillis, (now) => ({ page, now }))),
          Stream.scan(
            (): Loaded => ({ content: ScreenContent.emptyList(kind), confirmedAt: Infinity, isStale: false, pages: 0 }),
            (loaded, { now, page }) => append(loaded, kind, page, now)
          ),
          Stream.filter(({ content, pages }) => pages >= atLeast || content.isFullyLoaded)
        )
      },
      { disableAccumulation: true }
    )
    const content = Atom.make((get): Result<ScreenContent.List> =>
      AsyncResult.map(get(pull), ({ items }) => items.at(-1) ?? items[0])
    )
    return { content, nextPage: pull, refreshable: [pull] }
  }

  const reading = <A, E>(read: (forge: Forge["Service"], options: CallOptions) => Effect.Effect<A, E>) =>
    runtime.atom((get) => {
      const options = optionsFor(get)
      return Effect.flatMap(Forge, (forge) => read(forge, options))
    })

  /** What is made of one answer. */
  const single = <A>(
    read: (forge: Forge["Service"], options: CallOptions) => Effect.Effect<A, Failure>,
    render: (answer: A, now: number) => ScreenContent.Content,
    ageOf: (answer: A) => number = ResponseAge.age
  ): ContentSource => {
    const content = reading(
      Effect.fnUntraced(function* (forge, options) {
        const answer = yield* read(forge, options)
        const now = yield* Clock.currentTimeMillis
        const age = ageOf(answer)
        return { content: render(answer, now), confirmedAt: now - age, isStale: age > 0 }
      })
    )
    return { content, nextPage: undefined, refreshable: [content] }
  }

  switch (place._tag) {
    case "Repositories":
      return paged(
        (forge, options) =>
          forge.repositories.listForAuthenticatedUser({}, { ...options, perPage: PER_LARGE_PAGE }).pages,
        ListDefinitions.repositories
      )
    case "Repository": {
      const { owner, repo, tab } = place
      const at = { owner, repo, ref: place.ref }
      const root = { owner, repo, path: "", ...atRef(place) }
      switch (tab) {
        case "log":
          return paged(
            (forge, options) =>
              forge.commits.list({ owner, repo, ...(place.ref === undefined ? {} : { sha: place.ref }) }, options)
                .pages,
            ListDefinitions.log(at)
          )
        case "branches": {
          const repository = reading((forge, options) => forge.repositories.get({ owner, repo }, options))
          const list = paged(
            (forge, options) => forge.branches.list({ owner, repo }, options).pages,
            ListDefinitions.branches({ owner, repo })
          )
          const content = Atom.make((get): Result => {
            const found = get(repository)
            const name = AsyncResult.isSuccess(found) ? found.value.default_branch : undefined
            return AsyncResult.map(get(list.content), (reading) =>
              name === undefined ? reading : { ...reading, content: ListDefinitions.markDefault(reading.content, name) }
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
            ({ found }) => (found === undefined ? noReadme : DocumentLayout.readme(found)),
            ({ all, found }) => Math.max(ResponseAge.age(all), ResponseAge.age(found))
          )
      }
    }
    case "Commit":
      return single(
        (forge, options) => forge.commits.get({ owner: place.owner, repo: place.repo, ref: place.sha }, options),
        (commit, now) => DocumentLayout.commit(commit, { owner: place.owner, repo: place.repo }, now)
      )
    case "Folder":
    case "File": {
      const { owner, repo, path } = place
      return single(
        (forge, options) => forge.contents.get({ owner, repo, path, ...atRef(place) }, options),
        (found, now) =>
          isFolder(found)
            ? ListDefinitions.folder(found, { owner, repo, ref: place.ref }, now)
            : DocumentLayout.file(found, place._tag === "File" ? place.find : undefined)
      )
    }
    case "Search": {
      const { owner, repo, query } = place
      return paged(
        (forge, options) => {
          const search = (how: CallOptions) =>
            forge.search.code(
              { q: `${query} repo:${owner}/${repo}` },
              { ...how, perPage: PER_LARGE_PAGE, concurrency: options.concurrency, mediaType: "text-match" }
            ).pages
          return untilReady((tries) => search(tries === 0 ? options : callOptions))
        },
        ListDefinitions.search({ owner, repo }, query)
      )
    }
  }
}

/** A search that finds nothing because the forge's index is still being made is asked again, until that is ready. */
const untilReady = <A, E>(search: (tries: number) => Stream.Stream<Page<A>, E>, tries = 0): Stream.Stream<Page<A>, E> =>
  Stream.flatMap(search(tries), (page) =>
    page.incompleteResults && page.items.length === 0 && tries < SEARCHES
      ? Stream.unwrap(Effect.as(Effect.sleep(`${tries + 1} seconds`), untilReady(search, tries + 1)))
      : Stream.succeed(page)
  )

interface Paging {
  readonly perPage: number
  readonly concurrency: number
}

/** A list as far as it has been read. */
interface Loaded extends LoadedContent<ScreenContent.List> {
  readonly pages: number
}

const append = <A>(
  { confirmedAt, content, isStale, pages }: Loaded,
  kind: ScreenContent.ListDefinition<A>,
  page: Page<A>,
  now: number
): Loaded => {
  const age = ResponseAge.age(page)
  const rows = page.items.flatMap((item) => kind.rows(item, now))
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

/** What an atom has read before it is read again. */
const value = <A, E>(self: Option.Option<AsyncResult.AsyncResult<A, E>>): A | undefined =>
  Option.getOrUndefined(Option.flatMap(self, AsyncResult.value))

const atRef = ({ ref }: Route.Revision) => (ref === undefined ? {} : { ref })

type ContentPath = { readonly owner: string; readonly repo: string; readonly path: string; readonly ref?: string }

const isFolder = (entry: ContentEntry | ReadonlyArray<ContentEntry>): entry is ReadonlyArray<ContentEntry> =>
  Array.isArray(entry)

const entries = (forge: Forge["Service"], path: ContentPath, options: CallOptions) =>
  Effect.map(forge.contents.get(path, options), (entry) => (isFolder(entry) ? entry : [entry]))

/** The entries of a folder, and its README where it has one. */
const readme = Effect.fnUntraced(function* (forge: Forge["Service"], root: ContentPath, options: CallOptions) {
  const all = yield* entries(forge, root, options)
  const named = (pattern: RegExp) => all.find(({ name, type }) => type !== "dir" && pattern.test(name))
  const file = named(/^readme\.(md|markdown)$/i) ?? named(/^readme(\.\w+)?$/i)
  if (file === undefined) return { all, found: undefined }
  const found = yield* forge.contents.get({ ...root, path: file.path }, options)
  if (isFolder(found)) return yield* new NotFound({ request: `GET ${file.path}`, detail: "the README became a folder" })
  return { all, found }
})

const noReadme: ScreenContent.Notice = {
  _tag: "Notice",
  id: "README",
  title: "No README here",
  hint: "Add a file README.md: it is what newcomers read first"
}
