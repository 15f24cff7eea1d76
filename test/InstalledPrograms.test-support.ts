/** What the machine has beside git: a test that needs something else is skipped, by name, where it is missing. */
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

/** Whether all of these programs are on the path. */
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
