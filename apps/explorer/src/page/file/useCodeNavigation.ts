import { type RefObject, useEffect, useRef, useState } from "react"
import type { Definition } from "@tongs/core/contract/groups/CodeNavigation"
import * as SourceIdentifier from "@tongs/syntax/Identifier"
import type * as ExplorerApi from "../../ExplorerApi.ts"
import * as ExplorerClient from "../api/ExplorerClient.ts"
import type { EditorHandle, Identifier } from "../editor/EditorHandle.ts"
import { isTyping } from "../hooks/useKeyboardShortcuts.ts"
import { historyState, navigate, updateHistoryState } from "../hooks/useRoute.ts"
import type * as Route from "../model/Route.ts"
import * as Definitions from "../navigation/Definitions.ts"
import type { CardTrigger } from "../navigation/IdentifierCard.tsx"
import * as References from "../navigation/References.ts"
import type { UsePlace } from "../navigation/UseList.tsx"
import type { HoverCardContent } from "./HoverCard.tsx"

/** Milliseconds before the card closes after the pointer has left the card and the identifier. */
const CLOSE_DELAY = 250

/** Windows narrower than this have sheets instead of panels, as in the style sheets. */
const NARROW = "(width < 44rem)"

export interface OpenCard {
  readonly identifier: Identifier
  readonly trigger: CardTrigger
  /** Line of the caret when the card opened. Undefined for a card that stays open when the caret moves. */
  readonly caretLine: number | undefined
}

