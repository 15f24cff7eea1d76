/** Releases of a repository, and the files of their assets. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type { Release } from "@tongs/core/contract/groups/Releases"
import type { RepositoryName } from "../ExplorerApi.ts"
import type * as ReleaseApi from "../ReleaseApi.ts"
import * as Downloads from "./Downloads.ts"
import { interactive } from "./RequestOptions.ts"
import * as TimelineItems from "./TimelineItems.ts"

const LIST_PAGE = 10

/** One page of the releases of a repository. */
export const list = Effect.fn("Releases.list")(function* ({
  owner,
  page,
  repo
}: RepositoryName & { readonly page: number }) {
  const forge = yield* Forge
  const options = yield* interactive
  const [{ items, links }, latest] = yield* Effect.all(
    [
      forge.releases.list({ owner, repo }, { ...options, page, perPage: LIST_PAGE, mediaType: "full" }).first,
      latestId({ owner, repo })
    ],
    { concurrency: 2 }
  )
  return {
    releases: items.map((one) => releaseOf(one, latest)),
    next: links.next === undefined ? null : page + 1
  } satisfies ReleaseApi.ReleaseList
})

/** The release of a tag, by default the latest one. */
export const release = Effect.fn("Releases.release")(function* ({
  owner,
  repo,
  tag
}: RepositoryName & { readonly tag?: string }) {
  const forge = yield* Forge
  const options = { ...(yield* interactive), mediaType: "full" } as const // the media type must stay a literal
  if (tag === undefined) {
    const found = yield* forge.releases.getLatest({ owner, repo }, options)
    return releaseOf(found, found.id)
  }
  const [found, latest] = yield* Effect.all(
    [forge.releases.getByTag({ owner, repo, tag }, options), latestId({ owner, repo })],
    { concurrency: 2 }
  )
  return releaseOf(found, latest)
})

/** The id of the latest release. Undefined without one. */
const latestId = Effect.fnUntraced(function* (repository: RepositoryName) {
  const forge = yield* Forge
  return yield* forge.releases.getLatest(repository, yield* interactive).pipe(
    Effect.map(({ id }): number | undefined => id),
    Effect.catchTag("NotFound", () => Effect.succeed(undefined))
  )
})

const releaseOf = (one: Release, latest: number | undefined): ReleaseApi.Release => ({
  id: one.id,
  tag: one.tag_name,
  name: one.name ?? "",
  target: one.target_commitish,
  author: one.author?.login ?? null,
  isDraft: one.draft,
  isPrerelease: one.prerelease,
  createdAt: one.created_at,
  publishedAt: one.published_at,
  source: one.body ?? "",
  html: one.body_html ?? "",
  reactions: TimelineItems.reactionsOf(one.reactions),
  assets: one.assets.map(({ digest = null, download_count: downloads, id, label, name, size }) => ({
    id,
    name,
    label,
    size,
    digest,
    downloads
  })),
  url: one.html_url,
  isLatest: one.id === latest
})

/** The file of an asset, for a browser to save. */
export const asset = Effect.fn("Releases.asset")(function* ({
  id,
  owner,
  repo
}: RepositoryName & { readonly id: number }) {
  const forge = yield* Forge
  const options = yield* interactive
  const target = { owner, repo, asset_id: id }
  const { name, size } = yield* forge.releaseAssets.get(target, options)
  const bytes = forge.download("GET /repos/{owner}/{repo}/releases/assets/{asset_id}", target, {
    ...options,
    headers: { accept: "application/octet-stream" }
  })
  return yield* Downloads.response(bytes, { name, size })
})
