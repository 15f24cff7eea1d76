import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as BoundedOutput from "./BoundedOutput.ts"
import * as EmailPatch from "./EmailPatch.ts"
import type { Git, RunOptions } from "./Git.ts"
import type { GitError } from "./GitError.ts"
import type * as GitObject from "./GitObject.ts"
import { decodeNames } from "./TextDecoding.ts"

/** Change of one file between two commits, or between a commit and its first parent. */
export interface FileChange {
  readonly status: "added" | "removed" | "modified" | "renamed" | "copied" | "changed"
  readonly path: string
  readonly previousPath?: string
  /** Id of the blob after the change, or before it for a removed file. */
  readonly oid: string
  /** Id of the blob before the change; undefined for an added file. */
  readonly previousOid: string | undefined
  /** File modes after and before the change; undefined if there is no file. */
  readonly mode: string | undefined
  readonly previousMode: string | undefined
  /** True if git shows no lines of the file. */
  readonly isBinary: boolean
  readonly additions: number
  readonly deletions: number
  /** Unified diff without its header. Absent for binary files and above the size limits. */
  readonly patch?: string
}

/** Reads the differences between commits of one repository. */
export interface CommitChanges {
  /** The files that a commit changed compared to its first parent, by path. At most 300. */
  readonly ofCommit: (commit: string) => Effect.Effect<ReadonlyArray<FileChange>, GitError>
  /** The files that differ between two commits, by path. At most 300. */
  readonly between: (from: string, to: string) => Effect.Effect<ReadonlyArray<FileChange>, GitError>
  /** The changes of a commit, in the format of `git diff`. */
  readonly diff: (commit: string) => Stream.Stream<Uint8Array, GitError>
  /** The differences between two commits, in the format of `git diff`. */
  readonly diffBetween: (from: string, to: string) => Stream.Stream<Uint8Array, GitError>
  /** The commit as an e-mail in the format of `git format-patch`. Compares a merge with its first parent. */
  readonly patch: (oid: string, commit: GitObject.Commit) => Stream.Stream<Uint8Array, GitError>
}

/** Maximum files per commit and characters per patch, as the API documents them: 300 and about 1 MB. */
const maxFiles = 300
const maxPatchLength = 1024 * 1024

/** Maximum bytes to read of a list of changed files, enough for `maxFiles`. */
const maxListingBytes = 2 * 1024 * 1024

/** Maximum bytes to read of a diff: the first commit of a large project has hundreds of megabytes. */
const maxPatchBytes = 32 * 1024 * 1024

/** Mode in git's listings of a file that does not exist. */
const absentMode = "000000"

const statuses: Readonly<Record<string, FileChange["status"]>> = {
  A: "added",
  D: "removed",
  M: "modified",
  R: "renamed",
  C: "copied",
  T: "changed"
}

/** Lets git choose the parent, because the first commit of a shallow clone names an absent one. */
const firstParent = ["--root", "--no-commit-id", "--diff-merges=first-parent"]

const separator = Buffer.from("---\n")

/** Options for the diff of `git format-patch`, including its quoting of file names. */
const emailDiff = [
  "diff-tree",
  "-r",
  "-M",
  "-p",
  "--stat",
  "--stat-width=72",
  "--summary",
  "--binary",
  "--no-textconv",
  "--no-ext-diff"
]
const emailSettings = ["core.quotePath=true"]

