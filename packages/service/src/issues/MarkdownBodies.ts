/**
 * Formats the Markdown texts of issues and comments as a request's media type asks for, with links to issues, accounts
 * and commits.
 *
 * **Details**
 *
 * Rendered texts are cached without links, for each repository, so that the time of a response tells nothing about other
 * repositories. The autolinks of the repositories take one statement. The links are looked up for each caller: at most
 * one statement for the issues of all texts, one for the accounts, and one for the repositories of commits. A reference
 * without a readable target stays plain text.
 */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { issuesRead } from "@tongs/core/contract/IssueAccess"
import * as ReadableRepositories from "../access/ReadableRepositories.ts"
import { UserRows } from "../accounts/UserRows.ts"
import { type MarkdownBody, renderer } from "../api/MarkdownBody.ts"
import type { RequestContext } from "../api/RequestContext.ts"
import { LruCache } from "../base/LruCache.ts"
import type { Link, Rendered } from "../base/Markdown.ts"
import type { CommitReference, IssueReference, TextReference } from "../base/TextReferences.ts"
import { AutolinkRows } from "./AutolinkRows.ts"
import * as ReferencedCommits from "./ReferencedCommits.ts"
import * as CacheDependencies from "../git/values/CacheDependencies.ts"
import type { ServedRepository } from "../repositories/RepositoryRegistry.ts"
import * as ReferencedIssues from "./ReferencedIssues.ts"

/** A text in Markdown, and the repository in which short references such as `#12` are. */
export interface Source {
  readonly text: string
  readonly repository: ServedRepository
}

/** The request for which texts are formatted. */
export type BodyContext = Pick<RequestContext, "caller" | "mediaType" | "urls">

/** A reference, and the repository of the text. */
type Placed<R extends TextReference> = readonly [reference: R, home: ServedRepository]

/** Maximum memory of all cached texts, in bytes. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024

/** Maximum number of accounts to look up for one response. More stay plain text. */
const MAX_LOOKUPS = 2000

export class MarkdownBodies extends Context.Service<
  MarkdownBodies,
  {
    /** Formats texts for the context's media type, in the given order. */
    make(sources: ReadonlyArray<Source>, context: BodyContext): Effect.Effect<ReadonlyArray<MarkdownBody>>
  }
