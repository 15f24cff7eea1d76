/** Programs of this machine. A test that needs a missing one is skipped. */
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

/** True if all programs are on the PATH. */
export const hasPrograms = (...names: ReadonlyArray<string>): boolean =>
  names.every((name) => (process.env["PATH"] ?? "").split(delimiter).some((folder) => isProgram(join(folder, name))))

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
