import { useInfiniteQuery } from "@tanstack/react-query"
import type { RepositoryName } from "../../ExplorerApi.ts"
import type * as PullRequestApi from "../../PullRequestApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { Link } from "../components/Link.tsx"
import * as CheckResults from "../model/CheckResults.ts"
import { displayText } from "../model/displayText.ts"

/** The annotations of a check run, with a button for the next page. */
export const AnnotationList = ({
  commit,
  repository,
  run
}: {
  readonly run: number
  readonly repository: RepositoryName
  readonly commit: string
}) => {
  const parameters = { owner: repository.owner, repo: repository.repo, run }
  const { data, error, fetchNextPage, hasNextPage, isFetching, refetch } = useInfiniteQuery({
    queryKey: ExplorerClient.queryKey(ExplorerClient.annotations, parameters),
    queryFn: ({ pageParam, signal }) =>
      ExplorerClient.get(ExplorerClient.annotations, { ...parameters, page: pageParam }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ next }) => next
  })
  const annotations = data?.pages.flatMap(({ annotations }) => annotations) ?? []
  return (
    <>
      <ul className="annotations" aria-label="Annotations">
        {annotations.map((annotation, index) => (
          <Item key={index} annotation={annotation} repository={repository} commit={commit} />
        ))}
      </ul>
      {data === undefined && error === null && (
        <p className="dim" role="status">
          Loading the annotations…
        </p>
      )}
      {error !== null && <p role="alert">{displayText(ExplorerClient.failureOf(error).message)}</p>}
      {(hasNextPage || error !== null) && (
        <button
          type="button"
          disabled={isFetching}
          onClick={() => void (data === undefined ? refetch() : fetchNextPage())}
        >
          {error === null ? "Show more annotations" : "Try again"}
        </button>
      )}
    </>
  )
}

const Item = ({
  annotation: { details, firstLine, lastLine, level, message, path, title },
  commit,
  repository: { owner, repo }
}: {
  readonly annotation: PullRequestApi.Annotation
  readonly repository: RepositoryName
  readonly commit: string
}) => {
  const first = Math.max(1, firstLine)
  const last = Math.max(first, lastLine)
  return (
    <li data-level={level ?? undefined}>
      <p>
        {level !== null && <strong>{displayText(CheckResults.words(level))}</strong>}{" "}
        <Link to={{ _tag: "File", owner, repo, path, ref: commit, lines: { first, last } }}>
          <code>
            {displayText(path)}:{first === last ? first : `${first}–${last}`}
          </code>
        </Link>
        {title !== null && title !== "" && (
          <>
            {" "}
            <bdi>{displayText(title)}</bdi>
          </>
        )}
      </p>
      <Lines text={message} />
      {details !== null && details !== "" && (
        <details>
          <summary>Details</summary>
          <Lines text={details} />
        </details>
      )}
    </li>
  )
}

const Lines = ({ text }: { readonly text: string }) => (
  <p className="lines">{text.split("\n").map(displayText).join("\n")}</p>
)
