/** Reads symbolic references from their files. */
import { join } from "node:path"
import { linkTarget, readLine } from "../files/Files.ts"

const HEADS = "refs/heads/"

/** The branch that HEAD in `gitDir` names, without `refs/heads/`; `undefined` for a detached HEAD. */
export const symbolicHead = (gitDir: string): string | undefined => {
  const target = symbolicTarget(join(gitDir, "HEAD"))
  return target?.startsWith(HEADS) ? target.slice(HEADS.length) : undefined
}

/** The target of the symbolic reference in a file; `undefined` for any other file. */
export const symbolicTarget = (path: string): string | undefined =>
  linkTarget(path) ?? /^ref:\s*(.*)/.exec(readLine(path) ?? "")?.[1]
