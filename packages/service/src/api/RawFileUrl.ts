/**
 * Files as they are, at links that need no header to say so: `/raw/OWNER/REPO/REF/PATH`, as on a self-hosted GitHub.
 * Slashes of REF are encoded. They are the contract's contents, under another address.
 */
import { encodePath, type Urls } from "./Urls.ts"

/** Where a file is as it is. */
export const url = (urls: Urls, fullName: string, ref: string, path: string): string =>
  `${urls.html}/raw/${fullName}/${encodeURIComponent(ref)}/${encodePath(path)}`

/** The path in the contract, and its query, that such a path stands for. */
export const contents = (path: string): { readonly path: string; readonly query: string } | undefined => {
  const [, repository, ref, file] = /^\/raw\/([^/]+\/[^/]+)\/([^/]+)\/(.+)$/.exec(path) ?? []
  if (repository === undefined || ref === undefined) return undefined
  // What parts a query is part of a name in a path.
  return { path: `/repos/${repository}/contents/${file}`, query: `ref=${ref.replace(/[+&]/g, encodeURIComponent)}` }
}
