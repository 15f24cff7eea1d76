import * as Effect from "effect/Effect"
import { allEntries } from "@tongs/core/contract/CatalogEntry"
import * as Operation from "@tongs/core/contract/Operation"
import { Root } from "@tongs/core/contract/groups/Root"
import { group } from "../../api/Handlers.ts"

/** A URL template for every read operation of the contract, by name. */
const templates = () =>
  allEntries()
    .filter((entry) => entry.readonly && entry.group !== "root")
    .map(({ endpoint, fields, group, name, operation }) => {
      const query = fields.filter((field) => field.in === "query").map((field) => field.name)
      const path = endpoint.path.replace(/:(\w+)/g, "{$1}")
      const label = Operation.toSnakeCase(`${group}_${operation.command === "" ? name : operation.command}`)
      return [`${label}_url`, query.length === 0 ? path : `${path}{?${query.join(",")}}`] as const
    })

/** Names that clients of larger forges expect. Some URLs are not supported and respond with 404. */
const wellKnown: ReadonlyArray<readonly [string, string]> = [
  ["current_user_url", "/user"],
  ["code_search_url", "/search/code?q={query}{&page,per_page,sort,order}"],
  ["commit_search_url", "/search/commits?q={query}{&page,per_page,sort,order}"],
  ["emails_url", "/user/emails"],
  ["emojis_url", "/emojis"],
  ["events_url", "/events"],
  ["feeds_url", "/feeds"],
  ["followers_url", "/user/followers"],
  ["following_url", "/user/following{/target}"],
  ["gists_url", "/gists{/gist_id}"],
  ["issue_search_url", "/search/issues?q={query}{&page,per_page,sort,order}"],
  ["issues_url", "/issues"],
  ["keys_url", "/user/keys"],
  ["label_search_url", "/search/labels?q={query}&repository_id={repository_id}{&page,per_page}"],
  ["notifications_url", "/notifications"],
  ["organization_url", "/orgs/{org}"],
  ["organization_repositories_url", "/orgs/{org}/repos{?type,page,per_page,sort}"],
  ["organization_teams_url", "/orgs/{org}/teams"],
  ["public_gists_url", "/gists/public"],
  ["rate_limit_url", "/rate_limit"],
  ["repository_url", "/repos/{owner}/{repo}"],
  ["repository_search_url", "/search/repositories?q={query}{&page,per_page,sort,order}"],
  ["current_user_repositories_url", "/user/repos{?type,page,per_page,sort}"],
  ["starred_url", "/user/starred{/owner}{/repo}"],
  ["starred_gists_url", "/gists/starred"],
  ["topic_search_url", "/search/topics?q={query}{&page,per_page}"],
  ["user_url", "/users/{user}"],
  ["user_organizations_url", "/user/orgs"],
  ["user_repositories_url", "/users/{user}/repos{?type,page,per_page,sort}"],
  ["user_search_url", "/search/users?q={query}{&page,per_page,sort,order}"]
]

/** Handler of the API root, which lists URL templates. */
export const make = Effect.succeed(
  group(Root)({
    *get(_, { urls }) {
      return {
        ...Object.fromEntries([...wellKnown, ...templates()].map(([name, path]) => [name, urls.api + path])),
        current_user_authorizations_html_url: `${urls.html}/settings/connections/applications{/client_id}`
      }
    }
  })
)
