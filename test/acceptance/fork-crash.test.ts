import { it } from "vitest"
import { expectForkCrashRecovery } from "./ForkCrash.test-support.ts"

it("SIGKILLs during forks lose no repository and leave no folder", { timeout: 600_000 }, () =>
  expectForkCrashRecovery(3)
)
