import * as Effect from "effect/Effect"
import { CodeNavigation } from "@tongs/core/contract/groups/CodeNavigation"
import * as FileLookup from "../../api/FileLookup.ts"
import { group } from "../../api/Handlers.ts"
import { CallerRepositories } from "../../access/CallerRepositories.ts"
import * as Paging from "../../base/Paging.ts"
import { ContentSearchPool } from "../../search/ContentSearchPool.ts"
import * as DefinitionSearch from "./DefinitionSearch.ts"
import * as NameSearch from "./NameSearch.ts"
import * as PackageSearch from "./PackageSearch.ts"
import * as ReferenceSearch from "./ReferenceSearch.ts"

/** Maximum number of definitions. */
const MAX_DEFINITIONS = 50

/** Maximum number of lines with references. */
const MAX_REFERENCES = 100_000

const results = <A>(all: ReadonlyArray<A>, most: number, isIncomplete: boolean, page: Paging.PageRequest) => {
  const bounded = all.slice(0, most)
  return {
    ...Paging.slice(bounded, page),
    wrap: (items: ReadonlyArray<A>) => ({
      total_count: bounded.length,
      incomplete_results: isIncomplete || all.length > most,
      items
    })
  }
}

export const make = Effect.gen(function* () {
  const repositories = yield* CallerRepositories
  const contents = yield* ContentSearchPool
  const names = yield* NameSearch.make
  const packages = yield* PackageSearch.make
  const definitions = yield* DefinitionSearch.make(names, packages)
  const references = yield* ReferenceSearch.make(names, packages)

  return group(CodeNavigation)({
    *listDefinitions({ name, ...position }, { caller, page, repository }) {
      const readable = yield* repositories.readable(caller)
      const { isIncomplete, items } = yield* definitions.find(name, position, repository, readable)
      return results(items, MAX_DEFINITIONS, isIncomplete, page)
    },

    *listReferences({ name, ...position }, { caller, page, repository }) {
      const readable = yield* repositories.readable(caller)
      const { isIncomplete, items } = yield* references.find(name, position, repository, readable)
      return results(items, MAX_REFERENCES, isIncomplete, page)
    },

    *getOutline({ path, ref }, { repository }) {
      const { oid } = yield* FileLookup.find(repository, path, ref)
      const file = { gitDir: repository.git.gitDir, oid, path }
      const symbols = yield* Effect.catchTag(contents.outline(file), "IndexError", Effect.die)
      return symbols === undefined ? { symbols: [], incomplete_results: true } : { symbols }
    }
  })
})
