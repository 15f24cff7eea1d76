import { open, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { entries, flush, isDirectory, readLine } from "./Files.ts"
import type { Git } from "./Git.ts"
import { type GitError, gitError } from "./GitError.ts"
import type { RepositoryLocation } from "./RepositoryLocation.ts"
import { invalidOid, isOid } from "./Oid.ts"
import * as RefName from "./RefName.ts"
import { type Refs, symbolicHead, symbolicTarget } from "./Refs.ts"

/**
 * Changes of references, each one transaction with the value that the caller saw, so that of concurrent writers (here
 * and in other processes) all but one lose with `RefConflict` or `AlreadyExists`. Durable when they return.
 */
export interface RefWriter {
  readonly createRef: (name: string, oid: string) => Effect.Effect<void, GitError>
  readonly updateRef: (name: string, oid: string, expected: string) => Effect.Effect<void, GitError>
  readonly deleteRef: (name: string, expected: string) => Effect.Effect<void, GitError>
  /** Makes a branch the default one. `CheckedOut` where HEAD is a person's work tree's own. */
  readonly setHead: (branch: string) => Effect.Effect<void, GitError>
}

export const make = (
  git: Git["Service"],
  location: RepositoryLocation,
  isolated: string,
  { bare, commonBare }: { readonly bare: boolean; readonly commonBare: boolean },
  refs: Refs
): RefWriter => {
  const writing = Semaphore.makeUnsafe(1)

  const change = Effect.fnUntraced(
    function* (name: string, expected: string, command: ReadonlyArray<string>) {
      if (!RefName.isValid(name)) {
        return yield* invalidName(name)
      }
      const workTree = checkedOutIn(location.commonDir, commonBare, name)
      if (workTree !== undefined) {
        // A work tree can be on a branch that is not there yet.
        const isThere = command[0] === "create" && (yield* refs.get(name)) !== undefined
        return yield* gitError(
          isThere ? { _tag: "AlreadyExists", ref: name } : { _tag: "CheckedOut", ref: name, workTree }
        )
      }
      const [verb, ...values] = command
      // A repository with reference logs gets an entry. Git would fail to make the folder through the link to it.
      const log = `core.logAllRefUpdates=${!commonBare && isDirectory(join(location.commonDir, "logs"))}`
      yield* git
        .run(["update-ref", "-m", `tongs: ${verb}`, "--stdin", "-z"], {
          gitDir: isolated,
          settings: [log],
          input: `option no-deref\0${verb} ${[name, ...values].join("\0")}\0`
        })
        .pipe(Effect.mapError((error) => toRefError(error, name, expected)))
    },
    (effect) => writing.withPermit(Effect.ensuring(Effect.uninterruptible(effect), refs.invalidate))
  )

  return {
    createRef: Effect.fn("GitRepository.createRef")((name, oid) => checkOids([oid], change(name, "", ["create", oid]))),
    updateRef: Effect.fn("GitRepository.updateRef")((name, oid, expected) =>
      checkOids([oid, expected], change(name, expected, ["update", oid, expected]))
    ),
    deleteRef: Effect.fn("GitRepository.deleteRef")((name, expected) =>
      checkOids([expected], change(name, expected, ["delete", expected]))
    ),
    setHead: Effect.fn("GitRepository.setHead")(function* (branch: string) {
      const name = RefName.branch(branch)
      if (!RefName.isValid(name)) return yield* invalidName(name)
      if (!bare) return yield* gitError({ _tag: "CheckedOut", ref: "HEAD", workTree: location.path })
      yield* Effect.uninterruptible(Effect.ensuring(writeHead(location.commonDir, name), refs.invalidate))
    })
  }
}

/** Writes HEAD as git does. Git itself would obey the settings of the repository. */
const writeHead = (gitDir: string, target: string): Effect.Effect<void, GitError> => {
  const path = join(gitDir, "HEAD")
  const lock = `${path}.lock`
  return Effect.tryPromise({
    try: async () => {
      const file = await open(lock, "wx", (await stat(path)).mode & 0o777)
      try {
        try {
          await file.writeFile(`ref: ${target}\n`)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(lock, path)
      } catch (cause) {
        await rm(lock, { force: true })
        throw cause
      }
      await flush(gitDir)
    },
    catch: (cause) =>
      cause instanceof Error && "code" in cause && cause.code === "EEXIST"
        ? gitError({ _tag: "RefLocked", ref: "HEAD" })
        : gitError({ _tag: "NotWritable", path, detail: String(cause) })
  })
}

const invalidName = (name: string) =>
  gitError({ _tag: "InvalidName", name, detail: "it is not a name that git takes for a reference" })

/** Git reads an empty or zero old value as "anything": no caller may slip one in. */
const checkOids = (oids: ReadonlyArray<string>, change: Effect.Effect<void, GitError>) => {
  const wrong = oids.find((oid) => !isOid(oid) || /^0+$/.test(oid))
  return wrong === undefined ? change : Effect.fail(invalidOid(wrong))
}

/** What git says when it refuses, made of what `refs/files-backend.c` and `refs.c` print. */
const toRefError = (error: GitError, ref: string, expected: string): GitError => {
  if (error.reason._tag !== "CommandFailed") return error
  const { stderr } = error.reason
  const actual = /is at ([0-9a-f]+) but expected/.exec(stderr)?.[1]
  if (actual !== undefined) return gitError({ _tag: "RefConflict", ref, expected, actual })
  if (/unable to resolve reference|reference is missing but expected/.test(stderr)) {
    return gitError({ _tag: "RefConflict", ref, expected, actual: undefined })
  }
  if (/reference already exists/.test(stderr)) return gitError({ _tag: "AlreadyExists", ref })
  const other =
    /'([^']+)' exists; cannot create/.exec(stderr)?.[1] ?? /there is a non-empty directory '([^']+)'/.exec(stderr)?.[1]
  if (other !== undefined) return gitError({ _tag: "DirectoryConflict", ref, other })
  if (/Unable to create '.*\.lock': File exists/.test(stderr)) return gitError({ _tag: "RefLocked", ref })
  if (/non-commit object|nonexistent object/.test(stderr)) {
    return gitError({ _tag: "InvalidObject", detail: stderr.replace(/^fatal: /, "").trim() })
  }
  return error
}

/** The work tree that has the branch checked out, or is in the middle of rebasing or bisecting it. */
const checkedOutIn = (commonDir: string, bare: boolean, ref: string): string | undefined => {
  const added = entries(join(commonDir, "worktrees")).map(({ name }) => join(commonDir, "worktrees", name))
  return [...(bare ? [] : [commonDir]), ...added].flatMap((gitDir) => {
    const names = [symbolicHead(gitDir), readLine(join(gitDir, "BISECT_START"))]
    const inUse = [...names.flatMap((name) => (name ? symbolicChain(commonDir, name) : [])), ...rebasedBranches(gitDir)]
    return inUse.includes(ref) ? [dirname(readLine(join(gitDir, "gitdir")) ?? gitDir)] : []
  })[0]
}

/** References of references that are followed, as git does. */
const maxSymbolic = 5

/** A branch, and those that it stands for where it is a symbolic reference. */
const symbolicChain = (commonDir: string, name: string): ReadonlyArray<string> => {
  const found = [RefName.branch(name)]
  for (const ref of found) {
    const target = symbolicTarget(join(commonDir, ref))
    if (target?.startsWith("refs/") && found.length <= maxSymbolic) found.push(target)
  }
  return found
}

const rebasedBranches = (gitDir: string): ReadonlyArray<string | undefined> =>
  ["rebase-merge/head-name", "rebase-apply/head-name"].map((file) => readLine(join(gitDir, file)))
