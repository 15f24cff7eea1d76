/** Files and folders of a repository, pinned to the commit at which they were read. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import * as Failure from "@tongs/core/contract/Failure"
import type { ContentEntry } from "@tongs/core/contract/Contents"
import type * as Wire from "../Wire.ts"
import * as Bytes from "./Bytes.ts"
import { interactive } from "./Patience.ts"

/** What to read; without `ref`, from the default branch. */
export interface Target extends Wire.Place {
  readonly path: string
  readonly ref: string | undefined
}

export const file = Effect.fn("Source.file")(function* (target: Target) {
  const { entry, pinned } = yield* read(target)
  if (isFolder(entry)) return { ...pinned, size: 0, content: { kind: "folder" } } satisfies Wire.File
  return { ...pinned, size: entry.size, content: contentOf(entry) } satisfies Wire.File
})

export const tree = Effect.fn("Source.tree")(function* (target: Target) {
  const { entry, pinned } = yield* read(target)
  if (!isFolder(entry)) {
    return yield* new Failure.NotFound({ request: `folder ${target.path}`, detail: "this is a file, not a folder" })
  }
  const entries = entry.map(({ name, path, size, type }): Wire.Entry => ({
    name,
    path,
    kind: KINDS.find((kind) => kind === type) ?? "file",
    size
  }))
  return { ...pinned, entries: entries.sort(inOrder) } satisfies Wire.Tree
})

export const branches = Effect.fn("Source.branches")(function* ({ owner, repo }: Wire.Place) {
  const forge = yield* Forge
  const first = yield* forge.branches.list({ owner, repo }, { ...(yield* interactive), perPage: 100 }).first
  return {
    branches: first.items.map((branch) => branch.name),
    more: first.links.next !== undefined
  } satisfies Wire.Branches
})

const read = Effect.fnUntraced(function* ({ owner, path, ref, repo }: Target) {
  const forge = yield* Forge
  const named = ref ?? (yield* forge.repositories.get({ owner, repo }, yield* interactive)).default_branch
  const commit = yield* resolve({ owner, repo }, named)
  const entry = yield* forge.contents.get({ owner, repo, path, ref: commit }, yield* interactive)
  return { entry, pinned: { owner, repo, path, ref: named, commit } satisfies Wire.Pinned }
})

/** The commit that a branch or tag is now. */
const resolve = Effect.fnUntraced(function* ({ owner, repo }: Wire.Place, ref: string) {
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(ref)) return ref
  const forge = yield* Forge
  const { items } = yield* forge.commits.list({ owner, repo, sha: ref }, { ...(yield* interactive), perPage: 1 }).first
  const head = items[0]
  if (head === undefined) {
    return yield* new Failure.NotFound({ request: `${owner}/${repo}`, detail: `${ref} has no commits` })
  }
  return head.sha
})

const isFolder = (entry: ContentEntry | ReadonlyArray<ContentEntry>): entry is ReadonlyArray<ContentEntry> =>
  Array.isArray(entry)

const contentOf = (entry: ContentEntry): Wire.Content => {
  if (entry.type === "symlink") return { kind: "link", target: entry.target ?? "" }
  if (entry.type === "submodule") return { kind: "submodule" }
  if (entry.encoding !== "base64" || entry.content === undefined) return { kind: "large" }
  return Bytes.content(entry.path, entry.content)
}

const KINDS = ["dir", "file", "symlink", "submodule"] as const // the names must stay literals

/** Folders first, then by name as people count: `a2` before `a10`. */
const inOrder = (a: Wire.Entry, b: Wire.Entry): number =>
  Number(b.kind === "dir") - Number(a.kind === "dir") || byName.compare(a.name, b.name)

const byName = new Intl.Collator("en", { numeric: true })
