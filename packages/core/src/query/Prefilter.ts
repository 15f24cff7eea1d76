import { escape } from "effect/RegExp"

/**
 * Condition that an index can check. Every file that matches the query fulfills the condition, but other files can,
 * too.
 */
export type Prefilter =
  /** No condition: every file passes. */
  | { readonly _tag: "Anything" }
  /** The content contains the text, ignoring case. */
  | { readonly _tag: "Part"; readonly text: string }
  /** The file defines a symbol of this name, ignoring case. */
  | { readonly _tag: "Name"; readonly name: string }
  | { readonly _tag: "All"; readonly all: ReadonlyArray<Prefilter> }
  | { readonly _tag: "Any"; readonly any: ReadonlyArray<Prefilter> }

/** Prefilter that every file passes. */
export const anything: Prefilter = { _tag: "Anything" }

/** Creates a condition that the content contains a text, ignoring case. */
export const substring = (text: string): Prefilter => ({ _tag: "Part", text })

/** Combines conditions so that a file must pass all of them. Drops conditions that every file passes. */
export const all = (prefilters: ReadonlyArray<Prefilter>): Prefilter => {
  const known = prefilters.filter((prefilter) => prefilter._tag !== "Anything")
  const [only] = known
  if (only === undefined) return anything
  return known.length === 1 ? only : { _tag: "All", all: known }
}

/** Combines conditions so that a file must pass one of them. Returns `anything` if every file passes one. */
export const any = (prefilters: ReadonlyArray<Prefilter>): Prefilter => {
  const [only] = prefilters
  if (only === undefined || prefilters.some((prefilter) => prefilter._tag === "Anything")) return anything
  return prefilters.length === 1 ? only : { _tag: "Any", any: prefilters }
}

/** Compiles a prefilter to a test for texts. The test ignores `Name` conditions, because a text has no definitions. */
export const test = (self: Prefilter): ((text: string) => boolean) => {
  switch (self._tag) {
    case "Anything":
    case "Name":
      return () => true
    case "Part": {
      const part = new RegExp(escape(self.text), "iu")
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
