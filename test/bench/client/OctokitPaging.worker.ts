/** Octokit's way through many pages. */
import { setTimeout } from "node:timers/promises"
import { Octokit } from "@octokit/core"
import { paginateRest } from "@octokit/plugin-paginate-rest"
import * as Worker from "../Worker.ts"
import { answer, check, latency } from "./Pages.stub.ts"

const octokit = new (Octokit.plugin(paginateRest))({
  baseUrl: "https://forge.example",
  request: { fetch: (url: string) => setTimeout(latency).then(() => answer(url)) }
})

Worker.answer(async () => {
  const started = performance.now()
  const branches = await octokit.paginate("GET /repos/{owner}/{repo}/branches", { owner: "ada", repo: "bench" })
  check(branches.map(({ name }) => name))
  return performance.now() - started
})
