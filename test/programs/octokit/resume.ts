// Reads 10,000 items, and continues after an interruption with the page that was next.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { Octokit } from "@octokit/rest"

const { FORGE_URL: baseUrl = "", FORGE_TOKEN: auth = "", STATE: file = "", STOP_AFTER: stop = "" } = process.env
const octokit = new Octokit({ baseUrl, auth })

let { count, page }: { count: number; page: number } = existsSync(file)
  ? JSON.parse(readFileSync(file, "utf8"))
  : { count: 0, page: 1 }
const parameters = { owner: "harbor", repo: "long", per_page: 100, page }
for await (const { data } of octokit.paginate.iterator(octokit.rest.repos.listCommits, parameters)) {
  count += data.length
  page += 1
  writeFileSync(file, JSON.stringify({ count, page }))
  if (count === Number(stop)) break
}
console.log(count)
