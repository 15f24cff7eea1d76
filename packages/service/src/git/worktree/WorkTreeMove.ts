/**
 * Moves a branch that is checked out together with the files of its work tree, as git does for a push with
 * `receive.denyCurrentBranch=updateInstead`.
 */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { entries, entryOf, exists, isDirectory, readText } from "../files/Files.ts"
import type { GitRepository } from "../GitRepository.ts"
import { Git } from "../process/Git.ts"
import { symbolicHead } from "../refs/SymbolicRefs.ts"
import { type GitError, gitError } from "../values/GitError.ts"
import * as RefName from "../values/RefName.ts"
import { locate, type RepositoryLocation } from "../values/RepositoryLocation.ts"
import * as WorkTreeCache from "./WorkTreeCache.ts"
import * as WorkTreeLocation from "./WorkTreeLocation.ts"
import * as WorkTreeOutput from "./WorkTreeOutput.ts"

/** A move of a branch from one commit to another. */
export interface Move {
  /** Full name of the branch, which the repository's main work tree has checked out. */
  readonly ref: string
  readonly from: string
  readonly to: string
}

/** Maximum number of changed files. */
const MAX_FILES = 20_000

/** Maximum time of a git command in milliseconds. Stopping git would leave some files changed. */
const MAX_MILLIS = 10 * 60_000

/** Maximum bytes of a file of attributes. */
const MAX_ATTRIBUTES_BYTES = 1024 * 1024

/** Files and folders in the git directory while a command waits for its user. */
const unfinished = [
  ["rebase-merge", "a rebase"],
  ["rebase-apply", "a rebase"],
  ["MERGE_HEAD", "a merge"],
  ["CHERRY_PICK_HEAD", "a cherry-pick"],
  ["REVERT_HEAD", "a revert"],
  ["BISECT_LOG", "a bisect"],
  ["sequencer", "a cherry-pick or revert"]
] as const

/** Attributes that change the content of files on disk. Some run programs of the configuration. */
const converting = ["filter", "eol", "crlf", "ident", "working-tree-encoding"]

const convertingAttribute = new RegExp(String.raw`^[^#\n]*\s(?:${converting.join("|")})(?:[=\s]|$)`, "m")

/**
 * Moves the branch and the files of its work tree.
 *
 * **Details**
 *
 * Fails with `WorkTreeUnmovable`, and changes nothing but the times in the index, unless index and files are those of
 * `from`, no file that git does not track is in the way, and git can write the files without a program of the
 * configuration. No hook runs. Other work trees fail with `CheckedOut`.
 *
 * Git writes first the files, then the index, and the reference comes last. So after a kill the branch is unchanged, and
 * the work tree has the changes of `to`, or a part of them, as uncommitted changes. `git reset --hard` removes them; a
 * kill while git writes also leaves `index.lock`, which must be removed first, and can leave new files untracked.
 */
