/** Where each place's content comes from: one atom for each, over the client, read when it is looked at. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Cause from "effect/Cause"
import * as AsyncResult from "effect/reactivity/AsyncResult"
import * as Atom from "effect/reactivity/Atom"
import { Forge } from "@tongs/core/client/Forge"
import { type Failure, NotFound } from "@tongs/core/contract/Failure"
import type { ContentEntry } from "@tongs/core/contract/Contents"
import type { Page } from "@tongs/core/paging/Page"
import type { Pages } from "@tongs/core/paging/Pages"
import type * as Content from "./Content.ts"
import * as Documents from "./Documents.ts"
import * as Lists from "./Lists.ts"
import * as Place from "./Place.ts"

/** What can come instead of a content; `NoSuchElementError` is in the type alone: every list has a first page. */
export type SourceError = Failure | Cause.NoSuchElementError

export interface Source {
  readonly content: Atom.Atom<AsyncResult.AsyncResult<Content.Content, SourceError>>
  /** Writing to it reads the next page, where the content is a list that pages. */
  readonly more: Atom.Writable<unknown, void> | undefined
  /** What to refresh to read it anew. */
  readonly reads: ReadonlyArray<Atom.Atom<unknown>>
}

/** Rows a page: the most that the contract gives, so that long lists cost few requests. */
const PER_PAGE = 100

/** How long what was read is kept after nobody looks at it: going back is instant. */
const KEPT = "10 minutes"

/** A person waits. */
const options = { priority: "interactive" } as const // the name must stay a literal

export interface Sources {
  readonly of: (place: Place.Place) => Source
}

export const make = (runtime: Atom.AtomRuntime<Forge>): Sources => {
  const known = new Map<string, Source>()
  return {
    of: (place) => {
      const id = Place.id(place)
      const source = known.get(id) ?? create(runtime, place)
      known.set(id, source)
      return source
    }
  }
}

