/** The declarations of packages in repositories. */
import type * as Effect from "effect/Effect"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import type * as Manifests from "./packages/Manifests.ts"

/** Maximum number of repositories with one package that are returned. */
const MAX_FOUND = 20

/** A repository that declares a package. */
export interface Declaration {
  readonly served: ServedRepository
  /** The commit whose manifests were read: the tip of the default branch. */
  readonly commit: string
  readonly declared: Manifests.DeclaredPackage
}

/** The repositories that declare a package. */
export interface Declarations {
  /** The best repositories first. */
  readonly found: ReadonlyArray<Declaration>
  /** True if a repository is not read yet, or more repositories than `found` declare the package. */
  readonly isIncomplete: boolean
}

/** Finds the repositories that declare a package, among some repositories. */
export type FindDeclarations = (
  key: string,
  repositories: ReadonlyArray<ServedRepository>
) => Effect.Effect<Declarations>

/** Orders declarations, and returns the first ones. */
export const limit = (found: ReadonlyArray<Declaration>, isComplete: boolean): Declarations => ({
  found: found.toSorted(compare).slice(0, MAX_FOUND),
  isIncomplete: !isComplete || found.length > MAX_FOUND
})

/** Orders published packages and sources of forks first. */
const compare = (a: Declaration, b: Declaration): number =>
  pointsOf(b) - pointsOf(a) || (a.served.fullName < b.served.fullName ? -1 : 1)

const pointsOf = ({ declared, served }: Declaration): number =>
  (served.row.source_id === null ? 2 : 0) + (declared.isPrivate === true ? 0 : 1)
