/** The environment of a program that `tongs run` starts: the addresses and the token of a forge. */

/** A forge that a program reaches over HTTP. */
export interface ReachableForge {
  /** Base URL of the REST API. */
  readonly url: string
  readonly token: string | undefined
  /** The repository of the working directory, as `OWNER/NAME`. */
  readonly repository: string | undefined
}

/** The host for which gh speaks plain HTTP, to the REST API at `api.` this host. */
const LOCAL_HOST = "github.localhost"

/** Returns the URL of the web pages and of git, for the URL of an API. */
const pagesOf = ({ host, protocol }: URL) => `${protocol}//${host === "api.github.com" ? "github.com" : host}`

/** Returns the variables that make git send a token to these URLs. Variables, because arguments are public. */
const gitVariables = (token: string, urls: ReadonlyArray<string>, given: NodeJS.ProcessEnv) => {
  const before = Number(given["GIT_CONFIG_COUNT"] ?? 0) || 0
  const header = `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`
  const settings = urls.map((url, index): ReadonlyArray<readonly [string, string]> => [
    [`GIT_CONFIG_KEY_${before + index}`, `http.${url}/.extraHeader`],
    [`GIT_CONFIG_VALUE_${before + index}`, header]
  ])
  return { GIT_CONFIG_COUNT: String(before + urls.length), ...Object.fromEntries(settings.flat()) }
}

/** Returns the variables for gh: a host, and for plain HTTP the forge as a proxy of this host. */
const ghVariables = (url: URL, token: string | undefined) => {
  const isPlain = url.protocol === "http:"
  const host = isPlain ? LOCAL_HOST : new URL(pagesOf(url)).host
  const isEnterprise = !isPlain && host !== "github.com" && !host.endsWith(".ghe.com")
  const proxy = isPlain ? { HTTP_PROXY: url.origin, http_proxy: url.origin } : {}
  return {
    GH_HOST: host,
    ...(token === undefined ? {} : { [isEnterprise ? "GH_ENTERPRISE_TOKEN" : "GH_TOKEN"]: token }),
    ...proxy
  }
}

/**
 * Returns the environment for a program, based on the environment `given`. `configFolder` is an empty folder for the
 * configuration of gh, so that gh neither reads nor changes the configuration of the user.
 */
export const make = (
  { repository, token, url: text }: ReachableForge,
  configFolder: string,
  given: NodeJS.ProcessEnv
): NodeJS.ProcessEnv => {
  const url = new URL(text)
  const gh = ghVariables(url, token)
  const pages = pagesOf(url)
  const base = text.replace(/\/$/, "")
  const gitUrls = url.protocol === "http:" ? [pages, `http://${LOCAL_HOST}`] : [pages]
  return {
    ...given,
    ...gh,
    GH_CONFIG_DIR: configFolder,
    GH_NO_UPDATE_NOTIFIER: "1",
    ...(repository === undefined || given["GH_REPO"] !== undefined ? {} : { GH_REPO: `${gh.GH_HOST}/${repository}` }),
    GITHUB_API_URL: base,
    GITHUB_GRAPHQL_URL: `${base.replace(/\/v3$/, "")}/graphql`,
    GITHUB_SERVER_URL: pages,
    ...(token === undefined ? {} : { GITHUB_TOKEN: token, ...gitVariables(token, gitUrls, given) })
  }
}
