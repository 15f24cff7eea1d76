/** Searches the commits of default branches. `git log` finds candidates, which the conditions of the query then test. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as CodeQuery from "@tongs/core/query/CodeQuery"
import type { CommitHit } from "@tongs/core/contract/groups/CodeSearch"
import type * as CommitQuery from "@tongs/core/query/items/CommitQuery"
import * as ItemQuery from "@tongs/core/query/items/ItemQuery"
import { accountKey, type Caller } from "../../access/Caller.ts"
import { Roles } from "../../access/Roles.ts"
import { EmailRows } from "../../accounts/EmailRows.ts"
import * as NoReplyAddress from "../../accounts/NoReplyAddress.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import * as Words from "../../base/Words.ts"
import * as CacheDependencies from "../../git/values/CacheDependencies.ts"
import type * as GitObject from "../../git/values/GitObject.ts"
import { RepositoryRegistry, type ServedRepository } from "../../repositories/RepositoryRegistry.ts"
import { CodeSearch } from "../../search/CodeSearch.ts"
import * as CommitSearch from "../../search/CommitSearch.ts"
import * as RepositoryTests from "../../search/RepositoryTests.ts"
import { SearchCaller } from "../../search/SearchCaller.ts"
import * as SearchInput from "../search/SearchInput.ts"

/** A matching commit. The score is higher for words in the first line of the message. */
export interface Hit {
  readonly served: ServedRepository
  readonly sha: string
  readonly message: string
  readonly score: number
}

/** Maximum number of matching commits that are sorted. */
const MAX_FOUND = 100_000

type Leaf = ItemQuery.Leaf<CommitQuery.Filter>

const span = { start: 0, length: 0 }
const text = (text: string): CodeQuery.Expression => ({ _tag: "Text", text, span })
const filter = (filter: CodeQuery.Filter): CodeQuery.Expression => ({ _tag: "Filter", filter, span })

/** Addresses of the accounts that `author` and `committer` name, by their values. */
type Addresses = ReadonlyMap<string, ReadonlyArray<string>>

/** Returns an expression for git that admits every matching commit. Undefined if no such expression exists. */
const candidates = (
  self: CommitQuery.Condition,
  addresses: Addresses
): ReadonlyArray<CodeQuery.Expression> | undefined => {
  switch (self._tag) {
    case "And":
      return self.parts.flatMap((part) => candidates(part, addresses) ?? [])
    case "Text":
      return Words.find(self.text).map(({ end, start }) => text(self.text.slice(start, end)))
    case "Filter":
      return ofFilter(self.filter, addresses)
    default:
      return undefined
  }
}

const ofFilter = (self: CommitQuery.Filter, addresses: Addresses): ReadonlyArray<CodeQuery.Expression> | undefined => {
  switch (self.name) {
    case "author":
    case "committer": {
      const { name } = self
      const known = (addresses.get(self.value) ?? []).map((value) => filter({ name, value }))
      return known.length === 0 ? undefined : [CodeQuery.or(known)]
    }
    case "author-email":
    case "committer-email": {
      const name = self.name === "author-email" ? "author" : "committer"
      return /^\/.*\/$/s.test(self.value) ? undefined : [filter({ name, value: self.value })]
    }
    case "committer-date":
      return [
        ...(self.from === undefined ? [] : [filter({ name: "after", value: self.from })]),
        ...(self.to === undefined ? [] : [filter({ name: "before", value: self.to })])
      ]
    default:
      return undefined
  }
}

