/** Files, folders, references and history of a repository, pinned to a commit. */
import * as Effect from "effect/Effect"
import type { CallOptions } from "@tongs/core/client/CallOptions"
import { Forge } from "@tongs/core/client/Forge"
import * as Failure from "@tongs/core/contract/Failure"
import type { ContentEntry } from "@tongs/core/contract/groups/Contents"
import type * as ExplorerApi from "../ExplorerApi.ts"
import * as FileBytes from "./FileBytes.ts"
import * as FolderEntries from "./FolderEntries.ts"
import { interactive } from "./RequestOptions.ts"
import * as WorkTreeView from "./WorkTreeView.ts"

/** A path to read: without `ref`, the work tree or the default branch. */
export interface Target extends ExplorerApi.RepositoryName {
  readonly path: string
  readonly ref: string | undefined
}

/** Maximum size of a file that the page shows, in bytes. Larger files can be downloaded. */
const MAX_SHOWN = 4_000_000

export const file = Effect.fn("Files.file")(function* (target: Target) {
  const { entry, pinned, view } = yield* read(target)
  if (isFolder(entry)) return { ...pinned, size: 0, content: { kind: "folder" } } satisfies ExplorerApi.File
  const content = yield* contentOf(pinned, entry)
  return { ...pinned, size: entry.size, content, ...status(view, target.path) } satisfies ExplorerApi.File
})

/** The content of a file of any size, in base64. */
export const bytes = Effect.fn("Files.bytes")(function* (target: Target) {
  const { entry, pinned } = yield* read(target)
  if (isFolder(entry) || entry.type === "submodule") {
    return yield* new Failure.NotFound({ request: `file ${target.path}`, detail: "this is a folder, not a file" })
  }
  return entry.type === "symlink"
    ? Buffer.from(entry.target ?? "").toString("base64")
    : (inline(entry) ?? (yield* blob(pinned, entry, yield* interactive)))
})

export const tree = Effect.fn("Files.tree")(function* (target: Target) {
  const { entry, pinned, view } = yield* read(target)
  if (!isFolder(entry)) {
    return yield* new Failure.NotFound({ request: `folder ${target.path}`, detail: "this is a file, not a folder" })
  }
  const { entries, total } = yield* FolderEntries.list(pinned, entry)
  const marked = entries.map((entry) => ({ ...entry, ...status(view, entry.path) }))
  return { ...pinned, entries: marked, total } satisfies ExplorerApi.Folder
})

/** The commits that changed a path, newest first. Follows renames if the forge has the extension. */
export const history = Effect.fn("Files.history")(function* ({ owner, path, ref, repo }: Target, page: number) {
  const forge = yield* Forge
  const options = { ...(yield* interactive), perPage: 30, page }
  const fromCommits = Effect.map(
    forge.commits.list(
      { owner, repo, ...(path === "" ? {} : { path }), ...(ref === undefined ? {} : { sha: ref }) },
      options
    ).first,
    ({ items, links }) => ({
      commits: items.map(({ commit: { author, message }, sha }): ExplorerApi.Change => ({
        commit: sha,
        author: author?.name ?? null,
        date: author?.date ?? null,
        summary: message.split("\n", 1)[0] ?? "",
        path
      })),
      links
    })
  )
  const followed = Effect.map(
    forge.history.listForFile({ owner, repo, path, ...(ref === undefined ? {} : { ref }) }, options).first,
    ({ items, links }) => ({ commits: items, links })
  )
  const { commits, links } = yield* path === ""
    ? fromCommits
    : Effect.catchTag(followed, "Unsupported", () => fromCommits)
  return { commits, next: links.next === undefined ? null : page + 1 } satisfies ExplorerApi.History
})

export const refs = Effect.fn("Files.refs")(function* (place: ExplorerApi.RepositoryName) {
  const forge = yield* Forge
  const options = { ...(yield* interactive), perPage: 100 }
  const [branches, tags] = yield* Effect.all(
    [forge.branches.list(place, options).first, forge.tags.list(place, options).first],
    { concurrency: 2 }
  )
  return {
    branches: branches.items.map(({ name }) => name),
    tags: tags.items.map(({ name }) => name),
    more: branches.links.next !== undefined || tags.links.next !== undefined
  } satisfies ExplorerApi.Refs
})

