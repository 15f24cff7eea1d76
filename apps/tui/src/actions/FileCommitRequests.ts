/** The requests of an edit: where the commit goes, the file, and the commit. */
import * as Base64 from "effect/encoding/Base64"
import * as Effect from "effect/Effect"
import { Connection } from "@tongs/connection/Connection"
import { Forge } from "@tongs/core/client/Forge"
import { type CatalogEntry, entriesOfGroup } from "@tongs/core/contract/CatalogEntry"
import * as Exposure from "@tongs/core/contract/Exposure"
import type { Failure } from "@tongs/core/contract/Failure"
import * as Operation from "@tongs/core/contract/Operation"
import * as TextContent from "@tongs/core/contract/TextContent"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as PathText from "@tongs/core/text/PathText"
import * as Terminal from "@tongs/core/text/Terminal"
import type { Arguments } from "../content/Route.ts"
import * as FileBytes from "./FileBytes.ts"
import type { FileVersion, Target } from "./FileCommit.ts"

/** A file of a repository at a branch, tag or commit; without `ref`, in the work tree or at the default branch. */
export interface RepositoryFile {
  readonly owner: string
  readonly repo: string
  readonly path: string
  readonly ref: string | undefined
}

/** A call that undoes the commit. */
interface UndoCall {
  readonly entry: CatalogEntry
  readonly input: Arguments
}

/** The result of a commit. */
export type Outcome =
  | {
      readonly _tag: "Committed"
      readonly message: string
      readonly undo: UndoCall | undefined
    }
  /** Someone else changed the file after it was read. */
  | { readonly _tag: "Conflict"; readonly theirs: FileVersion; readonly branch: string }
  | { readonly _tag: "Refused"; readonly reason: string }

const options = { priority: "interactive", timeout: 30_000 } as const // a literal type

const entryOf = (group: "contents" | "gitRefs", name: string) =>
  entriesOfGroup(group).find((entry) => entry.name === name)

/** Finds the branch that a screen shows, and what the user must know before a commit to it. */
export const target = Effect.fnUntraced(function* ({
  owner,
  path,
  ref,
  repo
}: RepositoryFile): Effect.fn.Return<Target, Failure, Forge | Connection> {
  const forge = yield* Forge
  const repository = { owner, repo }
  const tree = yield* workTree(repository)
  const isDefault = ref === undefined || ref === "HEAD"
  const shown = !isDefault
    ? ref
    : tree === undefined
      ? (yield* forge.repositories.get(repository, options)).default_branch
      : (tree.branch ?? undefined)
  const branch = shown === undefined ? undefined : yield* branchOf(repository, shown)
  const commit =
    branch?.commit.sha ??
    (isDefault ? tree?.head : undefined) ??
    (yield* forge.commits.list({ ...repository, sha: shown ?? "HEAD" }, { ...options, perPage: 1 }).first).items[0]
      ?.sha ??
    ""
  const isCheckedOut = branch !== undefined && branch.name === tree?.branch
  const isChanged = isDefault && tree?.files.some((file) => file.path === path) === true
  const entry = entryOf("contents", "createOrUpdate")
  const exposure = entry === undefined ? undefined : Operation.exposureOf(entry.operation, { path })
  return {
    ref,
    branch: branch?.name,
    commit,
    proposed: branch === undefined || isCheckedOut ? yield* newBranch(repository, path) : branch.name,
    notes: [
      ...(branch === undefined
        ? [`${AbbreviatedId.of(shown ?? commit)} is not a branch, so the commit starts a new branch there.`]
        : []),
      ...(isCheckedOut
        ? [
            `The work tree has ${branch.name} checked out, so the commit is made beside the work tree, on a new branch. The files on disk do not change.`
          ]
        : []),
      ...(isChanged ? ["The uncommitted changes of this file are not part of the commit."] : []),
      ...(branch?.protected === true && !isCheckedOut
        ? [`${branch.name} is protected: the forge may refuse the commit.`]
        : [])
    ],
    consequence: exposure === undefined ? undefined : Exposure.describe(exposure, { path }, Terminal.escape)
  }
})

/** Maximum number of names that are tried for a new branch. */
const MAX_NAMES = 99

