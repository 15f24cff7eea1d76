/** Programs of this machine. A test is skipped if a needed program is missing. */
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

/** True if all programs are on the PATH. */
export const hasPrograms = (...names: ReadonlyArray<string>): boolean =>
  names.every((name) => findProgram(name) !== undefined)

/** Returns the path of a program on the PATH. */
export const findProgram = (name: string): string | undefined =>
  (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find(isProgram)

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
