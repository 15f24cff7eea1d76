import { useQuery } from "@tanstack/react-query"
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react"
import type { Definition } from "@tongs/core/contract/groups/CodeNavigation"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import { Link } from "../components/Link.tsx"
import { SymbolKindIcon } from "../components/SymbolKindIcon.tsx"
import type { Identifier } from "../editor/EditorHandle.ts"
import { moveFocusByKey } from "../hooks/moveFocus.ts"
import { displayText } from "../model/displayText.ts"
import type * as Route from "../model/Route.ts"
import { CodeText } from "./CodeText.tsx"
import { DefinitionList } from "./DefinitionList.tsx"
import * as Definitions from "./Definitions.ts"
import * as References from "./References.ts"
import { placeBeside } from "./placeBeside.ts"

/** The number of other definitions by name above which the pointer opens no card. */
const MAX_GUESSES = 10

/** The event that opened a card. A card for the pointer stays hidden without a definition. */
export type CardTrigger = "pointer" | "touch" | "keyboard"

interface Props {
  readonly identifier: Identifier
  readonly trigger: CardTrigger
  readonly file: ExplorerApi.PinnedPath
  readonly route: Route.File
  /** Receives the card's element. */
  readonly card: RefObject<HTMLDivElement | null>
  readonly onOpen: (definition: Definition) => void
  readonly onShowUses: () => void
  /** The pointer enters or leaves the card. */
  readonly onPointer: (isInside: boolean) => void
  /** The height of the card as a sheet at the bottom of the window, in pixels. */
  readonly onSheet: (height: number) => void
  readonly onClose: () => void
}

/** A card beside an identifier with the definition. Never takes the focus; on a phone the card is a sheet. */
export const IdentifierCard = (props: Props) => {
  const { file, identifier, trigger } = props
  const { data, error, isPending } = useQuery(Definitions.queryOptions(file, identifier))
  const isSlow = ExplorerClient.useIsSlow(isPending)
  const [first, ...others] = data?.items ?? []
  const isNoise = trigger === "pointer" && Definitions.isGuess(first, others) && others.length > MAX_GUESSES
  if (first !== undefined && !isNoise)
    return <DefinitionCard {...props} key={identifier.offset} first={first} others={others} />
  const isIncomplete = first === undefined && data?.incomplete_results === true
  if (trigger === "pointer" && !isIncomplete) return null
  return (
    <Card {...props}>
      <p className="card-note" role="status">
        {error !== null ? (
          displayText(ExplorerClient.failureOf(error).message)
        ) : isPending ? (
          isSlow && "Searching…"
        ) : (
          <>
            No definition of <code>{displayText(identifier.text)}</code>
            {isIncomplete && " so far: the search ran out of time, or indexing is not complete."}
          </>
        )}
      </p>
    </Card>
  )
}

const Card = ({
  card,
  children,
  identifier: { box, text },
  onPointer,
  onSheet
}: Props & { readonly children: React.ReactNode }) => {
  // Without dependencies, because the size changes with the content.
  useLayoutEffect(() => {
    const element = card.current
    if (element === null) return
    if (getComputedStyle(element).getPropertyValue("--sheet").trim() === "1") onSheet(element.offsetHeight)
    else placeBeside(element, box)
  })
  return (
    <div
      ref={card}
      className="identifier-card"
      role="group"
      aria-label={`Definition of ${displayText(text)}`}
      tabIndex={-1}
      onPointerEnter={() => onPointer(true)}
      onPointerLeave={() => onPointer(false)}
      onKeyDown={(event) => moveFocusByKey(card.current, event)}
    >
      {children}
    </div>
  )
}

const DefinitionCard = (props: Props & { readonly first: Definition; readonly others: ReadonlyArray<Definition> }) => {
  const { file, first, identifier, onClose, onOpen, onShowUses, others, route, trigger } = props
  const [isListed, setIsListed] = useState(false)
  const isHere = Definitions.isAt(first, file, identifier)
  const isGuess = Definitions.isGuess(first, others) && !isHere
  const { documentation, kind, line, path, scope, signature = first.text.trim() } = first
  return (
    <Card {...props}>
      <div className="card-scroll" tabIndex={-1}>
        {isGuess && (
          <p className="card-guess">
            One of {NumberFormat.quantity(others.length + 1, "definition")} of this name,{" "}
            {first.package === undefined ? (
              "by name only:"
            ) : (
              <>
                in a repository that declares the package <code>{displayText(first.package)}</code>:
              </>
            )}
          </p>
        )}
        <pre className="card-signature">
          <CodeText text={signature} path={path} delay={0} />
        </pre>
        {documentation !== undefined && (
          <p className="card-documentation">{documentation.split("\n").map(displayText).join("\n")}</p>
        )}
        <p className="card-place">
          <SymbolKindIcon kind={kind} />
          <span>
            {kind.replaceAll("_", " ")}
            {scope !== undefined && (
              <>
                {" "}
                in <code>{displayText(scope)}</code>
              </>
            )}
            {" · "}
            {isHere ? (
              "defined here"
            ) : (
              <Link
                to={Definitions.locationRoute(first, file, route)}
                onNavigate={() => onOpen(first)}
                title="Go to definition (d or F12)"
              >
                {!Definitions.isInRepository(first, file) && `${displayText(first.owner)}/${displayText(first.repo)} `}
                {displayText(path)}:{line}
              </Link>
            )}
            {first.package !== undefined && !isGuess && (
              <>
                {" · package "}
                <code>{displayText(first.package)}</code>
              </>
            )}
          </span>
        </p>
        {isListed && <DefinitionList definitions={others} file={file} route={route} onOpen={onOpen} />}
      </div>
      <footer>
        <button type="button" className="quiet" onClick={onShowUses} title="List the uses (r or Shift+F12)">
          <UseCount file={file} identifier={identifier} />
        </button>
        {others.length > 0 && (
          <button type="button" className="quiet" aria-expanded={isListed} onClick={() => setIsListed(!isListed)}>
            Other definitions ({NumberFormat.format(others.length)})
          </button>
        )}
        {trigger === "touch" && (
          <button type="button" className="quiet card-close" onClick={onClose}>
            Close
          </button>
        )}
      </footer>
      {trigger === "keyboard" && (
        <span className="visually-hidden" role="status">
          {`${displayText(signature)}. ${isHere ? "Defined here." : `Defined in ${displayText(path)}, line ${line}.`} Press i again to enter the card.`}
        </span>
      )}
    </Card>
  )
}

/** Milliseconds that a card is open before the uses are counted: the count may read many files. */
const COUNT_DELAY = 300

const UseCount = ({ file, identifier }: Pick<Props, "file" | "identifier">) => {
  const [isDue, setIsDue] = useState(false)
  const timer = useRef<number>(undefined)
  useEffect(() => {
    timer.current = window.setTimeout(() => setIsDue(true), COUNT_DELAY)
    return () => clearTimeout(timer.current)
  }, [])
  const { data } = useQuery({ ...References.countOptions(file, identifier), enabled: isDue })
  if (data === undefined) return "Uses"
  if (data.incomplete_results) return `${NumberFormat.format(data.total_count)}+ uses`
  return NumberFormat.quantity(data.total_count, "use")
}
