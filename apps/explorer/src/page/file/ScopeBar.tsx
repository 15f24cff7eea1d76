import type { CodeSymbol } from "@tongs/core/contract/groups/CodeNavigation"
import { SymbolKindIcon } from "../components/SymbolKindIcon.tsx"
import { displayText } from "../model/displayText.ts"
import * as CurrentLine from "./CurrentLine.ts"
import * as OutlineTree from "./OutlineTree.ts"

/** The enclosing symbols of the current line, above the code. Each leads to the first line of the symbol. */
export const ScopeBar = ({
  items,
  line,
  name,
  onSelect
}: {
  /** The name of the file. */
  readonly name: string
  readonly items: ReadonlyArray<OutlineTree.OutlineItem>
  readonly line: CurrentLine.CurrentLine
  readonly onSelect: (symbol: CodeSymbol | undefined) => void
}) => {
  const index = CurrentLine.useValue(line, (line) => OutlineTree.at(items, line))
  return (
    <nav className="scope-bar" aria-label="Enclosing symbols">
      <button type="button" title="Go to the first line" onClick={() => onSelect(undefined)}>
        {displayText(name)}
      </button>
      {OutlineTree.path(items, index).map((index) => {
        const symbol = items[index]?.symbol
        return (
          symbol !== undefined && (
            <button key={index} type="button" title={`Go to line ${symbol.line}`} onClick={() => onSelect(symbol)}>
              <SymbolKindIcon kind={symbol.kind} />
              {displayText(symbol.name)}
            </button>
          )
        )
      })}
    </nav>
  )
}
