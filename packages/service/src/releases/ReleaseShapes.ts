/** Maps rows of releases and assets to resources of the contract. */
import { hash } from "node:crypto"
import type { ReleaseAsset } from "@tongs/core/contract/groups/ReleaseAssets"
import type { Release } from "@tongs/core/contract/groups/Releases"
import { nodeId } from "../api/NodeId.ts"
import * as Shapes from "../api/Shapes.ts"
import { encodePath, type Urls } from "../api/Urls.ts"
import { parseTimestamp } from "../base/Time.ts"
import * as IssueShapes from "../issues/IssueShapes.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type { AssetOfRelease } from "./ReleaseAssetRows.ts"
import type { ReleaseRow } from "./ReleaseRows.ts"

/** Returns the tag in URLs of web pages. The tag of a draft may not exist, or belong to another release. */
const pageTag = ({ draft, id, tag_name }: Pick<ReleaseRow, "draft" | "id" | "tag_name">): string =>
  draft === 1 ? `untagged-${hash("sha1", `release ${id}`).slice(0, 20)}` : tag_name

/** Returns the URL of a release's web page. */
export const pageUrl = (
  row: Pick<ReleaseRow, "draft" | "id" | "tag_name">,
  repository: ServedRepository,
  urls: Urls
): string => `${urls.html}/${repository.fullName}/releases/tag/${encodePath(pageTag(row))}`

/** Returns the API URL of a release. */
export const apiUrl = ({ id }: Pick<ReleaseRow, "id">, repository: ServedRepository, urls: Urls): string =>
  `${Shapes.repositoryUrl(repository, urls)}/releases/${id}`

/** Creates an asset of a release. */
export const asset = (
  row: AssetOfRelease,
  release: Pick<ReleaseRow, "draft" | "id" | "tag_name">,
  repository: ServedRepository,
  urls: Urls
): ReleaseAsset => ({
  url: `${Shapes.repositoryUrl(repository, urls)}/releases/assets/${row.id}`,
  id: row.id,
  node_id: nodeId("ReleaseAsset", row.id),
  name: row.name,
  label: row.label,
  uploader: row.uploader === null ? null : Shapes.userSummary(row.uploader, urls),
  content_type: row.content_type,
  state: "uploaded",
  size: row.size,
  digest: `sha256:${row.digest}`,
  download_count: row.download_count,
  created_at: parseTimestamp(row.created_at),
  updated_at: parseTimestamp(row.updated_at),
  browser_download_url: `${urls.html}/${repository.fullName}/releases/download/${encodePath(pageTag(release))}/${encodeURIComponent(row.name)}`
})

/** Creates a release. `text` has the notes in the form that the request asks for. */
export const release = (
  row: ReleaseRow,
  text: Pick<Release, "body" | "body_text" | "body_html">,
  repository: ServedRepository,
  urls: Urls
): Release => {
  const url = apiUrl(row, repository, urls)
  const archive = (format: string) =>
    row.draft === 1 ? null : `${Shapes.repositoryUrl(repository, urls)}/${format}/${encodePath(row.tag_name)}`
  return {
    url,
    assets_url: `${url}/assets`,
    upload_url: `${url}/assets{?name,label}`,
    html_url: pageUrl(row, repository, urls),
    id: row.id,
    author: row.author === null ? null : Shapes.userSummary(row.author, urls),
    node_id: nodeId("Release", row.id),
    tag_name: row.tag_name,
    target_commitish: row.target_commitish,
    name: row.name,
    draft: row.draft === 1,
    immutable: row.immutable === 1,
    prerelease: row.prerelease === 1,
    created_at: parseTimestamp(row.created_at),
    updated_at: parseTimestamp(row.updated_at),
    published_at: row.published_at === null ? null : parseTimestamp(row.published_at),
    assets: row.assets.map((one) => asset(one, row, repository, urls)),
    tarball_url: archive("tarball"),
    zipball_url: archive("zipball"),
    ...text,
    ...(row.mentions_count === 0 ? {} : { mentions_count: row.mentions_count }),
    ...(Object.keys(row.reactions).length === 0 ? {} : { reactions: IssueShapes.reactions(row.reactions, url) })
  }
}
