/**
 * Web addresses of archives: `/OWNER/REPO/archive/refs/heads/REF.zip`, `/OWNER/REPO/archive/REF.tar.gz`. The archive
 * endpoints of the API serve these addresses.
 */

/** Media type parameter of the request, which selects the file names of archives at web addresses. */
export const MEDIA_TYPE = "archive"

/** Maps the path of a web address to the path of the endpoint. Returns `undefined` for other paths. */
export const endpointPath = (path: string): string | undefined => {
  if (!path.includes("/archive/")) return undefined
  const [, repository, ref, format] = /^\/([^/]+\/[^/]+)\/archive\/(.+)\.(zip|tar\.gz)$/.exec(path) ?? []
  // In these paths of the API and of raw files, `archive` is the name of an account, a repository or a branch.
  if (repository === undefined || ref === undefined || /^(?:repos|raw|tongs)\//.test(repository)) return undefined
  return `/repos/${repository}/${format === "zip" ? "zipball" : "tarball"}/${ref}`
}

/** Returns the end of an archive's name: `main` for `refs/heads/main`, `1.0` for `refs/tags/v1.0` and `v1.0`. */
export const shortName = (ref: string): string => ref.replace(/^refs\/(?:heads|tags)\//, "").replace(/^v(?=\d)/, "")
