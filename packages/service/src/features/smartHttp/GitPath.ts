/** Paths of git's HTTP protocol below the clone URL of a repository. */

/** The programs of git that answer a client. */
export type Service = "git-upload-pack" | "git-receive-pack"

/** A path below the clone URL. */
export interface GitPath {
  readonly owner: string
  /** Name of the repository, without `.git`. */
  readonly name: string
  /** The rest of the path: `info/refs`, a service, a path of Git LFS, or a file of the dumb protocol. */
  readonly file: string
}

const pattern = /^\/([^/]+)\/([^/]+?)(\.git)?\/(.+)$/

/** Paths that git requests, also without `.git` in the clone URL. No path of the API has one of these endings. */
const withoutSuffix = /^(?:info\/refs|git-upload-pack|git-receive-pack|info\/lfs\/.+)$/

/** Parses a percent-encoded path. Returns `undefined` for a path outside of git's protocol. */
export const parse = (path: string): GitPath | undefined => {
  const [, owner, name, suffix, file] = pattern.exec(path) ?? []
  if (owner === undefined || name === undefined || file === undefined) return undefined
  if (suffix === undefined && !withoutSuffix.test(file)) return undefined
  const decoded = { owner: decode(owner), name: decode(name) }
  return decoded.owner === undefined || decoded.name === undefined
    ? undefined
    : { owner: decoded.owner, name: decoded.name, file }
}

/** Returns the service with this name, or `undefined`. */
export const serviceOf = (name: string | null): Service | undefined =>
  name === "git-upload-pack" || name === "git-receive-pack" ? name : undefined

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
