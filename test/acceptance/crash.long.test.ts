import { it } from "vitest"
import { expectCrashRecovery } from "./CrashRecovery.test-support.ts"

it("100 times SIGKILL under writes and deliveries: nothing acknowledged is lost", { timeout: 1_800_000 }, () =>
  expectCrashRecovery(100)
)