/** Creates the search. */
export const make = Effect.gen(function* () {
  const emails = yield* EmailRows
  const findCommits = yield* CommitSearch.make
  const registry = yield* RepositoryRegistry
  const roles = yield* Roles
  const users = yield* UserRows
  const { deadline } = yield* CodeSearch

  /** Returns the addresses of an account. */
  const addressesOf = Effect.fnUntraced(function* (login: string | undefined) {
    const user = login === undefined ? undefined : yield* users.byLogin(login)
    if (user === undefined) return []
    const own = (yield* emails.ofUser(user.id)).flatMap(({ email, verified }) => (verified === 1 ? [email] : []))
    const known = user.email === null ? own : [user.email, ...own]
    return [...new Set([...known, NoReplyAddress.of(user)].map((address) => address.toLowerCase()))]
  })

  const readAddresses = Effect.fnUntraced(function* (condition: CommitQuery.Condition, viewer: string | undefined) {
    const addresses = new Map<string, ReadonlyArray<string>>()
    for (const { filter } of ItemQuery.filters(condition)) {
      if ((filter.name !== "author" && filter.name !== "committer") || addresses.has(filter.value)) continue
      addresses.set(filter.value, yield* addressesOf(filter.value === "@me" ? viewer : filter.value))
    }
    return addresses
  })

  return {
    /** Returns a page of the matching commits of the repositories that the caller can read. */
    search: Effect.fn("CommitItemSearch.search")(function* (
      caller: Caller,
      { condition, sort }: CommitQuery.CommitQuery,
      { limit, offset }: SearchInput.Range
    ) {
      const viewer = caller.kind === "anonymous" ? undefined : caller.user.login
      const readable = yield* roles.readable(caller, yield* registry.list)
      const targets = RepositoryTests.ofTargets(condition, viewer)
      if (targets.length > 0 && !readable.some((row) => targets.some((test) => test(row)))) {
        return yield* new RepositoryTests.UnknownTargets()
      }
      const addresses = yield* readAddresses(condition, viewer)

      /** Tests a commit, or its repository alone. `object` has what the log does not show. */
      const test =
        (
          { row }: Pick<ServedRepository, "row">,
          hit: CommitHit | undefined,
          words: string,
          object?: Pick<GitObject.Commit, "parents" | "tree">
        ) =>
        (leaf: Leaf): boolean | undefined => {
          if (leaf._tag === "Filter") {
            const { filter: one } = leaf
            if (one.name === "repo" || one.name === "user" || one.name === "org" || one.name === "is") {
              return RepositoryTests.of(one, viewer)(row)
            }
          }
          if (hit === undefined) return undefined
          if (leaf._tag === "Text") return Words.hasPhrase(words, Words.of(leaf.text))
          const { filter: one } = leaf
          switch (one.name) {
            case "author":
            case "committer":
              return addresses.get(one.value)?.includes(hit[one.name].email.toLowerCase()) === true
            case "author-name":
            case "committer-name": {
              const { name } = hit[one.name === "author-name" ? "author" : "committer"]
              return Words.hasPhrase(Words.joined(name), Words.of(one.value))
            }
            case "author-email":
            case "committer-email":
              return (
                hit[one.name === "author-email" ? "author" : "committer"].email.toLowerCase() ===
                one.value.toLowerCase()
              )
            case "author-date":
            case "committer-date":
              return SearchInput.isWithin(hit[one.name === "author-date" ? "author" : "committer"].date, one)
            case "hash":
              return hit.sha.startsWith(one.value)
            case "parent":
              return object?.parents.some((parent) => parent.startsWith(one.value))
            case "tree":
              return object?.tree.startsWith(one.value)
            case "merge":
              return object === undefined ? undefined : object.parents.length > 1
            default:
              return undefined
          }
        }

      const rows = readable.filter((row) => ItemQuery.evaluate(condition, test({ row }, undefined, "")) !== false)
      const served = yield* registry.open(rows)
      const byName = new Map(served.map((one) => [one.fullName, one]))
      const all = candidates(condition, addresses) ?? []
      const expression: CodeQuery.Expression = all.length === 0 ? { _tag: "And", all, span } : CodeQuery.and(all)
      const search = findCommits({ ...CodeQuery.defaultOptions, kind: "commit", expression }, served)

      const positive = ItemQuery.positiveTexts(condition).map(Words.of)
      const match = Effect.fnUntraced(function* (hit: CommitHit) {
        const repository = byName.get(`${hit.owner}/${hit.repo}`)
        if (repository === undefined) return undefined
        const words = Words.joined(hit.message)
        const known = ItemQuery.evaluate(condition, test(repository, hit, words))
        const isMatch =
          known ??
          ItemQuery.evaluate(
            condition,
            test(repository, hit, words, yield* Effect.orElseSucceed(repository.git.commit(hit.sha), () => undefined))
          )
        if (isMatch !== true) return undefined
        const subject = Words.joined(hit.message.split("\n", 1)[0])
        const score = positive.reduce((sum, phrase) => sum + (Words.hasPhrase(subject, phrase) ? 2 : 1), 0)
        const { author, committer, message, sha } = hit
        const key = sort === undefined ? score : sort.by === "author-date" ? author.date : committer.date
        return {
          hit: { served: repository, sha, message, score: Math.max(score, 1) },
          keys: [key, committer.date, sha]
        }
      })

      const found = yield* search.found.pipe(
        Stream.mapEffect(({ hit }) => match(hit)),
        Stream.filter((one) => one !== undefined),
        Stream.take(MAX_FOUND + 1),
        Stream.interruptWhen(
          Effect.sleep(deadline).pipe(Effect.tap(Effect.sync(() => search.incomplete.add("deadline"))))
        ),
        Stream.runCollect,
        Effect.provideService(SearchCaller, accountKey(caller))
      )
      const isIncomplete = search.incomplete.size > 0 || found.length > MAX_FOUND
      if (isIncomplete) yield* CacheDependencies.add(CacheDependencies.changing)
      const direction = sort?.order === "asc" ? 1 : -1
      const sorted = [...found].sort((a, b) => direction * SearchInput.compareKeys(a.keys, b.keys))
      return {
        items: sorted.slice(offset, offset + limit).map(({ hit }): Hit => hit),
        total: sorted.length,
        isIncomplete
      } satisfies SearchInput.Found<Hit>
    })
  }
})
