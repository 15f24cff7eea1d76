/** Writes trees from the input of the API. */
import * as Effect from "effect/Effect"
import type { NewGitTreeEntry } from "@tongs/core/contract/groups/GitObjects"
import type { GitRepository } from "../../git/GitRepository.ts"
import type { TreeEntry } from "../../git/values/GitObject.ts"
import { typeOfMode } from "../../git/values/GitObject.ts"
import { isOid } from "../../git/values/Oid.ts"
import { splitPath } from "../../git/objects/Objects.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as TreeEntries from "./TreeEntries.ts"

/** Blobs written at the same time. */
const CONCURRENCY = 8

/** Maximum number of changes in a request. */
const MAX_CHANGES = 100_000

const invalid = (message: string, field: string) =>
  Effect.fail(ApiError.invalid(message, [{ resource: "Tree", field, code: "invalid", message }]))

/** Writes the tree `base` with the changes, and returns the id. Uses GitHub's messages where available. */
export const write = Effect.fn("NewTree.write")(function* (
  git: GitRepository,
  changes: ReadonlyArray<NewGitTreeEntry>,
  base: string | undefined
) {
  const baseTree = base === undefined || !isOid(base) ? undefined : yield* TreeEntries.treeOf(git, base)
  if (base !== undefined && baseTree === undefined) {
    return yield* invalid("base_tree is not a valid tree oid", "base_tree")
  }
  if (changes.length === 0 && base === undefined) return yield* invalid("Invalid tree info", "tree")
  if (changes.length > MAX_CHANGES) return yield* invalid(`A tree can have at most ${MAX_CHANGES} changes`, "tree")
  // All checks come before the first write.
  for (const change of changes) yield* check(git, change, baseTree)
  const file = fileWithEntries(changes)
  if (file !== undefined) return yield* invalid(`${file.slice(0, 200)} cannot be a file and a folder`, "path")
  const entries = yield* Effect.forEach(
    changes,
    ({ content, mode, path, sha }) =>
      Effect.map(content === undefined ? Effect.succeed(sha ?? null) : git.writeBlob(Buffer.from(content)), (oid) => ({
        path,
        mode,
        oid
      })),
    { concurrency: CONCURRENCY }
  )
  return yield* git.writeTree(entries, baseTree)
})

const check = Effect.fnUntraced(function* (
  git: GitRepository,
  { content, mode, path, sha, type }: NewGitTreeEntry,
  base: string | undefined
) {
  const expected = typeOfMode(mode)
  if (type !== undefined && type !== expected) {
    return yield* invalid(`tree.type of ${path.slice(0, 200)} must be ${expected}, because its mode is ${mode}`, "type")
  }
  if (content === undefined ? sha === undefined : sha !== undefined && sha !== null) {
    return yield* invalid(
      "Must supply either tree.sha or tree.content. Request will be rejected if both are present.",
      "tree"
    )
  }
  if (content !== undefined) {
    if (expected !== "blob") return yield* invalid(`tree.content cannot be that of a ${expected}`, "content")
  } else if (sha === null || sha === undefined) {
    // A valid path without an entry, or a path that no file system allows: in both cases there is nothing to remove.
    const found = base === undefined ? undefined : yield* entryAt(git, base, path)
    if (found === undefined) return yield* invalid(`${path.slice(0, 200)} does not exist in base_tree`, "path")
  } else if (!isOid(sha) || (expected !== "commit" && (yield* git.info(sha))?.type !== expected)) {
    return yield* invalid(`tree.sha ${sha.slice(0, 200)} is not a valid ${expected}`, "sha")
  }
})

/** Returns the path of a written file below which another change writes an entry. */
const fileWithEntries = (changes: ReadonlyArray<NewGitTreeEntry>): string | undefined => {
  const written = changes.filter(({ content, sha }) => content !== undefined || typeof sha === "string")
  const files = new Set(written.flatMap(({ mode, path }) => (typeOfMode(mode) === "tree" ? [] : [path])))
  for (const { path } of written) {
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1)) {
      if (files.has(path.slice(0, end))) return path.slice(0, end)
    }
  }
  return undefined
}

const entryAt = Effect.fnUntraced(function* (git: GitRepository, tree: string, path: string) {
  let oid: string | undefined = tree
  let entry: TreeEntry | undefined
  for (const part of splitPath(path) ?? []) {
    const entries: ReadonlyArray<TreeEntry> = oid === undefined ? [] : ((yield* git.tree(oid)) ?? [])
    entry = entries.find(({ name }) => name === part)
    oid = entry?.type === "tree" ? entry.oid : undefined
  }
  return entry
})
