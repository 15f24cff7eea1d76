/** Parses git's listings of a work tree. Names stay bytes, because only the bytes name a file on disk. */
import { decodeNames } from "../values/TextDecoding.ts"

/** A path that differs between a commit and the index, or between the index and the disk. */
export interface Difference {
  readonly name: Buffer
  /** True for a path that only the second side has. */
  readonly isAdded: boolean
  /** True for a path that only the first side has. */
  readonly isDeleted: boolean
  /** True for a path with an executable file on the second side. */
  readonly isExecutable: boolean
}

/** A path of the index that git does not compare with the disk. */
export interface UncheckedName {
  readonly name: Buffer
  /** True for a path with the bit `skip-worktree`, which a sparse checkout sets: git expects no file there. */
  readonly isSkipped: boolean
}

const SUBMODULE = "160000"

/** Parses names that each end with a NUL byte. */
export const names = (output: Buffer): ReadonlyArray<Buffer> => {
  const all: Array<Buffer> = []
  reader((name) => all.push(name))(output)
  return all
}

/** Parses names that each end with a NUL byte, chunk by chunk. */
export const reader = (add: (name: Buffer) => void): ((chunk: Buffer) => void) => {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
      add(bytes.subarray(start, end))
      start = end + 1
    }
    rest = bytes.subarray(start)
  }
}

/** Parses `git diff-index --raw -z` and `git diff --raw -z`: `:<mode> <mode> <oid> <oid> <status>\0<path>\0`. */
export const differences = (output: Buffer): ReadonlyArray<Difference> => {
  const fields = names(output)
  return fields.flatMap((field, at) => {
    const name = fields[at + 1]
    if (at % 2 === 1 || name === undefined) return []
    const [before = "", after, , , status] = field.toString("latin1").slice(1).split(" ")
    // A submodule is another repository.
    if (after === SUBMODULE && (before === SUBMODULE || before === "000000")) return []
    return [
      {
        name,
        isAdded: before === "000000" && status !== "U",
        isDeleted: status === "D",
        isExecutable: after === "100755"
      }
    ]
  })
}

/** Parses `git ls-files -v -z`: names of entries with the bit `assume-unchanged` (lower case) or `skip-worktree` (`S`). */
export const unchecked = (output: Buffer): ReadonlyArray<UncheckedName> => {
  const found: Array<UncheckedName> = []
  let start = 0
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, start)) {
    const tag = output[start] ?? 0
    const isSkipped = tag === SKIP_WORKTREE || tag === SKIP_WORKTREE + LOWER_CASE
    // Copied, because a cache keeps the names longer than the output.
    if (isSkipped || tag >= LOWER_A) found.push({ name: Buffer.from(output.subarray(start + 2, end)), isSkipped })
    start = end + 1
  }
  return found
}

/** `S`, the distance to lower case, and `a`. */
const SKIP_WORKTREE = 0x53
const LOWER_CASE = 0x20
const LOWER_A = 0x61

/** Joins names to the input of a git command with `-z`. */
export const join = (all: ReadonlyArray<Buffer>): Buffer => Buffer.concat(all.flatMap((name) => [name, nul]))

const nul = Buffer.alloc(1)

/** A string that identifies the bytes of a name. */
export const keyOf = (name: Buffer): string => name.toString("latin1")

/** The path as shown in listings of commits. */
export const decode = (name: Buffer): string => decodeNames(name)
