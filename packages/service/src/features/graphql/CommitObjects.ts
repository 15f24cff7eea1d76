/** Objects of git: commits, trees, blobs and tags. */
import * as Effect from "effect/Effect"
import { UserRows } from "../../accounts/UserRows.ts"
import { nodeId } from "../../api/NodeId.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { PageRequest } from "../../base/Paging.ts"
import type { Commit, Person } from "../../git/values/GitObject.ts"
import { isOid } from "../../git/values/Oid.ts"
import * as CheckObjects from "./CheckObjects.ts"
import * as Connections from "./Connections.ts"
import { QueryError } from "./QueryError.ts"
import { readsRefs, requireAccess } from "./RepositoryObjects.ts"
import type { FoundRepository, RunningQuery } from "./RunningQuery.ts"
import * as TreeEntries from "./TreeEntries.ts"

/** Number of digits of an abbreviated id. */
const ABBREVIATED = 7

const types = { commit: "Commit", tree: "Tree", blob: "Blob", tag: "Tag" } as const // literal types

interface ObjectArguments {
  readonly oid?: string | null
  readonly expression?: string | null
}

interface HistoryArguments extends Connections.PageArguments {
  readonly path?: string | null
  readonly since?: string | null
  readonly until?: string | null
}

/** Returns the seconds of a time, for git. */
const seconds = (time: string | null | undefined) => {
  if (time === null || time === undefined) return undefined
  const value = Date.parse(time)
  if (Number.isNaN(value)) throw new QueryError("INVALID_ARGUMENT", `\`${time.slice(0, 100)}\` is not a timestamp.`)
  return Math.floor(value / 1_000)
}

/** Creates the functions that return git objects. */
export const make = Effect.gen(function* () {
  const users = yield* UserRows
  const checks = yield* CheckObjects.make

  const person = (query: RunningQuery, given: Person) => ({
    ...Shapes.signature(given),
    avatarUrl: `${query.urls.html}/avatars/e/${encodeURIComponent(given.email)}`,
    user: async () => {
      const row = given.email === "" ? undefined : await query.run(users.byEmail(given.email))
      return row?.type === "User" ? query.account(row) : null
    }
  })

  const commit = (
    query: RunningQuery,
    oid: string,
    { author, committer, message, parents }: Commit,
    at: FoundRepository
  ) => {
    const [headline = "", ...body] = message.split("\n")
    return {
      url: `${query.urls.html}/${at.served.fullName}/commit/${oid}`,
      message,
      messageHeadline: headline,
      messageBody: body.join("\n").trim(),
      author: person(query, author),
      committer: person(query, committer),
      authors: (page: Connections.PageArguments) =>
        Connections.ofList("authors", page, [author], (one) => person(query, one)),
      authoredDate: Shapes.signature(author).date,
      committedDate: Shapes.signature(committer).date,
      history: (given: HistoryArguments) => history(query, at, oid, given),
      parents: (page: Connections.PageArguments) =>
        Connections.ofList("parents", page, parents, (parent) => byId(query, at, parent)),
      associatedPullRequests: (page: Connections.PageArguments) => query.pullRequestsOfCommit(at, oid, page),
      ...checks.fields(query, oid, at)
    }
  }

  const history = async (query: RunningQuery, at: FoundRepository, oid: string, given: HistoryArguments) => {
    const { git } = at.served
    const filter = {
      from: oid,
      path: given.path || undefined,
      since: seconds(given.since),
      until: seconds(given.until)
    }
    const read = Effect.fnUntraced(function* ({ offset, perPage }: PageRequest) {
      const oids = perPage === 0 ? [] : yield* git.log({ ...filter, skip: offset, limit: perPage })
      return { items: oids, total: yield* git.countLog(filter) }
    })
    const page = await Connections.make("history", given, (range) => query.run(read(range)))
    return Connections.withNodes(page, await Promise.all(page.nodes.map((one) => byId(query, at, one))))
  }

  /** Returns the object with an id. Null if the repository does not have it. */
  const byId = async (
    query: RunningQuery,
    at: FoundRepository,
    oid: string,
    place?: TreeEntries.TreePlace
  ): Promise<object | null> => {
    const { git } = at.served
    const found = await query.run(git.commit(oid))
    const type = found === undefined ? (await query.run(git.info(oid)))?.type : "commit"
    if (type === undefined) return null
    const url = `${query.urls.html}/${at.served.fullName}/commit/${oid}`
    return {
      __typename: types[type],
      id: nodeId(types[type], `${at.served.row.id}:${oid}`),
      oid,
      abbreviatedOid: oid.slice(0, ABBREVIATED),
      commitUrl: url,
      commitResourcePath: new URL(url).pathname,
      repository: () => query.repository(at),
      ...(type === "tree" ? { entries: () => query.run(TreeEntries.make(query, at, oid, place)) } : {}),
      ...(found === undefined ? {} : commit(query, oid, found, at))
    }
  }

  /** Returns the id of a revision: a commit, or `<commit>:<path>`, which has a place. */
  const resolve = Effect.fnUntraced(function* ({ served: { git } }: FoundRepository, expression: string) {
    const colon = expression.indexOf(":")
    const commitId = yield* git.resolve(colon === -1 ? expression : expression.slice(0, colon))
    if (commitId === undefined) return undefined
    if (colon === -1) return { oid: commitId, place: undefined }
    const path = expression.slice(colon + 1).replace(/\/$/, "")
    const entry = yield* git.entryAt(commitId, path)
    return entry === undefined ? undefined : { oid: entry.oid, place: { commit: commitId, path } }
  })

  /** Returns the field of a repository with one of its objects. */
  const object =
    (query: RunningQuery, at: FoundRepository) =>
    async ({ expression, oid }: ObjectArguments) => {
      requireAccess(readsRefs, query, at)
      const given = oid ?? expression ?? ""
      if (isOid(given)) return byId(query, at, given)
      const found = await query.run(resolve(at, given))
      return found === undefined ? null : byId(query, at, found.oid, found.place)
    }

  return { byId, checks, object }
})
