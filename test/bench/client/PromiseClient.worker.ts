/** The Promise client. */
import { createForge } from "@tongs/client"
import { serveClient } from "./ClientWorker.ts"
import { respond, BASE_URL, TOKEN } from "./StubTransport.ts"

const fetch = async (input: RequestInfo | URL) => respond(input instanceof Request ? input.url : String(input))
const forge = createForge({ baseUrl: BASE_URL, auth: TOKEN, fetch })

// The response shows the client that this forge has no limits.
await forge.request("GET /rate_limit").catch(() => undefined)

const repository = { owner: "ada", repo: "bench" }

serveClient({
  get: (branch) => forge.gitRefs.get({ ...repository, ref: `heads/${branch}` }),
  page: async (sha) => (await forge.commits.list({ ...repository, sha }, { perPage: 30 }).first()).items
})
