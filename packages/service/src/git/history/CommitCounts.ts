/**
 * Counts of commits by tip, in a file of the isolated git directory that all processes share. The count of a tip never
 * changes, except in a shallow clone, for which nothing is stored.
 */
import { randomUUID } from "node:crypto"
import { renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isFile, readText } from "../files/Files.ts"

/** Maximum number of stored tips per repository. A new tip replaces the oldest. */
const MAX_TIPS = 64

/** Maximum size of the file in bytes. A larger file is ignored. */
const MAX_BYTES = 64 * 1024

const fileOf = (gitDir: string) => join(gitDir, "commit-counts")

/** True for a shallow clone. In any other repository the link to `shallow` dangles. */
const isShallow = (gitDir: string) => isFile(join(gitDir, "shallow"))

/** Returns the stored counts by commit id, newest first. */
export const read = (gitDir: string): ReadonlyMap<string, number> => {
  const text = isShallow(gitDir) ? undefined : readText(fileOf(gitDir), MAX_BYTES)
  const lines = (text ?? "").matchAll(/^([0-9a-f]{40,64}) (\d{1,12})$/gm)
  return new Map(Array.from(lines, ([, oid = "", count]) => [oid, Number(count)]))
}

/** Stores the count of a tip. Ignores a failure, because the file only saves time. */
export const write = (gitDir: string, tip: string, count: number): void => {
  if (isShallow(gitDir)) return
  const others = [...read(gitDir)].filter(([oid]) => oid !== tip)
  const lines = [[tip, count], ...others.slice(0, MAX_TIPS - 1)].map(([oid, count]) => `${oid} ${count}\n`)
  const temporary = `${fileOf(gitDir)}.${randomUUID()}`
  try {
    writeFileSync(temporary, lines.join(""), { flag: "wx" })
    renameSync(temporary, fileOf(gitDir))
  } catch {
    rmSync(temporary, { force: true })
  }
}
