import { open, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { codeOf } from "../../base/SystemError.ts"
import { flush } from "../../base/Flush.ts"
import { entries, isDirectory, readLine } from "../files/Files.ts"
import * as FileStat from "../files/FileStat.ts"
import { type GitError, gitError } from "../values/GitError.ts"
import * as RepositoryFormat from "../values/RepositoryFormat.ts"
import type { RepositoryLocation } from "../values/RepositoryLocation.ts"
import type { RefTransactions } from "./RefTransactions.ts"
import { invalidOid, isOid } from "../values/Oid.ts"
import * as RefName from "../values/RefName.ts"
import * as PullRefs from "./PullRefs.ts"
import type { Refs } from "./Refs.ts"
import { symbolicHead, symbolicTarget } from "./SymbolicRefs.ts"

/**
 * Writes references. Each write compares with the expected value in one transaction, so that only one of several
 * concurrent writers, also in other processes, succeeds. The rest fail with `RefConflict` or `AlreadyExists`. Writes
 * are durable.
 */
export interface RefWriter {
  readonly createRef: (name: string, oid: string) => Effect.Effect<void, GitError>
  readonly updateRef: (
    name: string,
    oid: string,
    expected: string,
    options?: UpdateOptions
  ) => Effect.Effect<void, GitError>
  readonly deleteRef: (name: string, expected: string) => Effect.Effect<void, GitError>
  /** Changes the default branch. Fails with `CheckedOut` for a work tree, whose HEAD belongs to its user. */
  readonly setHead: (branch: string) => Effect.Effect<void, GitError>
  /** Path of the work tree in which the branch is checked out or being rebased or bisected. */
  readonly workTreeOf: (name: string) => string | undefined
  /** True if a file makes this name a symbolic reference: a push to the name would change the target reference. */
  readonly isSymbolic: (name: string) => boolean
  /** The setting for logs of reference changes, enabled if the repository has reference logs. */
  readonly reflogSetting: () => string
  /** The references of pull requests, which the other functions refuse to change. */
  readonly pullRefs: PullRefs.PullRefs
}

export interface UpdateOptions {
  /** Updates also a branch that is checked out. The caller updates the work tree. */
  readonly isCheckedOut?: boolean
}

export interface WriterOptions {
  readonly bare: boolean
  readonly commonBare: boolean
  /** Folder for the references of pull requests. Undefined for those in the repository. */
  readonly pulls: string | undefined
}

/** Writes references of the repository at `location`, with git running in the isolated git directory. */
export const make = (
  transactions: Pick<RefTransactions, "run">,
  location: RepositoryLocation,
  isolated: string,
  { bare, commonBare, pulls }: WriterOptions,
  refs: Refs
): RefWriter => {
  const writeLock = Semaphore.makeUnsafe(1)
  const workTreeOf = (name: string) => checkedOutIn(location.commonDir, commonBare, name)
  // Logs only if the folder exists, because git cannot create the folder through the dangling link.
  const reflogSetting = () => `core.logAllRefUpdates=${!commonBare && isDirectory(join(location.commonDir, "logs"))}`

  const target = () => ({ gitDir: isolated, identity: identityOf(location), settings: [reflogSetting()] })

  /** Runs a transaction. If the process was killed, the reference shows whether the transaction took effect. */
  const run = Effect.fnUntraced(function* ({ commands, expected, name, wanted }: RefChange) {
    const attempt = Effect.suspend(() => transactions.run(target(), commands))
    const settled = Effect.catchIf(attempt, isUncertain, (error) =>
      Effect.gen(function* () {
        yield* refs.invalidate
        const actual = (yield* refs.get(name))?.oid
        if (actual === wanted) return
        if (actual !== expected) return yield* conflict(name, expected, actual)
        return yield* error
      })
    )
    // After a kill, an unchanged reference proves that the process changed nothing.
    yield* Effect.retry(settled, { times: 1, while: isKilled })
  })

  const change = Effect.fnUntraced(
    function* (refChange: RefChange, isCheckedOut = false) {
      const { expected, name } = refChange
      if (!RefName.isValid(name)) {
        return yield* invalidName(name)
      }
      if (name.startsWith(PullRefs.PREFIX)) {
        const detail = "only pull requests change references under refs/pull"
        return yield* gitError({ _tag: "InvalidName", name, detail })
      }
      const workTree = isCheckedOut ? undefined : workTreeOf(name)
      if (workTree !== undefined) {
        // The branch of a work tree may not exist yet.
        const exists = expected === undefined && (yield* refs.get(name)) !== undefined
        return yield* gitError(
          exists ? { _tag: "AlreadyExists", ref: name } : { _tag: "CheckedOut", ref: name, workTree }
        )
      }
      yield* run(refChange).pipe(Effect.mapError((error) => toRefError(error, name, expected ?? "")))
    },
    (effect) => writeLock.withPermit(Effect.ensuring(Effect.uninterruptible(effect), refs.invalidate))
  )

  const runPulls = (commands: string) =>
    writeLock.withPermit(
      transactions.run(target(), commands).pipe(
        Effect.mapError((error) => toRefError(error, PullRefs.PREFIX, "")),
        Effect.uninterruptible,
        Effect.ensuring(refs.invalidate)
      )
    )

  return {
    pullRefs: pulls === undefined ? PullRefs.inRepository(refs, runPulls) : PullRefs.inFolder(pulls),
    workTreeOf,
    isSymbolic: (name) => symbolicTarget(join(location.commonDir, name)) !== undefined,
    reflogSetting,
    createRef: Effect.fn("GitRepository.createRef")((name, oid) =>
      RefName.isCreatable(name)
        ? checkOids([oid], change({ name, expected: undefined, wanted: oid, commands: command("create", name, oid) }))
        : Effect.fail(invalidName(name))
    ),
    updateRef: Effect.fn("GitRepository.updateRef")((name, oid, expected, { isCheckedOut } = {}) =>
      checkOids(
        [oid, expected],
        change({ name, expected, wanted: oid, commands: command("update", name, oid, expected) }, isCheckedOut)
      )
    ),
    deleteRef: Effect.fn("GitRepository.deleteRef")((name, expected) =>
      checkOids([expected], change({ name, expected, wanted: undefined, commands: command("delete", name, expected) }))
    ),
    setHead: Effect.fn("GitRepository.setHead")(function* (branch: string) {
      const name = RefName.branch(branch)
      if (!RefName.isValid(name)) return yield* invalidName(name)
      if (!bare) return yield* gitError({ _tag: "CheckedOut", ref: "HEAD", workTree: location.path })
      yield* Effect.uninterruptible(Effect.ensuring(writeHead(location.commonDir, name), refs.invalidate))
    })
  }
}

/** A change of one reference from `expected` to `wanted`. Undefined means an absent reference. */
interface RefChange {
  readonly name: string
  readonly expected: string | undefined
  readonly wanted: string | undefined
  /** In the format of `git update-ref --stdin -z`. */
  readonly commands: string
}

const command = (verb: string, ...values: ReadonlyArray<string>) => `option no-deref\0${verb} ${values.join("\0")}\0`

/** Changes when another repository replaces the one at this location. */
const identityOf = (location: RepositoryLocation): string => {
  const objects = FileStat.stat(join(location.commonDir, "objects"))
  return `${RepositoryFormat.version(location)} ${objects?.dev} ${objects?.ino}`
}

const isKilled = ({ reason }: GitError) => reason._tag === "CommandFailed" && reason.exitCode === null

/** True if git may have changed the reference nevertheless. */
const isUncertain = (error: GitError) => isKilled(error) || error.reason._tag === "TimedOut"

const conflict = (ref: string, expected: string | undefined, actual: string | undefined) =>
  gitError(expected === undefined ? { _tag: "AlreadyExists", ref } : { _tag: "RefConflict", ref, expected, actual })

/** Writes HEAD directly, because git would apply the repository's configuration. Takes the same lock as git. */
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
      codeOf(cause) === "EEXIST"
        ? gitError({ _tag: "RefLocked", ref: "HEAD" })
        : gitError({ _tag: "NotWritable", path, detail: String(cause) })
  })
}

