/** A card beside a word or a line: where the word is defined, where it is used, or the commit that wrote the line. */
import { Popover } from "@base-ui/react/popover"
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from "react"
import type { BlameRange, Definition } from "@tongs/core/explore/Explore"
import * as RelativeTime from "@tongs/core/text/RelativeTime"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as Wire from "../../Wire.ts"
import * as Api from "../Api.ts"
import { Link } from "../components/Link.tsx"
import { HighlightedText } from "../components/HighlightedText.tsx"
import { displayText } from "../model/displayText.ts"
import { useNow } from "../hooks/useNow.ts"
import type * as Route from "../model/Route.ts"
import { SymbolKindIcon } from "./SymbolKindIcon.tsx"
import { moveFocus, moveFocusByKey } from "../hooks/moveFocus.ts"
import * as References from "./References.ts"

export type HoverCardContent =
  | { readonly _tag: "Definitions"; readonly word: string; readonly definitions: ReadonlyArray<Definition> }
  | { readonly _tag: "References"; readonly word: string }
  | { readonly _tag: "Blame"; readonly range: BlameRange }
  | { readonly _tag: "Failed"; readonly failure: Wire.Failure }

export interface HoverCardProps {
  readonly subject: HoverCardContent
  /** Where it is about, in the window. */
  readonly at: DOMRect
  readonly view: Route.File
  readonly file: Wire.Pinned
  readonly close: () => void
}

export const HoverCard = ({ at, close, file, subject, view }: HoverCardProps) => {
  const popup = useRef<HTMLDivElement>(null)
  // At once: a key that comes before the next frame is meant for it.
  const open = useCallback((element: HTMLDivElement | null) => {
    popup.current = element
    element?.focus({ preventScroll: true })
  }, [])
  const anchor = useMemo(() => ({ getBoundingClientRect: () => at }), [at])
  return (
    <Popover.Root open onOpenChange={(open) => open || close()}>
      <Popover.Portal>
        <Popover.Positioner anchor={anchor} side="bottom" align="start" sideOffset={4} collisionPadding={8}>
          <Popover.Popup
            ref={open}
            className="peek"
            tabIndex={-1}
            initialFocus={popup}
            finalFocus={false}
            onClick={(event) => {
              // Where a link leads may be this very file.
              if (event.target instanceof Element && event.target.closest("a") !== null) close()
            }}
            onKeyDown={(event) => moveFocusByKey(popup.current, event)}
          >
            <Shown subject={subject} file={file} view={view} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

/** The first of a list has the focus as soon as the list is there. */
const useFirst = (isThere: boolean) => {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (isThere) moveFocus(list.current, 1)
  }, [isThere])
  return list
}

const Shown = ({ file, subject, view }: Pick<HoverCardProps, "file" | "subject" | "view">) => {
  switch (subject._tag) {
    case "Definitions":
      return <Definitions {...subject} file={file} view={view} />
    case "References":
      return <Uses {...subject} file={file} view={view} />
    case "Blame":
      return <Commit {...subject} view={view} />
    case "Failed":
      return <Title>{displayText(subject.failure.message)}</Title>
  }
}

const Title = ({ children }: { readonly children: ReactNode }) => (
  <Popover.Title className="peek-title">{children}</Popover.Title>
)

const Definitions = ({
  definitions,
  file,
  view,
  word
}: {
  readonly word: string
  readonly definitions: ReadonlyArray<Definition>
  readonly file: Wire.Pinned
  readonly view: Route.File
}) => {
  const list = useFirst(definitions.length > 0)
  return (
    <>
      <Title>
        {definitions.length === 0 ? (
          <>
            The index has no definition of <code>{displayText(word)}</code>
          </>
        ) : (
          <>
            {NumberFormat.quantity(definitions.length, "definition")} of <code>{displayText(word)}</code>
          </>
        )}
      </Title>
      <ul className="peek-list" ref={list}>
        {definitions.map((definition) => (
          <li key={`${definition.owner}/${definition.repo}/${definition.path}:${definition.line}`}>
            <Link to={locationRoute(definition, file, view)}>
              <span className="peek-where">
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
      <All word={word} file={file} />
    </>
  )
}

const Uses = ({
  file,
  view,
  word
}: {
  readonly word: string
  readonly file: Wire.Pinned
  readonly view: Route.File
}) => {
  const { data, error } = useQuery({
    staleTime: References.FRESH,
    queryKey: ["references", file.owner, file.repo, word],
    queryFn: ({ signal }) => References.find(file, word, signal)
  })
  const list = useFirst(data !== undefined && data.references.length > 0)
  return (
    <>
      <Title>
        {error !== null ? (
          displayText(Api.failureOf(error).message)
        ) : data === undefined ? (
          "Looking…"
        ) : data.references.length === 0 ? (
          <>
            {data.more ? "The index is still being made, and has not met " : "The index has nothing of "}
            <code>{displayText(word)}</code>
          </>
        ) : (
          <>
            {data.more ? "More than " : ""}
            {NumberFormat.quantity(data.count, "place")} in {NumberFormat.quantity(data.files, "file")} with{" "}
            <code>{displayText(word)}</code>
          </>
        )}
      </Title>
      <ul className="peek-list" ref={list}>
        {data?.references.map((reference) => (
          <li key={`${reference.path}:${reference.line}`}>
            <Link to={locationRoute(reference, file, view)}>
              <span className="peek-where">
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
      <All word={word} file={file} />
    </>
  )
}

const All = ({ file, word }: { readonly word: string; readonly file: Wire.Place }) => (
  <p className="peek-all">
    <Link to={{ _tag: "Search", q: References.query(file, word) }}>All of them in the search</Link>
  </p>
)

const Commit = ({
  range: { author, commit, date, summary },
  view
}: {
  readonly range: BlameRange
  readonly view: Route.File
}) => {
  const now = useNow(false)
  return (
    <>
      <Title>{displayText(summary)}</Title>
      <p className="peek-text">
        <bdi>{displayText(author)}</bdi>,{" "}
        <time dateTime={date} title={date}>
          {RelativeTime.format(Date.parse(date), now)}
        </time>
        <span className="dim"> · {new Date(date).toLocaleDateString("en", { dateStyle: "medium" })} · </span>
        <code>{commit.slice(0, 10)}</code>
      </p>
      <p className="peek-all">
        <Link to={{ ...view, lines: undefined, ref: commit }}>The file at this commit</Link>
      </p>
    </>
  )
}

/** On the branch that one is on, where that is the commit that is meant; else at the commit. */
export const locationRoute = (
  {
    commit,
    line,
    owner,
    path,
    repo
  }: Wire.Place & { readonly path: string; readonly commit: string; readonly line: number },
  file: Wire.Pinned,
  { ref }: Route.File
): Route.File => {
  const at = owner === file.owner && repo === file.repo && commit === file.commit ? ref : commit
  return {
    _tag: "File",
    owner,
    repo,
    path,
    ...(at === undefined ? {} : { ref: at }),
    lines: { first: line, last: line }
  }
}
