import { useQuery } from "@tanstack/react-query"
import type { IndexedRepository } from "@tongs/core/contract/groups/CodeIndex"
import type { FileHit } from "@tongs/core/contract/groups/CodeSearch"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import { searchEvents } from "../api/SearchEvents.ts"
import * as ExampleQueries from "./ExampleQueries.ts"
import { useActivity } from "./useActivity.ts"

/**
 * Milliseconds that the search for a sample may take, and milliseconds before another attempt after a search without a
 * result.
 */
const DEADLINE = 4_000
const RETRY_DELAY = 2_000
const RETRIES = 5

/** Example queries as links. Renders only a placeholder while the examples load. */
export const Examples = ({
  index,
  repositories
}: {
  /** The index status. Undefined while loading, and on a forge without an index. */
  readonly index: ReadonlyArray<IndexedRepository> | undefined
  /** The current repository first. */
  readonly repositories: ReadonlyArray<ExplorerApi.Repository>
}) => {
  const sample = useSample(repositories, index)
  const summary = useActivity(index === undefined ? [] : repositories)?.latest.find(
    ({ owner, repo }) => sample === undefined || (owner === sample.owner && repo === sample.repo)
  )?.summary
  return <ExampleList examples={ExampleQueries.fromSample(sample, summary)} />
}

/** Example queries of a forge without an index. */
export const BasicExamples = ({ repositories }: { readonly repositories: ReadonlyArray<ExplorerApi.Repository> }) => (
  <ExampleList examples={ExampleQueries.fromRepository(repositories[0])} />
)

const ExampleList = ({ examples }: { readonly examples: ReadonlyArray<ExampleQueries.ExampleQuery> }) => (
  <ul className="examples" aria-label="Examples">
    {examples.map(({ meaning, q }) => (
      <li key={q}>
        <Link to={{ _tag: "Search", q }}>
          <code>{displayText(q)}</code>
        </Link>
        <span>{meaning}</span>
      </li>
    ))}
  </ul>
)

/** The best file of the first indexed repository with code, and the symbols of that file. */
const useSample = (
  repositories: ReadonlyArray<ExplorerApi.RepositoryName>,
  index: ReadonlyArray<IndexedRepository> | undefined
): ExampleQueries.SampleFile | undefined => {
  const found = repositories.flatMap(({ owner, repo }) => {
    const indexed = index?.find((one) => one.owner === owner && one.repo === repo)
    const language = indexed?.state === "ready" ? ExampleQueries.codeLanguage(indexed.languages) : undefined
    return language === undefined ? [] : [{ owner, repo, language }]
  })[0]
  const q = found === undefined ? undefined : `repo:${found.owner}/${found.repo} language:"${found.language}"`
  return (
    useQuery({
      queryKey: ["examples", q],
      enabled: q !== undefined,
      // A busy machine can reach the deadline without a file.
      retry: RETRIES,
      retryDelay: RETRY_DELAY,
      queryFn: async ({ signal }) => {
        const url = ExplorerClient.url("api/tongs/search", { q, limit: SAMPLES, deadline: DEADLINE })
        const { body } = await ExplorerClient.send(url, signal)
        const files: Array<FileHit> = []
        if (body !== null) for await (const event of searchEvents(body)) if (event._tag === "File") files.push(event)
        if (files.length === 0) throw new Error("No sample")
        const sorted = files.toSorted((a, b) => b.rank - a.rank).slice(0, SAMPLES)
        const samples = await Promise.all(
          sorted.map(async ({ commit, language, owner, path, repo }) => {
            const parameters = { owner, repo, path, ref: commit }
            const { symbols } = await ExplorerClient.get(ExplorerClient.outline, parameters, signal)
            return { owner, repo, path, language, symbols }
          })
        )
        return samples.find(({ symbols }) => symbols.length > 2) ?? samples[0] ?? null
      }
    }).data ?? undefined
  )
}

/** Number of files whose symbols are read. */
const SAMPLES = 3
