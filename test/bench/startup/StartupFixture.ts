/** Creates a repository for the working directory, and a data folder with many repositories. */
import * as Effect from "effect/Effect"
import * as BenchmarkEnvironment from "../BenchmarkEnvironment.ts"

const git = (path: string, ...args: ReadonlyArray<string>) =>
  BenchmarkEnvironment.runCommand("git", [
    "-C",
    path,
    "-c",
    "user.name=Ada",
    "-c",
    "user.email=ada@example.com",
    ...args
  ])

/** Creates a repository with twenty commits. Returns the path. */
export const repository = Effect.fnUntraced(function* (home: string) {
  const path = `${home}/bench`
  yield* BenchmarkEnvironment.runCommand("git", ["init", "--quiet", "--initial-branch=main", path])
  for (let index = 0; index < 20; index++)
    yield* git(path, "commit", "--quiet", "--allow-empty", "-m", `Change ${index}`)
  return path
})

/** Creates empty repositories through the API. */
export const createRepositories = ({ token, url }: { readonly token: string; readonly url: string }, count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => `repository-${index}`),
    (name) =>
      Effect.tryPromise({
        try: async () => {
          const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
          const response = await fetch(`${url}/user/repos`, { method: "POST", headers, body: JSON.stringify({ name }) })
          if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
          await response.arrayBuffer()
        },
        catch: (cause) => new BenchmarkEnvironment.BenchmarkError({ detail: `creating ${name}: ${String(cause)}` })
      }),
    { concurrency: 4, discard: true }
  )
