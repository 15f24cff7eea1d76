/** GitHub's own library, unmodified, as the owner of a forge. */
import { Octokit } from "@octokit/rest"
import type { Serving } from "./Serve.test-support.ts"

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export const octokitOf = ({ token, url }: Pick<Serving, "token" | "url">) =>
  new Octokit({ auth: token, baseUrl: `${url}/api/v3`, log: silent })
