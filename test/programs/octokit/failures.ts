// Every failure of a call, each with what a person can do about it.
import { RequestError } from "@octokit/request-error"
import { Octokit } from "@octokit/rest"

const { FORGE_URL: baseUrl = "", FORGE_TOKEN: auth = "" } = process.env
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const octokit = new Octokit({ baseUrl, auth, log })

const fieldsOf = (data: unknown): ReadonlyArray<unknown> => {
  if (typeof data !== "object" || data === null || !("errors" in data) || !Array.isArray(data.errors)) return []
  return data.errors.map((error: unknown) => Object(error).field)
}

const advice = ({ message, response, status }: RequestError): string => {
  const {
    "retry-after": after,
    "x-ratelimit-remaining": remaining,
    "x-ratelimit-reset": reset
  } = response?.headers ?? {}
  if (status === 429 || (status === 403 && (after !== undefined || remaining === "0"))) {
    const until = after === undefined ? Number(reset) * 1000 : Date.now() + Number(after) * 1000
    return `wait until ${new Date(until).toISOString()}`
  }
  switch (status) {
    case 400:
    case 422:
      return `correct ${fieldsOf(response?.data).join(", ") || "the request"}`
    case 401:
    case 403:
      return "use another token"
    case 404:
    case 410:
      return "check the name"
    case 409:
      return "read the current state first"
    default:
      // A connection that failed has the status 500, too.
      return status >= 500 ? "try later" : message
  }
}

for (const [repo, branch] of [
  ["nothing", "a"],
  ["hello", "a..b"],
  ["hello", "main"]
] as const) {
  try {
    const { data } = await octokit.rest.git.getRef({ owner: "harbor", repo: "hello", ref: "heads/main" })
    await octokit.rest.git.createRef({ owner: "harbor", repo, ref: `refs/heads/${branch}`, sha: data.object.sha })
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    console.log(repo, branch, advice(error))
  }
}
