import { Popover } from "@base-ui/react/popover"
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from "react"
import type { Definition } from "@tongs/core/contract/CodeNavigation"
import type { BlameRange } from "@tongs/core/contract/History"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { Link } from "../components/Link.tsx"
import { HighlightedText } from "../components/HighlightedText.tsx"
import { displayText } from "../model/displayText.ts"
import { useNow } from "../hooks/useNow.ts"
import type * as Route from "../model/Route.ts"
import { SymbolKindIcon } from "./SymbolKindIcon.tsx"
import { moveFocus, moveFocusByKey } from "../hooks/moveFocus.ts"
import * as References from "./References.ts"

/** The content of a card: definitions or references of a word, the commit of a line, or a failure. */
export type HoverCardContent =
  | { readonly _tag: "Definitions"; readonly word: string; readonly definitions: ReadonlyArray<Definition> }
  | { readonly _tag: "References"; readonly word: string }
  | { readonly _tag: "Blame"; readonly range: BlameRange }
  | { readonly _tag: "Failed"; readonly failure: ExplorerApi.Failure }

interface Props {
  readonly content: HoverCardContent
  /** The word or line that the card is about, in the window. */
  readonly anchor: DOMRect
  readonly route: Route.File
  readonly file: ExplorerApi.PinnedPath
  readonly onClose: () => void
}

/** A card beside a word or a line. */
export const HoverCard = ({ anchor: box, content, file, onClose, route }: Props) => {
  const popup = useRef<HTMLDivElement>(null)
  // A ref callback moves the focus to the card before the next frame, so that the card receives the next key press.
  const focusPopup = useCallback((element: HTMLDivElement | null) => {
    popup.current = element
    element?.focus({ preventScroll: true })
  }, [])
  const anchor = useMemo(() => ({ getBoundingClientRect: () => box }), [box])
  return (
    <Popover.Root open onOpenChange={(open) => open || onClose()}>
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} side="bottom" align="start" sideOffset={4} collisionPadding={8}>
          <Popover.Popup
            ref={focusPopup}
            className="hover-card"
            tabIndex={-1}
            initialFocus={popup}
            finalFocus={false}
            onClick={(event) => {
              // A link within this file does not unmount the card.
              if (event.target instanceof Element && event.target.closest("a") !== null) onClose()
            }}
            onKeyDown={(event) => moveFocusByKey(popup.current, event)}
          >
            <Content content={content} file={file} route={route} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

/** A ref for a list whose first item gets the focus once the list has loaded. */
const useFocusedList = (isLoaded: boolean) => {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (isLoaded) moveFocus(list.current, 1)
  }, [isLoaded])
  return list
}

const Content = ({ content, file, route }: Pick<Props, "content" | "file" | "route">) => {
  switch (content._tag) {
    case "Definitions":
      return <DefinitionList {...content} file={file} route={route} />
    case "References":
      return <ReferenceList {...content} file={file} route={route} />
    case "Blame":
      return <Commit {...content} route={route} />
    case "Failed":
      return <Title>{displayText(content.failure.message)}</Title>
  }
}

const Title = ({ children }: { readonly children: ReactNode }) => (
  <Popover.Title className="hover-card-title">{children}</Popover.Title>
)

const DefinitionList = ({
  definitions,
  file,
  route,
  word
}: {
  readonly word: string
  readonly definitions: ReadonlyArray<Definition>
  readonly file: ExplorerApi.PinnedPath
  readonly route: Route.File
}) => {
  const list = useFocusedList(definitions.length > 0)
  return (
    <>
      <Title>
        {definitions.length === 0 ? (
          <>
            No definition of <code>{displayText(word)}</code>
          </>
        ) : (
          <>
            {NumberFormat.quantity(definitions.length, "definition")} of <code>{displayText(word)}</code>
          </>
        )}
      </Title>
      <ul className="hover-card-list" ref={list}>
        {definitions.map((definition) => (
          <li key={`${definition.owner}/${definition.repo}/${definition.path}:${definition.line}`}>
            <Link to={locationRoute(definition, file, route)}>
              <span className="hover-card-location">
                <SymbolKindIcon kind={definition.kind} />
                {(definition.owner !== file.owner || definition.repo !== file.repo) &&
                  `${displayText(definition.owner)}/${displayText(definition.repo)} `}
                {displayText(definition.path)}
                <span className="dim">:{definition.line}</span>
              </span>
              <code>{displayText(definition.text.trim())}</code>
            </Link>
          </li>
        ))}
      </ul>
      <SearchLink word={word} file={file} />
    </>
  )
}

