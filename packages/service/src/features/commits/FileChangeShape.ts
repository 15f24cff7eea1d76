/** Creates the changed file of a commit or a pull request. */
import type { FileChange } from "@tongs/core/contract/groups/Commits"
import * as RawFileUrl from "../../api/RawFileUrl.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { Urls } from "../../api/Urls.ts"
import type * as Differences from "../../git/history/Differences.ts"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"

export const fileChange = (
  served: ServedRepository,
  urls: Urls,
  commit: string,
  change: Differences.FileChange
): FileChange => {
  const { _links: _, html_url, url } = Shapes.contentUrls(served, urls, commit, "blob", change.oid, change.path)
  return {
    sha: change.oid,
    filename: change.path,
    status: change.status,
    additions: change.additions,
    deletions: change.deletions,
    changes: change.additions + change.deletions,
    blob_url: html_url,
    raw_url: RawFileUrl.url(urls, served.fullName, commit, change.path),
    contents_url: url,
    ...(change.patch === undefined ? {} : { patch: change.patch }),
    ...(change.previousPath === undefined ? {} : { previous_filename: change.previousPath })
  }
}
