/** What a file must hold for a query to match it, as far as an index can tell: texts, and ways to combine them. */
export type Prefilter =
  /** Nothing is known: any file may match. */
  | { readonly _tag: "Anything" }
  /** The text stands in the content, in any case. */
  | { readonly _tag: "Part"; readonly text: string }
  /** Something is defined under this name, in any case. */
  | { readonly _tag: "Name"; readonly name: string }
  | { readonly _tag: "All"; readonly all: ReadonlyArray<Prefilter> }
  | { readonly _tag: "Any"; readonly any: ReadonlyArray<Prefilter> }

export const anything: Prefilter = { _tag: "Anything" }

export const substring = (text: string): Prefilter => ({ _tag: "Part", text })

export const all = (prefilters: ReadonlyArray<Prefilter>): Prefilter => {
  const known = prefilters.filter((prefilter) => prefilter._tag !== "Anything")
  const [only] = known
  if (only === undefined) return anything
  return known.length === 1 ? only : { _tag: "All", all: known }
}

export const any = (prefilters: ReadonlyArray<Prefilter>): Prefilter => {
  const [only] = prefilters
  if (only === undefined || prefilters.some((prefilter) => prefilter._tag === "Anything")) return anything
  return prefilters.length === 1 ? only : { _tag: "Any", any: prefilters }
}

/** Whether a text may satisfy the need: true if it holds the required parts, in any case. */
export const test = (self: Prefilter): ((text: string) => boolean) => {
  switch (self._tag) {
    case "Anything":
    case "Name":
      return () => true
    case "Part": {
      const part = new RegExp(RegExp.escape(self.text), "iu")
      return (text) => part.test(text)
    }
    case "All": {
      const all = self.all.map(test)
      return (text) => all.every((one) => one(text))
    }
    case "Any": {
      const any = self.any.map(test)
      return (text) => any.some((one) => one(text))
    }
  }
}
