import type { SearchState } from "./useSearch.ts"

/** The button below a list that loads further results. Keeps the focus while it loads, unlike a disabled button. */
export const LoadMoreButton = ({
  activity,
  label,
  onLoad,
  search: { isLoadingMore, loadMore }
}: {
  readonly label: string
  /** The label while results are loading. */
  readonly activity: string
  readonly onLoad?: () => void
  readonly search: Pick<SearchState, "isLoadingMore" | "loadMore">
}) =>
  loadMore === undefined ? null : (
    <button
      type="button"
      className="load-more"
      aria-disabled={isLoadingMore}
      onClick={() => {
        if (isLoadingMore) return
        onLoad?.()
        loadMore()
      }}
    >
      {isLoadingMore ? activity : label}
    </button>
  )