export const move = Effect.fn("WorkTreeMove.move")(function* (
  repository: GitRepository,
  { from, ref, to }: Move
): Effect.fn.Return<void, GitError, Git> {
  const git = yield* Git
  const unmovable = (detail: string) =>
    gitError({ _tag: "WorkTreeUnmovable", ref, detail, command: `git merge --ff-only ${to}` })
  const location = locate(repository.path)
  const workTree = yield* WorkTreeLocation.open(repository, WorkTreeCache.make())
  const checkedOut = repository.workTreeOf(ref)
  if (location === undefined || workTree === undefined || checkedOut !== location.path) {
    return yield* gitError({ _tag: "CheckedOut", ref, workTree: checkedOut ?? repository.path })
  }
  const { folder, options } = workTree
  const problem = yield* obstacle(location, ref, options.settings ?? [])
  if (problem !== undefined) return yield* unmovable(problem)
  const unchecked = yield* git.run(["ls-files", "-v", "-z"], options)
  if (WorkTreeOutput.unchecked(unchecked.stdout).length > 0) {
    return yield* unmovable("it is a sparse checkout, or git does not check some of its files")
  }

  const diff = yield* git.run(["diff-tree", "-r", "-z", "--raw", "--no-renames", from, to], options)
  const changes = parse(diff.stdout)
  if (changes.length > MAX_FILES) return yield* unmovable(`more than ${MAX_FILES} files change`)
  if (changes.some(({ modes }) => modes.includes(SUBMODULE))) return yield* unmovable("a submodule changes")
  const converted = yield* findConverted(repository, options, changes)
  if (converted !== undefined) {
    return yield* unmovable(`attributes convert the content of ${converted}, which needs your configuration of git`)
  }
  const untracked = findUntracked(folder, changes)
  if (untracked !== undefined) return yield* unmovable(`${untracked} is in the way, which git does not track`)

  /** Runs a command; false if it reports a difference. */
  const isEqual = (...args: ReadonlyArray<string>) =>
    Effect.map(git.run(args, { ...options, acceptedExitCodes: [1] }), ({ exitCode }) => exitCode === 0)
  const isClean =
    (yield* isEqual("update-index", "-q", "--ignore-submodules", "--refresh")) &&
    (yield* isEqual("diff-files", "--quiet", "--ignore-submodules")) &&
    (yield* isEqual("diff-index", "--quiet", "--cached", "--ignore-submodules", from))
  if (!isClean) return yield* unmovable("it has uncommitted changes")

  const checkout = (before: string, after: string) =>
    Effect.scoped(
      Effect.flatMap(
        git.exchange(["read-tree", "-m", "-u", before, after], { ...options, deadlines, input: Stream.empty }),
        Stream.runDrain
      )
    )
  // Git checks all files again before it writes the first.
  const written = checkout(from, to).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "CommandFailed",
      () => Effect.fail(unmovable("git cannot replace its files"))
    ),
    Effect.andThen(
      repository
        .updateRef(ref, to, from, { isCheckedOut: true })
        .pipe(Effect.tapError(() => Effect.ignore(checkout(to, from))))
    )
  )
  yield* Effect.uninterruptible(written)
})

const deadlines = { silenceMillis: MAX_MILLIS, stallMillis: MAX_MILLIS, totalMillis: MAX_MILLIS }

const SUBMODULE = "160000"
const ABSENT = "000000"

/** A path that differs between two commits, with its modes before and after. */
interface Change {
  readonly name: Buffer
  readonly modes: readonly [string, string]
  readonly oid: string
}

/** Parses `git diff-tree --raw -z`. */
const parse = (output: Buffer): ReadonlyArray<Change> => {
  const fields = WorkTreeOutput.names(output)
  return fields.flatMap((field, at) => {
    const name = fields[at + 1]
    if (at % 2 === 1 || name === undefined) return []
    const [before = "", after = "", , oid = ""] = field.toString("latin1").slice(1).split(" ")
    return [{ name, modes: [before, after], oid }]
  })
}

