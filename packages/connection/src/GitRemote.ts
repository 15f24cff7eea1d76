/**
 * Finds the remote repository that the working directory was cloned from, by the git remote `origin` or the only
 * remote. Reads only the repository's own git configuration, without includes, and runs no program from the
 * configuration.
 */
import { execFile } from "node:child_process"
import { join, parse as parsePath } from "node:path"
import * as Effect from "effect/Effect"
import * as LinkHeader from "@tongs/core/paging/LinkHeader"
import { isFile } from "@tongs/service/git/files/Files"
import { locateEnclosing } from "@tongs/service/git/values/RepositoryLocation"

/** A repository, by the owner's login and the name. */
export interface RepositoryName {
  readonly owner: string
  readonly repo: string
}

/** A repository, or a clause that says why the repository is unknown. */
export type RemoteRepository =
  | { readonly repository: RepositoryName; readonly repositoryProblem: undefined }
  | { readonly repository: undefined; readonly repositoryProblem: string }

/** Time limit in milliseconds for git to read a configuration file. */
const TIMEOUT = 2000

/** Maximum number of bytes that git may print. */
const MAX_OUTPUT = 256 * 1024

/** Returns the repository that the folder `cwd` is a clone of, on the forge whose API is at `baseUrl`. */
export const findRepository = Effect.fn("GitRemote.findRepository")(function* (cwd: string, baseUrl: string) {
  return chooseRepository(yield* remotes(cwd), new URL(baseUrl).hostname)
})

/**
 * Returns the URLs of the git remotes by name, in the order of the configuration. Empty outside a repository, or
 * without git.
 */
const remotes = (cwd: string) =>
  Effect.callback<ReadonlyMap<string, string>>((resume) => {
    const none = Effect.succeed(new Map<string, string>())
    const around = locateEnclosing(cwd)
    const file = around === undefined ? "" : join(around.commonDir, "config")
    if (!isFile(file)) return resume(none)
    const args = ["config", "--file", file, "--no-includes", "--null", "--get-regexp", "^remote\\..*\\.url$"]
    const options = {
      // Inside the repository, git would first read the whole configuration, including included files.
      cwd: parsePath(file).root,
      timeout: TIMEOUT,
      killSignal: "SIGKILL",
      maxBuffer: MAX_OUTPUT
    } as const // the name of a signal
    const child = execFile("git", args, options, (error, stdout) =>
      resume(error === null ? Effect.succeed(parse(stdout)) : none)
    )
    return Effect.sync(() => {
      // A process that could not be started has no id, and Node would signal an arbitrary process.
      if (child.pid !== undefined) child.kill("SIGKILL")
    })
  })

const parse = (output: string) => {
  const urls = new Map<string, string>()
  for (const entry of output.split("\0")) {
    const [, name, url] = /^remote\.(.*)\.url\n([\s\S]+)$/.exec(entry) ?? []
    // A remote with several URLs fetches from the first.
    if (name !== undefined && url !== undefined && !urls.has(name)) urls.set(name, url)
  }
  return urls
}

/** Returns the repository that the remotes (URLs by name) point to, or a reason if the host is not the forge's. */
export const chooseRepository = (remotes: ReadonlyMap<string, string>, forge: string): RemoteRepository => {
  const [only, ...others] = remotes.keys()
  const name = remotes.has("origin") ? "origin" : others.length === 0 ? only : undefined
  const url = name === undefined ? undefined : remotes.get(name)
  if (url === undefined) {
    return none(remotes.size === 0 ? "the working directory has no git remote" : "no git remote is named origin")
  }
  const read = parseUrl(url)
  if (read === undefined)
    return none(`the git remote ${name} (${LinkHeader.withoutQuery(url)}) is not a repository URL`)
  const { host, ...repository } = read
  return isHost(host, forge)
    ? { repository, repositoryProblem: undefined }
    : none(`the git remote ${name} is on ${host}, not on ${forge}`)
}

const none = (repositoryProblem: string): RemoteRepository => ({ repository: undefined, repositoryProblem })

/** Parses `https://host/owner/repo.git`, `ssh://git@host:22/owner/repo` and `git@host:owner/repo.git`. */
export const parseUrl = (url: string): (RepositoryName & { readonly host: string }) | undefined => {
  const [, scpHost, scpPath] = /^(?:[^@/:]+@)?([^@/:[\]]+):(?!\/\/)\/?(.+)$/.exec(url) ?? []
  const parsed = scpHost === undefined && URL.canParse(url) ? new URL(url) : undefined
  const isRemote = parsed !== undefined && /^(https?|ssh|git|git\+ssh|ssh\+git):$/.test(parsed.protocol)
  const host = scpHost ?? (isRemote ? parsed.hostname : "")
  const path = scpPath ?? (isRemote ? parsed.pathname.slice(1) : "")
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(path) ?? []
  return host === "" || owner === undefined || repo === undefined
    ? undefined
    : { host: host.toLowerCase(), owner, repo }
}

/**
 * Returns true if a git remote's host belongs to the forge. api.github.com and ssh.github.com also belong to
 * github.com.
 */
const isHost = (host: string, forge: string) =>
  [host, host.replace(/^ssh\./, "")].some((one) => one === forge || `api.${one}` === forge)
