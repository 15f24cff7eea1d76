/** Creates rulesets, comments, artifacts and billed usage from short descriptions. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as FastImport from "./FastImport.ts"
import type { TestForge } from "./TestForge.ts"

interface Options extends Pick<TestForge, "add" | "owner"> {
  /** Creates missing users. */
  readonly ensureUser: (login: string) => Promise<void>
  /** Folder for temporary files. */
  readonly folder: string
}

type ContentBuilders = Pick<TestForge, "ruleset" | "comment" | "artifact" | "usage">

/** All branches of all repositories. */
const everywhere = { ref_name: { include: ["~ALL"] }, repository_name: { include: ["~ALL"] } }

export const make = ({ add, ensureUser, folder, owner }: Options): ContentBuilders => ({
  ruleset: (organization, rules, options = {}) => {
    const defaults = { name: "Rules", enforcement: "active", conditions: everywhere } as const
    return add({ rulesets: [{ organization, rules, ...defaults, ...options }] })
  },
  comment: async (repository, body, { commit, line, path, user = owner.login } = {}) => {
    await ensureUser(user)
    await add({
      commit_comments: [
        {
          repository,
          user,
          body,
          ...(commit === undefined ? {} : { commit_id: commit }),
          ...(path === undefined ? {} : { path }),
          ...(line === undefined ? {} : { line })
        }
      ]
    })
  },
  artifact: async (repository, files, { expiresAt, name = "artifact", run = 1 } = {}) => {
    FastImport.checkFiles(files)
    const file = mkdtempSync(join(folder, "artifact-"))
    for (const [path, content] of Object.entries(files)) {
      if (content === null) continue
      mkdirSync(dirname(join(file, path)), { recursive: true })
      writeFileSync(join(file, path), content)
    }
    const expiry = expiresAt === undefined ? {} : { expires_at: expiresAt.toISOString() }
    await add({ artifacts: [{ repository, name, file, workflow_run: { id: run }, ...expiry }] })
    rmSync(file, { recursive: true })
  },
  usage: (organization, options = {}) => {
    const price = { quantity: 100, unitType: "minutes", pricePerUnit: 0.008 }
    const usage = { date: "now-0d", product: "actions", sku: "Actions Linux", ...price, ...options }
    return add({ billing_usage: [{ organization, ...usage }] })
  }
})