const create = (runtime: Atom.AtomRuntime<Forge>, place: Place.Place): Source => {
  /** A list that pages. */
  const paged = <A>(
    pages: (forge: Forge["Service"]) => Pages<A, Failure>,
    render: (loaded: Lists.Loaded<A>, now: number) => Content.List
  ): Source => {
    const timed = Stream.unwrap(Effect.map(Forge, (forge) => pages(forge).pages)).pipe(
      Stream.mapEffect((page) => Effect.map(Clock.currentTimeMillis, (now) => ({ page, now })))
    )
    const pull = Atom.setIdleTTL(runtime.pull(timed), KEPT)
    const content = Atom.make((get) =>
      AsyncResult.map(get(pull), ({ items }) => render(loaded(items.map(({ page }) => page)), items[0].now))
    )
    return { content, more: pull, reads: [pull] }
  }

  /** One answer, or what is made of several. */
  const single = (read: (forge: Forge["Service"], now: number) => Effect.Effect<Content.Content, Failure>): Source => {
    const content = Atom.setIdleTTL(
      runtime.atom(
        Effect.gen(function* () {
          return yield* read(yield* Forge, yield* Clock.currentTimeMillis)
        })
      ),
      KEPT
    )
    return { content, more: undefined, reads: [content] }
  }

  const ref = "ref" in place && place.ref !== undefined ? { ref: place.ref } : {}
  switch (place._tag) {
    case "Repositories":
      return paged((forge) => forge.repositories.mine({}, { perPage: PER_PAGE, ...options }), Lists.repositories)
    case "Repository": {
      const { owner, repo, tab } = place
      const at = { owner, repo, ref: place.ref }
      switch (tab) {
        case "log":
          return paged(
            (forge) =>
              forge.commits.list(
                { owner, repo, ...(place.ref === undefined ? {} : { sha: place.ref }) },
                { perPage: PER_PAGE, ...options }
              ),
            (loaded, now) => Lists.log(loaded, at, now)
          )
        case "branches": {
          const repository = Atom.setIdleTTL(
            runtime.atom(Effect.flatMap(Forge, (forge) => forge.repositories.get({ owner, repo }, options))),
            KEPT
          )
          const list = paged(
            (forge) => forge.branches.list({ owner, repo }, { perPage: PER_PAGE, ...options }),
            (loaded) => Lists.branches(loaded, { owner, repo })
          )
          const content = Atom.make((get) => {
            const found = get(repository)
            const name = AsyncResult.isSuccess(found) ? found.value.default_branch : undefined
            return AsyncResult.map(get(list.content), (list) =>
              list._tag === "List" && name !== undefined ? Lists.markDefault(list, name) : list
            )
          })
          return { ...list, content, reads: [...list.reads, repository] }
        }
        case "tags":
          return paged(
            (forge) => forge.tags.list({ owner, repo }, { perPage: PER_PAGE, ...options }),
            (loaded) => Lists.tags(loaded, { owner, repo })
          )
        case "files":
          return single((forge) =>
            Effect.map(entries(forge, { owner, repo, path: "", ...ref }), (all) => Lists.folder(all, at))
          )
        case "readme":
          return single((forge) => readme(forge, { owner, repo, path: "", ...ref }))
      }
    }
    case "Commit":
      return single((forge, now) =>
        Effect.map(forge.commits.get({ owner: place.owner, repo: place.repo, ref: place.sha }, options), (commit) =>
          Documents.commit(commit, { owner: place.owner, repo: place.repo }, now)
        )
      )
    case "Folder":
      return single((forge) =>
        Effect.map(entries(forge, { owner: place.owner, repo: place.repo, path: place.path, ...ref }), (all) =>
          Lists.folder(all, { owner: place.owner, repo: place.repo, ref: place.ref })
        )
      )
    case "File":
      return single((forge) =>
        Effect.map(
          forge.contents.get({ owner: place.owner, repo: place.repo, path: place.path, ...ref }, options),
          (entry): Content.Content =>
            isFolder(entry)
              ? Lists.folder(entry, { owner: place.owner, repo: place.repo, ref: place.ref })
              : Documents.file(entry, place.find)
        )
      )
    case "Search":
      return paged(
        (forge) =>
          forge.search.code(
            { q: `${place.query} repo:${place.owner}/${place.repo}` },
            { perPage: PER_PAGE, mediaType: "text-match", ...options }
          ),
        (loaded) => Lists.search(loaded, { owner: place.owner, repo: place.repo }, place.query)
      )
  }
}

const loaded = <A>(pages: ReadonlyArray<Page<A>>): Lists.Loaded<A> => ({
  items: pages.flatMap((page) => page.items),
  total: pages.at(-1)?.totalCount,
  done: pages.at(-1)?.cursor === undefined
})

type ContentPath = { readonly owner: string; readonly repo: string; readonly path: string; readonly ref?: string }

const isFolder = (entry: ContentEntry | ReadonlyArray<ContentEntry>): entry is ReadonlyArray<ContentEntry> =>
  Array.isArray(entry)

const entries = (forge: Forge["Service"], path: ContentPath) =>
  Effect.map(forge.contents.get(path, options), (entry) => (isFolder(entry) ? entry : [entry]))

const readme = (forge: Forge["Service"], path: ContentPath): Effect.Effect<Content.Content, Failure> =>
  Effect.gen(function* () {
    const all = yield* entries(forge, path)
    const found =
      all.find(({ name, type }) => type !== "dir" && /^readme\.(md|markdown)$/i.test(name)) ??
      all.find(({ name, type }) => type !== "dir" && /^readme(\.\w+)?$/i.test(name))
    if (found === undefined) return noReadme
    const entry = yield* forge.contents.get({ ...path, path: found.path }, options)
    if (isFolder(entry))
      return yield* new NotFound({ request: `GET ${found.path}`, detail: "the README became a folder" })
    return Documents.readme(entry)
  })

const noReadme: Content.Notice = {
  _tag: "Notice",
  id: "README",
  title: "No README here",
  hint: "Add a file README.md: it is what newcomers read first"
}
