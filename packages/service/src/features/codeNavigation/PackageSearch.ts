/** Follows imports to the packages of other repositories. */
import * as Effect from "effect/Effect"
import * as PathText from "@tongs/core/text/PathText"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { ContentSearchPool } from "../../search/ContentSearchPool.ts"
import * as PackageExports from "../../search/navigation/packages/PackageExports.ts"
import * as PackageUses from "../../search/navigation/packages/PackageUses.ts"
import type { Use } from "../../search/navigation/definitions/Use.ts"
import type { Place } from "../../search/navigation/Place.ts"
import * as ImportedPackages from "../../search/packages/ImportedPackages.ts"
import type { Declaration } from "../../search/PackageDeclarations.ts"
import { PackageDirectory } from "../../search/PackageDirectory.ts"

/** A declaration in the repository of an imported package. */
export interface ExportedPlace {
  readonly served: ServedRepository
  readonly commit: string
  readonly place: Place
  /** Name of the package, as its manifest writes it. */
  readonly packageName: string
  /** True if no other repository can be meant. */
  readonly isCertain: boolean
}

const ownerOf = ({ fullName }: ServedRepository) => fullName.slice(0, fullName.indexOf("/"))

/** Returns the declarations among which an import can mean only one: published packages before private ones and forks. */
const bestOf = (all: ReadonlyArray<Declaration>): ReadonlyArray<Declaration> => {
  const sources = all.filter(({ served }) => served.row.source_id === null)
  const published = sources.filter(({ declared }) => declared.isPrivate !== true)
  return published.length > 0 ? published : sources.length > 0 ? sources : all
}

/** Creates the search for the declarations of packages. */
export const make = Effect.gen(function* () {
  const directory = yield* PackageDirectory
  const contents = yield* ContentSearchPool

  const pathsOf = Effect.fnUntraced(function* (declaration: Declaration, use: PackageUses.PackageUse) {
    if (!declaration.declared.key.startsWith("maven:")) return []
    const { names, package: name } = PackageExports.javaName(use)
    const path = `${name.replaceAll(".", "/")}/${names[0]}.java`
    const filter = { name: "path", value: path, glob: false } as const
    const found = yield* directory.paths(declaration, { _tag: "Filter", filter, span: { start: 0, length: 0 } })
    return found.filter((one) => one === path || one.endsWith(`/${path}`))
  })

  /** Finds the declarations of a use in the repositories that declare one package. */
  const inPackage = Effect.fnUntraced(function* (
    key: string,
    use: PackageUses.PackageUse,
    own: ServedRepository,
    repositories: ReadonlyArray<ServedRepository>
  ) {
    const { found: declarations, isIncomplete } = yield* directory.find(key, repositories)
    const isOwn = ({ served }: Declaration) => served.row.id === own.row.id
    const isNear = ({ served }: Declaration) => (ownerOf(served) === ownerOf(own) ? 1 : 0)
    const all: Array<{ readonly declaration: Declaration; readonly place: Place }> = []
    for (const declaration of declarations.toSorted((a, b) => isNear(b) - isNear(a))) {
      if (isOwn(declaration)) continue
      const { commit, declared, served } = declaration
      const paths = yield* pathsOf(declaration, use)
      const input = { gitDir: served.git.gitDir, commit, use, declared, paths }
      const places = yield* Effect.catchTag(contents.exported(input), "IndexError", Effect.die)
      all.push(...places.map((place) => ({ declaration, place })))
    }
    // Many repositories share a group of Maven, so the class decides.
    const isGroup = key.startsWith("maven:")
    const best = bestOf(isGroup ? [...new Set(all.map(({ declaration }) => declaration))] : declarations)
    const isOnly =
      best.length === 1 && !isIncomplete && use.source.isUncertain !== true && (isGroup || !declarations.some(isOwn))
    const found = all.map(({ declaration, place }): ExportedPlace => ({
      served: declaration.served,
      commit: declaration.commit,
      place,
      packageName: declaration.declared.name,
      isCertain: isOnly && best[0] === declaration
    }))
    return { found, isIncomplete }
  })

  /** Finds the declarations that other repositories export by the packages that the file of a use imports. */
  const find = Effect.fnUntraced(function* (
    name: string,
    use: Use,
    own: ServedRepository,
    repositories: ReadonlyArray<ServedRepository>
  ) {
    let isIncomplete = false
    for (const one of PackageUses.of(use, name)) {
      for (const key of ImportedPackages.keysOf(use.path, one.source)) {
        const result = yield* inPackage(key, one, own, repositories)
        isIncomplete ||= result.isIncomplete
        if (result.found.length > 0) return result
      }
    }
    return { found: [], isIncomplete }
  })

  /** Returns the packages of a repository that a file belongs to: those of the closest manifest in its language. */
  const packagesOf = Effect.fnUntraced(function* (served: ServedRepository, path: string) {
    const ecosystem = ImportedPackages.ecosystemOf(path)
    const all = (yield* directory.packagesOf(served)).filter(({ declared }) => {
      const folder = PathText.folderOf(declared.path)
      return declared.key.startsWith(`${ecosystem}:`) && (folder === "" || path.startsWith(`${folder}/`))
    })
    const closest = Math.max(...all.map(({ declared }) => PathText.folderOf(declared.path).length))
    return all.filter(({ declared }) => PathText.folderOf(declared.path).length === closest)
  })

  /** True if no other repository declares the package, as far as a caller can know. */
  const isOnly = Effect.fnUntraced(function* (
    { declared, served }: Declaration,
    repositories: ReadonlyArray<ServedRepository>
  ) {
    if (declared.key.startsWith("maven:")) return true
    const { found, isIncomplete } = yield* directory.find(declared.key, repositories)
    const [best, ...others] = bestOf(found)
    return best?.served.row.id === served.row.id && others.length === 0 && !isIncomplete
  })

  return { find, isOnly, packagesOf }
})

/** The search for the declarations of packages. */
export type PackageSearch = Effect.Success<typeof make>
