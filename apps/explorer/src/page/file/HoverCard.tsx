import { Popover } from "@base-ui/react/popover"
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from "react"
import type { Definition } from "@tongs/core/contract/groups/CodeNavigation"
import type { BlameRange } from "@tongs/core/contract/groups/History"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import { Link } from "../components/Link.tsx"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"
import { moveFocus, moveFocusByKey } from "../hooks/moveFocus.ts"
import { BlamedCommit } from "./BlamedCommit.tsx"
import { DefinitionList } from "../navigation/DefinitionList.tsx"

/** The content of a card: definitions to choose from, the commit of a line, or a failure. */
export type HoverCardContent =
  | {
      readonly _tag: "Definitions"
      readonly word: string
      readonly definitions: ReadonlyArray<Definition>
      readonly isIncomplete: boolean
    }
  | { readonly _tag: "Blame"; readonly range: BlameRange }
  | { readonly _tag: "Failed"; readonly failure: ExplorerApi.Failure }

interface Props {
  readonly content: HoverCardContent
  /** The bounds of the word or line of the card, in the window. */
  readonly anchor: DOMRect
  readonly route: Route.File
  readonly file: ExplorerApi.PinnedPath
  readonly onOpen: (definition: Definition) => void
  readonly onClose: () => void
}

/** A card beside a word or a line. The card takes the focus. */
export const HoverCard = ({ anchor: box, content, file, onClose, onOpen, route }: Props) => {
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
        <Popover.Positioner
          anchor={anchor}
          side="bottom"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="popup-positioner"
        >
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
            <Content content={content} file={file} route={route} onOpen={onOpen} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

const Content = ({ content, file, onOpen, route }: Pick<Props, "content" | "file" | "onOpen" | "route">) => {
  switch (content._tag) {
    case "Definitions":
      return <Candidates {...content} file={file} route={route} onOpen={onOpen} />
    case "Blame":
      return <BlamedCommit range={content.range} route={route} />
    case "Failed":
      return <Title>{displayText(content.failure.message)}</Title>
  }
}

const Title = ({ children }: { readonly children: ReactNode }) => (
  <Popover.Title className="hover-card-title">{children}</Popover.Title>
)

const Candidates = ({
  definitions,
  file,
  isIncomplete,
  onOpen,
  route,
  word
}: Pick<Props, "file" | "onOpen" | "route"> & Extract<HoverCardContent, { readonly _tag: "Definitions" }>) => {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => moveFocus(list.current, 1), [])
  return (
    <>
      <Title>
        {definitions.length === 0 ? "No definition" : NumberFormat.quantity(definitions.length, "definition")} of{" "}
        <code>{displayText(word)}</code>
        {isIncomplete && " so far: the search ran out of time, or indexing is not complete"}
      </Title>
      <div className="hover-card-list" ref={list}>
        <DefinitionList definitions={definitions} file={file} route={route} onOpen={onOpen} />
      </div>
      <p className="hover-card-footer">
        <Link to={{ _tag: "Search", q: wordQuery(file, word) }}>Search for this word</Link>
      </p>
    </>
  )
}

const wordQuery = ({ owner, repo }: ExplorerApi.RepositoryName, word: string): string =>
  `"${word}" word:yes case:yes repo:${owner}/${repo}`
