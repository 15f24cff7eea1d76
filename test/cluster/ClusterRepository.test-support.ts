/** Repositories of a cluster, and requests to it. */
import { join } from "node:path"
import { commit, git, request } from "../acceptance/ForgeProcess.test-support.ts"
import type { Cluster, Member } from "./Cluster.test-support.ts"

/** Creates a bare repository with two commits, parent and child, of which `main` is the first. */
export const createRepository = (root: string, repositories: string, name: string): readonly [string, string] => {
  const clone = join(root, `new-${name}`)
  git(root, ["init", "--quiet", "--initial-branch=main", clone])
  const first = commit(clone, { "README.md": `# ${name}\n` }, "first")
  const second = commit(clone, { "lib.ts": `export const ${name.replaceAll("-", "_")} = 1\n` }, "second")
  const path = join(repositories, `${name}.git`)
  git(root, ["clone", "--quiet", "--bare", clone, path])
  git(path, ["update-ref", "refs/heads/main", first])
  return [first, second]
}

export const loginOf = async (cluster: Pick<Cluster | Member, "token" | "url">): Promise<string> =>
  (await request(cluster, "GET", "/user")).json.login

/** Clone URL of a repository at the balancer or at one process. */
export const remoteOf = ({ token, url }: Pick<Cluster | Member, "token" | "url">, fullName: string): string =>
  `${url.replace("://", `://git:${token}@`)}/${fullName}.git`

/** Number of an environment variable, for shorter runs. */
export const setting = (name: string, normal: number): number => Number(process.env[name] ?? normal)
