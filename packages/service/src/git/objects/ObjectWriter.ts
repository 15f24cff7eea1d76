import * as Effect from "effect/Effect"
import { type GitError, gitError } from "../values/GitError.ts"
import { type ObjectType, type TreeEntry, typeOfMode } from "../values/GitObject.ts"
import {
  type NewCommit,
  type NewTag,
  validatePerson,
  encodeCommit,
  encodeTag,
  encodeTree
} from "../values/ObjectEncoding.ts"
import { type Objects, splitPath } from "./Objects.ts"
import * as ObjectFiles from "./ObjectFiles.ts"
import { invalidOid, isOid } from "../values/Oid.ts"
import * as RefName from "../values/RefName.ts"
import * as TreeEntryName from "../values/TreeEntryName.ts"

/** Sets the entry at `path`. A null `oid` removes the entry. */
export interface TreeChange {
  readonly path: string
  readonly mode: "100644" | "100755" | "040000" | "160000" | "120000"
  readonly oid: string | null
}

/** Returns the armored signature of an unsigned commit. */
export type CommitSigner = (payload: Uint8Array) => Effect.Effect<string>

/**
 * Writes objects durably and gives the same ids as git. Fails with `ObjectMissing` if a referenced object does not
 * exist, and with `InvalidObject` if a referenced object has the wrong type.
 */
export interface ObjectWriter {
  readonly writeBlob: (bytes: Uint8Array) => Effect.Effect<string, GitError>
  /** Applies changes to the tree `base`, or to an empty tree. Paths may contain folders. */
  readonly writeTree: (changes: ReadonlyArray<TreeChange>, base?: string) => Effect.Effect<string, GitError>
  /** Writes one level of a tree. */
  readonly writeEntries: (entries: Iterable<TreeEntry>) => Effect.Effect<string, GitError>
  /** With `sign`, signs a commit that has no signature. */
  readonly writeCommit: (commit: NewCommit, sign?: CommitSigner) => Effect.Effect<string, GitError>
  readonly writeTag: (tag: NewTag) => Effect.Effect<string, GitError>
}