/** Returns the name of a branch that does not exist, for an edit of a file. */
const newBranch = Effect.fnUntraced(function* (repository: Pick<RepositoryFile, "owner" | "repo">, path: string) {
  const file = PathText.nameOf(path).replace(/[^\p{L}\p{N}_-]+/gu, "-")
  const name = `update-${file.replace(/^-+|-+$/g, "")}`
  const found = yield* Effect.orElseSucceed(
    (yield* Forge).gitRefs.listMatching({ ...repository, ref: `heads/${name}` }, options),
    () => []
  )
  const taken = new Set(found.map(({ ref }) => ref.replace(/^refs\/heads\//, "")))
  const names = Array.from({ length: MAX_NAMES }, (_, index) => (index === 0 ? name : `${name}-${index + 1}`))
  return names.find((one) => !taken.has(one)) ?? name
})

/** Reads the work tree of a local repository. A remote forge has none, and gets no request. */
const workTree = Effect.fnUntraced(function* (repository: Pick<RepositoryFile, "owner" | "repo">) {
  const { searchesWorkTrees } = yield* Connection
  if (searchesWorkTrees !== true) return undefined
  const found = yield* Effect.orElseSucceed((yield* Forge).workTrees.get(repository, options), () => undefined)
  return found?.available === true ? found : undefined
})

const branchOf = Effect.fnUntraced(function* (repository: Pick<RepositoryFile, "owner" | "repo">, branch: string) {
  const forge = yield* Forge
  return yield* Effect.catchTag(
    forge.branches.get({ ...repository, branch }, options),
    "NotFound",
    () => Effect.undefined
  )
})

/** Reads a file at a commit or branch. A missing file has an empty text and no blob. */
export const version = Effect.fnUntraced(function* (
  { owner, path, repo }: Pick<RepositoryFile, "owner" | "repo" | "path">,
  ref: string
): Effect.fn.Return<FileVersion | { readonly reason: string }, Failure, Forge> {
  const forge = yield* Forge
  const found = yield* Effect.catchTag(
    forge.contents.get({ owner, repo, path, ref }, options),
    "NotFound",
    () => Effect.undefined
  )
  if (found === undefined) return { owner, repo, path, sha: undefined, text: "" }
  if (isFolder(found)) return { reason: "it is a folder" }
  const bytes = FileBytes.read(found)
  return bytes._tag === "Refused" ? bytes : { owner, repo, path, sha: found.sha, text: bytes.text }
})

const isFolder = <A>(found: A | ReadonlyArray<A>): found is ReadonlyArray<A> => Array.isArray(found)

/** Commits the text. A branch that does not exist is created first, and removed again if the commit fails. */
export const commit = Effect.fnUntraced(function* (
  base: FileVersion,
  { branch: shown, commit: start }: Target,
  { branch, message, text }: { readonly branch: string; readonly message: string; readonly text: string }
): Effect.fn.Return<Outcome, Failure, Forge> {
  const forge = yield* Forge
  const { owner, path, repo, sha } = base
  const ref = `heads/${branch}`
  const isNew = branch !== shown && (yield* branchOf({ owner, repo }, branch)) === undefined
  if (isNew) yield* forge.gitRefs.create({ owner, repo, ref: `refs/${ref}`, sha: start }, options)
  const input = {
    owner,
    repo,
    path,
    message,
    branch,
    content: Base64.encode(text),
    ...(sha === undefined ? {} : { sha })
  }
  return yield* forge.contents.createOrUpdate(input, options).pipe(
    Effect.map((done): Outcome => ({
      _tag: "Committed",
      message: `Committed ${AbbreviatedId.of(done.commit.sha)} to ${isNew ? "the new branch " : ""}${branch}`,
      undo: isNew
        ? undoCall("gitRefs", "delete", { owner, repo, ref })
        : undoCall("contents", sha === undefined ? "delete" : "createOrUpdate", {
            owner,
            repo,
            path,
            branch,
            message: `Revert "${message.split("\n", 1)[0] ?? ""}"`,
            sha: done.content?.sha,
            ...(sha === undefined ? {} : { content: TextContent.ofBase64(Base64.encode(base.text)) })
          })
    })),
    Effect.catchTag("Conflict", (failure) =>
      Effect.flatMap(version(base, branch), (theirs): Effect.Effect<Outcome, Failure> => {
        if ("reason" in theirs)
          return Effect.succeed({ _tag: "Refused", reason: `${path} on ${branch}: ${theirs.reason}` })
        // The response of an earlier attempt may have been lost.
        if (theirs.text === text && theirs.sha !== sha)
          return Effect.succeed({ _tag: "Committed", message: `${branch} has this text already`, undo: undefined })
        return theirs.sha === sha ? Effect.fail(failure) : Effect.succeed({ _tag: "Conflict", theirs, branch })
      })
    ),
    Effect.tapError(() => (isNew ? Effect.ignore(forge.gitRefs.delete({ owner, repo, ref }, options)) : Effect.void))
  )
})

const undoCall = (group: "contents" | "gitRefs", name: string, input: Arguments): UndoCall | undefined => {
  const entry = entryOf(group, name)
  return entry === undefined ? undefined : { entry, input }
}
