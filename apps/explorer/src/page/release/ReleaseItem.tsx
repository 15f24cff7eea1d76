import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { RepositoryName } from "../../ExplorerApi.ts"
import type * as ReleaseApi from "../../ReleaseApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { CopyButton } from "../components/CopyButton.tsx"
import { Link } from "../components/Link.tsx"
import { Icon } from "../file/Icon.tsx"
import type { ViewOf } from "../issue/ForgeLinks.ts"
import { Account, Moment } from "../issue/IssueParts.tsx"
import { IssueText } from "../issue/IssueText.tsx"
import { Reactions } from "../issue/Reactions.tsx"
import { displayText } from "../model/displayText.ts"

/** A release with its notes and assets. `isPage` makes the title the heading of the page. */
export const ReleaseItem = ({
  isPage,
  now,
  release,
  repository,
  viewOf
}: {
  readonly release: ReleaseApi.Release
  readonly repository: RepositoryName
  readonly isPage: boolean
  readonly now: number
  readonly viewOf: ViewOf
}) => {
  const { assets, author, html, isDraft, name, publishedAt, reactions, source, tag, target } = release
  const { owner, repo } = repository
  const title = <bdi>{displayText(name === "" ? tag : name)}</bdi>
  return (
    <article className="release" aria-label={displayText(tag)}>
      <header>
        {isPage ? (
          <h1 className="issue-title">{title}</h1>
        ) : (
          <h2 className="release-title">
            {/* A draft has no tag yet, by which the forge would find it. */}
            {isDraft ? title : <Link to={{ _tag: "Release", owner, repo, tag }}>{title}</Link>}
          </h2>
        )}
        <Marks release={release} />
      </header>
      <p className="metadata">
        <span>
          <Icon name="tag" />{" "}
          {isDraft ? (
            <code>{displayText(tag)}</code>
          ) : (
            <Link to={{ _tag: "Tree", owner, repo, path: "", ref: tag }}>
              <code>{displayText(tag)}</code>
            </Link>
          )}
        </span>
        {isDraft ? (
          <span>
            draft by <Account login={author} />, of <code>{displayText(target)}</code>
          </span>
        ) : (
          <span>
            <Account login={author} /> published this <Moment at={publishedAt ?? release.createdAt} now={now} />
          </span>
        )}
      </p>
      <div className="written-text release-notes">
        <IssueText html={html} source={source} empty="No notes." repository={repository} viewOf={viewOf} />
        <Reactions reactions={reactions} />
      </div>
      {assets.length > 0 && (
        <section className="assets" aria-label={`Assets of ${displayText(tag)}`}>
          <h3>
            Assets <span className="tab-count">{NumberFormat.format(assets.length)}</span>
          </h3>
          <ul>
            {assets.map((asset) => (
              <AssetItem key={asset.id} asset={asset} repository={repository} />
            ))}
          </ul>
        </section>
      )}
    </article>
  )
}

const Marks = ({ release: { isDraft, isLatest, isPrerelease } }: { readonly release: ReleaseApi.Release }) => (
  <>
    {isLatest && (
      <span className="release-mark" data-mark="latest">
        Latest
      </span>
    )}
    {isPrerelease && (
      <span className="release-mark" data-mark="prerelease">
        Pre-release
      </span>
    )}
    {isDraft && <span className="release-mark">Draft</span>}
  </>
)

const AssetItem = ({
  asset: { digest, downloads, id, label, name, size },
  repository: { owner, repo }
}: {
  readonly asset: ReleaseApi.Asset
  readonly repository: RepositoryName
}) => (
  <li>
    <p>
      <a href={ExplorerClient.url(ExplorerClient.asset.path, { owner, repo, id })} download={name}>
        <bdi>{displayText(label === null || label === "" ? name : label)}</bdi>
      </a>
      {label !== null && label !== "" && <bdi className="dim"> {displayText(name)}</bdi>}
    </p>
    <p className="metadata">
      <span>{NumberFormat.bytes(size)}</span>
      <span>{NumberFormat.quantity(downloads, "download")}</span>
      {digest !== null && (
        <span className="digest">
          <code title={displayText(digest)}>{displayText(digest)}</code>
          <CopyButton label="Copy digest" text={digest} />
        </span>
      )}
    </p>
  </li>
)