>()("@tongs/service/issues/MarkdownBodies") {
  static readonly layer = Layer.effect(
    MarkdownBodies,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const autolinkRows = yield* AutolinkRows
      const users = yield* UserRows
      const issuesOf = yield* ReferencedIssues.make
      const commitsOf = yield* ReferencedCommits.make
      const cache = new LruCache<Rendered>(MAX_CACHED_BYTES)

      const accountLinks = Effect.fnUntraced(function* (
        names: ReadonlyArray<string>,
        { urls }: BodyContext
      ): Effect.fn.Return<(login: string) => Link | undefined> {
        const found = yield* users.byLogins(names)
        const known = new Map(found.map(({ login }) => [login.toLowerCase(), login]))
        return (name) => {
          const login = known.get(name.toLowerCase())
          return login === undefined ? undefined : { class: "user-mention", href: `${urls.html}/${login}` }
        }
      })

      const issueLinks = Effect.fnUntraced(function* (
        references: ReadonlyArray<Placed<IssueReference>>,
        { caller, urls }: BodyContext
      ) {
        const condition = ReadableRepositories.byCaller(sql, caller, issuesRead, "r")
        const targetOf = yield* issuesOf(
          references.map(([reference, { row }]) => [reference, row]),
          condition
        )
        return (reference: IssueReference, home: ServedRepository): Link | undefined => {
          const target = targetOf(reference, home.row)
          if (target === undefined) return undefined
          const { owner, name } = target.repository
          const { is_pull_request, number } = target.issue
          const fragment = reference.url?.fragment ?? ""
          const isHome = target.repository.id === home.row.id
          const short = `${isHome ? "" : `${owner.login}/${name}`}#${number}${/comment|discussion/.test(fragment) ? " (comment)" : ""}`
          return {
            class: "issue-link",
            href: `${urls.html}/${owner.login}/${name}/${is_pull_request === 1 ? "pull" : "issues"}/${number}${fragment}`,
            text: reference.url === undefined ? undefined : short
          }
        }
      })

      const commitLinks = Effect.fnUntraced(function* (
        references: ReadonlyArray<Placed<CommitReference>>,
        { caller, urls }: BodyContext
      ) {
        const targetOf = yield* commitsOf(references, caller)
        // Other programs can add commits without a change of a reference that the response depends on.
        if (references.length > 0) yield* CacheDependencies.add(CacheDependencies.changing)
        return (reference: CommitReference, home: ServedRepository): Link | undefined => {
          const target = targetOf(reference, home)
          if (target === undefined) return undefined
          const { fullName, row } = target.repository
          const { id, repository, url } = reference
          // As on GitHub, ids are abbreviated, and a URL becomes a short reference.
          const written = [repository?.owner, repository?.name].filter((part) => part !== undefined).join("/")
          const prefix = url === undefined ? written : row.id === home.row.id ? "" : fullName
          return {
            class: "commit-link",
            href: `${urls.html}/${fullName}/commit/${target.oid}`,
            text: `${prefix === "" ? "" : `${prefix}@`}${id.slice(0, 7)}`
          }
        }
      })

      const links = Effect.fnUntraced(function* (all: ReadonlyArray<Placed<TextReference>>, context: BodyContext) {
        const placed = all.filter(([one]) => ReferencedIssues.isOfForge(one, context.urls.html))
        const logins = Arr.dedupe(placed.flatMap(([one]) => (one._tag === "User" ? [one.login] : [])))
        const account = yield* accountLinks(logins.slice(0, MAX_LOOKUPS), context)
        const issue = yield* issueLinks(
          placed.flatMap(([one, home]): ReadonlyArray<Placed<IssueReference>> =>
            one._tag === "Issue" ? [[one, home]] : []
          ),
          context
        )
        const commit = yield* commitLinks(
          placed.flatMap(([one, home]): ReadonlyArray<Placed<CommitReference>> =>
            one._tag === "Commit" ? [[one, home]] : []
          ),
          context
        )
        return (home: ServedRepository) =>
          (reference: TextReference): Link | undefined => {
            if (!ReferencedIssues.isOfForge(reference, context.urls.html)) return undefined
            switch (reference._tag) {
              case "User":
                return account(reference.login)
              case "Issue":
                return issue(reference, home)
              case "Commit":
                return commit(reference, home)
              case "Team": // the forge has no teams
                return undefined
            }
          }
      })

      return MarkdownBodies.of({
        make: Effect.fn("MarkdownBodies.make")(function* (sources, context) {
          const { mediaType } = context
          if (mediaType !== "text" && mediaType !== "html" && mediaType !== "full")
            return sources.map(({ text }) => ({ body: text }))
          const markdown = yield* renderer
          const ids = [...new Set(sources.map(({ repository }) => repository.row.id))]
          const autolinks = Map.groupBy(yield* autolinkRows.list(ids), (row) => row.repository_id)
          const rendered = sources.map(({ repository, text }) => {
            const links = autolinks.get(repository.row.id) ?? []
            const key = `${repository.row.id} ${links.map(({ id }) => id).join(",")} ${text}`
            const known = cache.get(key)
            if (known !== undefined) return known
            const value = markdown.render(text, links)
            cache.set(key, value, weightOf(text, value))
            return value
          })
          if (mediaType === "text") return rendered.map(({ text }) => ({ body_text: text }))
          const all = Arr.zip(rendered, sources)
          const placed = all.flatMap(([one, { repository }]) =>
            markdown.references(one).map((reference): Placed<TextReference> => [reference, repository])
          )
          const linkOf = yield* links(placed, context)
          return all.map(([one, { repository, text }]) => {
            const body_html = markdown.html(one, linkOf(repository))
            return mediaType === "html" ? { body_html } : { body: text, body_text: one.text, body_html }
          })
        })
      })
    })
  )
}

/** Approximate memory of a text and the rendered pieces, in bytes. */
const weightOf = (source: string, { pieces, text }: Rendered) => {
  const html = pieces.reduce((sum, piece) => sum + (typeof piece === "string" ? piece : piece.html).length, 0)
  return 2 * (source.length + text.length + html) + 300 * pieces.length
}
