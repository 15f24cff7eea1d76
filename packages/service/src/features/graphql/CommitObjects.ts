/** Objects of git: commits, trees, blobs and tags. */
import { posix } from "node:path"
import * as Effect from "effect/Effect"
import { nodeId } from "../../api/NodeId.ts"
import * as Shapes from "../../api/Shapes.ts"
import type { PageRequest } from "../../base/Paging.ts"
import * as Blame from "../../git/history/Blame.ts"
import type { PathEntry } from "../../git/objects/Objects.ts"
import { Git } from "../../git/process/Git.ts"
import type { Commit, Person, Tag } from "../../git/values/GitObject.ts"
import { isOid } from "../../git/values/Oid.ts"
import * as CheckObjects from "./CheckObjects.ts"
import * as Connections from "./Connections.ts"
import * as QueryError from "./QueryError.ts"
import { readsRefs, requireAccess } from "./RepositoryObjects.ts"
import type { DeploymentArguments, FoundRepository, RunningQuery } from "./RunningQuery.ts"
import * as TreeObjects from "./TreeObjects.ts"

/** Number of digits of an abbreviated id. */
const ABBREVIATED = 7

/** Maximum size of a blob's text, in bytes. */
const MAX_TEXT = 512_000

/** Number of steps of the age of a line. */
const AGES = 10

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

interface PathArguments {
  readonly path: string
}

/** Characters of a path in an error. */
const MAX_SHOWN = 200

const entryTypes = { file: "blob", symlink: "blob", dir: "tree", submodule: "commit" } as const // literal types

const entryOf = ({ kind, mode, name, oid }: PathEntry) => ({ mode, name, oid, type: entryTypes[kind] })

/** Returns the seconds of a time, for git. */
const seconds = (time: string | null | undefined) => {
  if (time === null || time === undefined) return undefined
  const value = Date.parse(time)
  if (Number.isNaN(value))
    throw new QueryError.QueryError("INVALID_ARGUMENT", `\`${time.slice(0, 100)}\` is not a timestamp.`)
  return Math.floor(value / 1_000)
}

