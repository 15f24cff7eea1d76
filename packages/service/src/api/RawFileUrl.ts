/**
 * Links to raw files that need no `Accept` header: `/raw/OWNER/REPO/REF/PATH`, with slashes of REF encoded, as on a
 * self-hosted GitHub. The contents endpoint serves them.
 */
import { encodePath, type Urls } from "./Urls.ts"

/** URL of the raw file. */
export const url = (urls: Urls, fullName: string, ref: string, path: string): string =>
  `${urls.html}/raw/${fullName}/${encodeURIComponent(ref)}/${encodePath(path)}`

/** Path and query of the contents endpoint for the path of a raw link. Undefined for other paths. */
export const contents = (path: string): { readonly path: string; readonly query: string } | undefined => {
  const [, repository, ref, file] = /^\/raw\/([^/]+\/[^/]+)\/([^/]+)\/(.+)$/.exec(path) ?? []
  if (repository === undefined || ref === undefined) return undefined
  // `+` and `&` are literal in a path and separators in a query.
  return { path: `/repos/${repository}/contents/${file}`, query: `ref=${ref.replace(/[+&]/g, encodeURIComponent)}` }
}
