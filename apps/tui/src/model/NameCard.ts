/** The window with the definition of a name: its lines, its comment, where it is, and how often it is used. */
import type { Definition } from "@tongs/core/contract/groups/CodeNavigation"
import type { Page } from "@tongs/core/paging/Page"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Highlighters from "../screens/code/Highlighters.ts"
import * as NamePosition from "../screens/code/NamePosition.ts"
import * as StyledLine from "../text/StyledLine.ts"
import type { Line } from "../text/StyledLine.ts"
import * as Syntax from "../text/Syntax.ts"

/** The definition of a name with its counts. */
export interface NameCard {
  readonly name: NamePosition.NamePosition
  readonly definition: Definition
  /** Further definitions of the name. */
  readonly others: ReadonlyArray<Definition>
  readonly uses: Pick<Page<unknown>, "totalCount" | "incompleteResults">
  /** True if the forge has not searched everything for definitions. */
  readonly isIncomplete: boolean
}

/** Formats the card. */
export const lines = (self: NameCard, columns: number): ReadonlyArray<Line> => {
  const { definition, isIncomplete, name, others } = self
  const { documentation, kind, path, scope, signature = definition.text.trim() } = definition
  const isHere = NamePosition.isDefinedAt(definition, name)
  const isGuess = definition.certain !== true && others.length > 0 && !isHere
  const highlighter = Highlighters.of(path)
  const code = highlighter === undefined ? Syntax.plain(signature) : Syntax.highlightNow(highlighter, signature)
  const wrapped = (text: string, role: StyledLine.Role) =>
    StyledLine.wrap(text, columns).map((part) => StyledLine.line(part, role))
  const kindAndScope = `${kind.replaceAll("_", " ")}${scope === undefined ? "" : ` in ${scope}`}`
  return [
    ...(isGuess
      ? wrapped(
          `One of ${NumberFormat.quantity(others.length + 1, "definition")} of this name, by name only:`,
          "warning"
        )
      : []),
    ...Array.from({ length: code.length }, (_, index) => code.lineAt(index)),
    ...(documentation === undefined ? [] : [StyledLine.empty, ...wrapped(documentation, "plain")]),
    StyledLine.empty,
    ...wrapped(`${kindAndScope} · ${NamePosition.label(definition, name)}${isHere ? ", defined here" : ""}`, "accent"),
    ...wrapped([usesOf(self), ...othersOf(self)].join(" · "), "muted"),
    ...(isIncomplete ? wrapped("Not everything was searched: there may be other definitions.", "warning") : [])
  ]
}

const usesOf = ({ uses: { incompleteResults, totalCount = 0 } }: NameCard): string =>
  incompleteResults ? `${NumberFormat.format(totalCount)}+ uses` : NumberFormat.quantity(totalCount, "use")

const othersOf = ({ others }: NameCard): ReadonlyArray<string> =>
  others.length === 0 ? [] : [NumberFormat.quantity(others.length, "other definition")]

/** Returns the card as text for screen readers. */
export const text = (self: NameCard): ReadonlyArray<string> =>
  lines(self, 1_000)
    .map(StyledLine.text)
    .filter((line) => line.trim() !== "")