const status = (view: WorkTreeView.WorkTreeView | undefined, path: string) => {
  const status = view?.statuses.get(path)
  return status === undefined ? {} : { status }
}

const read = Effect.fnUntraced(function* ({ owner, path, ref, repo }: Target) {
  const forge = yield* Forge
  const view = ref === undefined ? yield* WorkTreeView.take({ owner, repo }) : undefined
  const named = ref ?? view?.branch ?? (yield* defaultBranch({ owner, repo }))
  const commit = view?.commit ?? (yield* resolve({ owner, repo }, named))
  const entry = yield* forge.contents
    .get({ owner, repo, path, ref: commit }, yield* interactive)
    .pipe(Effect.catchTag("NotFound", ({ detail }) => missing(`${path} at ${named}`, detail)))
  const hasWorkTree = yield* WorkTreeView.exists({ owner, repo })
  const pinned: ExplorerApi.PinnedPath = {
    owner,
    repo,
    path,
    ref: named,
    commit,
    ...(hasWorkTree ? { hasWorkTree } : {}),
    ...(view === undefined ? {} : { workTree: view.details })
  }
  return { entry, pinned, view }
})

const defaultBranch = Effect.fnUntraced(function* (place: ExplorerApi.RepositoryName) {
  const forge = yield* Forge
  const { default_branch } = yield* forge.repositories
    .get(place, yield* interactive)
    .pipe(Effect.catchTag("NotFound", ({ detail }) => missing(fullName(place), detail)))
  return default_branch
})

/** The commit that a branch or tag points to. */
const resolve = Effect.fnUntraced(function* (place: ExplorerApi.RepositoryName, ref: string) {
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(ref)) return ref
  const forge = yield* Forge
  const { items } = yield* forge.commits
    .list({ ...place, sha: ref }, { ...(yield* interactive), perPage: 1 })
    .first.pipe(
      Effect.catchTags({
        NotFound: ({ detail }) => missing(`${ref} in ${fullName(place)}`, detail),
        Conflict: () => Effect.fail(new Failure.Conflict({ request: fullName(place), detail: "no commits yet" }))
      })
    )
  const head = items[0]
  return head === undefined ? yield* missing(fullName(place), `${ref} has no commits`) : head.sha
})

const fullName = ({ owner, repo }: ExplorerApi.RepositoryName): string => `${owner}/${repo}`

/** Fails with `NotFound`. `request` names the missing resource, for example `README.md at main`. */
const missing = (request: string, detail: string) => Effect.fail(new Failure.NotFound({ request, detail }))

const isFolder = (entry: ContentEntry | ReadonlyArray<ContentEntry>): entry is ReadonlyArray<ContentEntry> =>
  Array.isArray(entry)

const contentOf = Effect.fnUntraced(function* (place: ExplorerApi.RepositoryName, entry: ContentEntry) {
  if (entry.type === "symlink") return { kind: "link", target: entry.target ?? "" } satisfies ExplorerApi.FileContent
  if (entry.type === "submodule") {
    const { sha: commit, submodule_git_url: url = null } = entry
    return { kind: "submodule", url, commit } satisfies ExplorerApi.FileContent
  }
  // The page loads the bytes of an image from the raw file.
  const image = FileBytes.imageType(entry.path)
  if (image !== undefined) return { kind: "image", mediaType: image } satisfies ExplorerApi.FileContent
  if (entry.size > MAX_SHOWN) return { kind: "large" } satisfies ExplorerApi.FileContent
  return FileBytes.content(inline(entry) ?? (yield* blob(place, entry, yield* interactive)))
})

/** The content in the entry. Undefined for a file over 1 MB. */
const inline = ({ content, encoding }: ContentEntry): string | undefined =>
  encoding === "base64" ? content : undefined

const blob = Effect.fnUntraced(function* (
  { owner, repo }: ExplorerApi.RepositoryName,
  { sha }: ContentEntry,
  options: CallOptions
) {
  const forge = yield* Forge
  const { content, encoding } = yield* forge.gitBlobs.get({ owner, repo, file_sha: sha }, options)
  return encoding === "base64" ? content : Buffer.from(content).toString("base64")
})