/** Reads changes in the repository at `gitDir`. Diffs are cut off after `maxPatches` bytes. */
export const make = (git: Git["Service"], gitDir: string, maxPatches = maxPatchBytes): CommitChanges => {
  const diffTree = ["diff-tree", "-r", "-M", "--full-index", "--no-textconv", "--no-ext-diff"]
  const command = (args: ReadonlyArray<string>, trees: ReadonlyArray<string>) => [...diffTree, ...args, ...trees]
  const commitTrees = (commit: string) => [...firstParent, commit]
  const run = (args: ReadonlyArray<string>, options: Partial<RunOptions> = {}) =>
    Effect.map(git.run(args, { ...options, gitDir, literalPaths: true }), ({ stdout }) => stdout)

  const runBounded = (args: ReadonlyArray<string>, limit: number) =>
    BoundedOutput.run(git, args, limit, { gitDir, literalPaths: true })

  /** The first files, and a path filter for them if there are more. */
  const firstFiles = Effect.fnUntraced(function* (trees: ReadonlyArray<string>) {
    const listing = yield* runBounded(command(["--raw", "--numstat", "-z"], trees), maxListingBytes)
    const changes = parse(decodeNames(BoundedOutput.wholeEntries(listing))).slice(0, maxFiles)
    if (listing.isComplete) return { changes, only: [] }
    // Git prints line counts after all names and would compute them for every file.
    const paths = changes.flatMap(({ path, previousPath }) =>
      previousPath === undefined ? [path] : [previousPath, path]
    )
    const only = ["--", ...paths]
    const counts = yield* run([...command(["--raw", "--numstat", "-z"], trees), ...only])
    return { changes: parse(decodeNames(counts)), only }
  })

  const files = Effect.fnUntraced(function* (trees: ReadonlyArray<string>) {
    const { changes, only } = yield* firstFiles(trees)
    if (changes.length === 0) return []
    const diff = yield* runBounded([...command(["-p"], trees), ...only], maxPatches)
    const text = diff.bytes.toString()
    // Drops the incomplete patch of the file in which the diff was cut off.
    const patches = splitPatches(diff.isComplete ? text : text.slice(0, Math.max(0, text.lastIndexOf("\ndiff --git "))))
    let next = 0
    return changes.map((change) => {
      // A change of the file type is printed as a removal and an addition, which are two patches.
      const patch = change.status === "changed" ? undefined : patches[next]
      next += change.status === "changed" ? 2 : 1
      return patch === undefined || patch === "" || patch.length > maxPatchLength ? change : { ...change, patch }
    })
  })

  return {
    ofCommit: Effect.fn("CommitChanges.ofCommit")((commit: string) => files(commitTrees(commit))),
    between: Effect.fn("CommitChanges.between")((from: string, to: string) => files([from, to])),
    diff: (commit) => git.stream(command(["-p"], commitTrees(commit)), { gitDir }),
    diffBetween: (from, to) => git.stream(command(["-p"], [from, to]), { gitDir }),
    patch: (oid, commit) => {
      const diff = git.stream([...emailDiff, ...firstParent, oid], { gitDir, settings: emailSettings })
      // An empty commit has no separator line.
      const separated = Stream.mapAccum(
        diff,
        () => true,
        (isFirst, chunk) => [false, isFirst ? [separator, chunk] : [chunk]]
      )
      const text = (content: string) => Stream.succeed<Uint8Array>(Buffer.from(content))
      return Stream.concat(Stream.concat(text(EmailPatch.header(oid, commit)), separated), text(EmailPatch.footer))
    }
  }
}

/** Parses the output of `git diff-tree --raw --numstat -z`; the counts may be missing. */
export const parseListing = (listing: Buffer): ReadonlyArray<FileChange> => parse(decodeNames(listing))

/** Parses `:100644 100644 <old> <new> M\0path\0…`, then `1\t2\tpath\0` (or `1\t2\t\0old\0new\0`) for each file. */
const parse = (listing: string): ReadonlyArray<FileChange> => {
  const parts = listing.split("\0")
  const raw: Array<Omit<FileChange, "additions" | "deletions" | "isBinary">> = []
  const counts = new Map<string, readonly [string, string]>()
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? ""
    if (part.startsWith(":")) {
      const [modeBefore = "", mode = "", before = "", after = "", letter = "M"] = part.slice(1).split(" ")
      const status = statuses[letter[0] ?? "M"] ?? "modified"
      const first = parts[++at] ?? ""
      const moved = status === "renamed" || status === "copied"
      const path = moved ? (parts[++at] ?? "") : first
      raw.push({
        status,
        path,
        oid: status === "removed" ? before : after,
        previousOid: status === "added" ? undefined : before,
        mode: mode === absentMode ? undefined : mode,
        previousMode: modeBefore === absentMode ? undefined : modeBefore,
        ...(moved ? { previousPath: first } : {})
      })
    } else if (part !== "") {
      const [additions = "0", deletions = "0", ...name] = part.split("\t")
      // A name can contain tabs.
      const path = name.join("") === "" ? (parts[(at += 2)] ?? "") : name.join("\t")
      counts.set(path, [additions, deletions])
    }
  }
  return raw.map((change) => {
    const [additions, deletions] = counts.get(change.path) ?? ["0", "0"]
    // Git prints "-" instead of the counts of a binary file.
    const isBinary = additions === "-"
    return { ...change, isBinary, additions: Number(additions) || 0, deletions: Number(deletions) || 0 }
  })
}

/** The hunks of each file in git's order. An empty string for a binary file. */
const splitPatches = (text: string): ReadonlyArray<string> =>
  text
    .split(/^diff --git .*\n/m)
    .slice(1)
    .map((file) => {
      const start = file.search(/^@@ /m)
      return start === -1 ? "" : file.slice(start).replace(/\n$/, "")
    })
