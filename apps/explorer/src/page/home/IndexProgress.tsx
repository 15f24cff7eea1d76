import type { IndexedRepository } from "@tongs/core/contract/groups/CodeIndex"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { isIndexing, indexProgress } from "../api/useIndexStatus.ts"

/** The progress of indexing, and the estimated time left. Renders nothing when all repositories are indexed. */
export const IndexProgress = ({ repositories }: { readonly repositories: ReadonlyArray<IndexedRepository> }) => {
  const pending = repositories.filter(isIndexing)
  if (pending.length === 0) return null
  const share = indexProgress(repositories)
  const bytes = repositories.reduce((sum, { progress }) => sum + (progress?.bytes ?? 0), 0)
  const remaining = Math.max(...pending.map(({ progress }) => progress?.remaining ?? 0))
  return (
    <section className="indexing" aria-labelledby="indexing">
      <h2 id="indexing">Indexing</h2>
      <progress max={1} value={share} aria-labelledby="indexing" />
      <p className="dim">
        {Math.floor(100 * share)} %, {NumberFormat.bytes(bytes)} read
        {remaining > 0 && `, about ${NumberFormat.quantity(Math.ceil(remaining / 1_000), "second")} left`}. You can
        search already; results say that they are incomplete.
      </p>
    </section>
  )
}
