/** The pieces of a text in which words stand, as a search shows them (spec part 3 §2.11). */

export interface Fragment {
  readonly fragment: string
  readonly matches: ReadonlyArray<{ readonly text: string; readonly indices: ReadonlyArray<number> }>
}

/** Fragments of one text, matches in one fragment, and characters of context before and behind a match. */
const maxFragments = 2
const maxMatches = 20
const context = 80

interface Span {
  readonly start: number
  readonly end: number
}

/** Where the words stand, in any case, without overlaps, in order. Offsets are in UTF-16 code units. */
const occurrences = (text: string, words: ReadonlyArray<string>): ReadonlyArray<Span> => {
  const longestFirst = [...words].sort((a, b) => b.length - a.length).map((word) => RegExp.escape(word))
  const spans: Array<Span> = []
  for (const match of text.matchAll(new RegExp(longestFirst.join("|"), "gi"))) {
    spans.push({ start: match.index, end: match.index + match[0].length })
  }
  return spans
}

/** Grows a span to whole lines, as far as the context goes. */
const around = (text: string, { end, start }: Span): Span => {
  const lineStart = text.lastIndexOf("\n", Math.max(0, start - 1)) + 1
  const lineEnd = text.indexOf("\n", end)
  return {
    start: Math.max(lineStart, start - context, 0),
    end: Math.min(lineEnd === -1 ? text.length : lineEnd, end + context)
  }
}

export const make = (text: string, words: ReadonlyArray<string>): ReadonlyArray<Fragment> => {
  const wanted = words.filter((word) => word !== "")
  if (wanted.length === 0) return []
  const fragments: Array<{ readonly window: Span; readonly spans: Array<Span> }> = []
  for (const span of occurrences(text, wanted)) {
    const last = fragments.at(-1)
    if (last !== undefined && span.end <= last.window.end) {
      if (last.spans.length < maxMatches) last.spans.push(span)
      continue
    }
    if (fragments.length === maxFragments) break
    fragments.push({ window: around(text, span), spans: [span] })
  }
  return fragments.map(({ spans, window }) => ({
    fragment: text.slice(window.start, window.end),
    matches: spans.map(({ end, start }) => ({
      text: text.slice(start, end),
      indices: [start - window.start, end - window.start]
    }))
  }))
}
