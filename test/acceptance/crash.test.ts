import { it } from "vitest"
import { expectCrashRecovery } from "./CrashRecovery.test-support.ts"

it("3 SIGKILLs during writes and deliveries lose no acknowledged data", { timeout: 600_000 }, () =>
  expectCrashRecovery(3)
)
