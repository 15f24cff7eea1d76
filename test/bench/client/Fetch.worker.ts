/** No client at all: what the stub and the parsing of JSON cost everybody. */
import { compete } from "./Contender.ts"
import { answer, baseUrl } from "./Stub.ts"

const fetched = async (path: string): Promise<unknown> => (await Promise.resolve(answer(baseUrl + path))).json()

compete({
  get: (branch) => fetched(`/repos/ada/bench/git/ref/heads/${branch}`),
  page: (branch) => fetched(`/repos/ada/bench/commits?sha=${branch}&per_page=30`)
})