/** Definitions, uses and cards of the identifiers of an open file. */
export const useCodeNavigation = ({
  editor,
  file,
  hasIndex,
  route
}: {
  readonly file: ExplorerApi.File
  readonly route: Route.File
  readonly editor: RefObject<EditorHandle | null>
  readonly hasIndex: boolean
}) => {
  const [choice, setChoice] = useState<{ readonly content: HoverCardContent; readonly anchor: DOMRect }>()
  const [openCard, setOpenCard] = useState<OpenCard>()
  const [hasOpenedUses, setHasOpenedUses] = useState(false)
  const card = useRef<HTMLDivElement>(null)
  const closeTimer = useRef<number>(undefined)
  const latestLookup = useRef(0)

  const closeCard = () => {
    clearTimeout(closeTimer.current)
    setOpenCard(undefined)
    if (card.current?.contains(document.activeElement) === true) editor.current?.focus()
  }
  const closeChoice = () => {
    setChoice(undefined)
    editor.current?.focus()
  }

  /** Goes to a line. The history keeps the current place, so that Back returns to this place. */
  const open = (place: UsePlace, name: string | undefined, isStep: boolean) => {
    setChoice(undefined)
    setOpenCard(undefined)
    const column = place.column ?? place.matches?.[0]?.[0]
    const replace = isStep && historyState().isStep === true
    if (!replace && editor.current !== null) updateHistoryState(editor.current.place())
    const state = {
      ...(column === undefined ? {} : { caret: { line: place.line, column: column + 1 } }),
      ...(name === undefined ? {} : { word: name }),
      ...(isStep ? { isStep } : {})
    }
    const target = Definitions.locationRoute(place, file, route)
    // On a phone the list covers the text.
    navigate(matchMedia(NARROW).matches ? { ...target, uses: undefined } : target, { replace, state })
    if (place.path !== file.path || place.commit !== file.commit || !Definitions.isInRepository(place, file)) return
    if (column === undefined) editor.current?.reveal(place.line, "center", name)
    else editor.current?.moveTo(place.line, column + 1)
    editor.current?.focus()
  }
  const openDefinition = (definition: Definition) => open(definition, definition.name, false)

  const openUses = (identifier: Identifier) => {
    setChoice(undefined)
    setOpenCard(undefined)
    setHasOpenedUses(true)
    // On a phone Back closes the sheet.
    const replace = !matchMedia(NARROW).matches
    if (!replace && editor.current !== null) updateHistoryState(editor.current.place())
    navigate({ ...route, uses: References.usesOf(file, identifier) }, { replace, state: historyState() })
  }
  const closeUses = () => {
    navigate({ ...route, uses: undefined }, { replace: true, state: historyState() })
    editor.current?.focus()
  }
  const showUses = () => {
    latestLookup.current++
    const identifier = editor.current?.identifierAtCaret()
    if (identifier !== undefined && hasIndex) openUses(identifier)
  }

  const goToDefinition = async () => {
    const identifier = editor.current?.identifierAtCaret()
    if (identifier === undefined || !hasIndex) return
    closeCard()
    const start = editor.current?.caret()
    const lookup = ++latestLookup.current
    // A late response must not navigate away from another lookup, another position, or typing.
    const isCurrent = () => {
      const now = editor.current?.caret()
      return (
        latestLookup.current === lookup && now?.line === start?.line && now?.column === start?.column && !isTyping()
      )
    }
    try {
      const { incomplete_results: isIncomplete, items: definitions } = await ExplorerClient.queryClient.fetchQuery(
        Definitions.queryOptions(file, identifier)
      )
      if (!isCurrent()) return
      const target = Definitions.target(definitions)
      if (target === undefined) {
        setChoice({
          content: { _tag: "Definitions", word: identifier.text, definitions, isIncomplete },
          anchor: identifier.box
        })
      } else if (Definitions.isAt(target, file, identifier)) openUses(identifier)
      else openDefinition(target)
    } catch (error) {
      if (isCurrent()) {
        setChoice({ content: { _tag: "Failed", failure: ExplorerClient.failureOf(error) }, anchor: identifier.box })
      }
    }
  }

  const showCard = () => {
    if (openCard !== undefined) return card.current?.querySelector<HTMLElement>("a, button")?.focus()
    const identifier = editor.current?.identifierAtCaret()
    if (identifier !== undefined && hasIndex)
      setOpenCard({ identifier, trigger: "keyboard", caretLine: identifier.line })
  }
  const scheduleClose = () => {
    clearTimeout(closeTimer.current)
    // The pointer may enter the card before the event that the pointer has left the identifier.
    const closeUnlessHovered = () => card.current?.matches(":hover") !== true && closeCard()
    closeTimer.current = window.setTimeout(closeUnlessHovered, CLOSE_DELAY)
  }
  const hasIdentifiers = !SourceIdentifier.isProse(file.path)
  const onHover = (identifier: Identifier | undefined) => {
    if (openCard !== undefined && openCard.trigger !== "pointer") return
    if (identifier === undefined) return scheduleClose()
    clearTimeout(closeTimer.current)
    if (hasIdentifiers && choice === undefined && card.current?.contains(document.activeElement) !== true) {
      setOpenCard({ identifier, trigger: "pointer", caretLine: editor.current?.caret()?.line })
    }
  }
  const onPointer = (isInside: boolean) => {
    if (isInside) clearTimeout(closeTimer.current)
    else if (openCard?.trigger === "pointer") scheduleClose()
  }
  const onTap = (identifier: Identifier | undefined) =>
    setOpenCard(
      identifier === undefined || !hasIdentifiers ? undefined : { identifier, trigger: "touch", caretLine: undefined }
    )
  /** Closes the card if the caret has moved to another line. A press on the card only takes the focus. */
  const onCaretMove = ({ line }: { readonly line: number }) => {
    if (openCard?.caretLine !== undefined && openCard.caretLine !== line) setOpenCard(undefined)
  }

  useEscape(openCard !== undefined, closeCard)
  useOutsidePress(openCard?.trigger === "keyboard", card, closeCard)
  useEffect(() => () => clearTimeout(closeTimer.current), [])

  return {
    choice,
    setChoice,
    closeChoice,
    openCard,
    card,
    closeCard,
    onPointer,
    open,
    openDefinition,
    openUses,
    closeUses,
    hasOpenedUses,
    showUses,
    showCard,
    goToDefinition: () => void goToDefinition(),
    onHover,
    onTap,
    onCaretMove
  }
}

/** Calls `onEscape` before any other handler of the page. */
const useEscape = (isActive: boolean, onEscape: () => void) => {
  const latest = useRef(onEscape)
  useEffect(() => {
    latest.current = onEscape
  })
  useEffect(() => {
    if (!isActive) return
    const listen = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || isTyping()) return
      event.preventDefault()
      event.stopPropagation()
      latest.current()
    }
    document.addEventListener("keydown", listen, true)
    return () => document.removeEventListener("keydown", listen, true)
  }, [isActive])
}

/** Calls `onPress` when a pointer is pressed outside of the element. */
const useOutsidePress = (isActive: boolean, element: RefObject<HTMLElement | null>, onPress: () => void) => {
  const latest = useRef(onPress)
  useEffect(() => {
    latest.current = onPress
  })
  useEffect(() => {
    if (!isActive) return
    const listen = ({ target }: PointerEvent) => {
      if (!(target instanceof Node) || element.current?.contains(target) !== true) latest.current()
    }
    document.addEventListener("pointerdown", listen)
    return () => document.removeEventListener("pointerdown", listen)
  }, [isActive, element])
}
