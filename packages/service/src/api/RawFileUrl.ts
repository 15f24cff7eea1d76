/**
 * Links to raw files that need no `Accept` header: `/raw/OWNER/REPO/REF/PATH`, with slashes of REF encoded, as on a
 * self-hosted GitHub. The contents endpoint serves these paths.
 */
import { encodePath, type Urls } from "./Urls.ts"

/** Returns the URL of a raw file. */
export const url = (urls: Urls, fullName: string, ref: string, path: string): string =>
  `${urls.html}/raw/${fullName}/${encodeURIComponent(ref)}/${encodePath(path)}`

/** Maps the path of a raw link to path and query of the contents endpoint. Returns `undefined` for other paths. */
export const contents = (path: string): { readonly path: string; readonly query: string } | undefined => {
  if (!path.startsWith("/raw/")) return undefined
  const [, repository, ref, file] = /^\/raw\/([^/]+\/[^/]+)\/([^/]+)\/(.+)$/.exec(path) ?? []
  if (repository === undefined || ref === undefined) return undefined
  // `+` and `&` are ordinary characters in a path, but have a meaning in a query.
  return { path: `/repos/${repository}/contents/${file}`, query: `ref=${ref.replace(/[+&]/g, encodeURIComponent)}` }
}