const ReferenceList = ({
  file,
  route,
  word
}: {
  readonly word: string
  readonly file: ExplorerApi.PinnedPath
  readonly route: Route.File
}) => {
  const { data, error } = useQuery({
    staleTime: References.STALE_TIME,
    ...ExplorerClient.queryOptions(ExplorerClient.references, {
      owner: file.owner,
      repo: file.repo,
      name: word,
      per_page: References.MAX_LISTED
    })
  })
  const list = useFocusedList(data !== undefined && data.items.length > 0)
  return (
    <>
      <Title>
        {error !== null ? (
          displayText(ExplorerClient.failureOf(error).message)
        ) : data === undefined ? (
          "Searching…"
        ) : data.items.length === 0 ? (
          <>
            No references to <code>{displayText(word)}</code>
            {data.incomplete_results && " yet: the search is incomplete"}
          </>
        ) : (
          <>
            {data.incomplete_results ? "More than " : ""}
            {NumberFormat.quantity(data.total_count, "reference")} to <code>{displayText(word)}</code>
          </>
        )}
      </Title>
      <ul className="hover-card-list" ref={list}>
        {data?.items.map((reference) => (
          <li key={`${reference.path}:${reference.line}`}>
            <Link to={locationRoute(reference, file, route)}>
              <span className="hover-card-location">
                {displayText(reference.path)}
                <span className="dim">:{reference.line}</span>
              </span>
              <code>
                <HighlightedText {...References.trimmed(reference)} />
              </code>
            </Link>
          </li>
        ))}
      </ul>
      <SearchLink word={word} file={file} />
    </>
  )
}

const SearchLink = ({ file, word }: { readonly word: string; readonly file: ExplorerApi.RepositoryName }) => (
  <p className="hover-card-footer">
    <Link to={{ _tag: "Search", q: References.query(file, word) }}>Search for all references</Link>
  </p>
)

const Commit = ({
  range: { author, commit, date, summary },
  route
}: {
  readonly range: BlameRange
  readonly route: Route.File
}) => {
  const now = useNow(false)
  return (
    <>
      <Title>{displayText(summary)}</Title>
      <p className="hover-card-text">
        <bdi>{displayText(author)}</bdi>,{" "}
        <time dateTime={date} title={date}>
          {RelativeTime.format(Date.parse(date), now)}
        </time>
        <span className="dim"> · {new Date(date).toLocaleDateString("en", { dateStyle: "medium" })} · </span>
        <code>{commit.slice(0, 10)}</code>
      </p>
      <p className="hover-card-footer">
        <Link to={{ ...route, lines: undefined, ref: commit }}>Open the file at this commit</Link>
      </p>
    </>
  )
}

/** The route of a line: on the current branch if it is at the same commit, else at its commit. */
export const locationRoute = (
  {
    commit,
    line,
    owner,
    path,
    repo
  }: ExplorerApi.RepositoryName & { readonly path: string; readonly commit: string; readonly line: number },
  file: ExplorerApi.PinnedPath,
  { ref }: Route.File
): Route.File => {
  const targetRef = owner === file.owner && repo === file.repo && commit === file.commit ? ref : commit
  return {
    _tag: "File",
    owner,
    repo,
    path,
    ...(targetRef === undefined ? {} : { ref: targetRef }),
    lines: { first: line, last: line }
  }
}
