/** The window with the definition of a name: its lines, its comment, where it is, and how often it is used. */
import type { Definition } from "@tongs/core/contract/groups/CodeNavigation"
import type { Page } from "@tongs/core/paging/Page"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import * as Terminal from "@tongs/core/text/Terminal"
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

/** The parts of the card, from the top. */
export interface Parts {
  /** Why the definition may be another one. */
  readonly doubt: string | undefined
  /** The lines of the definition. */
  readonly code: ReadonlyArray<Line>
  readonly documentation: string | undefined
  /** The kind and the place of the definition. */
  readonly place: string
  /** The number of uses and of further definitions. */
  readonly counts: string
  /** The limit of the search for definitions. */
  readonly limit: string | undefined
}

/** Formats the parts of the card. */
export const parts = (self: NameCard): Parts => {
  const { definition, isIncomplete, name, others } = self
  const { documentation, kind, path, scope, signature = definition.text.trim() } = definition
  const isHere = NamePosition.isDefinedAt(definition, name)
  const isGuess = definition.certain !== true && others.length > 0 && !isHere
  const highlighter = Highlighters.of(path)
  const code = highlighter === undefined ? Syntax.plain(signature) : Syntax.highlightNow(highlighter, signature)
  const kindAndScope = `${kind.replaceAll("_", " ")}${scope === undefined ? "" : ` in ${scope}`}`
  return {
    doubt: isGuess
      ? `One of ${NumberFormat.quantity(others.length + 1, "definition")} of this name, ${definition.package === undefined ? "by name only" : `in a repository that declares the package ${definition.package}`}:`
      : undefined,
    code: Array.from({ length: code.length }, (_, index) => code.lineAt(index)),
    documentation,
    place: `${kindAndScope} · ${NamePosition.label(definition, name)}${isHere ? ", defined here" : ""}${definition.package === undefined || isGuess ? "" : ` · package ${definition.package}`}`,
    counts: [usesOf(self), ...othersOf(self)].join(" · "),
    limit: isIncomplete ? "Not everything was searched: there may be other definitions." : undefined
  }
}

const usesOf = ({ uses: { incompleteResults, totalCount = 0 } }: NameCard): string =>
  incompleteResults ? `${NumberFormat.format(totalCount)}+ uses` : NumberFormat.quantity(totalCount, "use")

const othersOf = ({ others }: NameCard): ReadonlyArray<string> =>
  others.length === 0 ? [] : [NumberFormat.quantity(others.length, "other definition")]

/** Returns the card as text for screen readers. */
export const text = (self: NameCard): ReadonlyArray<string> => {
  const { code, counts, documentation = "", doubt = "", limit = "", place } = parts(self)
  return [doubt, ...code.map(StyledLine.text), documentation, place, counts, limit]
    .flatMap((part) => Terminal.escape(part, { newlines: true }).split("\n"))
    .filter((line) => line.trim() !== "")
}
