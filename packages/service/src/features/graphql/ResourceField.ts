/** The field `resource`: the object of a page of the forge. */
import * as Effect from "effect/Effect"
import { UserRows } from "../../accounts/UserRows.ts"
import * as QueryError from "./QueryError.ts"
import type { RepositoryObjects } from "./RepositoryObjects.ts"
import type { FoundRepository, RunningQuery } from "./RunningQuery.ts"

/** The fields of a repository that return one of its objects. */
interface RepositoryFields {
  readonly issueOrPullRequest: (given: { readonly number: number }) => Promise<object | null>
  readonly milestone: (given: { readonly number: number }) => Promise<object | null>
  readonly object: (given: { readonly oid: string }) => Promise<object | null>
  readonly release: (given: { readonly tagName: string }) => Promise<object | null>
}

/** Returns the parts of the path of a page. Undefined for an address of another server. */
const partsOf = (html: string, url: string): ReadonlyArray<string> | undefined => {
  const base = new URL(html)
  const page = URL.parse(url)
  if (page?.origin !== base.origin) return undefined
  return page.pathname
    .split("/")
    .filter((part) => part !== "")
    .map(decode)
}

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const numberOf = (text: string | undefined) => (/^\d{1,10}$/.test(text ?? "") ? Number(text) : -1)

/** Creates the function that returns the field. */
export const make = Effect.fnUntraced(function* (
  find: RepositoryObjects["find"],
  fieldsOf: (query: RunningQuery, found: FoundRepository) => RepositoryFields
) {
  const users = yield* UserRows

  const resource = async (query: RunningQuery, url: string): Promise<object | null> => {
    const [owner, name, kind, id, ...rest] = partsOf(query.urls.html, url) ?? []
    if (owner === undefined) return null
    if (name === undefined) {
      const row = await query.run(users.byLogin(owner))
      return row === undefined ? null : query.account(row)
    }
    const found = await query.run(find(query, owner, name))
    const fields = fieldsOf(query, found)
    switch (kind) {
      case undefined:
        return query.repository(found)
      case "issues":
      case "pull":
        return fields.issueOrPullRequest({ number: numberOf(id) })
      case "milestone":
        return fields.milestone({ number: numberOf(id) })
      case "commit":
        return /^[0-9a-f]{40,64}$/.test(id ?? "") ? fields.object({ oid: id ?? "" }) : null
      case "releases":
        return id === "tag" ? fields.release({ tagName: rest.join("/") }) : null
      case "actions":
        return id === "runs" ? query.workflowRunById(numberOf(rest[0])) : null
      default:
        return null
    }
  }

  /** Returns the object of a page. Null for a page that does not exist, and one that the caller cannot read. */
  return (query: RunningQuery, { url }: { readonly url: string }) =>
    resource(query, url).catch((error: unknown) => {
      if (error instanceof QueryError.QueryError && error.type === "NOT_FOUND") return null
      throw error
    })
})
