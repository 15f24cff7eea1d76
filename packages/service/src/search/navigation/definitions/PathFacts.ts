/** Facts about the paths of a use and of a definition. */

/** Returns the folder that has all files of a purpose: `tools`, `samples`, a folder of tests. */
export const areaOf = (path: string): string =>
  /^(?:.*\/)?(?:tools|scripts|samples?|examples?|tests?|testing|Documentation|docs?|selftests)\//i.exec(path)?.[0] ?? ""

/** Returns the first word of a file name. */
export const stemOf = (path: string): string => /[^/_.-]+(?=[^/]*$)/.exec(path)?.[0] ?? path

/** Maximum number of names of a path, and of shared folders, that count. */
const MAX_NAMES = 4
const MAX_FOLDERS = 5

/** Returns how many of the names are folders or the file of a path. */
export const countNamed = (names: ReadonlyArray<string>, path: string): number => {
  const parts = new Set(
    path
      .replace(/\.\w+$/, "")
      .toLowerCase()
      .split("/")
  )
  return Math.min(MAX_NAMES, names.filter((name) => parts.has(name.toLowerCase())).length)
}

/** Returns the machine of a file of Linux: `arch/<machine>/`. */
export const machineOf = (path: string): string | undefined => /^(?:tools\/)?arch\/([^/]+)\//.exec(path)?.[1]

/** Returns the number of folders from the top that two paths share. */
export const sharedFolders = (a: string, b: string): number => {
  const [as, bs] = [a.split("/").slice(0, -1), b.split("/").slice(0, -1)]
  const length = as.findIndex((name, at) => name !== bs[at])
  return Math.min(MAX_FOLDERS, length === -1 ? as.length : length)
}
