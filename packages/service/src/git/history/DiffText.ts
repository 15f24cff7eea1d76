/** Differences between commits as text, of any size. */
import * as Stream from "effect/Stream"
import * as EmailPatch from "../values/EmailPatch.ts"
import type { Git } from "../process/Git.ts"
import type { GitError } from "../values/GitError.ts"
import type * as GitObject from "../values/GitObject.ts"

/** Streams the differences between commits of one repository. */
export interface DiffText {
  /** The changes of a commit, in the format of `git diff`. */
  readonly diff: (commit: string) => Stream.Stream<Uint8Array, GitError>
  /** The differences between two commits, in the format of `git diff`. */
  readonly diffBetween: (from: string, to: string) => Stream.Stream<Uint8Array, GitError>
  /** The commit as an e-mail in the format of `git format-patch`. Compares a merge with its first parent. */
  readonly patch: (oid: string, commit: GitObject.Commit) => Stream.Stream<Uint8Array, GitError>
}

/** Options of a diff without the configuration and the programs of the repository. */
export const diffTree = ["diff-tree", "-r", "-M", "--full-index", "--no-textconv", "--no-ext-diff"]

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

/** Streams differences in the repository at `gitDir`. */
export const make = (git: Git["Service"], gitDir: string): DiffText => ({
  diff: (commit) => git.stream([...diffTree, "-p", ...firstParent, commit], { gitDir }),
  diffBetween: (from, to) => git.stream([...diffTree, "-p", from, to], { gitDir }),
  patch: (oid, commit) => {
    const diff = git.stream([...emailDiff, ...firstParent, oid], { gitDir, settings: emailSettings })
    // An empty commit has no separator line.
    const separated = Stream.mapAccum(
      diff,
      () => true,
      (isFirst, chunk) => [false, isFirst ? [separator, chunk] : [chunk]]
    )
    const text = (content: string) => Stream.succeed<Uint8Array>(Buffer.from(content))
    return Stream.concat(Stream.concat(text(EmailPatch.header(oid, commit)), separated), text(EmailPatch.FOOTER))
  }
})
