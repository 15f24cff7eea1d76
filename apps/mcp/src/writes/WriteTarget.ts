/** The targets of a write: repositories, data of an account, or something that neither owns. */
import type { CatalogEntry } from "@tongs/core/contract/CatalogEntry"
import { textMember, type WriteRequest } from "./WriteRequest.ts"

export type WriteTarget =
  | { readonly kind: "repository"; readonly owner: string; readonly name: string }
  | { readonly kind: "owner"; readonly owner: string }
  /** The signed-in user, or a new repository of this user. */
  | { readonly kind: "self"; readonly repository: string | undefined }
  /** Anything else, for example an enterprise. */
  | { readonly kind: "other"; readonly description: string }

/** Returns all targets that a request changes. A renamed or transferred repository counts with both names. */
export const of = (entry: CatalogEntry, request: WriteRequest): ReadonlyArray<WriteTarget> => {
  const segments = entry.endpoint.path.split("/").slice(1)
  // Extensions of the contract.
  const [scope = "", ...rest] = segments[0] === "tongs" ? segments.slice(1) : segments
  const { enterprise, org, owner, repo, user_id: user, username } = request.parameters
  switch (scope) {
    case "repos":
      // The new repository is the target, not its template.
      if (rest[2] === "generate") {
        const [newOwner, name] = [textMember(request, "owner"), textMember(request, "name")]
        return newOwner === undefined || name === undefined
          ? [{ kind: "self", repository: name }]
          : [{ kind: "repository", owner: newOwner, name }]
      }
      if (owner === undefined || repo === undefined) break
      return [
        { kind: "repository", owner, name: repo },
        ...(rest.length === 2 || rest[2] === "transfer" ? renamed(request, { owner, name: repo }) : [])
      ]
    case "orgs":
    case "organizations": {
      if (org === undefined) break
      const name = rest.length === 2 && rest[1] === "repos" ? textMember(request, "name") : undefined
      return [name === undefined ? { kind: "owner", owner: org } : { kind: "repository", owner: org, name }]
    }
    case "notifications":
    case "user":
      return [
        { kind: "self", repository: rest.length === 1 && rest[0] === "repos" ? textMember(request, "name") : undefined }
      ]
    case "admin":
    case "users":
      if (username !== undefined) return [{ kind: "other", description: `account ${username}` }]
      if (user === undefined) break
      // A number is the id of an account, also where another account has this login.
      return [
        /^\d+$/.test(user) ? { kind: "other", description: `account id ${user}` } : { kind: "owner", owner: user }
      ]
    case "markdown":
      return [{ kind: "other", description: "a text to render" }]
    case "enterprises":
      return [{ kind: "other", description: `enterprise ${enterprise ?? ""}` }]
  }
  return [{ kind: "other", description: entry.endpoint.path }]
}

/** Returns the new name of a repository, if the request renames or transfers it. */
const renamed = (
  request: WriteRequest,
  { name, owner }: { readonly owner: string; readonly name: string }
): ReadonlyArray<WriteTarget> => {
  const newOwner = textMember(request, "new_owner")
  const newName = textMember(request, "name") ?? textMember(request, "new_name")
  return newOwner === undefined && newName === undefined
    ? []
    : [{ kind: "repository", owner: newOwner ?? owner, name: newName ?? name }]
}
