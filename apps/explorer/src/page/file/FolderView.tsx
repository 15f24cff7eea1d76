import { useQuery } from "@tanstack/react-query"
import { useRef } from "react"
import type { EntryChange } from "@tongs/core/contract/History"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import * as ViewRequests from "../api/ViewRequests.ts"
import { useConnection } from "../api/useConnection.ts"
import { FailureNotice } from "../components/FailureNotice.tsx"
import { Icon, type IconName } from "./Icon.tsx"
import { moveFocus } from "../hooks/moveFocus.ts"
import { Link } from "../components/Link.tsx"
import { Notice } from "../components/Notice.tsx"
import { Breadcrumbs } from "./Breadcrumbs.tsx"
import { Readme } from "./Readme.tsx"
import { displayText } from "../model/displayText.ts"
import * as ReadmeFile from "../model/ReadmeFile.ts"
import { Skeleton } from "../components/Skeleton.tsx"
import { useKeyboardShortcuts } from "../hooks/useKeyboardShortcuts.ts"
import { useNow } from "../hooks/useNow.ts"
import { navigate, useScrollRestoration } from "../hooks/useRoute.ts"
import * as Route from "../model/Route.ts"
import { useGrowingCount } from "./useGrowingCount.ts"

/** The entries of a folder with the last commit of each, and its README. */
export const FolderView = ({ route }: { readonly route: Route.Tree }) => {
  const { owner, path, ref, repo } = route
  const answer = ExplorerClient.useRequest(ExplorerClient.tree, ViewRequests.path(route))
  const folder = answer._tag === "Ready" ? answer.value : undefined
  const entries = folder?.entries
  const list = useRef<HTMLUListElement>(null)
  const parent = Route.parent(route)
  const openParent = () => parent !== undefined && navigate(parent)
  const step = (by: 1 | -1) => () => moveFocus(list.current, by, "a.entry")
  useKeyboardShortcuts({
    j: step(1),
    k: step(-1),
    ArrowDown: step(1),
    ArrowUp: step(-1),
    u: openParent,
    Backspace: openParent
  })
  const commits = useLastCommits(folder)
  const now = useNow(false)
  const count = useGrowingCount(entries?.length ?? 0)
  useScrollRestoration(Route.href(route), entries !== undefined && count >= entries.length)
  const readme = entries === undefined ? undefined : ReadmeFile.find(entries)
  const latest = latestOf(commits)
  return (
    <div className="tree">
      <Breadcrumbs route={route} pinned={folder} />
      {answer._tag === "Loading" && <Skeleton rows={8} isSlow={answer.slow} activity="Loading the folder" />}
      {answer._tag === "Failed" && (
        <FailureNotice {...answer}>
          <p className="alternatives">
            {answer.failure.kind === "NotFound" && path !== "" && (
              <Link to={{ ...route, _tag: "File" }}>Open it as a file</Link>
            )}
            {ref !== undefined && <Link to={{ _tag: "Tree", owner, repo, path: "" }}>Open the default branch</Link>}
          </p>
        </FailureNotice>
      )}
      {entries?.length === 0 && (
        <Notice title="Empty folder">
          <p>This folder has no files.</p>
        </Notice>
      )}
      {entries !== undefined && entries.length > 0 && (
        <div className="listing">
          {commits !== undefined && (
            <p className="latest-commit">
              {latest === undefined ? (
                <span className="dim">Reading the history…</span>
              ) : (
                <>
                  <bdi className="latest-author">{displayText(latest.author)}</bdi>
                  <span className="latest-summary">{displayText(latest.summary)}</span>
                  <code>{latest.commit.slice(0, 8)}</code>
                  <Age date={String(latest.date)} now={now} />
                </>
              )}
            </p>
          )}
          <ul className="entries" ref={list} aria-label={path === "" ? `${owner}/${repo}` : path}>
            {parent !== undefined && (
              <li>
                <Link to={parent} className="entry" data-kind="up" aria-label="Parent folder">
                  <Icon name="folder" />
                  ..
                </Link>
              </li>
            )}
            {entries.slice(0, count).map((entry) => (
              <Entry
                key={entry.name}
                entry={entry}
                route={route}
                change={commits?.get(entry.path)}
                hasCommits={commits !== undefined}
                now={now}
              />
            ))}
          </ul>
        </div>
      )}
      {folder !== undefined && readme !== undefined && (
        <Readme key={readme.path} folder={folder} path={readme.path} route={route} />
      )}
    </div>
  )
}

