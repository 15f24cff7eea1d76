import type { SymbolKind } from "@tongs/core/contract/groups/CodeSearch"

/** The kind of a symbol as a coloured letter, with its name as tooltip and for screen readers. */
export const SymbolKindIcon = ({ kind }: { readonly kind: SymbolKind }) => (
  <span className="kind" data-kind={kind} title={kind}>
    <span aria-hidden="true">{letters[kind] ?? "·"}</span>
    <span className="visually-hidden">{kind}</span>
  </span>
)

const letters: Readonly<Record<SymbolKind, string>> = {
  class: "C",
  constant: "c",
  enum: "E",
  enum_member: "e",
  field: "p",
  function: "f",
  interface: "I",
  macro: "#",
  method: "m",
  module: "M",
  struct: "S",
  type: "T",
  variable: "v"
}
