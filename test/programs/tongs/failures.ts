// Every failure of a call, each with what a person can do about it.
import { createForge, type Failure, isFailure } from "@tongs/client"

const { FORGE_URL: baseUrl = "", FORGE_TOKEN: auth = "" } = process.env
await using forge = createForge({ baseUrl, auth, dialect: "github" })

const advice = (failure: Failure): string => {
  switch (failure._tag) {
    case "RateLimited":
      return `wait until ${new Date(failure.until).toISOString()}`
    case "ValidationFailed":
      return `correct ${failure.errors.map(({ field }) => field).join(", ") || "the request"}`
    case "Forbidden":
    case "BadCredentials":
      return "use another token"
    case "NotFound":
    case "Gone":
      return "check the name"
    case "Conflict":
      return "read the current state first"
    case "ServiceFailed":
    case "Unreachable":
      return "try later"
    default:
      return failure.message
  }
}

for (const [repo, branch] of [
  ["nothing", "a"],
  ["hello", "a..b"],
  ["hello", "main"]
] as const) {
  try {
    const { object } = await forge.gitRefs.get({ owner: "harbor", repo: "hello", ref: "heads/main" })
    await forge.gitRefs.create({ owner: "harbor", repo, ref: `refs/heads/${branch}`, sha: object.sha })
  } catch (error) {
    if (!isFailure(error)) throw error
    console.log(repo, branch, advice(error))
  }
}