const Entry = ({
  change,
  entry,
  hasCommits,
  now,
  route
}: {
  readonly entry: ExplorerApi.FolderEntry
  readonly route: Route.Tree
  readonly change: EntryChange | undefined
  readonly hasCommits: boolean
  readonly now: number
}) => (
  <li>
    <Link to={routeOf(route, entry)} className="entry" data-kind={entry.kind}>
      <Icon name={icons[entry.kind]} />
      <span>{displayText(entry.name)}</span>
    </Link>
    {hasCommits && (
      <span className="entry-commit">
        {change !== undefined && (
          <Link
            to={{ ...routeOf(route, entry), ref: change.commit }}
            title={`${displayText(change.summary)}\n${displayText(change.author)}, ${change.commit.slice(0, 8)}`}
          >
            {displayText(change.summary)}
          </Link>
        )}
      </span>
    )}
    {hasCommits && change !== undefined ? (
      <Age date={String(change.date)} now={now} />
    ) : (
      <span className="dim">{entry.kind === "file" ? NumberFormat.bytes(entry.size) : names[entry.kind]}</span>
    )}
  </li>
)

const Age = ({ date, now }: { readonly date: string; readonly now: number }) => (
  <time className="entry-age dim" dateTime={date} title={date}>
    {RelativeTime.format(Date.parse(date), now)}
  </time>
)

/** Milliseconds before an incomplete answer is requested again. The forge goes on reading meanwhile. */
const RETRY_DELAY = 3_000

/** How often it is requested again. */
const MAX_RETRIES = 6

/** The last commits of the entries by path, as far as known. Undefined on a forge that cannot list them. */
const useLastCommits = (folder: ExplorerApi.Folder | undefined): ReadonlyMap<string, EntryChange> | undefined => {
  const connection = useConnection()
  const hasHistory = connection._tag === "Ready" && connection.value.capabilities.index
  const { data } = useQuery({
    ...ExplorerClient.queryOptions(
      ExplorerClient.folderHistory,
      folder === undefined
        ? {}
        : { owner: folder.owner, repo: folder.repo, path: folder.path === "" ? "/" : folder.path, ref: folder.commit }
    ),
    enabled: hasHistory && folder !== undefined,
    refetchInterval: ({ state }) =>
      state.data?.incomplete_results === true && state.dataUpdateCount <= MAX_RETRIES ? RETRY_DELAY : false
  })
  if (!hasHistory) return undefined
  return new Map(data?.entries.map((entry) => [entry.path, entry]))
}

const latestOf = (commits: ReadonlyMap<string, EntryChange> | undefined): EntryChange | undefined => {
  let latest: EntryChange | undefined
  for (const change of commits?.values() ?? []) {
    if (latest === undefined || Date.parse(String(change.date)) > Date.parse(String(latest.date))) latest = change
  }
  return latest
}

const routeOf = (route: Route.Tree, { kind, path }: ExplorerApi.FolderEntry): Route.File | Route.Tree =>
  kind === "dir" ? { ...route, path } : { ...route, _tag: "File", path }

const names: Readonly<Record<ExplorerApi.FolderEntry["kind"], string>> = {
  dir: "",
  file: "",
  symlink: "symbolic link",
  submodule: "submodule"
}

const icons: Readonly<Record<ExplorerApi.FolderEntry["kind"], IconName>> = {
  dir: "folder",
  file: "file",
  symlink: "symlink",
  submodule: "submodule"
}
