/** Commits that change one file of a branch (`PUT` and `DELETE` of contents). */
import * as Effect from "effect/Effect"
import type { NewSignature } from "@tongs/core/contract/groups/GitCommits"
import type { GitRepository } from "../../git/GitRepository.ts"
import type { TreeChange } from "../../git/objects/ObjectWriter.ts"
import type { PathEntry } from "../../git/objects/Objects.ts"
import * as RefName from "../../git/values/RefName.ts"
import type { SignedInRepositoryContext } from "../../api/RequestContext.ts"
import * as ApiError from "../../api/ApiError.ts"
import * as Shapes from "../../api/Shapes.ts"
import * as BranchCommits from "../gitData/BranchCommits.ts"
import * as NewPerson from "../gitData/NewPerson.ts"
import { CommitSigning } from "../../verification/CommitSigning.ts"

/** Input of a commit that changes one file. */
export interface FileChange {
  readonly path: string
  readonly message: string
  /** Blob id of the existing file. */
  readonly sha?: string
  readonly branch?: string
  readonly author?: typeof NewSignature.Type
  readonly committer?: typeof NewSignature.Type
}

/** A commit of a change to a file. */
export interface FileCommit {
  readonly branch: string
  readonly oid: string
  /** The file before the change; undefined for a new file. */
  readonly before: PathEntry | undefined
  /** Id of the new blob; null for a deletion. */
  readonly blob: string | null
}

/** Creates the function that commits a change to a file: the new content, or null to delete the file. */
export const make = Effect.gen(function* () {
  const commit = yield* BranchCommits.make
  const signing = yield* CommitSigning

  return Effect.fnUntraced(function* (
    context: SignedInRepositoryContext,
    change: FileChange,
    content: Uint8Array | null
  ) {
    const { caller, repository } = context
    const { git } = repository
    const { message, path } = change
    yield* requirePath(path)
    const branch = yield* branchOf(git, change.branch)
    const user = yield* Shapes.personOf(caller.user)
    const committer =
      change.committer === undefined ? user : yield* NewPerson.make(change.committer, "Commit", "committer")
    const author = change.author === undefined ? committer : yield* NewPerson.make(change.author, "Commit", "author")
    // A signature confirms the identity of the caller, so a commit of given people has none, as on GitHub.
    const sign = change.committer === undefined && change.author === undefined ? signing.sign : undefined

    let before: PathEntry | undefined
    let blob: string | null = null
    const write = Effect.fnUntraced(function* (tip: string | undefined) {
      before = tip === undefined ? undefined : yield* git.entryAt(tip, path)
      yield* requireFile(git, tip, path, before)
      yield* before === undefined
        ? content === null
          ? Effect.fail(ApiError.notFound())
          : Effect.void
        : requireSha(change, before)
      // Writes after the checks, so that a rejected request leaves nothing behind.
      blob = content === null ? null : yield* git.writeBlob(content)
      const base = tip === undefined ? undefined : (yield* git.commit(tip))?.tree
      const tree = yield* git.writeTree([{ path, mode: modeOf(before), oid: blob }], base)
      const parents = tip === undefined ? [] : [tip]
      return yield* git.writeCommit({ tree, parents, author, committer, message }, sign)
    })
    const oid = yield* commit(context, branch, write)
    return oid === undefined ? yield* ApiError.notFound() : ({ branch, oid, before, blob } satisfies FileCommit)
  })
})

/** Keeps the mode of an existing file. */
const modeOf = (before: PathEntry | undefined): TreeChange["mode"] =>
  before?.kind === "symlink" ? "120000" : before?.mode === "100755" ? "100755" : "100644"

/** Returns the name of the branch to commit to. A repository without branches begins with the default branch. */
const branchOf = Effect.fnUntraced(function* (git: GitRepository, given: string | undefined) {
  const name = given === undefined ? yield* git.head : RefName.short(given)
  if ((yield* git.ref(RefName.branch(name))) !== undefined) return name
  const isFirst = name === (yield* git.head) && (yield* git.refs("refs/heads/")).length === 0
  return isFirst ? name : yield* ApiError.notFound(`Branch ${name.slice(0, 200)} not found`)
})

const invalidPath = (message: string) =>
  Effect.fail(ApiError.invalid(message, [{ resource: "Commit", field: "path", code: "invalid", message }]))

const requirePath = (path: string) =>
  path === "" || path.startsWith("/") || path.endsWith("/")
    ? invalidPath("path must be the path of a file, without a slash at its start or end")
    : path.split("/").some((part) => part === "" || part === "." || part === ".." || part.toLowerCase() === ".git")
      ? invalidPath("path contains a malformed path component")
      : Effect.void

/** Fails if the path is a folder or submodule, or if a parent of the path is a file. */
const requireFile = Effect.fnUntraced(function* (
  git: GitRepository,
  tip: string | undefined,
  path: string,
  found: PathEntry | undefined
) {
  if (found?.kind === "dir") return yield* invalidPath(`${path} is a folder`)
  if (found?.kind === "submodule") return yield* invalidPath(`${path} is a submodule`)
  if (tip === undefined || found !== undefined) return
  const parts = path.split("/")
  for (let depth = 1; depth < parts.length; depth++) {
    const folder = parts.slice(0, depth).join("/")
    const entry = yield* git.entryAt(tip, folder)
    if (entry === undefined) return
    if (entry.kind !== "dir") return yield* invalidPath(`${folder} is not a folder`)
  }
})

/** Fails unless the input has the blob id of the existing file. GitHub's messages. */
const requireSha = ({ path, sha }: FileChange, { oid }: PathEntry) => {
  if (sha === undefined || sha === "")
    return Effect.fail(ApiError.invalid(`Invalid request.\n\n"sha" wasn't supplied.`))
  return sha === oid ? Effect.void : Effect.fail(ApiError.conflict(`${path} does not match ${sha.slice(0, 200)}`))
}
