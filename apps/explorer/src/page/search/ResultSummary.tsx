import { Dialog } from "@base-ui/react/dialog"
import { Menu } from "@base-ui/react/menu"
import type { ReactNode } from "react"
import type { Facets } from "@tongs/core/contract/groups/CodeSearch"
import type { CodeQuery } from "@tongs/core/query/CodeQuery"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { popupContainer } from "../components/popupContainer.ts"
import { displayText } from "../model/displayText.ts"
import { indexProgress, useIndexStatus } from "../api/useIndexStatus.ts"
import { navigate } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"
import * as QueryRefinements from "./QueryRefinements.ts"
import * as ResultExport from "./ResultExport.ts"
import { FacetGroups } from "./Facets.tsx"
import * as SearchResults from "./SearchResults.ts"

interface Props {
  readonly route: Route.Search
  readonly connection: ExplorerApi.Connection
  readonly results: SearchResults.SearchResults
  readonly facets: Facets
  /** Whether the facets count all matching files. */
  readonly isCounted: boolean
  readonly kind: CodeQuery["kind"]
  readonly isSlow: boolean
  /** Whether the results are of the previous query. */
  readonly isStale: boolean
  readonly canLoadMore: boolean
}

/** The count of results, whether the results are complete, and the actions on all results. */
export const ResultSummary = ({
  canLoadMore,
  connection,
  facets,
  isCounted,
  isSlow,
  isStale,
  kind,
  results,
  route
}: Props) => {
  const hasIndex = connection.capabilities.index
  return (
    <div className="summary">
      <div className="total">
        <h1>
          <Total results={results} kind={kind} />
        </h1>
        {/* Announced once when done, not on every update. */}
        <p className="visually-hidden" role="status">
          {results.isDone && !isStale && <Total results={results} kind={kind} />}
        </p>
        {results.took !== undefined && <span className="dim duration">{NumberFormat.format(results.took)} ms</span>}
      </div>
      <div className="tools" role="group" aria-label="Results">
        {(kind === "file" || facets.repo.length > 1 || QueryRefinements.all(route.q).length > 0) && (
          <Dialog.Root>
            <Dialog.Trigger className="quiet filter-button">Filters</Dialog.Trigger>
            <Dialog.Portal container={popupContainer()}>
              <Dialog.Backdrop className="backdrop" />
              <Dialog.Popup className="sheet">
                <Dialog.Title>Filters</Dialog.Title>
                <FacetGroups route={route} facets={facets} isComplete={isCounted} kind={kind} />
                <Dialog.Close className="primary">Show the results</Dialog.Close>
              </Dialog.Popup>
            </Dialog.Portal>
          </Dialog.Root>
        )}
        {kind === "file" && (
          <>
            <SortMenu route={route} hasIndex={hasIndex} />
            <ExportMenu files={results.files} />
          </>
        )}
      </div>
      <Incompleteness results={results} hasIndex={hasIndex} canLoadMore={canLoadMore} />
      {isSlow && <p className="result-note dim">This search takes longer than usual…</p>}
    </div>
  )
}

const Total = ({ kind, results }: Pick<Props, "kind" | "results">) => {
  const { files, matches } = results.total
  if (files === 0 && results.isDone) {
    const searched = kind === "file" ? "files" : "commits"
    return <strong>{results.incomplete.length > 0 ? `No results in the searched ${searched}` : "No results"}</strong>
  }
  const { count, isMinimum } = SearchResults.totalOf(results)
  return (
    <>
      <strong>
        {isMinimum && "more than "}
        {NumberFormat.quantity(count, results.commits === undefined ? "file" : "commit")}
      </strong>
      {matches !== undefined && matches > 0 && !results.incomplete.includes("limit") && (
        <>, {NumberFormat.quantity(matches, "match", "matches")}</>
      )}
      {!results.isDone && " so far"}
    </>
  )
}