/** Writes objects of a repository. */
export const make = (store: ObjectFiles.ObjectStore, { info, tree }: Pick<Objects, "info" | "tree">): ObjectWriter => {
  const digits = store.format === "sha256" ? 64 : 40
  const write = (type: ObjectType, content: Uint8Array) => ObjectFiles.write(store, type, content)

  const requireType = Effect.fnUntraced(function* (oid: string, type: ObjectType) {
    const found = yield* info(oid)
    if (found === undefined) return yield* gitError({ _tag: "ObjectMissing", oid })
    if (found.type !== type) return yield* invalid(`it is a ${found.type}, not a ${type}`, oid)
  })

  const writeLevel = (
    base: string | undefined,
    changes: ReadonlyArray<SplitChange>
  ): Effect.Effect<string | undefined, GitError> =>
    Effect.gen(function* () {
      const before = base === undefined ? [] : yield* tree(base)
      if (before === undefined) return yield* invalid("it is not a tree", base)
      const entries = new Map(before.map((entry) => [keyOf(entry), entry]))
      for (const [name, group] of groupByFirst(changes)) {
        const leaf = group.findLast(({ rest }) => rest.length === 0)
        if (leaf !== undefined) applyChange(entries, name, leaf)
        const nested = group.filter(({ rest }) => rest.length > 0).map(({ change, rest }) => ({ change, parts: rest }))
        if (nested.length === 0) continue
        const entry = entries.get(name)
        const oid = yield* writeLevel(entry?.type === "tree" ? entry.oid : undefined, nested)
        if (oid === undefined) entries.delete(name)
        else entries.set(name, { mode: "040000", type: "tree", name, oid })
      }
      return entries.size === 0 ? undefined : yield* write("tree", encodeTree(entries.values()))
    })

  return {
    writeBlob: Effect.fn("GitRepository.writeBlob")((bytes) => write("blob", bytes)),

    writeEntries: (entries) => write("tree", encodeTree(entries)),

    writeTree: Effect.fn("GitRepository.writeTree")(function* (changes: ReadonlyArray<TreeChange>, base?: string) {
      const split: Array<SplitChange> = []
      for (const change of changes) {
        const parts = treePath(change.path)
        if (parts === undefined) {
          return yield* gitError({ _tag: "InvalidName", name: change.path, detail: "trees cannot contain this path" })
        }
        if (change.mode === "120000" && TreeEntryName.isGitModules(parts.at(-1) ?? "")) {
          return yield* invalid(`${change.path} cannot be a symbolic link`)
        }
        const type = typeOfMode(change.mode)
        if (change.oid !== null) {
          // The commit of a submodule is in another repository.
          if (type !== "commit") yield* requireType(change.oid, type)
          else if (!isOid(change.oid) || change.oid.length !== digits || /^0+$/.test(change.oid)) {
            return yield* invalidOid(change.oid)
          }
        }
        split.push({ change, parts })
      }
      if (base !== undefined) yield* requireType(base, "tree")
      return (yield* writeLevel(base, split)) ?? (yield* write("tree", Buffer.alloc(0)))
    }),

    writeCommit: Effect.fn("GitRepository.writeCommit")(function* (commit: NewCommit, sign?: CommitSigner) {
      const problem = validatePerson(commit.author) ?? validatePerson(commit.committer)
      if (problem !== undefined) return yield* invalid(problem)
      if (commit.message.includes("\0")) return yield* invalid("the message contains a NUL character")
      if (commit.signature?.includes("\0")) return yield* invalid("the signature contains a NUL character")
      if (commit.signature?.trim() === "") return yield* invalid("the signature is empty")
      yield* requireType(commit.tree, "tree")
      yield* Effect.forEach(commit.parents, (parent) => requireType(parent, "commit"), { concurrency: "unbounded" })
      const content = encodeCommit(commit, store.format)
      if (sign === undefined || commit.signature !== undefined) return yield* write("commit", content)
      return yield* write("commit", encodeCommit({ ...commit, signature: yield* sign(content) }, store.format))
    }),

    writeTag: Effect.fn("GitRepository.writeTag")(function* (tag: NewTag) {
      const problem = validatePerson(tag.tagger)
      if (problem !== undefined) return yield* invalid(problem)
      if (tag.message.includes("\0")) return yield* invalid("the message contains a NUL character")
      if (!RefName.isValid(RefName.tag(tag.name))) {
        return yield* gitError({
          _tag: "InvalidName",
          name: tag.name,
          detail: "git does not accept it as a tag name"
        })
      }
      yield* requireType(tag.object, tag.type)
      return yield* write("tag", encodeTag(tag))
    })
  }
}

interface SplitChange {
  readonly change: TreeChange
  readonly parts: ReadonlyArray<string>
}

interface RestChange {
  readonly change: TreeChange
  readonly rest: ReadonlyArray<string>
}

const invalid = (detail: string, oid?: string) =>
  gitError({ _tag: "InvalidObject", detail, ...(oid === undefined ? {} : { oid }) })

/** Maximum depth of a path. Git and file systems fail slightly above this depth. */
const MAX_DEPTH = 256

/** Like {@link splitPath}, but also rejects paths that git refuses to check out. */
const treePath = (path: string): ReadonlyArray<string> | undefined => {
  const parts = splitPath(path)
  return parts !== undefined &&
    parts.length > 0 &&
    parts.length <= MAX_DEPTH &&
    path.isWellFormed() &&
    !parts.some(TreeEntryName.isRefused)
    ? parts
    : undefined
}

const groupByFirst = (changes: ReadonlyArray<SplitChange>): ReadonlyMap<string, ReadonlyArray<RestChange>> =>
  Map.groupBy(
    changes.map(({ change, parts: [name = "", ...rest] }) => ({ name, change, rest })),
    ({ name }) => name
  )

/** An entry whose name is not UTF-8 gets a key that no path can have, so changes never affect the entry. */
const keyOf = ({ bytes, name }: TreeEntry): string => (bytes === undefined ? name : `\0${bytes.toString("latin1")}`)

const applyChange = (entries: Map<string, TreeEntry>, name: string, { change: { mode, oid } }: RestChange): void => {
  if (oid === null) entries.delete(name)
  else entries.set(name, { mode, type: typeOfMode(mode), name, oid })
}
