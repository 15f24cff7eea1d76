import { it } from "vitest"
import { expectIndexRecovery } from "./IndexCrash.test-support.ts"

it("2 SIGKILLs during index writes leave an index that opens and answers right", { timeout: 300_000 }, () =>
  expectIndexRecovery(2)
)