const SortMenu = ({ hasIndex, route }: { readonly route: Route.Search; readonly hasIndex: boolean }) => {
  const { sort: _, ...best } = route
  const orders = hasIndex ? sortOrders : sortOrders.filter(({ sort }) => sort !== "matches")
  return (
    <Dropdown label={`Sort: ${sortOrders.find(({ sort }) => sort === route.sort)?.title ?? ""}`}>
      <Menu.RadioGroup
        value={route.sort ?? "best"}
        onValueChange={(value) => {
          const sort = sortOrders.find((order) => order.sort === value)?.sort
          navigate(sort === undefined ? best : { ...route, sort }, { replace: true })
        }}
      >
        {orders.map(({ sort, title }) => (
          <Menu.RadioItem key={title} value={sort ?? "best"} className="item" closeOnClick>
            <Menu.RadioItemIndicator className="check">✓</Menu.RadioItemIndicator>
            {title}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </Dropdown>
  )
}

const sortOrders: ReadonlyArray<{ readonly sort: Route.SortOrder | undefined; readonly title: string }> = [
  { sort: undefined, title: "best match" },
  { sort: "path", title: "path" },
  { sort: "repository", title: "repository" },
  { sort: "matches", title: "most matches" }
]

const ExportMenu = ({ files }: { readonly files: ReadonlyArray<SearchResults.FileResult> }) => (
  <Dropdown label="Export" disabled={files.length === 0}>
    <Menu.Item className="item" onClick={() => download("csv", "text/csv", ResultExport.csv(files))}>
      CSV
    </Menu.Item>
    <Menu.Item className="item" onClick={() => download("jsonl", "application/x-ndjson", ResultExport.jsonl(files))}>
      JSON Lines
    </Menu.Item>
  </Dropdown>
)

const Dropdown = ({
  children,
  disabled = false,
  label
}: {
  readonly label: string
  readonly disabled?: boolean
  readonly children: ReactNode
}) => (
  <Menu.Root modal={false} disabled={disabled}>
    <Menu.Trigger className="quiet dropdown">{label}</Menu.Trigger>
    <Menu.Portal container={popupContainer()}>
      <Menu.Positioner className="popup-positioner" sideOffset={6} align="end" collisionPadding={12}>
        <Menu.Popup className="popup menu">{children}</Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
)

/** Downloads a text as a file. Works offline: the text does not leave the browser. */
const download = (extension: string, type: string, text: string) => {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = `tongs-results.${extension}`
  link.click()
  URL.revokeObjectURL(url)
}

const Incompleteness = ({
  canLoadMore,
  hasIndex,
  results
}: {
  readonly canLoadMore: boolean
  readonly results: SearchResults.SearchResults
  readonly hasIndex: boolean
}) => {
  const isIndexing = results.incomplete.includes("indexing")
  const index = useIndexStatus(hasIndex && isIndexing)
  return (
    <>
      {isIndexing && (
        <p className="result-note warn" role="status">
          Incomplete: indexing is in progress
          {index !== undefined && ` (${Math.floor(100 * indexProgress(index))} %)`}.
        </p>
      )}
      {results.notes?.map((note) => (
        <p key={note} className="result-note warn" role="status">
          {displayText(note)}
        </p>
      ))}
      {results.incomplete.includes("deadline") && results.cursor === undefined && (
        <p className="result-note warn">
          Incomplete: the search timed out. Add a qualifier such as <code>repo:</code> or <code>path:</code>.
        </p>
      )}
      {results.incomplete.includes("failed") && (
        <p className="result-note warn">Incomplete: some files could not be read. The start page shows the reasons.</p>
      )}
      {results.incomplete.includes("limit") && (
        <p className="result-note dim">
          Only the first{" "}
          {results.commits === undefined
            ? `${NumberFormat.format(results.files.length)} files`
            : `${NumberFormat.format(results.commits.length)} commits`}{" "}
          are listed. {canLoadMore ? "Load more below, or refine the query." : "Refine the query to see others."}
        </p>
      )}
    </>
  )
}
