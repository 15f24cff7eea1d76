/** Bytes of a whole reference name that we accept. */
export const maxBytes = 1024

/** Bytes of one component: what file systems take, less the `.lock` that git appends. */
export const maxComponentBytes = 250

// Control characters, space, ~ ^ : ? * [ \ and DEL: `git check-ref-format`, rules 4, 5 and 10.
const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]/

/**
 * Whether `git check-ref-format` takes the name (its rules 1 to 10). Length is not its concern.
 *
 * A name needs a slash, as all fully qualified names have: `refs/heads/main`, `heads/main`.
 */
export const isWellFormed = (name: string): boolean =>
  name.includes("/") &&
  !forbidden.test(name) &&
  !name.includes("..") &&
  !name.includes("@{") &&
  !name.endsWith(".") &&
  name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"))

/** Whether a reference of this name may be created: under `refs/`, well formed, and not too long for git's files. */
export const isValid = (name: string): boolean =>
  name.length <= maxBytes &&
  name.startsWith("refs/") &&
  isWellFormed(name) &&
  // Half of a surrogate pair has no UTF-8, so two names would become one file.
  name.isWellFormed() &&
  Buffer.byteLength(name) <= maxBytes &&
  name.split("/").every((part) => Buffer.byteLength(part) <= maxComponentBytes)

/** `refs/heads/a/b` is `a/b`, `refs/tags/v1` is `v1`; anything else stays as it is. */
export const short = (name: string): string => name.replace(/^refs\/(?:heads|tags)\//, "")

/** `refs/heads/<branch>` */
export const branch = (name: string): string => `refs/heads/${name}`

/** `refs/tags/<tag>` */
export const tag = (name: string): string => `refs/tags/${name}`
