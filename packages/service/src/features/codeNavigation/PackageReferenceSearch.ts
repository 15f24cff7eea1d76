/** Finds the uses of a definition in the repositories that import its package. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as PathText from "@tongs/core/text/PathText"
import type { Reference } from "@tongs/core/contract/groups/CodeNavigation"
import type { Expression } from "@tongs/core/query/CodeQuery"
import type { ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { CodeSearch } from "../../search/CodeSearch.ts"
import type { SearchHit } from "../../search/SearchBatch.ts"
import { ContentSearchPool } from "../../search/ContentSearchPool.ts"
import type { ReferencesInput } from "../../search/navigation/Navigation.ts"
import * as ImportedPackages from "../../search/packages/ImportedPackages.ts"
import * as Manifests from "../../search/packages/Manifests.ts"
import type { DeclaredPackage } from "../../search/packages/Manifests.ts"
import type { NameScope, NameSearch } from "./NameSearch.ts"
import type { PackageSearch } from "./PackageSearch.ts"

/** Maximum number of files that are parsed, and number of files that are parsed at a time. */
const MAX_FILES = 1_000
const BATCH_SIZE = 64

/** A definition in a commit of a repository. */
export interface Home {
  readonly served: ServedRepository
  readonly commit: string
  readonly targets: ReferencesInput["definitions"]
}

const nothing = { items: [], isIncomplete: false }

const span = { start: 0, length: 0 }

/** Folders of sources, which imports of Python leave out. */
const pythonSources = /^(?:src|lib|python)\//

/** Returns the text that every file contains which imports a file of a package. */
const importTextOf = ({ key, name, path }: DeclaredPackage, target: string): string => {
  const folder = PathText.folderOf(path)
  const relative = folder === "" ? target : target.slice(folder.length + 1)
  switch (ImportedPackages.ecosystemOf(target)) {
    case "go":
      return [name, PathText.folderOf(relative)].filter((part) => part !== "").join("/")
    case "python":
      return (
        relative
          .replace(pythonSources, "")
          .split("/")[0]
          ?.replace(/\.pyi?$/, "") ?? name
      )
    case "cargo":
      return key.slice(key.indexOf(":") + 1)
    case "maven": {
      const below = /(?:^|\/)(?:src\/main\/java|java|src)\/(.+)\/[^/]+$/.exec(`/${target}`)?.[1]
      return below?.replaceAll("/", ".") ?? key.slice(key.indexOf(":") + 1)
    }
    default:
      return name
  }
}

/** Creates the search for uses of packages. */
export const make = Effect.fnUntraced(function* (names: NameSearch, packages: PackageSearch) {
  const { deadline } = yield* CodeSearch
  const contents = yield* ContentSearchPool

  /** Returns the package by whose name imports lead to a file. */
  const packageOf = Effect.fnUntraced(function* (served: ServedRepository, path: string) {
    const all = yield* packages.packagesOf(served, path)
    // A project of Python can have several modules.
    return (
      all.find(({ declared }) => declared.key === Manifests.keyOf("python", importTextOf(declared, path))) ?? all[0]
    )
  })

  /** Finds the uses by one of the names in some repositories. */
  const usesOf = Effect.fnUntraced(function* (
    name: string,
    { commit, served, targets }: Home,
    declared: DeclaredPackage,
    scope: NameScope,
    end: number
  ) {
    const texts = [name, importTextOf(declared, targets[0]?.path ?? "")]
    const expression: Expression = { _tag: "And", all: texts.map((text) => ({ _tag: "Text", text, span })), span }
    const { hits, isIncomplete } = yield* names.collect(expression, scope)
    const imports = hits.filter(({ path }) => declared.key.startsWith(`${ImportedPackages.ecosystemOf(path)}:`))
    const ordered = imports.toSorted((a, b) => b.rank - a.rank).slice(0, MAX_FILES)
    const items: Array<Reference> = []
    let isLate = imports.length > MAX_FILES
    for (const batch of batchesOf(ordered)) {
      const [first] = batch
      if (first === undefined) continue
      if ((yield* Clock.currentTimeMillis) > end) return { items, isIncomplete: true }
      const input = {
        gitDir: first.served.git.gitDir,
        commit: first.commit,
        name,
        files: batch.map(({ path }) => path),
        home: { gitDir: served.git.gitDir, commit, declared, definitions: targets }
      }
      const found = yield* Effect.catchTag(contents.packageReferences(input), "IndexError", Effect.die)
      isLate ||= found === undefined
      const [owner = "", repo = ""] = first.served.fullName.split("/")
      for (const use of found ?? []) items.push({ owner, repo, commit: first.commit, ...use, package: declared.name })
    }
    return { items, isIncomplete: isIncomplete || isLate }
  })

  /**
   * Finds the uses of a definition at the top of a file by its names in other files. `own` is the repository to search
   * first, at a revision; the others are searched at the tips of their default branches.
   */
  const find = Effect.fnUntraced(function* (
    home: Home,
    searched: ReadonlyArray<string>,
    own: Pick<NameScope, "repositories" | "revision">,
    repositories: ReadonlyArray<ServedRepository>,
    end: number
  ) {
    const [first] = home.targets
    if (first === undefined || home.targets.some(({ level }) => level !== "file")) return nothing
    const declaration = yield* packageOf(home.served, first.path)
    if (declaration === undefined) return nothing
    const isOnly = yield* packages.isOnly(declaration, repositories)
    const isApart = new Set([home.served, ...own.repositories].map(({ row }) => row.id))
    const others = repositories.filter(({ row }) => !isApart.has(row.id))
    const scopes = [own, { repositories: others, revision: undefined }].filter(
      ({ repositories }) => repositories.length > 0
    )
    const items: Array<Reference> = []
    let isIncomplete = false
    for (const scope of scopes) {
      for (const name of searched) {
        const left = Duration.millis(Math.max(0, end - (yield* Clock.currentTimeMillis)))
        const within = { ...scope, deadline: Duration.min(left, deadline) }
        const found = yield* usesOf(name, home, declaration.declared, within, end)
        items.push(...found.items)
        isIncomplete ||= found.isIncomplete
      }
    }
    // Another repository with the package can be meant as well.
    return { items: isOnly ? items : items.map((item) => Struct.omit(item, ["certain"])), isIncomplete }
  })

  return { find }
})

/** Returns batches of files of one repository. */
const batchesOf = (hits: ReadonlyArray<SearchHit>): ReadonlyArray<ReadonlyArray<SearchHit>> => {
  const byCommit = Map.groupBy(hits, ({ commit, served }) => `${commit} ${served.fullName}`)
  return [...byCommit.values()].flatMap((all) =>
    Array.from({ length: Math.ceil(all.length / BATCH_SIZE) }, (_, at) =>
      all.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE)
    )
  )
}
