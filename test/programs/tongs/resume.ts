// Reads 10,000 items, and continues after an interruption with the page that was next.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { createForge } from "@tongs/client"

const { FORGE_URL: baseUrl = "", FORGE_TOKEN: auth = "", STATE: file = "", STOP_AFTER: stop = "" } = process.env
await using forge = createForge({ baseUrl, auth, dialect: "github" })

const state: { count: number; cursor?: string } = existsSync(file)
  ? JSON.parse(readFileSync(file, "utf8"))
  : { count: 0 }
const list = forge.commits.list({ owner: "harbor", repo: "long" }, { perPage: 100, ...state })
for await (const { cursor, items } of list.pages()) {
  state.count += items.length
  writeFileSync(file, JSON.stringify({ count: state.count, cursor }))
  if (state.count === Number(stop)) break
}
console.log(state.count)
