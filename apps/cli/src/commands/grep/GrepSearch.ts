/** Searches the code index of the embedded forge, and prints the results in ripgrep's formats. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Connection } from "@tongs/connection/Connection"
import type { FileHit } from "@tongs/core/contract/groups/CodeSearch"
import * as ControlCharacters from "@tongs/core/text/ControlCharacters"
import * as Terminal from "@tongs/core/text/Terminal"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { hiddenInJson, Output } from "../../base/Output.ts"
import { UsageError } from "../../base/UsageError.ts"
import * as RepeatedSearch from "../RepeatedSearch.ts"
import type { GrepOptions } from "./GrepOptions.ts"
import type { GrepQuery } from "./GrepQuery.ts"
import * as JsonFormat from "./JsonFormat.ts"
import * as LineMatches from "./LineMatches.ts"
import type { Place } from "./FileSelection.ts"
import type { Located, SearchScope } from "./SearchScope.ts"
import * as StandardFormat from "./StandardFormat.ts"

/** Exit codes of `tongs grep`, as of `grep` and ripgrep. */
export const codes = { found: 0, notFound: 1, failed: 2 } as const // literal types

/** Maximum number of files of a search. */
const MAX_FILES = 1_000_000

/** A search to run. */
export interface GrepTask {
  readonly options: GrepOptions
  readonly query: GrepQuery
  readonly scope: SearchScope
  readonly admits: (place: Place) => boolean
  /** True if the search covers only one file, whose name is then not printed. */
  readonly isOneFile: boolean
  readonly hasColor: boolean
}

/** Messages for the reasons why results can be missing. */
const reasons: Readonly<Record<string, string>> = {
  limit: `more than ${NumberFormat.format(MAX_FILES)} files match`,
  indexing: "the index is not complete yet",
  failed: "some files could not be read",
  unfinished: "the connection ended early"
}

/** Runs a search, prints the results, and returns the exit code. */
export const run = Effect.fnUntraced(function* (task: GrepTask) {
  const { options, query } = task
  const { note, write } = yield* Output
  const started = yield* Clock.currentTimeMillis
  const printer = yield* makePrinter(task)
  const collected: Array<{ readonly root: number; readonly name: string; readonly text: () => string }> = []
  let isFound = false

  const take = (hit: FileHit) =>
    Effect.suspend(() => {
      const texts: Array<string> = []
      for (const { name, root } of namesOf(task, hit)) {
        const text = () => printer.format(name, hit)
        isFound = true
        if (options.quiet) continue
        if (options.sort) collected.push({ root, name, text })
        else texts.push(text())
      }
      return texts.length === 0 ? Effect.void : write(texts.join(""))
    })

  const {
    done,
    extent,
    reasons: missed
  } = yield* RepeatedSearch.run({
    request: {
      q: query.q,
      limit: MAX_FILES,
      context: Math.max(options.before, options.after),
      lines: "all",
      source: options.revisions.length === 0 ? "work_trees" : "commits"
    },
    noun: "file",
    stopAfterMillis: Number.POSITIVE_INFINITY,
    take: (hit) => (hit._tag === "File" && options.maxCount !== 0 ? take(hit) : Effect.void),
    isFound: () => isFound,
    stopsAtFirst: options.quiet
  })
  collected.sort((a, b) => a.root - b.root || compare(a.name, b.name))
  for (const { text } of collected) yield* write(text())
  if (options.json && !options.quiet) yield* write(printer.summary((yield* Clock.currentTimeMillis) - started))
  if (options.quiet && isFound) return codes.found

  const missing = missed.map((one) => (one === "deadline" ? extent : (reasons[one] ?? one)))
  for (const one of done?.notes ?? []) yield* note(`tongs: ${Terminal.escape(one)}`)
  if (missing.length > 0) {
    yield* note(`tongs: the search is not complete: ${missing.join(", ")}. Matches can be missing.`)
    return codes.failed
  }
  return isFound ? codes.found : codes.notFound
})

/** Returns the places and names of a file that the search covers: one for each revision with the file. */
const namesOf = ({ admits, options, scope }: GrepTask, hit: FileHit): ReadonlyArray<Located> => {
  const located = scope.locate({ repository: `${hit.owner}/${hit.repo}`, path: hit.path })
  const lines = hit.chunks.some((chunk) => chunk.lines.some(({ matches }) => matches.length > 0))
  // An empty file has no line, although an empty pattern matches the empty content.
  if (located === undefined || !lines || hit.size === 0 || !admits(located.place)) return []
  if (options.revisions.length === 0) return [located]
  const revisions = hit.revisions ?? options.revisions.slice(0, 1)
  return revisions.map((revision) => ({ ...located, name: `${revision}:${located.name}` }))
}

/** Compares paths by folder, in the sort order of ripgrep. */
const compare = (a: string, b: string): number => {
  const left = a.split("/")
  const right = b.split("/")
  for (const [index, part] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    if (part !== other) return Buffer.compare(Buffer.from(part), Buffer.from(other))
  }
  return left.length - right.length
}

/** Control characters of a terminal become visible. Elsewhere the text is unchanged, as for any `grep`. */
const safeText = (isTerminal: boolean) => (text: string) =>
  isTerminal ? ControlCharacters.escapeLine(text.endsWith("\r") ? text.slice(0, -1) : text) : text

const makePrinter = Effect.fnUntraced(function* ({ hasColor, isOneFile, options, query }: GrepTask) {
  const { isTerminal } = yield* Output
  const { kind } = yield* Connection
  if (kind === "remote") {
    return yield* new UsageError({
      detail: "tongs grep searches the code index of the embedded forge. A remote forge has none.",
      hint: "Use `tongs search` there, or omit --url."
    })
  }
  const { vimgrep } = options
  const isLines = options.mode === "lines"
  const standard = StandardFormat.make({
    mode: options.mode,
    onlyMatching: options.onlyMatching,
    vimgrep,
    heading: !vimgrep && isLines && (options.heading ?? isTerminal),
    fileName: options.fileName ?? (vimgrep || !isOneFile),
    lineNumber: options.lineNumber ?? (isTerminal || options.column || vimgrep),
    column: options.column || vimgrep,
    null: options.null,
    trim: options.trim,
    hasColor,
    hasContext: options.before + options.after > 0,
    safe: safeText(isTerminal)
  })
  const json = JsonFormat.make((text) => (isTerminal ? hiddenInJson(text) : text))
  const { groups, pattern } = query
  return {
    format: (name: string, hit: FileHit): string => {
      const lines = LineMatches.select(
        hit.chunks.flatMap((chunk) => chunk.lines),
        options
      )
      if (options.json) return json.format(name, lines, hit.size)
      const { replace } = options
      return standard.format(
        name,
        replace === undefined || !isLines
          ? lines
          : lines.map((line) => LineMatches.replace(line, pattern, groups, replace))
      )
    },
    summary: json.summary
  }
})
