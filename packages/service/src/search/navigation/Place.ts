import type { Declaration, Occurrence } from "@tongs/syntax/navigation/Occurrence"
import type { SourceFile } from "@tongs/syntax/navigation/SourceFile"
import * as LineTable from "../text/LineTable.ts"

/** Maximum number of characters of a line that are shown. */
const MAX_TEXT = 1_000

/** A declaration in a file, found by its scope or by imports. */
export interface Place {
  readonly path: string
  readonly name: string
  readonly kind: Declaration["kind"]
  readonly level: Declaration["level"]
  readonly isPrototype: boolean
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly scope: string | undefined
  readonly text: string
  /** Range of the file that sees a local name. */
  readonly range: readonly [number, number]
}

/** Returns the place of a declaration. */
export const make = (
  path: string,
  name: string,
  file: SourceFile,
  { declaration, from }: Occurrence
): Place | undefined => {
  if (declaration === undefined) return undefined
  const table = LineTable.make(file.text)
  const line = LineTable.at(table, from)
  const { end, start } = LineTable.line(table, line)
  return {
    path,
    name,
    kind: declaration.kind,
    level: declaration.level,
    isPrototype: declaration.isPrototype === true,
    line,
    column: from - start,
    endLine: LineTable.at(table, Math.max(from, declaration.node.to - 1)),
    scope: declaration.container,
    text: file.text.slice(start, Math.min(end, start + MAX_TEXT)),
    range: declaration.scope
  }
}

/** Returns the places of occurrences that declare the name: definitions, or prototypes if there are no definitions. */
export const ofDeclarations = (
  path: string,
  name: string,
  file: SourceFile,
  declared: ReadonlyArray<Occurrence>
): ReadonlyArray<Place> => {
  const places = declared.flatMap((one) => make(path, name, file, one) ?? [])
  const definitions = places.filter(({ isPrototype }) => !isPrototype)
  return definitions.length === 0 ? places : definitions
}

/** Returns the place of an import that binds the name of a package in its file. */
export const ofImport = (path: string, name: string, text: string, from: number): Place => {
  const table = LineTable.make(text)
  const line = LineTable.at(table, from)
  const { end, start } = LineTable.line(table, line)
  return {
    path,
    name,
    kind: "module",
    level: "local",
    isPrototype: false,
    line,
    column: from - start,
    endLine: line,
    scope: undefined,
    text: text.slice(start, Math.min(end, start + MAX_TEXT)),
    range: [0, text.length]
  }
}

/** Returns the place of a whole file, for the name of a module. */
export const ofFile = (path: string, name: string, text: string): Place => ({
  path,
  name,
  kind: "module",
  level: "file",
  isPrototype: false,
  line: 1,
  column: 0,
  endLine: 1,
  scope: undefined,
  text: text.slice(0, MAX_TEXT).split("\n", 1)[0] ?? "",
  range: [0, text.length]
})
