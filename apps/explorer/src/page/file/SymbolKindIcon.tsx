/** What kind of thing a name is, as a letter in a colour, and as a word for those who do not see it. */
import type { SymbolKind } from "@tongs/core/explore/Explore"

export const SymbolKindIcon = ({ kind }: { readonly kind: SymbolKind }) => (
  <span className="kind" data-kind={kind} title={kind}>
    <span aria-hidden="true">{letters[kind] ?? "·"}</span>
    <span className="unseen">{kind}</span>
  </span>
)

const letters: Readonly<Record<SymbolKind, string>> = {
  class: "C",
  constant: "c",
  enum: "E",
  function: "f",
  interface: "I",
  macro: "#",
  method: "m",
  module: "M",
  struct: "S",
  type: "T",
  variable: "v"
}
