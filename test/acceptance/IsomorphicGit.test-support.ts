/** isomorphic-git, a git client in JavaScript, on a forge with the conformance fixture and an empty private repository. */
import fs, { mkdirSync } from "node:fs"
import { join } from "node:path"
import http from "isomorphic-git/http/node"
import { octokitFor } from "./Octokit.test-support.ts"
import { serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { write } from "../conformance/ConformanceFixture.test-support.ts"

/** Starts a forge; `at` returns the arguments of a clone of `harbor/made`, `hello` of the public `harbor/hello`. */
export const setUp = async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const world = write(root, "http://127.0.0.1:9")
  const { url } = await serve(root, "--dialect", "github", "--fixtures", world.file)
  const octokit = octokitFor({ token: "olive", url })
  const made = await octokit.rest.repos.createInOrg({ org: "harbor", name: "made", private: true, auto_init: true })
  const at = (name: string, token?: string) => ({
    fs,
    http,
    dir: join(root, name),
    url: made.data.clone_url,
    ...(token === undefined ? {} : { onAuth: () => ({ username: "x-access-token", password: token }) }),
    onAuthFailure: () => ({ cancel: true })
  })
  const hello = { ...at("hello"), url: `${url}/harbor/hello.git` }
  return { root, url, world, octokit, at, hello }
}
