/** The baseline without a client: the stub and `JSON.parse`. */
import { serveClient } from "./ClientWorker.ts"
import { respond, BASE_URL } from "./StubTransport.ts"

const fetched = async (path: string): Promise<unknown> => (await Promise.resolve(respond(BASE_URL + path))).json()

serveClient({
  get: (branch) => fetched(`/repos/ada/bench/git/ref/heads/${branch}`),
  page: (branch) => fetched(`/repos/ada/bench/commits?sha=${branch}&per_page=30`)
})
