/** Octokit, unmodified, with the token of a forge's owner. */
import { Octokit } from "@octokit/rest"
import type { ForgeProcess } from "./ForgeProcess.test-support.ts"

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export const octokitFor = ({ token, url }: Pick<ForgeProcess, "token" | "url">) =>
  new Octokit({ auth: token, baseUrl: `${url}/api/v3`, log: silent })
