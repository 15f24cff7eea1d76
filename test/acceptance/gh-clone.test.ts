/** `gh repo clone`, `view` and `list`, unmodified: GraphQL, then git over HTTPS with gh's credential helper. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { ghFor, hasGh } from "./GhCommand.test-support.ts"
import { git, serveCommits } from "./ForgeProcess.test-support.ts"

it.skipIf(!hasGh)(
  "gh and openssl: `gh repo clone` clones a private repository, `gh repo view` and `gh repo list` show it",
  async () => {
    const { base, path, root, serving } = await serveCommits(20, "--dialect", "github")
    const head = git(path, ["rev-parse", "main"])
    const [, , owner = ""] = base.split("/")
    const { host, run } = await ghFor(root, serving)
    await run("repo", "clone", `${owner}/long`, "copy")
    expect(git(join(root, "copy"), ["rev-parse", "HEAD"])).toBe(head)
    expect(git(join(root, "copy"), ["remote", "get-url", "origin"])).toBe(`https://${host}/${owner}/long.git`)
    expect(readFileSync(join(root, "copy", ".git", "config"), "utf8")).not.toContain(serving.token)
    // Without an owner, the repository is the signed-in user's.
    await run("repo", "clone", "long", "shallow", "--", "--depth=1")
    expect(existsSync(join(root, "shallow", ".git", "shallow"))).toBe(true)

    const fields = "name,owner,isPrivate,isEmpty,viewerPermission,defaultBranchRef,languages,repositoryTopics,url"
    const shown = JSON.parse(await run("repo", "view", `${owner}/long`, "--json", fields))
    expect(shown).toMatchObject({
      name: "long",
      owner: { login: owner },
      isPrivate: true,
      isEmpty: false,
      viewerPermission: "ADMIN",
      defaultBranchRef: { name: "main" },
      url: `https://${host}/${owner}/long`
    })
    expect(await run("repo", "view", `${owner}/long`)).toContain(`name:\t${owner}/long`)
    expect(await run("repo", "list", owner, "--json", "nameWithOwner", "--jq", ".[].nameWithOwner")).toBe(
      `${owner}/long`
    )
    await expect(run("repo", "clone", `${owner}/none`)).rejects.toThrow(
      `Could not resolve to a Repository with the name '${owner}/none'.`
    )
  },
  60_000
)
