/** Octokit with plugins for throttling, retry and paging, like Tongs. */
import { Octokit } from "@octokit/core"
import { paginateRest } from "@octokit/plugin-paginate-rest"
import { retry } from "@octokit/plugin-retry"
import { throttling } from "@octokit/plugin-throttling"
import { serveClient } from "./ClientWorker.ts"
import { respond, BASE_URL, TOKEN } from "./StubTransport.ts"

const octokit = new (Octokit.plugin(throttling, retry, paginateRest))({
  auth: TOKEN,
  baseUrl: BASE_URL,
  throttle: { onRateLimit: () => false, onSecondaryRateLimit: () => false },
  request: { fetch: async (url: string) => respond(url) }
})

const repository = { owner: "ada", repo: "bench" }

serveClient({
  get: async (branch) =>
    (await octokit.request("GET /repos/{owner}/{repo}/git/ref/{ref}", { ...repository, ref: `heads/${branch}` })).data,
  page: async (sha) =>
    (await octokit.request("GET /repos/{owner}/{repo}/commits", { ...repository, sha, per_page: 30 })).data
})