/** The reason why git directory and settings do not allow a move. */
const obstacle = Effect.fnUntraced(function* (
  { commonDir, gitDir }: RepositoryLocation,
  ref: string,
  settings: ReadonlyArray<string>
): Effect.fn.Return<string | undefined, GitError, Git> {
  const command = unfinished.find(([name]) => exists(join(gitDir, name)))
  if (command !== undefined) return `${command[1]} is in progress`
  if (symbolicHead(gitDir) !== RefName.short(ref)) return "its HEAD is detached"
  if (exists(join(gitDir, "index.lock"))) return "another git command is changing its index"
  if (entries(gitDir).some(({ name }) => name.startsWith("sharedindex."))) return "its index is split"
  const conversion = settings.find((setting) => /^core\.(?:autocrlf=(?!input$|false$)|eol=crlf)/i.test(setting))
  if (conversion !== undefined) return `the setting ${conversion} converts the content of files`
  const git = yield* Git
  const read = (...args: ReadonlyArray<string>) =>
    Effect.map(
      git.run([`--git-dir=${gitDir}`, "config", "--null", ...args], { useUserConfig: true, acceptedExitCodes: [1] }),
      ({ stdout }) => stdout.toString().split("\0")[0] ?? ""
    )
  if ((yield* read("--get", "core.worktree")) !== "") return "the setting core.worktree names another folder"
  const own = yield* read("--type=path", "--get", "core.attributesFile")
  const files = [
    join(commonDir, "info", "attributes"),
    own,
    WorkTreeLocation.userFile("attributes"),
    "/etc/gitattributes"
  ]
  const file = files.find((path) => path !== "" && isConverting(path))
  return file === undefined ? undefined : "attributes outside of the repository convert the content of files"
})

/** True if a file has attributes that change the content of files, or cannot be read. */
const isConverting = (path: string): boolean => {
  if (!exists(path) || isDirectory(path)) return false
  const text = readText(path, MAX_ATTRIBUTES_BYTES)
  return text === undefined || convertingAttribute.test(text)
}

/** A changed path whose content git converts, by the attributes of the work tree or new ones. */
const findConverted = Effect.fnUntraced(function* (
  { blob }: GitRepository,
  options: WorkTreeLocation.WorkTree["options"],
  changes: ReadonlyArray<Change>
): Effect.fn.Return<string | undefined, GitError, Git> {
  const git = yield* Git
  const input = WorkTreeOutput.join(changes.map(({ name }) => name))
  const { stdout } = yield* git.run(["check-attr", "-z", "--stdin", ...converting], { ...options, input })
  const fields = WorkTreeOutput.names(stdout)
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const value = fields[at + 2]?.toString("latin1")
    if (value !== "unspecified" && value !== "unset") return WorkTreeOutput.decode(fields[at] ?? Buffer.alloc(0))
  }
  for (const { modes, name, oid } of changes) {
    const path = WorkTreeOutput.decode(name)
    if (!/(?:^|\/)\.gitattributes$/i.test(path) || modes[1] === ABSENT) continue
    const content = yield* blob(oid, MAX_ATTRIBUTES_BYTES)
    if (content === undefined || convertingAttribute.test(Buffer.from(content.bytes).toString("latin1"))) return path
  }
  return undefined
})

/** A new path of the move, or one of its parents, at which the work tree has a file that git does not track. */
const findUntracked = (folder: string, changes: ReadonlyArray<Change>): string | undefined => {
  const top = Buffer.from(`${folder}/`)
  const removed = new Set(changes.flatMap(({ modes, name }) => (modes[1] === ABSENT ? [name.toString("latin1")] : [])))
  const at = (name: string) => entryOf(Buffer.concat([top, Buffer.from(name, "latin1")]))
  for (const { modes, name } of changes) {
    if (modes[0] !== ABSENT) continue
    const parts = name.toString("latin1").split("/")
    for (let count = 1; count <= parts.length; count++) {
      const path = parts.slice(0, count).join("/")
      const entry = at(path)
      if (entry === undefined) break
      const isParent = count < parts.length && entry.isDirectory()
      if (!isParent && !isRemoved(folder, path, removed)) return WorkTreeOutput.decode(Buffer.from(path, "latin1"))
    }
  }
  return undefined
}

/** True if the commit removes the file at `path`, or all files of the folder. */
const isRemoved = (folder: string, path: string, removed: ReadonlySet<string>): boolean => {
  if (removed.has(path)) return true
  const absolute = join(folder, Buffer.from(path, "latin1").toString())
  return (
    entryOf(absolute)?.isDirectory() === true &&
    entries(absolute).every(({ name }) => isRemoved(folder, `${path}/${Buffer.from(name).toString("latin1")}`, removed))
  )
}
