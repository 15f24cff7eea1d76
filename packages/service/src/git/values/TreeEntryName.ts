/** Names of tree entries that git refuses, as `git fsck --strict` does. */

// Characters that HFS+ ignores in names.
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

// Names that NTFS treats as `.git`: the short name, and names with trailing dots, spaces or streams.
const ntfsDotGit = /(?:^|\\)(?:\.git|git~1)[. ]*(?:$|[\\:])/i

/** Maximum bytes of a name. */
const MAX_BYTES = 4096

/** True if git refuses the name or a file system could treat the name as `.git`. */
export const isRefused = (name: string): boolean =>
  name === "" ||
  name === "." ||
  name === ".." ||
  name.replace(ignorable, "").toLowerCase() === ".git" ||
  ntfsDotGit.test(name) ||
  Buffer.byteLength(name) > MAX_BYTES

/** True if the name is `.gitmodules` on some file system. Git refuses symbolic links with this name. */
export const isGitModules = (name: string): boolean =>
  name.replace(ignorable, "").toLowerCase() === ".gitmodules" ||
  /^(?:\.gitmodules|gitmod~[1-4]|gi7eba~[1-9]|gi7eb~[1-9]\d)[. ]*(?:$|:)/i.test(name)
