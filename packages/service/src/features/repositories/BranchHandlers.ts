import * as Effect from "effect/Effect"
import { Branches } from "@tongs/core/contract/groups/Branches"
import * as Merging from "../../git/merging/Merging.ts"
import type { Ref } from "../../git/refs/Refs.ts"
import * as RefName from "../../git/values/RefName.ts"
import { type BranchProtectionRow, BranchProtectionRows } from "../../rules/BranchProtectionRows.ts"
import { Enforcement } from "../../rules/Enforcement.ts"
import { CommitSigning } from "../../verification/CommitSigning.ts"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import type { RepositoryContext } from "../../api/RequestContext.ts"
import * as Paging from "../../base/Paging.ts"
import * as Shapes from "../../api/Shapes.ts"
import { encodePath } from "../../api/Urls.ts"
import * as CommitSummaries from "../commits/CommitSummaries.ts"
import * as UpstreamMerge from "./UpstreamMerge.ts"
import * as BranchCommits from "../gitData/BranchCommits.ts"
import * as BranchRenames from "./BranchRenames.ts"

/** Creates the summary of a branch protection. Rulesets are not part of it. */
const protectionOf = (row: BranchProtectionRow | undefined) => {
  const checks = row?.settings.required_status_checks?.checks ?? []
  const level = row?.settings.enforce_admins === true ? "everyone" : "non_admins"
  return {
    enabled: row !== undefined,
    required_status_checks: {
      enforcement_level: checks.length === 0 ? "off" : level,
      contexts: checks.map(({ context }) => context),
      checks
    }
  }
}

/** The branches among all references, and a unique number of the list. */
interface BranchList {
  readonly id: number
  readonly refs: ReadonlyArray<Ref>
}

const branchLists = new WeakMap<ReadonlyArray<Ref>, BranchList>()
let lastId = 0

/** Unchanged references are the same array, so that a page can be reused without reading the items. */
const branchesOf = (all: ReadonlyArray<Ref>): BranchList => {
  const known = branchLists.get(all)
  if (known !== undefined) return known
  const list = { id: ++lastId, refs: all.filter(({ name }) => name.startsWith("refs/heads/")) }
  branchLists.set(all, list)
  return list
}

export const make = Effect.gen(function* () {
  const mergeCommits = yield* Merging.make
  const { summaries } = yield* CommitSummaries.make
  const commit = yield* BranchCommits.make
  const rename = yield* BranchRenames.make
  const mergeUpstream = yield* UpstreamMerge.make
  const protections = yield* BranchProtectionRows
  const rules = yield* Enforcement
  const { sign } = yield* CommitSigning

  const describeCommit = Effect.fnUntraced(function* ({ repository, urls }: RepositoryContext, oid: string) {
    const [commit] = yield* summaries(repository, urls, [oid])
    return commit === undefined ? yield* ApiError.notFound() : commit.make()
  })

  const describe = Effect.fnUntraced(function* (context: RepositoryContext, name: string) {
    const { repository, urls } = context
    const ref = yield* repository.git.ref(RefName.branch(name))
    if (ref === undefined) return yield* ApiError.notFound("Branch not found")
    const self = `${Shapes.repositoryUrl(repository, urls)}/branches/${encodePath(name)}`
    return {
      name,
      commit: yield* describeCommit(context, ref.oid),
      _links: { self, html: `${urls.html}/${repository.fullName}/tree/${encodePath(name)}` },
      protected: (yield* rules.protectedBranches(repository, [ref.name])).size > 0,
      protection: protectionOf((yield* protections.ofRepository(repository.row.id)).get(name)),
      protection_url: `${self}/protection`
    }
  })

  return group(Branches)({
    *list({ protected: wanted }, { page, repository, urls }) {
      const { id, refs: all } = branchesOf(yield* repository.git.refs())
      const names = (refs: ReadonlyArray<Ref>) => refs.map(({ name }) => name)
      const known = wanted === undefined ? undefined : yield* rules.protectedBranches(repository, names(all))
      const refs = known === undefined ? all : all.filter(({ name }) => known.has(name) === wanted)
      const { items, total } = Paging.slice(refs, page)
      const isProtected = known ?? (yield* rules.protectedBranches(repository, names(items)))
      const marks = items.map(({ name }) => (isProtected.has(name) ? "1" : "0")).join("")
      const key = `${repository.fullName} ${id} ${wanted} ${page.offset} ${page.perPage} ${marks}`
      const keyed = () =>
        items.map(({ name, oid }) => ({
          key: `${repository.fullName}\n${name}\n${oid}\n${isProtected.has(name)}`,
          make: () => ({
            name: RefName.short(name),
            commit: { sha: Shapes.sha(oid), url: `${Shapes.repositoryUrl(repository, urls)}/commits/${oid}` },
            protected: isProtected.has(name)
          })
        }))
      return { key, keyed, total }
    },

    *get({ branch }, context) {
      return yield* describe(context, branch)
    },

    *rename({ branch, new_name }, context) {
      yield* rename(context, branch, new_name)
      return yield* describe(context, new_name)
    },

    *merge({ base, commit_message, head }, context) {
      const { caller, repository } = context
      const { git } = repository
      const theirs = yield* git.resolve(head)
      const person = yield* Shapes.personOf(caller.user)
      const oid = yield* commit(
        context,
        base,
        Effect.fnUntraced(function* (tip) {
          if (tip === undefined) return yield* ApiError.notFound("Base does not exist")
          if (theirs === undefined) return yield* ApiError.notFound("Head does not exist")
          const merged = yield* mergeCommits(git, {
            method: "merge",
            base: tip,
            head: theirs,
            message: commit_message ?? `Merge ${head} into ${base}`,
            author: person,
            committer: person,
            sign
          })
          if (merged._tag === "Nothing") return undefined
          if (merged._tag === "Unsupported") return yield* ApiError.invalid(merged.detail)
          if (merged._tag === "Conflict") return yield* ApiError.conflict("Merge conflict")
          if (merged._tag === "Unrelated") {
            return yield* ApiError.conflict(`There is no common ancestor between ${base} and ${head}`)
          }
          return merged.oid
        })
      )
      return oid === undefined ? undefined : yield* describeCommit(context, oid)
    },

    *mergeUpstream({ branch }, context) {
      return yield* mergeUpstream(branch, context)
    }
  })
})
