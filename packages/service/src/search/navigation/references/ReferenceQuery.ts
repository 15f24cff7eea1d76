import type { SymbolKind } from "@tongs/core/contract/groups/CodeSearch"
import type { SourceFile } from "@tongs/syntax/navigation/SourceFile"
import type { Modules } from "../modules/Modules.ts"
import type { Place } from "../Place.ts"
import type { Commit } from "../RepositoryFiles.ts"
import type { GoTypes } from "../types/GoTypes.ts"
import type { Types } from "../types/Types.ts"

/** True if an occurrence means a target, false if not, undefined if that is possible but not known. */
export type Meaning = boolean | undefined

/** The uses to find, and the files to search. */
export interface ReferenceQuery extends Commit {
  readonly name: string
  /** The definitions whose uses are wanted. Empty for all uses of the name. */
  readonly definitions: ReadonlyArray<Target>
  /** True if the name is a member, false if not, undefined if unknown. */
  readonly isMember: boolean | undefined
  readonly files: ReadonlyArray<string>
  /** Total number of files of the search. */
  readonly of: number
  readonly packages: ReadonlyArray<string>
  /** Number of types that declare a member with the name, as far as the index knows. */
  readonly containers: number
  /** True if the definitions are the only ones of this name, as far as the index knows. */
  readonly isOnly: boolean
  /** Lines that define the name, as `path:line`. */
  readonly defined: ReadonlyArray<string>
}

/** A definition whose uses are wanted. */
export type Target = Pick<Place, "path" | "name" | "line" | "level" | "scope" | "range"> & {
  readonly kind: SymbolKind
}

/** A parsed file that is searched. */
export interface SearchedFile {
  readonly path: string
  readonly file: SourceFile
  readonly query: ReferenceQuery
  readonly modules: Modules
  readonly types: Types
  readonly goTypes: GoTypes
}

/** True if one of the places is a target. */
export const leadsTo = (found: ReadonlyArray<Place>, targets: ReadonlyArray<Target>): boolean =>
  found.some(({ line, name, path }) =>
    targets.some((target) => target.path === path && (target.line === line || target.name === name))
  )
