/** Matches requests by a route such as `POST /repos/{owner}/{repo}/git/refs`. */

/** A method and a path template. `*` as method matches all, and `*` in the path any text. */
export type Route = `${string} /${string}`

/** Parameters whose values can contain slashes. */
const withSlashes: ReadonlySet<string> = new Set(["{path}", "{ref}", "{branch}", "{basehead}"])

/** Creates a function that tests whether a request matches a route. Throws a `TypeError` for an invalid route. */
export const matcher = (route: string): ((method: string, path: string) => boolean) => {
  const [method = "", template = "", ...rest] = route.split(" ")
  if (!/^([A-Z]+|\*)$/.test(method) || !template.startsWith("/") || rest.length > 0) {
    throw new TypeError(
      `Invalid route ${JSON.stringify(route)}. Write a method and a path: "GET /repos/{owner}/{repo}"`
    )
  }
  const source = template
    .split(/(\{[^{}/]+\}|\*)/)
    .map((part, index) => {
      if (part === "*") return ".*"
      if (index % 2 === 0) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
      return withSlashes.has(part) ? ".+" : "[^/]+"
    })
    .join("")
  const pattern = new RegExp(`^(?:/api/v3)?${source}$`)
  return (requestMethod, path) => (method === "*" || method === requestMethod) && pattern.test(path)
}
