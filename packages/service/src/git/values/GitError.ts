import * as Schema from "effect/Schema"
import * as ShellWord from "@tongs/core/text/ShellWord"
import * as ServedDir from "../files/ServedDir.ts"

/**
 * Why an operation on a repository failed.
 *
 * - `GitMissing`: no usable `git` is installed
 * - `NotARepository`: the folder is not a git repository
 * - `Unreadable`: this forge would misread the repository, or block on one of its files
 * - `OtherOwner`: the repository belongs to another user, and git's `safe.directory` does not allow it
 * - `FolderExists`, `NotWritable`: the repository cannot be created at this path
 * - `CommandFailed`: git failed for a reason that no other tag covers
 * - `InvalidName`: a reference name or path that git would reject, or that would leave the repository
 * - `InvalidObject`: an object that cannot be written, or has the wrong type
 * - `ObjectMissing`: the object is not in the repository
 * - `TooLarge`: more bytes than the caller, or the output limit, allows
 * - `TimedOut`: git did not finish in time; it may or may not have had an effect
 * - `CpuTimeExceeded`: git was stopped, because its input needs too much CPU time for its size
 * - `AlreadyExists`: the reference to create exists
 * - `RefConflict`: the reference has another value than expected (`actual` is undefined if it was deleted)
 * - `DirectoryConflict`: references `a` and `a/b` cannot both exist
 * - `RefLocked`: another process holds the lock of the reference
 * - `CheckedOut`: a work tree has the branch checked out
 * - `WorkTreeUnmovable`: the files of a work tree cannot follow the branch that is checked out; `command` would do it
 * - `Unavailable`: git was not started, because too many commands run or the same one just missed its deadline
 */
export const Reason = Schema.Union([
  Schema.TaggedStruct("GitMissing", { detail: Schema.String }),
  Schema.TaggedStruct("NotARepository", { path: Schema.String }),
  Schema.TaggedStruct("Unreadable", { path: Schema.String, detail: Schema.String }),
  Schema.TaggedStruct("OtherOwner", { path: Schema.String, folder: Schema.String, uid: Schema.Finite }),
  Schema.TaggedStruct("FolderExists", { path: Schema.String }),
  Schema.TaggedStruct("NotWritable", { path: Schema.String, detail: Schema.String }),
  Schema.TaggedStruct("CommandFailed", {
    args: Schema.Array(Schema.String),
    exitCode: Schema.NullOr(Schema.Number),
    stderr: Schema.String
  }),
  Schema.TaggedStruct("InvalidName", { name: Schema.String, detail: Schema.String }),
  Schema.TaggedStruct("InvalidObject", { oid: Schema.optionalKey(Schema.String), detail: Schema.String }),
  Schema.TaggedStruct("ObjectMissing", { oid: Schema.String }),
  Schema.TaggedStruct("TooLarge", { subject: Schema.String, size: Schema.Number, limit: Schema.Number }),
  Schema.TaggedStruct("TimedOut", { operation: Schema.String, seconds: Schema.Finite }),
  Schema.TaggedStruct("CpuTimeExceeded", { seconds: Schema.Finite, bytes: Schema.Finite }),
  Schema.TaggedStruct("AlreadyExists", { ref: Schema.String }),
  Schema.TaggedStruct("RefConflict", {
    ref: Schema.String,
    expected: Schema.String,
    actual: Schema.UndefinedOr(Schema.String)
  }),
  Schema.TaggedStruct("DirectoryConflict", { ref: Schema.String, other: Schema.String }),
  Schema.TaggedStruct("RefLocked", { ref: Schema.String }),
  Schema.TaggedStruct("CheckedOut", { ref: Schema.String, workTree: Schema.String }),
  Schema.TaggedStruct("WorkTreeUnmovable", { ref: Schema.String, detail: Schema.String, command: Schema.String }),
  Schema.TaggedStruct("Unavailable", { detail: Schema.String })
])

export type Reason = typeof Reason.Type

/** The error of all git operations. */
export class GitError extends Schema.TaggedError<GitError>()("GitError", { reason: Reason }) {
  override get message(): string {
    return describe(this.reason)
  }
}

/** Creates the error for a reason. */
export const gitError = (reason: Reason): GitError => new GitError({ reason })

/** The error for a command that did not start. A later attempt may succeed. */
export const unavailable = (detail: string): GitError => gitError({ _tag: "Unavailable", detail })

/** Maps a failed git process to an error: `NotARepository` or `ObjectMissing` by stderr, else `CommandFailed`. */
export const commandFailed = (
  args: ReadonlyArray<string>,
  exitCode: number | null,
  stderr: string,
  gitDir?: string
): GitError => {
  if (gitDir !== undefined && stderr.includes("not a git repository")) {
    return gitError({ _tag: "NotARepository", path: ServedDir.of(gitDir) })
  }
  const oid =
    /(?:bad object|[Nn]ot a valid commit name|unable to parse object:|unable to read|unable to read tree) ([0-9a-f]{40,64})/.exec(
      stderr
    )?.[1]
  return oid === undefined
    ? gitError({ _tag: "CommandFailed", args, exitCode, stderr })
    : gitError({ _tag: "ObjectMissing", oid })
}

const describe = (reason: Reason): string => {
  switch (reason._tag) {
    case "GitMissing":
      return reason.detail
    case "NotARepository":
      return `${reason.path} is not a git repository`
    case "Unreadable":
      return `${reason.path} is not served: ${reason.detail}`
    case "OtherOwner":
      return (
        `${reason.path} is not served: ${reason.folder} belongs to another user (uid ${reason.uid}), and git's setting ` +
        `safe.directory does not allow it. If you trust it: git config --global --add safe.directory ${ShellWord.quote(reason.path)}`
      )
    case "FolderExists":
      return `${reason.path} already exists`
    case "NotWritable":
      return `Cannot write ${reason.path}: ${reason.detail}`
    case "CommandFailed":
      return `git ${reason.args[0] ?? ""} failed (${reason.exitCode ?? "killed"}): ${reason.stderr.trim()}`
    case "InvalidName":
      return `${JSON.stringify(reason.name.slice(0, 200))} is not a valid name: ${reason.detail}`
    case "InvalidObject":
      return reason.oid === undefined ? reason.detail : `${reason.oid}: ${reason.detail}`
    case "ObjectMissing":
      return `${reason.oid} does not exist in this repository`
    case "TooLarge":
      return `${reason.subject} has ${reason.size} bytes; at most ${reason.limit} can be read`
    case "TimedOut":
      return `${reason.operation} timed out after ${reason.seconds} seconds. Try again.`
    case "CpuTimeExceeded":
      return (
        `unpacking ${reason.bytes} bytes took more than ${Math.round(reason.seconds)} s of CPU time, the limit for this ` +
        `size. Push fewer commits at a time`
      )
    case "AlreadyExists":
      return `${reason.ref} already exists`
    case "RefConflict":
      return reason.actual === undefined
        ? `${reason.ref} was expected at ${reason.expected}, but was deleted`
        : `${reason.ref} was expected at ${reason.expected}, but is at ${reason.actual}`
    case "DirectoryConflict":
      return `${reason.ref} cannot be created beside ${reason.other}`
    case "RefLocked":
      return `${reason.ref} is locked by another git process; try again`
    case "CheckedOut":
      return `${reason.ref} is checked out in ${reason.workTree}; switch that work tree to another branch first`
    case "WorkTreeUnmovable":
      return `${reason.ref} is checked out in a work tree, and ${reason.detail}. Run there: ${reason.command}`
    case "Unavailable":
      return reason.detail
  }
}
