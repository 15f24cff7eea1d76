/** Reads the id of the default branch from three files, without git and without the other references. */
import { join } from "node:path"
import { readLine, readText } from "../files/Files.ts"
import * as FileStat from "../files/FileStat.ts"
import type { RepositoryLocation } from "../values/RepositoryLocation.ts"
import * as RefName from "../values/RefName.ts"
import * as LooseRefs from "./LooseRefs.ts"
import { symbolicHead } from "./SymbolicRefs.ts"

/** The default branch at one time. */
export interface HeadFiles {
  readonly oid: string
  /** True if the files have not changed since the read. */
  readonly isUnchanged: () => boolean
}

/** Maximum bytes of `packed-refs` to search for one reference. */
const MAX_PACKED_BYTES = 16_777_216

/**
 * Finds the id as git does: in the reference file of the branch, else in `packed-refs`. Undefined if the files do not
 * give the id alone, for example of a detached HEAD, a symbolic reference, or a branch without commits.
 */
export const read = ({ commonDir, gitDir }: RepositoryLocation, digits: number): HeadFiles | undefined => {
  const time = FileStat.now()
  const headPath = join(gitDir, "HEAD")
  const head = FileStat.stat(headPath)
  const branch = symbolicHead(gitDir)
  if (head === undefined || branch === undefined) return undefined
  const name = RefName.branch(branch)
  if (!RefName.isValid(name)) return undefined
  const paths = [headPath, join(commonDir, name), join(commonDir, "packed-refs")] as const
  // Git deletes a reference file only after `packed-refs` has the reference.
  const loose = FileStat.stat(paths[1])
  const text = loose === undefined ? undefined : readLine(paths[1])
  const packed = FileStat.stat(paths[2])
  const oid =
    loose === undefined
      ? packedOid(readText(paths[2], MAX_PACKED_BYTES) ?? "", name, digits)
      : directOid(text ?? "", digits)
  if (oid === undefined) return undefined
  const stats = [head, loose, packed]
  const isSettled = stats.every((stat) => FileStat.isSettled(stat, time))
  return {
    oid,
    isUnchanged: () => isSettled && paths.every((path, at) => FileStat.isSame(FileStat.stat(path), stats[at]))
  }
}

const directOid = (text: string, digits: number): string | undefined => {
  const ref = LooseRefs.parse(text, digits)
  return ref._tag === "Direct" ? ref.oid : undefined
}

const packedOid = (text: string, name: string, digits: number): string | undefined => {
  const end = text.indexOf(` ${name}\n`)
  const begin = end - digits
  if (begin < 0 || (begin > 0 && text[begin - 1] !== "\n")) return undefined
  return directOid(text.slice(begin, end), digits)
}
