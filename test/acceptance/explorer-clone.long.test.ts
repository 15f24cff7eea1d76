/** `tongs explore --clone` with 200 repositories. */
import { describe, it } from "@effect/vitest"
import { checkOrganization } from "./ExplorerClone.test-support.ts"

describe("tongs explore --clone", () => {
  it("clones 200 repositories without a refusal, and goes on after a kill", { timeout: 600_000 }, () =>
    checkOrganization(200)
  )
})
