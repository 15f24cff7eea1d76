import { it } from "vitest"
import { expectCrashRecovery } from "./CrashRecovery.test-support.ts"

it("100 SIGKILLs during writes and deliveries lose no acknowledged data", { timeout: 1_800_000 }, () =>
  expectCrashRecovery(100)
)
