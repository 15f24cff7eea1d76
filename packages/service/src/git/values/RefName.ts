/** Maximum bytes of a reference name. */
export const MAX_BYTES = 1024

/** Maximum bytes of one component: the limit of file systems minus the `.lock` that git appends. */
export const MAX_COMPONENT_BYTES = 250

// Control characters, space, ~ ^ : ? * [ \ and DEL: `git check-ref-format`, rules 4, 5 and 10.
const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]/

/**
 * True if `git check-ref-format` accepts the name by rules 1 to 10. Does not check the length.
 *
 * A name needs a slash, for example `refs/heads/main` or `heads/main`.
 */
export const isWellFormed = (name: string): boolean =>
  name.includes("/") &&
  !forbidden.test(name) &&
  !name.includes("..") &&
  !name.includes("@{") &&
  !name.endsWith(".") &&
  name.split("/").every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"))

/** True if a reference of this name can be created: under `refs/`, well formed, and short enough for a file name. */
export const isValid = (name: string): boolean =>
  name.length <= MAX_BYTES &&
  name.startsWith("refs/") &&
  isWellFormed(name) &&
  // A lone surrogate has no UTF-8 encoding, so two names would share one file.
  name.isWellFormed() &&
  Buffer.byteLength(name) <= MAX_BYTES &&
  name.split("/").every((part) => Buffer.byteLength(part) <= MAX_COMPONENT_BYTES)

/**
 * True if a branch or tag of this name may be created: the name is valid, and git and GitHub understand the short form.
 * `git branch` and `git tag` refuse a leading hyphen and `HEAD`, commands take `@` for `HEAD`, and GitHub refuses
 * `refs/…`.
 */
export const isCreatable = (name: string): boolean =>
  isValid(name) && !/^refs\/(?:heads|tags)\/(?:-|refs\/|(?:HEAD|@)$)/.test(name)

/** Removes the prefix `refs/heads/` or `refs/tags/` from a name. Returns other names unchanged. */
export const short = (name: string): string => name.replace(/^refs\/(?:heads|tags)\//, "")

/** `refs/heads/<branch>` */
export const branch = (name: string): string => `refs/heads/${name}`

/** `refs/tags/<tag>` */
export const tag = (name: string): string => `refs/tags/${name}`