/** Creates the functions that return git objects. */
export const make = Effect.gen(function* () {
  const blameOf = Blame.make(yield* Git)
  const checks = yield* CheckObjects.make

  const person = (query: RunningQuery, given: Person) => ({
    ...Shapes.signature(given),
    avatarUrl: `${query.urls.html}/avatars/e/${encodeURIComponent(given.email)}`,
    user: async () => {
      const row = given.email === "" ? undefined : await query.accountOfEmail(given.email)
      return row?.type === "User" ? query.account(row) : null
    }
  })

  const commit = (
    query: RunningQuery,
    oid: string,
    { author, committer, message, parents, tree }: Commit,
    at: FoundRepository
  ) => {
    const [headline = "", ...body] = message.split("\n")
    return {
      url: `${query.urls.html}/${at.served.fullName}/commit/${oid}`,
      // Trimmed as in the REST API of commits.
      message: message.replace(/\n$/, ""),
      messageHeadline: headline,
      messageBody: body.join("\n").trim(),
      author: person(query, author),
      committer: person(query, committer),
      authors: (page: Connections.PageArguments) =>
        Connections.ofList("authors", page, [author], (one) => person(query, one)),
      authoredDate: Shapes.signature(author).date,
      committedDate: Shapes.signature(committer).date,
      // A pull request or a check shows its own commits, without access to others.
      history: (given: HistoryArguments) => {
        requireAccess(readsRefs, query, at)
        return history(query, at, oid, given)
      },
      parents: (page: Connections.PageArguments) => {
        requireAccess(readsRefs, query, at)
        return Connections.ofList("parents", page, parents, (parent) => byId(query, at, parent))
      },
      resourcePath: `/${at.served.fullName}/commit/${oid}`,
      tree: () => {
        requireAccess(readsRefs, query, at)
        return byId(query, at, tree, { commit: oid, path: "" })
      },
      treeUrl: `${query.urls.html}/${at.served.fullName}/tree/${oid}`,
      blame: ({ path }: PathArguments) => {
        requireAccess(readsRefs, query, at)
        return blame(query, at, oid, path)
      },
      file: async ({ path }: PathArguments) => {
        requireAccess(readsRefs, query, at)
        const found = await query.run(at.served.git.entryAt(oid, path))
        const folder = posix.dirname(path)
        const place = { commit: oid, path: folder === "." ? "" : folder }
        return found === undefined ? null : TreeObjects.entry(query, at, entryOf(found), place)
      },
      deployments: (given: DeploymentArguments) => query.deploymentsOf(at, oid, given),
      associatedPullRequests: (page: Connections.PageArguments) => query.pullRequestsOfCommit(at, oid, page),
      ...checks.fields(query, oid, at)
    }
  }

  const blame = async (query: RunningQuery, at: FoundRepository, oid: string, path: string) => {
    const { git } = at.served
    const found = await query.run(git.entryAt(oid, path))
    if (found?.kind !== "file") throw QueryError.unresolved(`a file with the path '${path.slice(0, MAX_SHOWN)}'`)
    const ranges = await query.run(blameOf(git.gitDir, oid, path))
    const times = ranges.map(({ seconds }) => seconds)
    const newest = times.reduce((one, other) => Math.max(one, other), 0)
    const span = Math.max(1, newest - times.reduce((one, other) => Math.min(one, other), newest))
    return {
      ranges: ranges.map(({ from, oid, seconds, to }) => ({
        startingLine: from,
        endingLine: to,
        commit: () => query.gitObject(at, oid),
        age: 1 + Math.floor(((AGES - 1) * (newest - seconds)) / span)
      }))
    }
  }

  const tag = (query: RunningQuery, at: FoundRepository, { message, name, object, tagger }: Tag) => ({
    name,
    message,
    tagger: tagger === undefined ? null : person(query, tagger),
    target: () => query.gitObject(at, object)
  })

  /** Returns the fields of a blob. The content is read once, if the query has one of its fields. */
  const blob = (query: RunningQuery, { served: { git } }: FoundRepository, oid: string, size: number) => {
    let content: Promise<Uint8Array | undefined> | undefined
    const read = () => (content ??= query.run(Effect.map(git.blob(oid, MAX_TEXT), (found) => found?.bytes)))
    const isLarge = size > MAX_TEXT
    const isBinary = async () => (isLarge ? null : (await read())?.includes(0) === true)
    return {
      byteSize: size,
      isBinary,
      isTruncated: isLarge,
      text: async () => (isLarge || (await isBinary()) === true ? null : new TextDecoder().decode(await read()))
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
    place?: TreeObjects.TreePlace
  ): Promise<object | null> => {
    const { git } = at.served
    const found = await query.run(git.commit(oid))
    const info = found === undefined ? await query.run(git.info(oid)) : undefined
    const type = found === undefined ? info?.type : "commit"
    if (type === undefined) return null
    const annotated = type === "tag" ? await query.run(git.tag(oid)) : undefined
    const url = `${query.urls.html}/${at.served.fullName}/commit/${oid}`
    return {
      __typename: types[type],
      id: nodeId(types[type], `${at.served.row.id}:${oid}`),
      oid,
      abbreviatedOid: oid.slice(0, ABBREVIATED),
      commitUrl: url,
      commitResourcePath: new URL(url).pathname,
      repository: () => query.repository(at),
      ...(found === undefined ? {} : commit(query, oid, found, at)),
      ...(annotated === undefined ? {} : tag(query, at, annotated)),
      ...(type === "tree" ? { entries: () => query.run(TreeObjects.make(query, at, oid, place)) } : {}),
      ...(type === "blob" && info !== undefined ? blob(query, at, oid, info.size) : {})
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
