import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { entries, readLine } from "./Files.ts"
import type { Git } from "./Git.ts"
import { type GitError, gitError } from "./GitError.ts"
import type { Location } from "./Location.ts"
import { invalidOid, isOid } from "./Oid.ts"
import * as RefName from "./RefName.ts"
import { type Refs, symbolicHead } from "./Refs.ts"

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
  location: Location,
  { bare, commonBare }: { readonly bare: boolean; readonly commonBare: boolean },
  refs: Refs
): RefWriter => {
  const writing = Semaphore.makeUnsafe(1)

  const change = Effect.fnUntraced(
    function* (name: string, expected: string, command: ReadonlyArray<string>) {
      if (!RefName.isValid(name)) {
        return yield* invalidName(name)
      }
      const workTree =
        command[0] === "create" ? undefined : yield* checkedOutIn(git, location.commonDir, commonBare, name)
      if (workTree !== undefined) return yield* gitError({ _tag: "CheckedOut", ref: name, workTree })
      const [verb, ...values] = command
      yield* git
        .run(["update-ref", "-m", `tongs: ${verb}`, "--stdin", "-z"], {
          gitDir: location.commonDir,
          input: `option no-deref\0${verb} ${[name, ...values].join("\0")}\0`
        })
        .pipe(Effect.mapError((error) => refused(error, name, expected)))
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
      yield* git.run(["symbolic-ref", "HEAD", name], { gitDir: location.commonDir })
      yield* refs.invalidate
    })
  }
}

const invalidName = (name: string) =>
  gitError({ _tag: "InvalidName", name, detail: "it is not a name that git takes for a reference" })

/** Git reads an empty or zero old value as "anything": no caller may slip one in. */
const checkOids = (oids: ReadonlyArray<string>, change: Effect.Effect<void, GitError>) => {
  const wrong = oids.find((oid) => !isOid(oid) || /^0+$/.test(oid))
  return wrong === undefined ? change : Effect.fail(invalidOid(wrong))
}

/** What git says when it refuses, made of what `refs/files-backend.c` and `refs.c` print. */
const refused = (error: GitError, ref: string, expected: string): GitError => {
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
const checkedOutIn = Effect.fnUntraced(function* (git: Git["Service"], commonDir: string, bare: boolean, ref: string) {
  const added = entries(join(commonDir, "worktrees")).map(({ name }) => join(commonDir, "worktrees", name))
  for (const gitDir of [...(bare ? [] : [commonDir]), ...added]) {
    const head = yield* symbolicHead(git, gitDir)
    const inUse = [head, readLine(join(gitDir, "BISECT_START"))].flatMap((name) => (name ? [RefName.branch(name)] : []))
    if ([...inUse, ...rebased(gitDir)].includes(ref)) return dirname(readLine(join(gitDir, "gitdir")) ?? gitDir)
  }
  return undefined
})

const rebased = (gitDir: string): ReadonlyArray<string | undefined> =>
  ["rebase-merge/head-name", "rebase-apply/head-name"].map((file) => readLine(join(gitDir, file)))