const invalidName = (name: string) =>
  gitError({ _tag: "InvalidName", name, detail: "it is not a valid name for a reference" })

/** Rejects invalid and zero ids, because git treats an empty or zero old value as "any value". */
const checkOids = (oids: ReadonlyArray<string>, change: Effect.Effect<void, GitError>) => {
  const wrong = oids.find((oid) => !isOid(oid) || /^0+$/.test(oid))
  return wrong === undefined ? change : Effect.fail(invalidOid(wrong))
}

/** Maps the messages of git's `refs/files-backend.c` and `refs.c` to errors. */
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

/** Path of the work tree in which the branch is checked out or being rebased or bisected. */
const checkedOutIn = (commonDir: string, bare: boolean, ref: string): string | undefined => {
  const added = entries(join(commonDir, "worktrees")).map(({ name }) => join(commonDir, "worktrees", name))
  return [...(bare ? [] : [commonDir]), ...added].flatMap((gitDir) => {
    const names = [symbolicHead(gitDir), readLine(join(gitDir, "BISECT_START"))]
    const inUse = [...names.flatMap((name) => (name ? symbolicChain(commonDir, name) : [])), ...rebasedBranches(gitDir)]
    return inUse.includes(ref) ? [dirname(readLine(join(gitDir, "gitdir")) ?? gitDir)] : []
  })[0]
}

/** Maximum depth of symbolic references, as in git. */
const MAX_SYMBOLIC = 5

/** A branch, followed by the targets of symbolic references. */
const symbolicChain = (commonDir: string, name: string): ReadonlyArray<string> => {
  const found = [RefName.branch(name)]
  for (const ref of found) {
    const target = symbolicTarget(join(commonDir, ref))
    if (target?.startsWith("refs/") && found.length <= MAX_SYMBOLIC) found.push(target)
  }
  return found
}

const rebasedBranches = (gitDir: string): ReadonlyArray<string | undefined> =>
  ["rebase-merge/head-name", "rebase-apply/head-name"].map((file) => readLine(join(gitDir, file)))
