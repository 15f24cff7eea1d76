import { it } from "vitest"
import { expectIndexRecovery } from "./IndexCrash.test-support.ts"

it("20 SIGKILLs during index writes leave an index that opens and answers right", { timeout: 1_200_000 }, () =>
  expectIndexRecovery(20)
)
