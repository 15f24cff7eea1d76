/** Names of arguments that agents know from other tools. */
import type { Arguments } from "../answer/Answer.ts"

/** The arguments of this server, and alternative names. */
const aliases: Readonly<Record<string, ReadonlyArray<string>>> = {
  path: ["file_path", "file", "filename"],
  query: ["q", "pattern"],
  ref: ["branch", "sha", "commit", "revision"],
  repo: ["repository"],
  limit: ["per_page", "max_results"]
}

/** Returns the arguments with the names that a tool has. Known arguments stay unchanged. */
export const resolve = (args: Arguments, names: ReadonlyArray<string>): Arguments => {
  const given = new Map(Object.entries(args))
  const take = (name: string) => {
    const value = names.includes(name) ? undefined : given.get(name)
    return typeof value === "string" || typeof value === "number" ? value : undefined
  }
  const rename = (others: ReadonlyArray<string>, name: string, value: unknown) => {
    if (!names.includes(name) || (given.has(name) && !others.includes(name))) return
    for (const other of others) given.delete(other)
    given.set(name, value)
  }
  const owner = take("owner")
  const repo = given.get("repo")
  if (owner !== undefined && typeof repo === "string" && !repo.includes("/"))
    rename(["owner", "repo"], "repo", `${owner}/${repo}`)
  const from = take("start_line")
  const to = take("end_line")
  if (from !== undefined || to !== undefined) rename(["start_line", "end_line"], "lines", `${from ?? 1}-${to ?? ""}`)
  for (const [name, others] of Object.entries(aliases)) {
    for (const other of others) {
      const value = take(other)
      if (value !== undefined) rename([other], name, value)
    }
  }
  return Object.fromEntries(given)
}
