/** Entries of folders as resources of the contract. */
import type { ContentEntry } from "@tongs/core/contract/groups/Contents"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import type { PathEntry } from "../../git/objects/Objects.ts"
import * as RawFileUrl from "../../api/RawFileUrl.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { Urls } from "../../api/Urls.ts"

/** Creates the resource of an entry at `ref`, without content. `size` in bytes. */
export const make = (
  served: ServedRepository,
  urls: Urls,
  ref: string,
  { kind, name, oid, path }: Omit<PathEntry, "mode">,
  size: number
): ContentEntry => {
  const isBlob = kind === "file" || kind === "symlink"
  const places = Shapes.contentUrls(served, urls, ref, isBlob ? "blob" : "tree", oid, path)
  return {
    type: kind,
    size,
    name,
    path,
    sha: Shapes.sha(oid),
    ...places,
    ...(kind === "submodule"
      ? { git_url: null, html_url: null, _links: { ...places._links, git: null, html: null } }
      : {}),
    download_url: isBlob ? RawFileUrl.url(urls, served.fullName, ref, path) : null
  }
}
