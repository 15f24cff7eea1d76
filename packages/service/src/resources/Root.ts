import * as Effect from "effect/Effect"
import { entries } from "@tongs/core/contract/Catalog"
import { Root } from "@tongs/core/contract/Root"
import { group } from "../http/Handlers.ts"

/** `current_user_url`, `repository_url`, ...: a URL template for every list or resource that the contract reads. */
const templates = entries
  .filter((entry) => entry.readonly && entry.group !== "root")
  .map(({ endpoint, fields, group, name }) => {
    const query = fields.filter((field) => field.in === "query").map((field) => field.name)
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}")
    const snake = `${group}_${name}`.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return [`${snake}_url`, query.length === 0 ? path : `${path}{?${query.join(",")}}`] as const
  })

/** Names that clients of the larger forges look for. */
const wellKnown: ReadonlyArray<readonly [string, string]> = [
  ["current_user_url", "/user"],
  ["current_user_repositories_url", "/user/repos{?type,page,per_page,sort}"],
  ["user_url", "/users/{user}"],
  ["repository_url", "/repos/{owner}/{repo}"],
  ["code_search_url", "/search/code?q={query}{&page,per_page,sort,order}"],
  ["rate_limit_url", "/rate_limit"]
]

export const make = Effect.succeed(
  group(Root)({
    *get(_, { urls }) {
      return Object.fromEntries([...wellKnown, ...templates].map(([name, path]) => [name, urls.api + path]))
    }
  })
)
