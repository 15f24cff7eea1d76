/** Reads many pages with Octokit. */
import { setTimeout } from "node:timers/promises"
import { Octokit } from "@octokit/core"
import { paginateRest } from "@octokit/plugin-paginate-rest"
import * as ForkedWorker from "../ForkedWorker.ts"
import { respond, assertComplete, LATENCY_MILLIS } from "./PagedStub.ts"

const octokit = new (Octokit.plugin(paginateRest))({
  baseUrl: "https://forge.example",
  request: { fetch: (url: string) => setTimeout(LATENCY_MILLIS).then(() => respond(url)) }
})

ForkedWorker.respond(async () => {
  const started = performance.now()
  const branches = await octokit.paginate("GET /repos/{owner}/{repo}/branches", { owner: "ada", repo: "bench" })
  assertComplete(branches.map(({ name }) => name))
  return performance.now() - started
})
